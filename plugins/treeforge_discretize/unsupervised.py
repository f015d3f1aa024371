"""Discretisers that do not look at the class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Discretizer
from treeforge_discretize.table import value_table

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EqualWidthDiscretizer(Discretizer):
    """Intervals of equal length between the least and the largest value.

    Parameters
    ----------
    bins : int
        How many intervals.
    """

    bins: int = 10

    def __post_init__(self) -> None:
        if self.bins < 2:
            raise ValueError(f"bins must be at least 2, not {self.bins}")

    def cuts(self, values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> list[float]:
        there = values[weights > 0]
        if there.size == 0 or there.min() == there.max():
            return []
        share = np.arange(1, self.bins) / self.bins
        # a mean of the ends, not low + step * i: the difference of the ends may be infinite
        inner = float(there.min()) * (1.0 - share) + float(there.max()) * share
        return sorted({float(cut) for cut in inner if there.min() <= cut < there.max()})


@dataclass(frozen=True)
class EqualFrequencyDiscretizer(Discretizer):
    """Cuts at the weighted quantiles, between distinct values, so that no interval is empty.

    For k of ``bins`` the cut goes behind the distinct value whose cumulative weight is nearest to k/bins of the
    whole (the lower one on a tie). Equal values stay together; what would leave an interval empty is left out.

    Parameters
    ----------
    bins : int
        How many intervals at most.
    """

    bins: int = 10

    def __post_init__(self) -> None:
        if self.bins < 2:
            raise ValueError(f"bins must be at least 2, not {self.bins}")

    def cuts(self, values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> list[float]:
        table = value_table(values, classes, weights, n_classes)
        reached = np.cumsum(table.counts.sum(axis=1))
        if len(reached) < 2:
            return []
        places = {
            int(np.argmin(np.abs(reached[:-1] - reached[-1] * k / self.bins))) for k in range(1, self.bins)
        }
        return [table.between(i) for i in sorted(places)]
