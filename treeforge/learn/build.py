"""The words of an algorithm -> a learner: what stands in a pipeline file, or on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

from treeforge.errors import ParameterError, TreeForgeError, nearest
from treeforge.learn.costs import check_costs
from treeforge.learn.estimator import EstimatorLearner
from treeforge.learn.learner import Learner, Limits
from treeforge.plugin import registry
from treeforge.plugin.parameters import check, describe, make

#: keys whose value is a plugin's name, or one name with its parameters
PLUGINS = ("splitter", "criterion", "pruner", "ensemble", "discretizer")
#: the other keys, with their types
SETTINGS: dict[str, Any] = {
    **get_type_hints(Limits),
    "laplace": bool,
    "soft_thresholds": bool,
    "cost_matrix": list,
}


def learner(words: Mapping[str, Any]) -> Learner | EstimatorLearner:
    """What an entry of ``algorithms:`` stands for; what is left out is C4.5 as J48 builds it.

    Raises ParameterError or PluginError for the first thing that is wrong.

    Examples
    --------
    >>> learner({"splitter": {"c45": {"binary": True}}, "min_branch": 5}).limits.min_branch
    5.0
    """
    if "estimator" in words:
        return _estimator(words)
    known = [*PLUGINS, *SETTINGS, "estimator"]
    for key in words:
        if key not in known:
            hint = owner_of(key, words) or nearest(key, known)
            raise ParameterError(f"an algorithm has no key '{key}'{hint} (keys: {', '.join(known)})")
    chosen: dict[str, Any] = {}
    names: dict[str, str] = {}
    packages: dict[str, str] = {}

    def choose(kind: str, default: Any) -> Any:
        """The plugin of a kind that the words name, else the default one."""
        if (named := words.get(kind, default)) is None:
            return None
        name, parameters = _named(kind, named)
        entry = registry.find(kind, name)
        names[kind] = entry.name  # `c45@1` and `package:c45` are the same thing
        packages[kind] = f"{entry.package} {entry.version}"
        chosen[kind] = make(entry.load(), parameters, name)
        return chosen[kind]

    ensemble = choose("ensemble", None)
    for kind in ("splitter", "criterion", "pruner", "discretizer"):
        choose(kind, usual(kind, words))
    settings = {key: check(kind, words[key], key) for key, kind in SETTINGS.items() if key in words}
    if "max_attributes" in settings and "max_attributes" in (
        () if ensemble is None else ensemble.parameters()
    ):
        name, wanted = names["ensemble"], settings["max_attributes"]
        raise ParameterError(
            f"max_attributes: {name} has its own; write ensemble: {{{name}: {{max_attributes: {wanted}}}}}"
        )
    laplace, soft = settings.pop("laplace", False), settings.pop("soft_thresholds", False)
    if soft and ensemble is not None and not ensemble.one_tree:
        raise ParameterError(
            f"soft_thresholds: they are those of a single tree, and {names['ensemble']} makes another model: "
            "leave one of them out"
        )
    if ensemble is not None and ensemble.default_min_branch is not None:
        settings.setdefault("min_branch", ensemble.default_min_branch)
    costs = settings.pop("cost_matrix", None)
    return Learner(
        **chosen,
        limits=Limits(**settings),
        laplace=laplace,
        soft_thresholds=soft,
        cost_matrix=None if costs is None else check_costs(costs, len(costs)),
        names=names,
        packages=packages,
    )


def owner_of(key: str, words: Mapping[str, Any]) -> str:
    """Where a parameter belongs that was written beside the plugins, or nothing.

    Examples
    --------
    >>> owner_of("confidence", {"splitter": "c45"})
    "; 'error_based' has it: pruner: {error_based: {confidence: ...}}, or --set pruner.confidence=..."
    """
    for kind in PLUGINS:
        try:
            named = words.get(kind, usual(kind, words))
            name = "" if named is None else _named(kind, named)[0]
            if name and key in {parameter.name for parameter in describe(registry.load(kind, name))}:
                return f"; '{name}' has it: {kind}: {{{name}: {{{key}: ...}}}}, or --set {kind}.{key}=..."
        except TreeForgeError:  # a plugin that nobody knows: that is said of the plugin
            continue
    return ""


def usual(kind: str, words: Mapping[str, Any]) -> Any:
    """What stands for a plugin that the words do not name: the ensemble's choice, the splitter's, or C4.5's.

    Examples
    --------
    >>> usual("pruner", {}), usual("pruner", {"splitter": "cart"}), usual("criterion", {"ensemble": "random_forest"})
    ('error_based', 'cost_complexity', 'information_gain')
    """
    if kind not in ("splitter", "criterion", "pruner"):
        return None
    ensemble = words.get("ensemble")
    owner = registry.load("ensemble", _named("ensemble", ensemble)[0]) if ensemble is not None else None
    own = owner and getattr(owner, f"default_{kind}")
    if kind == "splitter":
        return own or "c45"
    if kind == "criterion" and "splitter" in words:  # another splitter goes with its own criterion
        own = None
    splitter = words.get("splitter", usual("splitter", words))
    return own or getattr(registry.load("splitter", _named("splitter", splitter)[0]), f"default_{kind}")


def _named(kind: str, words: Any) -> tuple[str, Mapping[str, Any]]:
    """Name and parameters of a plugin, from ``name`` or ``{name: {parameters}}``."""
    if isinstance(words, str):
        return words, {}
    if isinstance(words, Mapping) and len(words) == 1:
        ((name, parameters),) = words.items()
        if parameters is None or isinstance(parameters, Mapping):
            return name, parameters or {}
    raise ParameterError(f"{kind}: a name, or one name with its parameters, is expected, not {words!r}")


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
