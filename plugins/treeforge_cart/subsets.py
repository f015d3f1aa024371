"""Two-sided partitions of a few values: all of them once, Breiman's ordering, and greedy growth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Gain = Callable[[Array], float]  # of a table [2, n_classes]: larger is better


def partitions(m: int) -> Iterator[tuple[int, ...]]:
    """One side of each partition of m values into two sides that are not empty; ``2^(m-1) - 1`` of them.

    By size from 1 to m/2, in lexical order (Wang et al. 2016). At half of an even m a subset and its complement
    are one partition: only those with value 0 are given.

    Examples
    --------
    >>> list(partitions(4))
    [(0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3)]
    """
    for size in range(1, m // 2 + 1):
        for side in combinations(range(m), size):
            if 2 * size < m or side[0] == 0:
                yield side


def candidate_sides(counts: Array, gain: Gain, exact_up_to: int) -> list[tuple[int, ...]]:
    """The sides that are tried, in their order; the best of them is the split.

    Parameters
    ----------
    counts : ndarray, [m, n_classes]
        Class weights of each value that is present, m > 1.
    gain : callable
        Of the table of both sides; greedy growth asks it.
    exact_up_to : int
        With more classes than two: most values for which all partitions are tried; above, greedy growth.
    """
    if np.count_nonzero(counts.sum(axis=0)) <= 2:
        return prefixes_by_share(counts)
    if len(counts) <= exact_up_to:
        return list(partitions(len(counts)))
    return [tuple(greedy(counts, gain))]


def prefixes_by_share(counts: Array) -> list[tuple[int, ...]]:
    """With two classes the best side is a prefix of the values in order of the first class's share.

    Breiman et al. 1984, theorem 4.5; for every criterion that is a concave impurity.
    """
    first = int(np.flatnonzero(counts.sum(axis=0))[0])
    order = np.argsort(-counts[:, first] / counts.sum(axis=1), kind="stable").tolist()
    return [tuple(sorted(order[:size])) for size in range(1, len(order))]


def greedy(counts: Array, gain: Gain) -> list[int]:
    """SPRINT's growth for many values: add the value that helps most, until none helps."""
    side: list[int] = []
    best = -np.inf
    while len(side) < len(counts) - 1:
        others = [value for value in range(len(counts)) if value not in side]
        gains = [gain(both_sides(counts, [*side, value])) for value in others]
        at = first_largest(gains)
        if not gains[at] > best:
            break
        best = gains[at]
        side.append(others[at])
    return sorted(side)


def both_sides(counts: Array, side: Sequence[int]) -> Array:
    """Class weights of the side and of the rest, [2, n_classes]."""
    inside = counts[list(side)].sum(axis=0)
    return np.array([inside, counts.sum(axis=0) - inside])


#: gains nearer than this are equal, and the earlier partition wins: they are sums in different order
TIE = 1e-12


def first_largest(gains: list[float]) -> int:
    best = 0
    for i, value in enumerate(gains):
        if value > gains[best] + TIE:
            best = i
    return best
