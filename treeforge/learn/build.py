"""The words of an algorithm, as a pipeline file or the command line has them -> a learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from treeforge.errors import ParameterError
from treeforge.learn.estimator import EstimatorLearner
from treeforge.plugin.parameters import check, make, nearest
from treeforge.plugin.registry import load

PLUGIN_KEYS = ("splitter", "criterion", "pruner", "ensemble")


def learner(words: Mapping[str, Any]) -> Any:
    """What an entry of ``algorithms:`` stands for.

    ``splitter``, ``criterion``, ``pruner`` and ``ensemble`` name plugins, each either alone (``c45``) or with
    parameters (``{c45: {binary: true}}``); what is left out is what the splitter or the ensemble goes with.
    The other keys are limits, and ``laplace``. ``{estimator: NAME, parameters: {...}}`` is an outside estimator.

    Examples
    --------
    >>> learner({"splitter": "c45", "min_branch": 5}).limits.min_branch
    5.0
    """
    if "estimator" in words:
        return _estimator(words)
    from treeforge.learn.learner import Learner, Limits

    limit_hints = get_type_hints(Limits)
    known = [*PLUGIN_KEYS, *limit_hints, "laplace"]
    for key in words:
        if key not in known:
            raise ParameterError(
                f"'{key}' means nothing to an algorithm{nearest(key, known)} (keys: {', '.join(known)})"
            )
    names: dict[str, str] = {}
    ensemble = _plugin("ensemble", words.get("ensemble"), names)
    splitter = _plugin(
        "splitter", words.get("splitter") or getattr(ensemble, "default_splitter", None) or "c45", names
    )
    criterion = _plugin("criterion", words.get("criterion") or splitter.default_criterion, names)
    pruner = _plugin(
        "pruner",
        words.get("pruner") or getattr(ensemble, "default_pruner", None) or splitter.default_pruner,
        names,
    )
    limits = {
        f.name: check(limit_hints[f.name], words[f.name], f.name) for f in fields(Limits) if f.name in words
    }
    laplace = check(bool, words.get("laplace", False), "laplace")
    return Learner(splitter, criterion, pruner, ensemble, Limits(**limits), laplace, names)


def _plugin(kind: str, words: Any, names: dict[str, str]) -> Any:
    """An instance from ``name`` or ``{name: {parameter: value}}``; None from nothing."""
    if words is None:
        return None
    name, parameters = words, dict[str, Any]()
    if isinstance(words, Mapping):
        if len(words) != 1:
            raise ParameterError(
                f"{kind}: one name is expected, not {', '.join(map(str, words)) or 'nothing'}"
            )
        ((name, parameters),) = words.items()
        parameters = {} if parameters is None else parameters
    if not isinstance(name, str) or not isinstance(parameters, Mapping):
        raise ParameterError(f"{kind}: a name, or a name with its parameters, is expected, not {words!r}")
    names[kind] = name
    return make(load(kind, name), parameters, name)


def _estimator(words: Mapping[str, Any]) -> EstimatorLearner:
    for key in words:
        if key not in ("estimator", "parameters"):
            raise ParameterError(
                f"'{key}' means nothing to an outside estimator (keys: estimator, parameters)"
            )
    name, parameters = words["estimator"], words.get("parameters") or {}
    if not isinstance(name, str):
        raise ParameterError(f"estimator: a dotted name is expected, not {name!r}")
    if not isinstance(parameters, Mapping):
        raise ParameterError(f"parameters: a mapping is expected, not {parameters!r}")
    return EstimatorLearner(name, parameters)
