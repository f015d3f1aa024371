"""What tests of pairs over data sets share: the pairs, the correction, the Comparison around them."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

from treeforge.compare.cliques import groups
from treeforge.compare.comparison import Comparison, Verdict
from treeforge.compare.corrections import TITLES, Correction, adjust, check_correction
from treeforge.compare.ranks import mean_ranks, means
from treeforge.compare.table import Pair, ScoreTable, listing
from treeforge.compare.words import adjusted_words, claim, no_difference, not_compared, show_p, tally_of
from treeforge.errors import ParameterError


@dataclass(frozen=True)
class PairwiseTest:
    """Base of the tests that compare two algorithms at a time, over data sets, and give a p-value.

    Parameters
    ----------
    alpha : float
        Chance of one or more false claims in the whole family (with ``benjamini_hochberg``: share of them).
    correction : str
        For the number of pairs: holm, hommel, hochberg, shaffer, bonferroni, benjamini_hochberg, none.
    control : str, optional
        Compare only with this algorithm; otherwise all pairs.
    """

    alpha: float = 0.05
    correction: Correction = "holm"
    control: str | None = None

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    references: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_correction(self.correction, self.control)

    @abstractmethod
    def test(self, pair: Pair, larger_is_better: bool | None) -> Verdict:
        """The verdict on one pair; ``adjusted_p``, ``significant`` and ``sentence`` come later."""

    def compare(self, table: ScoreTable) -> Comparison:
        """All verdicts on a table."""
        pairs = pairs_of(table.algorithms, self.control)
        raw = [self.test(table.pair(*names), table.larger_is_better) for names in pairs]
        verdicts = self._finish(raw, table)
        ranks = mean_ranks(table)
        complete, left_out = table.complete()
        by_rank = sorted(
            table.algorithms, key=lambda name: (ranks.get(name, 0.0), table.algorithms.index(name))
        )
        return Comparison(
            test=self.name,
            title=f"{self.title}, {TITLES[self.correction]} correction",
            metric=table.metric,
            larger_is_better=table.larger_is_better,
            algorithms=table.algorithms,
            datasets=complete.datasets,
            left_out=left_out,
            alpha=self.alpha,
            parameters=parameters(self),
            verdicts=verdicts,
            summary=summary(verdicts, table, self.alpha),
            control=self.control,
            correction=self.correction,
            means=means(table),
            mean_ranks=ranks,
            groups=()
            if self.control
            else groups(by_rank, [(v.left, v.right) for v in verdicts if v.significant is False]),
            notes=table.notes(),
            warnings=_family_warnings(verdicts, self.alpha),
            references=self.references,
        )

    def _finish(self, raw: Sequence[Verdict], table: ScoreTable) -> tuple[Verdict, ...]:
        """Correct the family, decide, and put it into words.

        A pair without any data has no p. It stays out of the family, except that Shaffer's logic needs all
        pairs: there it counts as p = 1.
        """
        tested = [i for i, v in enumerate(raw) if v.p is not None or self.correction == "shaffer"]
        adjusted = adjust([_or_one(raw[i].p) for i in tested], self.correction)
        # every correction is monotone in the p-values: no pair can get below what all minima together give
        lowest = adjust([_lowest(raw[i]) for i in tested], self.correction)
        verdicts = list(raw)
        for i, p, minimum in zip(tested, adjusted, lowest, strict=True):
            if raw[i].p is not None:
                verdicts[i] = self._decide(raw[i], float(p), float(minimum), table)
        return tuple(verdicts)

    def _decide(self, verdict: Verdict, adjusted: float, minimum: float, table: ScoreTable) -> Verdict:
        significant = adjusted <= self.alpha
        left_leads = verdict.statistic["positive"] > verdict.statistic["negative"]  # type: ignore[operator]
        if table.larger_is_better is False:
            left_leads = not left_leads
        winner, loser = (verdict.left, verdict.right) if left_leads else (verdict.right, verdict.left)
        tally = tally_of(verdict, winner if significant else verdict.left, table.larger_is_better)
        evidence = f"{verdict.method} p = {show_p(verdict.p)}{adjusted_words(self.correction, adjusted)}"
        warnings = list(verdict.warnings)
        both = f"{verdict.left} and {verdict.right}"
        if significant:
            sentence = f"{claim(winner, loser, table.metric, table.larger_is_better)}: {tally} ({evidence})."
        elif verdict.zeros == verdict.n:
            sentence = f"{both} have equal {table.metric} on all {verdict.n} data sets (p = 1)."
        else:
            found = no_difference(verdict.left, verdict.right, table.metric)
            sentence = f"{found}: {tally} ({evidence})."
        if minimum > self.alpha and verdict.zeros < verdict.n:
            after = "" if self.correction == "none" else " after correction"
            warnings.append(
                f"{both} cannot be significantly different with this few data sets: {_differing(verdict)} "
                f"give p = {show_p(minimum)} at best{after}."
            )
        return replace(
            verdict,
            adjusted_p=adjusted,
            minimum_adjusted_p=minimum,
            significant=significant,
            better=winner if significant and table.larger_is_better is not None else None,
            sentence=sentence,
            warnings=tuple(warnings),
        )


def parameters(test: Any) -> dict[str, Any]:
    """The resolved parameters of a test, by name."""
    return {f.name: getattr(test, f.name) for f in dataclasses.fields(test)}


def pairs_of(algorithms: Sequence[str], control: str | None) -> list[tuple[str, str]]:
    """All pairs in the order of the table, or (other, control)."""
    if len(algorithms) < 2:
        raise ParameterError(f"a comparison needs two algorithms or more, not {len(algorithms)}")
    if control is None:
        return list(combinations(algorithms, 2))
    if control not in algorithms:
        raise ParameterError(f"the control '{control}' is none of the algorithms ({', '.join(algorithms)})")
    return [(name, control) for name in algorithms if name != control]


def check_alpha(alpha: float) -> None:
    """Refuse a level outside (0, 1)."""
    if not 0 < alpha < 1:
        raise ParameterError(f"alpha is a probability between 0 and 1, not {alpha}")


def undefined_verdict(pair: Pair, method: str, why: str) -> Verdict:
    """For a pair that cannot be tested."""
    return Verdict(
        pair.left, pair.right, len(pair.datasets), 0, method, why, left_out=pair.left_out, warnings=(why,)
    )


def summary(verdicts: Sequence[Verdict], table: ScoreTable, alpha: float) -> str:
    """The outcome of a family in a sentence or two: what was found, and what could not be compared."""
    tested = [v for v in verdicts if v.tested]
    outcome = [_outcome(tested, table.metric, alpha)] if tested else []
    return " ".join(filter(None, [*outcome, not_compared(verdicts, table.scoreless())]))


def _outcome(verdicts: Sequence[Verdict], metric: str, alpha: float) -> str:
    """What the pairs that were tested have shown."""
    found = [v for v in verdicts if v.significant]
    total = f"{len(verdicts)} comparison{'s' if len(verdicts) != 1 else ''}"
    if not found:
        return f"No difference in {metric} was found in {total} at alpha = {alpha:g}."
    if len(verdicts) == 1:
        return found[0].sentence
    claims = [f"{v.better} over {v.right if v.better == v.left else v.left}" for v in found if v.better]
    what = f": {listing(claims, 8)}" if claims else ""
    return f"{len(found)} of {total} found a difference in {metric} at alpha = {alpha:g}{what}."


def _family_warnings(verdicts: Sequence[Verdict], alpha: float) -> tuple[str, ...]:
    """What concerns several verdicts at once."""
    tested = [v for v in verdicts if v.minimum_adjusted_p is not None]
    if not tested or any(v.minimum_adjusted_p <= alpha for v in tested if v.minimum_adjusted_p is not None):
        return ()
    if any(v.zeros for v in tested):
        return ("Nothing can be significant: too few data sets have different scores.",)
    return ("Nothing can be significant with this few data sets, whatever the scores.",)


def _differing(verdict: Verdict) -> str:
    if not verdict.zeros:
        return f"{verdict.n} data set{'s' if verdict.n != 1 else ''}"
    return f"{verdict.n - verdict.zeros} of {verdict.n} with different scores"


def _or_one(p: float | None) -> float:
    return 1.0 if p is None else p


def _lowest(verdict: Verdict) -> float:
    """The smallest p that the data could have given; a test that does not say may reach 0."""
    if verdict.p is None:
        return 1.0
    return 0.0 if verdict.minimum_p is None else verdict.minimum_p
