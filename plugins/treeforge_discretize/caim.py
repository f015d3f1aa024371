"""Class-attribute interdependence maximisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Discretizer
from treeforge_discretize.table import Array, value_table


@dataclass(frozen=True)
class CaimDiscretizer(Discretizer):
    """Add the cut that raises CAIM most, ``sum_r max_r^2 / M_r / (number of intervals)``.

    ``M_r`` is the weight in interval r and ``max_r`` that of its most frequent class. Stop when CAIM no longer
    grows and there are at least as many intervals as classes; the lowest of equal cuts is taken.

    References
    ----------
    L. Kurgan, K. Cios, CAIM discretization algorithm, IEEE Trans. Knowledge and Data Engineering 16 (2004).
    """

    def cuts(self, values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> list[float]:
        table = value_table(values, classes, weights, n_classes)
        wanted = np.count_nonzero(table.counts.any(axis=0))
        reached = np.vstack([np.zeros(n_classes), np.cumsum(table.counts, axis=0)])
        bounds = np.array(
            [0, len(table.values)]
        )  # interval r holds the distinct values bounds[r]:bounds[r + 1]
        free = np.arange(1, len(table.values))
        best = worth(reached, bounds[:-1], bounds[1:]).sum()
        while len(free):
            tried = with_another(reached, bounds, free)
            at = int(np.flatnonzero(tried >= tried.max() - rounding(tried.max()))[0])
            if tried[at] <= best + rounding(best) and len(bounds) - 1 >= wanted:
                break
            best = tried[at]
            bounds = np.sort(np.append(bounds, free[at]))
            free = np.delete(free, at)
        return [table.between(int(bound) - 1) for bound in bounds[1:-1]]


def rounding(caim: float) -> float:
    """By what equal values may differ."""
    return 1e-12 * max(1.0, caim)


def with_another(reached: Array, bounds: NDArray[np.int64], free: NDArray[np.int64]) -> Array:
    """CAIM if each of the free bounds were added alone, [n_free]."""
    worths = worth(reached, bounds[:-1], bounds[1:])
    inside = np.searchsorted(bounds, free) - 1  # the interval that it would divide
    parts = worth(reached, bounds[inside], free) + worth(reached, free, bounds[inside + 1])
    caim: Array = (worths.sum() - worths[inside] + parts) / len(bounds)
    return caim


def worth(reached: Array, start: NDArray[np.int64], stop: NDArray[np.int64]) -> Array:
    """``max^2 / M`` of each interval of distinct values start:stop."""
    counts = reached[stop] - reached[start]
    total = counts.sum(axis=1)
    share: Array = np.divide(np.square(counts.max(axis=1)), total, out=np.zeros_like(total), where=total > 0)
    return share
