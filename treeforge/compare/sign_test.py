"""The sign test over data sets: on how many of them is an algorithm ahead.

References
----------
Demsar (2006), JMLR 7, section 3.1.4 (ties split evenly, one left out when their number is odd).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treeforge.compare.comparison import Effect, Estimate, Verdict
from treeforge.compare.differences import differences
from treeforge.compare.pairwise import PairwiseTest, undefined_verdict
from treeforge.compare.table import Pair
from treeforge.errors import ParameterError


def binomial_tail(n: int, at_most: int) -> float:
    """P(X <= at_most) for n throws of a fair coin, exactly.

    Examples
    --------
    >>> binomial_tail(10, 1)
    0.0107421875
    """
    ways: int = sum(comb(n, i) for i in range(at_most + 1))
    return float(ways / 2**n)


def sign_p(higher: int, equal: int, lower: int, zero_method: str = "split") -> float:
    """Two-sided p of the sign test.

    Examples
    --------
    >>> sign_p(9, 0, 1), sign_p(8, 3, 0, "drop")
    (0.021484375, 0.0078125)
    """
    half = equal // 2 if zero_method == "split" else 0
    high, low = higher + half, lower + half
    return min(1.0, 2 * binomial_tail(high + low, min(high, low)))


def median_difference(values: NDArray[np.float64], level: float = 0.95) -> Estimate:
    """Median with the interval between two order statistics that the sign test, turned round, gives."""
    ordered, n = np.sort(values), len(values)
    k = 0  # the largest with P(fewer than k below the median) <= alpha / 2
    while k < n // 2 and binomial_tail(n, k) <= (1 - level) / 2 * (1 + 1e-12):
        k += 1
    low, high = (float(ordered[k - 1]), float(ordered[n - k])) if k else (None, None)
    return Estimate("median difference", float(np.median(values)), low, high, level)


@dataclass(frozen=True)
class SignTest(PairwiseTest):
    """Sign test of each pair over data sets, two-sided, exact.

    It asks for little and sees little: only who is ahead counts, not by how much.

    Parameters
    ----------
    alpha, correction, control
        See PairwiseTest.
    zero_method : str
        Data sets with equal scores: ``split`` evenly between both (Demsar 2006), or ``drop``.
    """

    zero_method: Literal["split", "drop"] = "split"

    name: ClassVar[str] = "sign"
    title: ClassVar[str] = "Sign test"
    references: ClassVar[tuple[str, ...]] = (
        "Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.zero_method not in ("split", "drop"):
            raise ParameterError(f"zero_method of the sign test is split or drop, not '{self.zero_method}'")

    def test(self, pair: Pair, larger_is_better: bool | None) -> Verdict:
        """The verdict on one pair, not yet corrected."""
        if not pair.datasets:
            return undefined_verdict(
                pair, "exact", f"{pair.left} and {pair.right} have no data set in common."
            )
        d, _ = differences(pair.left_scores, pair.right_scores)
        higher, lower = int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0))
        wins, ties, losses = pair.tally(larger_is_better)
        return Verdict(
            left=pair.left,
            right=pair.right,
            n=len(d),
            zeros=ties,
            method="exact",
            sentence="",
            statistic={"positive": higher, "negative": lower},
            p=sign_p(higher, ties, lower, self.zero_method),
            minimum_p=sign_p(higher + lower, ties, 0, self.zero_method),
            estimate=median_difference(d, 1 - self.alpha),
            effect=Effect("share of data sets higher minus share lower", (higher - lower) / len(d), ""),
            wins=wins,
            ties=ties,
            losses=losses,
            left_out=pair.left_out,
        )
