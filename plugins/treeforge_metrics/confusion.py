"""Measures of the confusion matrix.

A case that the model left unclassified is a wrong one everywhere: it counts in the denominators (c45.md 10.6),
and to kappa and MCC it is one more answer, which is never right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, Literal

from treeforge.plugin import Metric
from treeforge_metrics.margins import Exact, Margins, Values, macro, ratio, weighted


@dataclass(frozen=True)
class ConfusionMetric(Metric):
    """Base of these: the confusion matrix suffices."""

    needs_predictions: ClassVar[bool] = False


@dataclass(frozen=True)
class AccuracyMetric(ConfusionMetric):
    """Weight of the cases predicted right, as a share of all."""

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        return ratio(sum(margins.right), margins.total)


@dataclass(frozen=True)
class ErrorMetric(ConfusionMetric):
    """Weight of the cases predicted wrong or not at all, as a share of all."""

    larger_is_better: ClassVar[bool | None] = False

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        return ratio(margins.total - sum(margins.right), margins.total)


@dataclass(frozen=True)
class BalancedAccuracyMetric(ConfusionMetric):
    """Mean sensitivity over the classes that occur in the test part."""

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        return macro(_sensitivities(margins), margins.true)


@dataclass(frozen=True)
class _Rate(ConfusionMetric):
    """A measure that each class has.

    Parameters
    ----------
    average : {'macro', 'weighted'}
        Mean over the classes that occur in the test part: plain, or by their weight.
    of_class : str, optional
        This class's measure alone, for example that of the positive class.
    """

    average: Literal["macro", "weighted"] = "macro"
    of_class: str | None = None

    def __post_init__(self) -> None:
        if self.average not in ("macro", "weighted"):
            raise ValueError(f"average is 'macro' or 'weighted', not {self.average!r}")

    def rates(self, margins: Margins) -> Values:
        raise NotImplementedError

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        rates = self.rates(margins)
        if self.of_class is not None:
            classes = list(outcome["classes"])
            return rates[classes.index(self.of_class)] if self.of_class in classes else None
        return (macro if self.average == "macro" else weighted)(rates, margins.true)

    def per_class(self, outcome: Mapping[str, Any]) -> Values:
        return self.rates(Margins.of(outcome))


@dataclass(frozen=True)
class SensitivityMetric(_Rate):
    """Share of a class's cases that are predicted as it (recall); undefined for a class that does not occur."""

    def rates(self, margins: Margins) -> Values:
        return _sensitivities(margins)


@dataclass(frozen=True)
class SpecificityMetric(_Rate):
    """Share of the other classes' cases that are not predicted as it; undefined when there are no others."""

    def rates(self, margins: Margins) -> Values:
        return [
            ratio(margins.total - true - (predicted - right), margins.total - true)
            for right, true, predicted in zip(margins.right, margins.true, margins.predicted, strict=True)
        ]


@dataclass(frozen=True)
class _F1(ConfusionMetric):
    """The harmonic mean of precision and sensitivity.

    Parameters
    ----------
    never_predicted : {'undefined', 'zero'}
        What a class that occurs but is never predicted has: its precision is 0/0. As in Weka, its F1 and the
        mean are then undefined; scikit-learn takes zero.
    """

    never_predicted: Literal["undefined", "zero"] = "undefined"

    def __post_init__(self) -> None:
        if self.never_predicted not in ("undefined", "zero"):
            raise ValueError(f"never_predicted is 'undefined' or 'zero', not {self.never_predicted!r}")

    def scores(self, margins: Margins) -> Values:
        return [
            ratio(2 * right, true + predicted)
            if true and (predicted or self.never_predicted == "zero")
            else None
            for right, true, predicted in zip(margins.right, margins.true, margins.predicted, strict=True)
        ]

    def per_class(self, outcome: Mapping[str, Any]) -> Values:
        return self.scores(Margins.of(outcome))


@dataclass(frozen=True)
class MacroF1Metric(_F1):
    __doc__ = f"Plain mean, over the classes that occur in the test part, of F1: {_F1.__doc__}"

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        return macro(self.scores(margins), margins.true)


@dataclass(frozen=True)
class WeightedF1Metric(_F1):
    __doc__ = f"Mean by class weight of F1: {_F1.__doc__}"

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        return weighted(self.scores(margins), margins.true)


@dataclass(frozen=True)
class KappaMetric(ConfusionMetric):
    """Agreement beyond chance (Cohen 1960); undefined when truth and prediction are one and the same class."""

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        chance = _dot(margins.true, margins.predicted)
        total = margins.total
        return ratio(total * sum(margins.right) - chance, total * total - chance)


@dataclass(frozen=True)
class MccMetric(ConfusionMetric):
    """Matthews' correlation, of any number of classes (Gorodkin 2004); undefined when either side is constant."""

    def value(self, outcome: Mapping[str, Any]) -> float | None:
        margins = Margins.of(outcome)
        total = margins.total
        both = total * sum(margins.right) - _dot(margins.true, margins.predicted)
        answers = [*margins.predicted, margins.unclassified]
        spread = (total * total - _dot(margins.true, margins.true), total * total - _dot(answers, answers))
        return float(both) / sqrt(spread[0] * spread[1]) if all(spread) else None


def _sensitivities(margins: Margins) -> Values:
    return [ratio(right, true) for right, true in zip(margins.right, margins.true, strict=True)]


def _dot(left: list[Exact], right: list[Exact]) -> Exact:
    return sum(a * b for a, b in zip(left, right, strict=True))
