"""The sums of a confusion matrix that measures are made of, in exact arithmetic."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

#: whole weights stay whole numbers, others are fractions: products of large sums neither overflow nor round
Exact = int | Fraction
Values = list[float | None]


_last = threading.local()


@dataclass(frozen=True)
class Margins:
    """Of a table of true against predicted classes.

    Parameters
    ----------
    right : list, [n_classes]
        Weight of the cases of each class that were predicted as it.
    true : list, [n_classes]
        Weight of the cases of each class, those without a prediction among them.
    predicted : list, [n_classes]
        Weight of the cases predicted as each class.
    unclassified : int or Fraction
        Weight of the cases without a prediction.
    total : int or Fraction
    """

    right: list[Exact]
    true: list[Exact]
    predicted: list[Exact]
    unclassified: Exact
    total: Exact

    @staticmethod
    def of(outcome: Mapping[str, Any]) -> Margins:
        # every measure of a cell asks for the same table
        if getattr(_last, "table", None) is outcome["confusion"]:
            known: Margins = _last.margins
            return known
        margins = Margins._made(outcome)
        _last.table, _last.margins = outcome["confusion"], margins
        return margins

    @staticmethod
    def _made(outcome: Mapping[str, Any]) -> Margins:
        table = [[_exact(cell) for cell in row] for row in outcome["confusion"].tolist()]
        none = [_exact(cell) for cell in outcome["unclassified"].tolist()]
        true = [sum(row) + rest for row, rest in zip(table, none, strict=True)]
        return Margins(
            right=[row[i] for i, row in enumerate(table)],
            true=true,
            predicted=[sum(column) for column in zip(*table, strict=True)],
            unclassified=sum(none),
            total=sum(true),
        )


def _exact(value: float) -> Exact:
    return int(value) if value.is_integer() else Fraction(value)


def ratio(part: Exact, whole: Exact) -> float | None:
    """A quotient, rounded once; None for 0/0."""
    return float(part / whole) if whole else None  # of whole numbers, too, Python rounds the quotient once


def macro(values: Values, weights: Sequence[Exact]) -> float | None:
    """The plain mean over the classes that occur; None when one of these is undefined, or none occurs."""
    found = [value for value, weight in zip(values, weights, strict=True) if weight]
    known = [value for value in found if value is not None]
    return sum(known) / len(known) if known and len(known) == len(found) else None


def weighted(values: Values, weights: Sequence[Exact]) -> float | None:
    """The mean over the classes that occur, each with its weight; None when one of these is undefined."""
    found = [(value, float(weight)) for value, weight in zip(values, weights, strict=True) if weight]
    known = [(value, weight) for value, weight in found if value is not None]
    if not known or len(known) < len(found):
        return None
    return sum(value * weight for value, weight in known) / sum(weight for _, weight in known)
