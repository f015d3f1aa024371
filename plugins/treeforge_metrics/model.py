"""Measures of the model itself, and of the time that it took. What a model does not count is undefined for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from treeforge.plugin import Metric


@dataclass(frozen=True)
class ModelMetric(Metric):
    """Base of these: the model's own numbers suffice, and fewer are better."""

    larger_is_better: ClassVar[bool | None] = False
    needs_predictions: ClassVar[bool] = False
    #: names in the outcome, the first that is there counts
    names: ClassVar[tuple[str, ...]] = ()

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        return next((outcome[name] for name in self.names if name in outcome), None)


@dataclass(frozen=True)
class LeavesMetric(ModelMetric):
    """Number of leaves; of all trees together in an ensemble."""

    names: ClassVar[tuple[str, ...]] = ("leaves",)


@dataclass(frozen=True)
class SizeMetric(ModelMetric):
    """Number of nodes, leaves included; of all trees together in an ensemble."""

    names: ClassVar[tuple[str, ...]] = ("size",)


@dataclass(frozen=True)
class DepthMetric(ModelMetric):
    """Tests on the longest path; of the deepest tree in an ensemble."""

    names: ClassVar[tuple[str, ...]] = ("depth",)


@dataclass(frozen=True)
class RulesMetric(ModelMetric):
    """Number of rules: the model's own count, else one for each leaf."""

    names: ClassVar[tuple[str, ...]] = ("rules", "leaves")


@dataclass(frozen=True)
class ModelBytesMetric(ModelMetric):
    """Bytes of the model's arrays in memory."""

    names: ClassVar[tuple[str, ...]] = ("model_bytes",)


@dataclass(frozen=True)
class OutOfBagErrorMetric(ModelMetric):
    """Error of an ensemble on its own training cases, each judged by the trees that did not train on it.

    Only of an ensemble that was asked for it, e.g. ``random_forest: {out_of_bag: true}``.
    """

    names: ClassVar[tuple[str, ...]] = ("out_of_bag_error",)


@dataclass(frozen=True)
class FitSecondsMetric(ModelMetric):
    """CPU seconds to train, of the thread that trained: what else the machine does is not in it."""

    reproducible: ClassVar[bool] = False
    names: ClassVar[tuple[str, ...]] = ("fit_seconds",)


@dataclass(frozen=True)
class PredictSecondsMetric(ModelMetric):
    """CPU seconds to predict the test part, of the thread that predicted."""

    reproducible: ClassVar[bool] = False
    names: ClassVar[tuple[str, ...]] = ("predict_seconds",)
