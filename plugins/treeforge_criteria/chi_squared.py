"""Chi-squared: how unlikely the table of branch and class is if they had nothing to do with each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, lgamma, log, log1p
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Criterion, Table
from treeforge_criteria import _kernel


@dataclass(frozen=True)
class ChiSquaredCriterion(Criterion):
    """The p-value of Pearson's statistic, and a stop where it is not small.

    Cuts of one attribute are compared by the statistic ``sum (observed - expected)^2 / expected``, attributes by
    ``-log10 p``: with different numbers of branches the statistics could not be compared. Both are scaled by
    the share of cases with a known value. Branches and classes without cases give no degree of freedom.

    Parameters
    ----------
    significance : float
        A test whose p is larger is of no use: when none is left, the node is a leaf. 1 never stops.

    References
    ----------
    J. R. Quinlan, Induction of decision trees, Machine Learning 1 (1986), section 5, for the stopping rule.
    """

    significance: float = 0.05

    waived: ClassVar[Mapping[str, str]] = {
        "weight_scale": "four times the cases make any difference significant"
    }

    def __post_init__(self) -> None:
        if not 0 < self.significance <= 1:
            raise ValueError(f"significance must be above 0 and at most 1, not {self.significance}")

    def score(self, counts: NDArray[np.float64], total: float) -> float:
        value, freedom = statistic(counts)
        log_p = log_upper_tail(value, freedom)
        if log_p > log(self.significance):
            return 0.0
        return float(-log_p / log(10.0) * counts.sum() / total)

    def kernel(self, table: Table) -> object:
        return _kernel.chi_squared(self.significance)


def statistic(counts: NDArray[np.float64]) -> tuple[float, int]:
    """Pearson's statistic of a table, and its degrees of freedom."""
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    if min(counts.shape, default=0) < 2:
        return 0.0, 0
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return float((np.square(counts - expected) / expected).sum()), (counts.shape[0] - 1) * (
        counts.shape[1] - 1
    )


def log_upper_tail(value: float, freedom: int) -> float:
    """Logarithm of the chance that chi-squared with so many degrees exceeds a value; 0 for none.

    The regularised incomplete gamma function Q(a, x): its series below a + 1, its continued fraction above
    (Abramowitz, Stegun 6.5.29 and 6.5.31), in logarithms, since a million cases reach p = 1e-10000.
    """
    if freedom <= 0 or value <= 0:
        return 0.0
    a, x = freedom / 2.0, value / 2.0
    front = a * log(x) - x - lgamma(a)
    if x < a + 1.0:
        term = total = 1.0 / a
        n = a
        while term > total * 1e-16:
            n += 1.0
            term *= x / n
            total += term
        lower = exp(front) * total
        return log1p(-lower) if lower < 1.0 else 0.0
    # modified Lentz: the fraction 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    fraction = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2.0
        d = 1.0 / (an * d + b)
        c = b + an / c
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return front + log(fraction)
