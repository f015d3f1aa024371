"""Merging by chi-squared, and the p-value of what is left."""

from __future__ import annotations

from math import comb, factorial

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

Array = NDArray[np.float64]

#: values of chi-squared that differ by less are the same, and the earlier pair is merged
TIE = 1e-9


def merged(counts: Array, alpha: float, neighbours: bool) -> list[list[int]]:
    """Groups of the rows of a table [m, n_classes], each ascending, in order of their first row.

    The most alike pair is merged while the chance that chi-squared exceeds its value is above ``alpha``;
    only ``neighbours`` may be merged where the rows are intervals.
    """
    groups = [[i] for i in range(len(counts))]
    rows = [counts[i] for i in range(len(counts))]
    freedom = np.count_nonzero(counts.sum(axis=0)) - 1
    while len(groups) > 1:
        pairs = [
            (i, j)
            for i in range(len(groups))
            for j in (range(i + 1, min(i + 2, len(groups))) if neighbours else range(i + 1, len(groups)))
        ]
        chi = np.array([statistic(np.array([rows[i], rows[j]])) for i, j in pairs])
        least = int(np.flatnonzero(chi <= chi.min() + TIE)[0])
        if freedom > 0 and chdtrc(freedom, chi[least]) <= alpha:
            break
        i, j = pairs[least]
        groups[i] = sorted(groups[i] + groups.pop(j))
        rows[i] = rows[i] + rows.pop(j)
    return sorted(groups)


def adjusted_p(counts: Array, groups: list[list[int]], neighbours: bool, bonferroni: bool) -> float:
    """Chance of so large a chi-squared of the grouped table, times the number of ways to group so."""
    table = np.array([counts[group].sum(axis=0) for group in groups])
    freedom = (len(groups) - 1) * (np.count_nonzero(table.sum(axis=0)) - 1)
    if freedom < 1:
        return 1.0
    ways = groupings(len(counts), len(groups), neighbours) if bonferroni else 1
    return min(1.0, float(chdtrc(freedom, statistic(table))) * ways)


def groupings(m: int, r: int, neighbours: bool) -> int:
    """In how many ways m categories form r groups; with neighbours only, where the r - 1 borders may lie.

    Examples
    --------
    >>> groupings(4, 2, False), groupings(4, 2, True)
    (7, 3)
    """
    if neighbours:
        return comb(m - 1, r - 1)
    signed = [comb(r, i) * (r - i) ** m * (1 if i % 2 == 0 else -1) for i in range(r)]
    total: int = sum(signed)
    return total // factorial(r)


def statistic(table: Array) -> float:
    """Pearson's chi-squared; rows and columns without weight add nothing."""
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    off = np.divide(np.square(table - expected), expected, out=np.zeros_like(table), where=expected > 0)
    return float(off.sum())


def initial_cuts(values: Array, weights: Array, intervals: int) -> list[float]:
    """Midpoints that part the values into at most so many intervals of about equal weight, none empty."""
    distinct, place = np.unique(values[weights > 0], return_inverse=True)
    if len(distinct) < 2:
        return []
    reached = np.cumsum(np.bincount(place, weights[weights > 0]))
    places = {int(np.argmin(np.abs(reached[:-1] - reached[-1] * k / intervals))) for k in range(1, intervals)}
    return [midpoint(float(distinct[i]), float(distinct[i + 1])) for i in sorted(places)]


def midpoint(low: float, high: float) -> float:
    """Half way; finite where the sum is not, and below the upper value even if it has to round down."""
    middle = low / 2.0 + high / 2.0 if max(-low, high) > 1e300 else (low + high) / 2.0
    return middle if middle < high else low
