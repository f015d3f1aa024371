"""Wilcoxon's signed-rank test, with its exact null distribution whatever ties and zeros there are.

Terms. *d*: left minus right, one a data set. *Rank*: of |d| among the others, ties share their mean. *R+*,
*R-*: sums of the ranks of positive and of negative d. Under the null hypothesis (d symmetric about zero)
every nonzero d is as likely positive as negative, given the magnitudes: of m nonzero d there are 2**m
equally likely sign patterns. The exact p counts them, by a dynamic programme over the reachable rank sums
instead of one pattern at a time.

References
----------
Wilcoxon (1945), Biometrics Bulletin 1(6). Pratt (1959), JASA 54(287). Demsar (2006), JMLR 7, section 3.1.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treeforge.compare.differences import differences, doubled_midranks
from treeforge.errors import ParameterError

ZeroMethod = Literal["split", "drop", "pratt"]
Alternative = Literal["two-sided", "greater", "less"]

#: Up to so many nonzero differences the distribution is exact. There the normal approximation is off by 0.1 % of p at
#: p = 0.05 and by 3 % at p = 0.001, too little to turn a verdict, and the exact count takes some tenths of a second.
#: At 50 it would be off by 1 % and 32 %, and at p = 1e-6 fivefold (docs/statistics.md has the table).
EXACT_LIMIT = 500


@dataclass(frozen=True)
class SignedRank:
    """Outcome of one signed-rank test.

    Attributes
    ----------
    n : int
        Differences, zeros among them.
    zeros : int
        Differences of zero.
    positive, negative : float
        R+ and R-, zeros treated as asked.
    p : float
        1 when all differences are zero.
    method : str
        ``"exact"`` or ``"normal"``.
    minimum_p : float
        The smallest p that so many nonzero differences can give, all of one sign.
    effect : float
        Matched-pairs rank-biserial correlation (R+ - R-) / (R+ + R-); 0 when there are no ranks.
    """

    n: int
    zeros: int
    positive: float
    negative: float
    p: float
    method: str
    minimum_p: float
    effect: float


@lru_cache(maxsize=32)
def null_distribution(doubled_ranks: tuple[int, ...]) -> NDArray[np.float64]:
    """Probability of each sum of the doubled ranks of the positive differences; index is the sum.

    Examples
    --------
    >>> null_distribution((2, 4)).tolist()
    [0.25, 0.0, 0.25, 0.0, 0.25, 0.0, 0.25]
    """
    chance = np.zeros(sum(doubled_ranks) + 1)
    chance[0] = 1.0
    top = 0  # the largest sum reached so far
    for rank in sorted(doubled_ranks):  # small ones first: the reached part stays short for longer
        half = 0.5 * chance[: top + 1]
        chance[: top + 1] = half  # this difference negative ...
        chance[rank : rank + top + 1] += half  # ... or positive
        top += rank
    chance.flags.writeable = False
    return chance


def signed_rank(
    left: ArrayLike,
    right: ArrayLike,
    *,
    zeros: ZeroMethod = "split",
    alternative: Alternative = "two-sided",
    exact_limit: int = EXACT_LIMIT,
) -> SignedRank:
    """Test whether paired scores differ in location.

    Parameters
    ----------
    left, right : array_like, shape [n_datasets]
        Defined scores, one a data set.
    zeros : {"split", "drop", "pratt"}
        ``split`` (Demsar 2006): zeros are ranked, half of their ranks goes to either sum, one is left out
        when their number is odd. ``drop`` (Wilcoxon): they are left out. ``pratt``: they are ranked, then
        left out of the sums.
    alternative : {"two-sided", "greater", "less"}
        ``greater``: left is larger.
    exact_limit : int
        Nonzero differences beyond which the normal approximation serves.

    Examples
    --------
    >>> test = signed_rank([31, 28, 40, 35, 22, 27, 33, 30], [29, 30, 35, 33, 25, 25, 28, 30])
    >>> test.positive, test.negative, test.p
    (20.5, 7.5, 0.34375)
    """
    if zeros not in ("split", "drop", "pratt"):
        raise ParameterError(f"zero_method is one of split, drop, pratt, not {zeros!r}")
    d, slack = differences(left, right)
    if not np.all(np.isfinite(d)):
        raise ParameterError("scores of a signed-rank test must be defined and finite")
    n, n_zeros = len(d), int(np.count_nonzero(d == 0))
    nonzero = d != 0
    kept = nonzero.copy()  # those that are ranked
    if zeros == "pratt":
        kept[:] = True
    elif zeros == "split":
        kept[np.flatnonzero(~nonzero)[n_zeros % 2 :]] = True
    magnitude = np.abs(d)
    ranks = np.zeros(n, np.int64)
    ranks[kept] = doubled_midranks(magnitude[kept], np.where(nonzero, slack, 0.0)[kept])
    signed = ranks[nonzero]
    up, down = int(ranks[d > 0].sum()), int(ranks[d < 0].sum())
    split = int(ranks[~nonzero].sum()) / 2 if zeros == "split" else 0.0
    m = len(signed)
    exact = m <= exact_limit
    tail = _exact_tail if exact else _normal_tail
    if alternative == "two-sided":
        p = min(1.0, 2 * tail(signed, min(up, down))) if m else 1.0
    else:  # few large ranks against the alternative speak for it; the distribution is symmetric
        p = tail(signed, down if alternative == "greater" else up)
    total = up + down + 2 * split
    return SignedRank(
        n=n,
        zeros=n_zeros,
        positive=(up + split) / 2,
        negative=(down + split) / 2,
        p=p,
        method="exact" if exact else "normal",
        minimum_p=min(1.0, 2.0 ** ((1 if alternative == "two-sided" else 0) - m)),
        effect=(up - down) / total if total else 0.0,
    )


def _exact_tail(ranks: NDArray[np.int64], at_most: int) -> float:
    """P(sum of doubled positive ranks <= at_most)."""
    if not len(ranks):
        return 1.0
    step = int(np.gcd.reduce(ranks))  # 2 without ties: half the work
    chance = null_distribution(tuple(sorted((ranks // step).tolist())))
    return min(1.0, float(chance[: at_most // step + 1].sum()))


def _normal_tail(ranks: NDArray[np.int64], at_most: int) -> float:
    """The same by the normal distribution, variance corrected for ties, with correction for continuity."""
    r = ranks / 2
    z = (at_most / 2 + 0.5 - r.sum() / 2) / math.sqrt(float(np.square(r).sum()) / 4)
    return 0.5 * math.erfc(-z / math.sqrt(2))
