"""How large a difference is: Hodges-Lehmann's estimate with its interval, and words for effect sizes.

References
----------
Hodges and Lehmann (1963), Ann. Math. Stat. 34. Hollander, Wolfe and Chicken (2014), Nonparametric
Statistical Methods, section 3.2-3.3. King, Rosopa and Minium (2018), Statistical Reasoning in the
Behavioral Sciences; Kerby (2014), Comprehensive Psychology 3 (matched-pairs rank-biserial correlation).
Cohen (1988) for the words.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from treeforge.compare.comparison import Effect, Estimate
from treeforge.compare.signed_ranks import EXACT_LIMIT, null_distribution


def hodges_lehmann(differences: NDArray[np.float64], level: float = 0.95) -> Estimate | None:
    """Median of the means of all pairs of differences (each with itself too), and its exact interval.

    The interval is the signed-rank test turned round: it holds the shifts that the test, without ties,
    would not reject at ``1 - level``. Zeros stay in: an equal score says where the centre is. With fewer
    than six differences there is no interval of 95 %, and its ends are None.

    Examples
    --------
    >>> estimate = hodges_lehmann(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    >>> estimate.value, estimate.low, estimate.high
    (3.5, 1.0, 6.0)
    """
    n = len(differences)
    if not n:
        return None
    first, second = np.triu_indices(n)
    walsh = np.sort((differences[first] + differences[second]) / 2)
    low = high = None
    k = _critical_count(n, 1 - level)
    if k:
        low, high = float(walsh[k - 1]), float(walsh[len(walsh) - k])
    return Estimate("Hodges-Lehmann", float(np.median(walsh)), low, high, level)


def _critical_count(n: int, alpha: float) -> int:
    """The largest k with P(W < k) <= alpha / 2 for n differences without ties; 0 when there is none."""
    if n <= EXACT_LIMIT:
        below = np.cumsum(null_distribution(tuple(range(1, n + 1))))
        return int(np.searchsorted(below, alpha / 2 * (1 + 1e-12), side="right"))
    mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return max(0, math.floor(mean + NormalDist().inv_cdf(alpha / 2) * sd + 0.5))


def correlation_effect(name: str, value: float) -> Effect:
    """A correlation-like effect size with Cohen's words: from 0.1 small, from 0.3 medium, from 0.5 large."""
    size = abs(value)
    words = "negligible" if size < 0.1 else "small" if size < 0.3 else "medium" if size < 0.5 else "large"
    return Effect(name, value, words)
