"""The words of an algorithm -> a learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeforge.errors import ParameterError
from treeforge.learn.estimator import EstimatorLearner


def learner(words: Mapping[str, Any]) -> Any:
    """What an entry of ``algorithms:`` stands for."""
    if "estimator" in words:
        return _estimator(words)
    raise ParameterError("trees are not grown yet")


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
