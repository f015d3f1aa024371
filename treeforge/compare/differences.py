"""Paired differences and their ranks, with float noise taken out.

``0.7 - 0.6`` and ``0.8 - 0.7`` are the same difference on paper and not in binary. A score carries a relative
error of a few 2**-53 from being stored, and a little more from being averaged over folds. So two numbers
are called equal when they are nearer than ``NOISE`` times the scores they were made from. The scale is that
of the data set's own scores: training seconds of 1e-4 and of 1e3 may stand in one table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: relative to a score: thousands of units in the last place, and far below what any experiment can tell apart
NOISE = 1e-12


def differences(left: ArrayLike, right: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``left - right`` with noise set to exactly zero, and how exactly each difference is known.

    Examples
    --------
    >>> d, slack = differences([0.3, 0.5], [0.1 + 0.2, 0.25])
    >>> d.tolist()
    [0.0, 0.25]
    """
    a, b = np.asarray(left, float), np.asarray(right, float)
    difference = a - b
    slack = NOISE * np.maximum(np.abs(a), np.abs(b))
    difference[np.abs(difference) <= slack] = 0.0
    return difference, slack


def doubled_midranks(values: ArrayLike, slack: ArrayLike) -> NDArray[np.int64]:
    """Twice the rank of each value, from 2 for the lowest; those that noise could swap share their mean.

    Doubled, so that the midranks of ties are whole numbers and sums of ranks are exact.

    Examples
    --------
    >>> doubled_midranks([0.1, 0.3, 0.1, 0.7], [1e-12] * 4).tolist()
    [3, 6, 3, 8]
    """
    v, s = np.asarray(values, float), np.asarray(slack, float)
    order = np.argsort(v, kind="stable")
    ranks = np.empty(len(v), np.int64)
    start = 0
    for stop in range(1, len(v) + 1):
        if stop < len(v):
            here, before = order[stop], order[stop - 1]
            if v[here] - v[before] <= s[here] + s[before]:
                continue
        ranks[order[start:stop]] = start + 1 + stop  # twice the mean of start + 1 .. stop
        start = stop
    return ranks
