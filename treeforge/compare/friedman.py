"""Friedman's test over data sets with its post-hoc tests, as a declared comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import ClassVar, Literal

from treeforge.compare.cliques import groups
from treeforge.compare.comparison import Comparison, Effect, Omnibus, Verdict
from treeforge.compare.pairwise import check_alpha, pairs_of, parameters
from treeforge.compare.rank_tests import RankTest, range_p, range_quantile, rank_error, rank_test
from treeforge.compare.ranks import means, rank_rows
from treeforge.compare.table import ScoreTable
from treeforge.compare.words import claim, no_difference, show, show_p, tally_of
from treeforge.errors import ParameterError

PostHoc = Literal["none", "nemenyi", "bonferroni_dunn"]

POOL_WARNING = (
    "Post-hoc verdicts on mean ranks depend on who else takes part: with other algorithms in the table "
    "the same two "
    "may come out differently (Benavoli, Corani and Mangili 2016). The Wilcoxon test compares two on "
    "their own."
)


@dataclass(frozen=True)
class FriedmanTest:
    """Friedman test with Iman and Davenport's statistic, and distances of mean ranks on request.

    Data sets where any algorithm is undefined are left out of the whole test: ranks need full rows.

    Parameters
    ----------
    alpha : float
        Level of the test, and of the whole family of post-hoc verdicts.
    posthoc : str
        ``none``; ``nemenyi`` compares all pairs; ``bonferroni_dunn`` compares with the control.
    control : str, optional
        For ``bonferroni_dunn``.
    """

    alpha: float = 0.05
    posthoc: PostHoc = "none"
    control: str | None = None

    name: ClassVar[str] = "friedman"

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        if self.posthoc not in ("none", "nemenyi", "bonferroni_dunn"):
            raise ParameterError(f"posthoc is one of none, nemenyi, bonferroni_dunn, not '{self.posthoc}'")
        if self.posthoc == "bonferroni_dunn" and self.control is None:
            raise ParameterError("bonferroni_dunn compares with a control: name it")
        if self.posthoc == "nemenyi" and self.control is not None:
            raise ParameterError("nemenyi compares all pairs; with a control use bonferroni_dunn")

    def compare(self, table: ScoreTable) -> Comparison:
        """The omnibus verdict, and those on pairs."""
        pairs = pairs_of(table.algorithms, self.control)  # refuses a single algorithm and an unknown control
        complete, left_out = table.complete()
        outcome = rank_test(rank_rows(complete.scores, table.larger_is_better)) if complete.datasets else None
        omnibus = self._omnibus(outcome, table)
        ranks: dict[str, float] = {}
        verdicts: tuple[Verdict, ...] = ()
        found: tuple[tuple[str, ...], ...] = ()
        difference = None
        if outcome is not None:
            ranks = {name: float(r) for name, r in zip(table.algorithms, outcome.mean_ranks, strict=True)}
            if self.posthoc != "none":
                verdicts = tuple(self._verdict(*pair, ranks, complete) for pair in pairs)
                difference = self._critical(outcome)
            if self.posthoc == "nemenyi":
                alike = [(v.left, v.right) for v in verdicts if v.significant is False]
                found = groups(
                    sorted(ranks, key=lambda name: (ranks[name], table.algorithms.index(name))), alike
                )
        return Comparison(
            test=self.name,
            title="Friedman test"
            + {"nemenyi": ", Nemenyi post-hoc test", "none": ""}.get(
                self.posthoc, f", Bonferroni-Dunn test against {self.control}"
            ),
            metric=table.metric,
            larger_is_better=table.larger_is_better,
            algorithms=table.algorithms,
            datasets=complete.datasets,
            left_out=left_out,
            alpha=self.alpha,
            parameters=parameters(self),
            verdicts=verdicts,
            summary=omnibus.sentence,
            control=self.control,
            correction=None if self.posthoc == "none" else self.posthoc,
            means=means(table),
            mean_ranks=ranks,
            groups=found,
            omnibus=omnibus,
            critical_difference=difference,
            notes=table.notes(),
            warnings=self._warnings(outcome, omnibus),
            references=_REFERENCES[: 3 if self.posthoc == "none" else 4],
        )

    def _omnibus(self, outcome: RankTest | None, table: ScoreTable) -> Omnibus:
        if outcome is None:
            sentence = (
                f"No data set has a defined {table.metric} for every algorithm: there is nothing to rank."
            )
            return Omnibus("Friedman, Iman-Davenport", 0, {}, None, None, sentence)
        significant = outcome.f_p <= self.alpha
        f = "infinite" if outcome.f is None else show(outcome.f)
        evidence = (
            f"Iman-Davenport F({outcome.k - 1}, {(outcome.k - 1) * (outcome.n - 1)}) = {f}, p = "
            f"{show_p(outcome.f_p)}, "
            f"{outcome.n} data sets"
        )
        if significant:
            sentence = f"The {outcome.k} algorithms do not all have the same {table.metric} ({evidence})."
        else:
            sentence = (
                f"No difference in {table.metric} among the {outcome.k} algorithms was found, which does "
                "not show that "
                f"they are equal ({evidence})."
            )
        statistic = {
            "chi_square": outcome.chi_square,
            "chi_square_uncorrected": outcome.chi_square_uncorrected,
            "chi_square_p": outcome.chi_square_p,
            "chi_square_df": outcome.k - 1,
            "f": outcome.f,
            "f_df1": outcome.k - 1,
            "f_df2": (outcome.k - 1) * (outcome.n - 1),
            "kendall_w": outcome.chi_square / (outcome.n * (outcome.k - 1)),
        }
        return Omnibus("Friedman, Iman-Davenport", outcome.n, statistic, outcome.f_p, significant, sentence)

    def _critical(self, outcome: RankTest) -> float:
        """The critical difference of mean ranks."""
        if self.posthoc == "nemenyi":
            q = range_quantile(self.alpha, outcome.k) / math.sqrt(2)
        else:
            q = -NormalDist().inv_cdf(self.alpha / (2 * (outcome.k - 1)))
        return q * rank_error(outcome.n, outcome.k)

    def _verdict(self, left: str, right: str, ranks: dict[str, float], table: ScoreTable) -> Verdict:
        k, n = len(ranks), len(table.datasets)
        distance = ranks[left] - ranks[right]
        z = abs(distance) / rank_error(n, k)
        p = math.erfc(z / math.sqrt(2))
        adjusted = range_p(z * math.sqrt(2), k) if self.posthoc == "nemenyi" else min(1.0, p * (k - 1))
        significant = adjusted <= self.alpha
        winner, loser = (left, right) if distance < 0 else (right, left)
        wins, ties, losses = table.pair(left, right).tally(table.larger_is_better)
        title = "Nemenyi" if self.posthoc == "nemenyi" else "Bonferroni-Dunn"
        evidence = f"mean ranks {show(ranks[left])} and {show(ranks[right])}, {title} p = {show_p(adjusted)}"
        verdict = Verdict(
            left=left,
            right=right,
            n=n,
            zeros=ties,
            method="normal",
            sentence="",
            statistic={"rank_difference": distance, "z": z},
            p=p,
            adjusted_p=adjusted,
            significant=significant,
            better=winner if significant and table.larger_is_better is not None else None,
            effect=Effect("difference of mean ranks, right minus left", -distance, ""),
            wins=wins,
            ties=ties,
            losses=losses,
        )
        tally = tally_of(verdict, winner if significant else left, table.larger_is_better)
        found = (
            claim(winner, loser, table.metric, table.larger_is_better)
            if significant
            else no_difference(left, right, table.metric)
        )
        return replace(verdict, sentence=f"{found}: {tally} ({evidence}).")

    def _warnings(self, outcome: RankTest | None, omnibus: Omnibus) -> tuple[str, ...]:
        warnings = []
        if outcome is not None and outcome.n < 10:
            warnings.append(
                f"p is approximate, and poor for {outcome.n} data sets: Demsar (2006) asks for more than ten."
            )
        if outcome is not None and outcome.k == 2:
            warnings.append(
                "With two algorithms the Friedman test is a sign test; the Wilcoxon test sees more."
            )
        if self.posthoc != "none":
            warnings.append(POOL_WARNING)
            if omnibus.significant is False:
                warnings.append(
                    "The Friedman test itself found no difference: verdicts on pairs should not be read."
                )
        return tuple(warnings)


_REFERENCES = (
    "Friedman, M. (1937). The use of ranks to avoid the assumption of normality. JASA 32, 675-701.",
    "Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical region of the Friedman "
    "statistic. "
    "Communications in Statistics A9, 571-595.",
    "Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30.",
    "Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use post-hoc tests based on "
    "mean-ranks? "
    "JMLR 17(5), 1-10.",
)
