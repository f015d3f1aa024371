"""Discretisers that do not look at the class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Discretizer
from treeforge_discretize.table import value_table

Array = NDArray[np.float64]
MOST_BINS = 65534  # branches of a test


def check_bins(bins: int) -> None:
    """ValueError unless there can be so many intervals."""
    if not 2 <= bins <= MOST_BINS:
        raise ValueError(f"bins must be between 2 and {MOST_BINS}, not {bins}")


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
        check_bins(self.bins)

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
        check_bins(self.bins)

    def cuts(self, values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> list[float]:
        table = value_table(values, classes, weights, n_classes)
        reached = np.cumsum(table.counts.sum(axis=1))
        if len(reached) < 2:
            return []
        return [table.between(i) for i in sorted({self._place(reached, k) for k in range(1, self.bins)})]

    def _place(self, reached: Array, k: int) -> int:
        """The distinct value behind which the k-th cut goes; sums that differ by rounding are the same."""
        off = np.abs(reached[:-1] - reached[-1] * k / self.bins)
        return int(np.flatnonzero(off <= off.min() + 1e-12 * reached[-1])[0])
