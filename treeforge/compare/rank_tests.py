"""Friedman's test on ranks within data sets, and the post-hoc distances of mean ranks.

References
----------
Friedman (1937), JASA 32. Iman and Davenport (1980), Communications in Statistics A9. Conover (1999),
Practical Nonparametric Statistics, section 5.8 (ties). Nemenyi (1963), PhD thesis, Princeton. Dunn (1961),
JASA 56. Demsar (2006), JMLR 7, section 3.2.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RankTest:
    """Outcome of Friedman's test.

    Attributes
    ----------
    n, k : int
        Data sets and algorithms.
    mean_ranks : ndarray, shape [k]
    chi_square : float
        Friedman's statistic, corrected for ties; 0 when all scores of each row are equal.
    chi_square_uncorrected : float
        The same without the correction: what Demsar (2006) and textbooks print.
    chi_square_p : float
    f : float or None
        Iman and Davenport's statistic; None when every data set ranks the algorithms alike and it is
        infinite.
    f_p : float
    """

    n: int
    k: int
    mean_ranks: NDArray[np.float64]
    chi_square: float
    chi_square_uncorrected: float
    chi_square_p: float
    f: float | None
    f_p: float


def rank_test(ranks: NDArray[np.float64]) -> RankTest:
    """Do the algorithms differ at all, given their ranks within each data set?

    Parameters
    ----------
    ranks : ndarray, shape [n_datasets, n_algorithms]

    Examples
    --------
    >>> test = rank_test(np.array([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3.0]]))
    >>> round(test.chi_square, 3), round(test.f, 3), round(test.f_p, 4)
    (4.5, 3.857, 0.0837)
    """
    from scipy.special import chdtrc, fdtrc

    n, k = ranks.shape
    mean = ranks.mean(axis=0)
    centre = (k + 1) / 2
    # the spread of ranks within rows: n k (k^2 - 1) / 12 without ties, less with them
    within = float(np.square(ranks - centre).sum())
    between = float(np.square(mean - centre).sum())
    chi = n * n * (k - 1) * between / within if within > 0 else 0.0
    rest = n * (k - 1) - chi
    if rest > 1e-9 * n * (k - 1):
        f: float | None = (n - 1) * chi / rest
        f_p = float(fdtrc(k - 1, (k - 1) * (n - 1), f)) if n > 1 else 1.0
    else:  # all rows alike and F infinite, but p is not 0: that each row repeats the first has a chance
        f, f_p = None, _orders(ranks[0]) ** (1 - n)
    return RankTest(n, k, mean, chi, 12 * n * between / (k * (k + 1)), float(chdtrc(k - 1, chi)), f, f_p)


def _orders(ranks: NDArray[np.float64]) -> float:
    """How many different rows the same ranks make."""
    _, ties = np.unique(ranks, return_counts=True)
    return math.factorial(len(ranks)) / math.prod(math.factorial(int(t)) for t in ties)


def rank_error(n: int, k: int) -> float:
    """Standard error of the difference of two mean ranks, sqrt(k (k + 1) / (6 n)).

    Examples
    --------
    >>> round(rank_error(14, 4), 4)
    0.488
    """
    return math.sqrt(k * (k + 1) / (6 * n))


def range_p(q: float, k: int) -> float:
    """P(range of k independent standard normals >= q): the studentized range with infinite freedom.

    The integral k * phi(x) * (Phi(x + q) - Phi(x))**(k - 1) over the lowest value x; the trapezoid rule is
    exact to rounding for so smooth a curve, and a thousand times faster than the general distribution.

    Examples
    --------
    >>> round(range_p(3.633, 4), 4)
    0.05
    """
    from scipy.special import ndtr

    if q <= 0:
        return 1.0
    # 1 - (1 - outside)**(k - 1) by expm1 and log1p, so that small p keep their digits
    x = np.linspace(-9.0, 9.0, 1441)
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    upper = ndtr(-x)  # 1 - Phi(x): the chance of lying above the lowest
    outside = ndtr(-(x + q)) / upper  # chance of one of those being more than q above it
    with np.errstate(divide="ignore"):
        missed = -np.expm1((k - 1) * np.log1p(-outside))
    step = float(x[1] - x[0])
    return min(1.0, float(np.sum(k * density * upper ** (k - 1) * missed) * step))


def range_quantile(alpha: float, k: int) -> float:
    """The q with ``range_p(q, k) == alpha``.

    Examples
    --------
    >>> round(range_quantile(0.05, 4) / math.sqrt(2), 3)  # Demsar (2006), table 5(a)
    2.569
    """
    low, high = 0.0, 60.0
    for _ in range(80):  # bisection: range_p falls in q, and 80 halvings exhaust a double
        middle = (low + high) / 2
        low, high = (middle, high) if range_p(middle, k) > alpha else (low, middle)
    return (low + high) / 2
