"""What the supervised discretisers work on: the distinct values of an attribute and the classes of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ValueTable:
    """Distinct values, ascending, [m], with the weight of each class at each of them, [m, n_classes]."""

    values: Array
    counts: Array

    def between(self, i: int) -> float:
        """The cut between distinct value i and the next: the midpoint, finite, and below the upper value."""
        low, high = float(self.values[i]), float(self.values[i + 1])
        middle = (low + high) / 2.0 if max(-low, high) < 1e300 else low / 2.0 + high / 2.0
        return middle if middle < high else low


def value_table(values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> ValueTable:
    """The table of known values; cases of weight zero are not there."""
    there = weights > 0
    distinct, place = np.unique(values[there], return_inverse=True)
    counts = np.zeros((len(distinct), n_classes))
    np.add.at(counts, (place, classes[there]), weights[there])
    return ValueTable(distinct, counts)


def boundaries(table: ValueTable) -> NDArray[np.int64]:
    """Places i such that the best cut may lie between values i and i + 1 (Fayyad, Irani 1992).

    A boundary has more than one class at the two values together.
    """
    both = (table.counts[:-1] > 0) | (table.counts[1:] > 0)
    return np.flatnonzero(both.sum(axis=1) > 1)
