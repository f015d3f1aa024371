"""The Wilcoxon signed-rank test over data sets, as a declared comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treeforge.compare.comparison import Verdict
from treeforge.compare.differences import differences
from treeforge.compare.effect import correlation_effect, hodges_lehmann
from treeforge.compare.pairwise import PairwiseTest, undefined_verdict
from treeforge.compare.signed_ranks import ZeroMethod, signed_rank
from treeforge.compare.table import Pair
from treeforge.errors import ParameterError


@dataclass(frozen=True)
class WilcoxonTest(PairwiseTest):
    """Wilcoxon signed-rank test of each pair over data sets, two-sided, exact with ties and zeros.

    Parameters
    ----------
    alpha, correction, control
        See PairwiseTest.
    zero_method : str
        Data sets with equal scores: ``split`` (Demsar 2006), ``drop`` (Wilcoxon), ``pratt``.

    Examples
    --------
    >>> from treeforge.compare import ScoreTable
    >>> scores = [[0.9, 0.8], [0.8, 0.7], [0.7, 0.6], [0.9, 0.7], [0.8, 0.5], [0.6, 0.2]]
    >>> table = ScoreTable(tuple("abcdef"), ("x", "y"), scores)
    >>> WilcoxonTest().compare(table).verdicts[0].p
    0.03125
    """

    zero_method: ZeroMethod = "split"

    name: ClassVar[str] = "wilcoxon"
    title: ClassVar[str] = "Wilcoxon signed-rank test"
    references: ClassVar[tuple[str, ...]] = (
        "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 80-83.",
        "Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.zero_method not in ("split", "drop", "pratt"):
            raise ParameterError(f"zero_method is one of split, drop, pratt, not '{self.zero_method}'")

    def test(self, pair: Pair, larger_is_better: bool | None) -> Verdict:
        """The verdict on one pair, not yet corrected."""
        if not pair.datasets:
            return undefined_verdict(
                pair, "exact", f"{pair.left} and {pair.right} have no data set in common."
            )
        d, _ = differences(pair.left_scores, pair.right_scores)
        outcome = signed_rank(pair.left_scores, pair.right_scores, zeros=self.zero_method)
        wins, ties, losses = pair.tally(larger_is_better)
        return Verdict(
            left=pair.left,
            right=pair.right,
            n=outcome.n,
            zeros=outcome.zeros,
            method=outcome.method,
            sentence="",
            statistic={"positive": outcome.positive, "negative": outcome.negative},
            p=outcome.p,
            minimum_p=outcome.minimum_p,
            estimate=hodges_lehmann(d, 1 - self.alpha),
            effect=correlation_effect("matched-pairs rank-biserial", outcome.effect),
            wins=wins,
            ties=ties,
            losses=losses,
            left_out=pair.left_out,
        )
