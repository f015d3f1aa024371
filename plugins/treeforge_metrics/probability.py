"""Measures of the probabilities that a model gave, as it gave them: a row that sums to less than one stays so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Metric
from treeforge_metrics.margins import Values, macro, weighted

#: a probability of zero for what then happens would cost without end; scikit-learn's floor
LEAST = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class LogLossMetric(Metric):
    """Mean of -ln p of the true class; a p below 2.2e-16 counts as that."""

    larger_is_better: ClassVar[bool | None] = False

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        truth = outcome["truth"]
        given = outcome["probabilities"][np.arange(len(truth)), truth]
        return _mean(-np.log(np.clip(given, LEAST, 1.0)), outcome["weights"])


@dataclass(frozen=True)
class BrierMetric(Metric):
    """Mean squared distance between probabilities and truth, summed over classes: 0 to 2 (Brier 1950)."""

    larger_is_better: ClassVar[bool | None] = False

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        truth = outcome["truth"]
        apart = outcome["probabilities"].copy()
        apart[np.arange(len(truth)), truth] -= 1.0
        return _mean(np.square(apart).sum(axis=1), outcome["weights"])


@dataclass(frozen=True)
class AucMetric(Metric):
    """Area under the ROC curve of each class against the rest; undefined when no other class occurs.

    Parameters
    ----------
    average : {'macro', 'weighted'}
        Mean over the classes that occur in the test part: plain, or by their weight (as Weka). With two classes
        whose probabilities sum to one there is nothing to choose.
    """

    average: Literal["macro", "weighted"] = "macro"

    def __post_init__(self) -> None:
        if self.average not in ("macro", "weighted"):
            raise ValueError(f"average is 'macro' or 'weighted', not {self.average!r}")

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        return self._mean(outcome, self.per_class(outcome))

    def per_class(self, outcome: Mapping[str, Any]) -> Values:
        truth, weights = outcome["truth"], outcome["weights"]
        columns = outcome["probabilities"].T
        return [area(column, truth == code, weights) for code, column in enumerate(columns)]

    def both(self, outcome: Mapping[str, Any]) -> tuple[float | None, Values]:
        areas = self.per_class(outcome)
        if type(self).value is not AucMetric.value:  # a subclass that makes something else of them
            return self.value(outcome), areas
        return self._mean(outcome, areas), areas

    def _mean(self, outcome: Mapping[str, Any], areas: Values) -> float | None:
        weights = outcome["confusion"].sum(axis=1) + outcome["unclassified"]
        return (macro if self.average == "macro" else weighted)(areas, weights.tolist())


def area(
    scores: NDArray[np.float64], positive: NDArray[np.bool_], weights: NDArray[np.float64]
) -> float | None:
    """Share of the pairs of a positive and a negative case in which the positive one scores higher; ties half."""
    order = scores.argsort(kind="stable")
    ranked, place = scores[order], np.zeros(len(order), np.intp)
    np.cumsum(ranked[1:] != ranked[:-1], out=place[1:])
    pro = np.bincount(place, (weights * positive)[order])
    contra = np.bincount(place, (weights * ~positive)[order])
    pairs = pro.sum() * contra.sum()
    if not pairs:
        return None
    below = contra.cumsum() - contra
    return float((pro * (below + 0.5 * contra)).sum() / pairs)


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float | None:
    total = weights.sum()
    return float((values * weights).sum() / total) if total else None
