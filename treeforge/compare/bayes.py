"""The Bayesian signed-rank test and the Bayesian correlated t-test, as declared comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treeforge.compare.comparison import Comparison, Probabilities, Verdict
from treeforge.compare.differences import differences
from treeforge.compare.effect import hodges_lehmann
from treeforge.compare.fold_tests import paired_folds
from treeforge.compare.pairwise import pairs_of, parameters, undefined_verdict
from treeforge.compare.posterior import correlated_t_posterior, signed_rank_posteriors
from treeforge.compare.ranks import mean_ranks, means
from treeforge.compare.table import Pair, ScoreTable, listing
from treeforge.compare.words import not_compared, show, tally_of
from treeforge.errors import ParameterError


@dataclass(frozen=True)
class BayesianTest:
    """Base of the Bayesian tests.

    Parameters
    ----------
    rope : float
        Half width of the region of practical equivalence, in the metric's unit: 0.01 is one point of
        accuracy.
    threshold : float
        Probability from which a verdict is given.
    control : str, optional
        Compare only with this algorithm; otherwise all pairs.
    """

    rope: float = 0.01
    threshold: float = 0.95
    control: str | None = None

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    references: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if not self.rope >= 0:
            raise ParameterError(f"rope is a half width, 0 or more, not {self.rope}")
        if not 0.5 < self.threshold < 1:
            raise ParameterError(f"threshold is a probability between 0.5 and 1, not {self.threshold}")

    def verdicts(self, table: ScoreTable, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """All verdicts on a table."""
        raise NotImplementedError

    def compare(self, table: ScoreTable) -> Comparison:
        """All verdicts, and what a reader must know."""
        verdicts = self.verdicts(table, pairs_of(table.algorithms, self.control))
        complete, left_out = table.complete()
        return Comparison(
            test=self.name,
            title=f"{self.title}, region of practical equivalence +-{self.rope:g}",
            metric=table.metric,
            larger_is_better=table.larger_is_better,
            algorithms=table.algorithms,
            datasets=complete.datasets,
            left_out=left_out,
            alpha=1 - self.threshold,
            parameters=parameters(self),
            verdicts=tuple(verdicts),
            summary=_summary(verdicts, table, self.threshold),
            control=self.control,
            means=means(table),
            mean_ranks=mean_ranks(table),
            notes=table.notes(),
            warnings=self._warnings(table),
            references=self.references,
        )

    def judge(
        self, table: ScoreTable, below: float, equal: float, above: float, left: str, right: str
    ) -> tuple[Probabilities, str | None, str]:
        """Probabilities in terms of better, the better algorithm if any, and the finding in words."""
        for_left, for_right = (below, above) if table.larger_is_better is False else (above, below)
        odds = Probabilities(for_left, equal, for_right, self.rope)
        word = "higher" if table.larger_is_better is None else "better"
        numbers = (
            f"P({left} {word}) = {for_left:.3f}, P(practically equal) = {equal:.3f}, "
            f"P({right} {word}) = {for_right:.3f}"
        )
        for chance, winner, loser in ((for_left, left, right), (for_right, right, left)):
            if chance >= self.threshold:
                better = winner if table.larger_is_better is not None else None
                return (
                    odds,
                    better,
                    f"{winner} is practically {word} than {loser} in {table.metric} ({numbers})",
                )
        if equal >= self.threshold:
            return odds, None, f"{left} and {right} are practically equal in {table.metric} ({numbers})"
        return (
            odds,
            None,
            f"{left} and {right} cannot be told apart, nor called equal, in {table.metric} ({numbers})",
        )

    def _warnings(self, table: ScoreTable) -> tuple[str, ...]:
        largest = float(np.nanmax(np.abs(table.scores), initial=0.0))
        if 0 < self.rope <= 0.01 and largest > 1.5:
            return (
                f"{table.metric} reaches {show(largest)}: a region of practical equivalence of "
                f"+-{self.rope:g} is meant "
                "for scores from 0 to 1.",
            )
        return ()


@dataclass(frozen=True)
class BayesianSignedRankTest(BayesianTest):
    """Bayesian signed-rank test of each pair over data sets, with a region of practical equivalence.

    Parameters
    ----------
    rope, threshold, control
        See BayesianTest.
    prior : float
        Strength of the prior, in data sets; it is placed at no difference.
    samples : int
        Draws from the posterior: 50,000 give probabilities to about +-0.002.
    seed : int
        Of the draws: the same table gives the same numbers.
    """

    prior: float = 0.5
    samples: int = 50_000
    seed: int = 1

    name: ClassVar[str] = "bayesian_signed_rank"
    title: ClassVar[str] = "Bayesian signed-rank test"
    references: ClassVar[tuple[str, ...]] = (
        "Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a change: a tutorial for "
        "comparing multiple "
        "classifiers through Bayesian analysis. JMLR 18(77), 1-36.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.prior > 0 or self.samples < 1:
            raise ParameterError("prior must be above 0, and samples 1 or more")

    def verdicts(self, table: ScoreTable, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """One verdict a pair; pairs over equally many data sets share the draws."""
        found = [table.pair(*names) for names in pairs]
        by_size: dict[int, list[int]] = {}
        for i, pair in enumerate(found):
            by_size.setdefault(len(pair.datasets), []).append(i)
        verdicts: dict[int, Verdict] = {}
        for i in by_size.pop(0, []):
            why = f"{found[i].left} and {found[i].right} have no data set in common."
            verdicts[i] = undefined_verdict(found[i], "sampled", why)
        for places in by_size.values():
            data = [differences(found[i].left_scores, found[i].right_scores) for i in places]
            odds = signed_rank_posteriors(
                data, self.rope, prior=self.prior, samples=self.samples, seed=self.seed
            )
            for i, (d, _), chances in zip(places, data, odds, strict=True):
                verdicts[i] = self._verdict(table, found[i], d, chances)
        return [verdicts[i] for i in range(len(found))]

    def _verdict(
        self, table: ScoreTable, pair: Pair, d: NDArray[np.float64], odds: tuple[float, float, float]
    ) -> Verdict:
        probabilities, better, words = self.judge(table, *odds, pair.left, pair.right)
        wins, ties, losses = pair.tally(table.larger_is_better)
        verdict = Verdict(
            left=pair.left,
            right=pair.right,
            n=len(d),
            zeros=ties,
            method="sampled",
            sentence="",
            better=better,
            estimate=hodges_lehmann(d, self.threshold),
            probabilities=probabilities,
            wins=wins,
            ties=ties,
            losses=losses,
            left_out=pair.left_out,
        )
        tally = tally_of(verdict, better or pair.left, table.larger_is_better)
        return replace(verdict, sentence=f"{words}; {tally}.")


@dataclass(frozen=True)
class BayesianCorrelatedTTest(BayesianTest):
    """Bayesian correlated t-test of each pair on each data set, with a region of practical equivalence.

    Parameters
    ----------
    rope, threshold, control
        See BayesianTest.
    test_share : float, optional
        n_test / n_train; otherwise as the results say, or that of a k-fold cross-validation.
    """

    test_share: float | None = None

    name: ClassVar[str] = "bayesian_correlated_t"
    title: ClassVar[str] = "Bayesian correlated t-test on each data set"
    needs_folds: ClassVar[bool] = True
    references: ClassVar[tuple[str, ...]] = (
        "Corani, G. and Benavoli, A. (2015). A Bayesian approach for comparing cross-validated algorithms "
        "on multiple data "
        "sets. Machine Learning 100, 285-304.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.test_share is not None and not self.test_share > 0:
            raise ParameterError(f"test_share is n_test / n_train, a number above 0, not {self.test_share}")

    def verdicts(self, table: ScoreTable, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """One verdict a data set and pair."""
        return [self._verdict(table, dataset, *names) for dataset in table.datasets for names in pairs]

    def _verdict(self, table: ScoreTable, dataset: str, left: str, right: str) -> Verdict:
        folds = paired_folds(table, dataset, left, right)
        d, share = folds.differences, self.test_share or folds.test_share
        warnings = (
            (f"{folds.missing} folds of {dataset} without a score for both were left out.",)
            if folds.missing
            else ()
        )
        if len(d) < 2 or share is None:
            why = (
                f"{left} and {right} have fewer than two folds in common on {dataset}: there is no t-test."
                if len(d) < 2
                else f"the results of {dataset} do not say n_test / n_train: give test_share."
            )
            return Verdict(left, right, len(d), 0, "t", why, dataset, warnings=(*warnings, why))
        odds = correlated_t_posterior(d, folds.slack, self.rope, share)
        probabilities, better, words = self.judge(table, *odds, left, right)
        higher, lower = int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0))
        wins, losses = (lower, higher) if table.larger_is_better is False else (higher, lower)
        return Verdict(
            left=left,
            right=right,
            n=len(d),
            zeros=len(d) - higher - lower,
            method="t",
            sentence=f"On {dataset}, {words}.",
            dataset=dataset,
            better=better,
            probabilities=probabilities,
            wins=wins,
            ties=len(d) - higher - lower,
            losses=losses,
            warnings=warnings,
        )


def _summary(verdicts: Sequence[Verdict], table: ScoreTable, threshold: float) -> str:
    """The outcome in a sentence or two: what was found, and what could not be compared."""
    tested = [v for v in verdicts if v.tested]
    outcome = [_outcome(tested, threshold)] if tested else []
    return " ".join(filter(None, [*outcome, not_compared(verdicts, table.scoreless())]))


def _outcome(verdicts: Sequence[Verdict], threshold: float) -> str:
    """What the pairs that were tested have shown."""
    won = [f"{v.better} over {v.right if v.better == v.left else v.left}" for v in verdicts if v.better]
    known = [v.probabilities for v in verdicts if v.probabilities is not None]
    equal = sum(odds.equal >= threshold for odds in known)
    leads = sum(max(odds.left, odds.right) >= threshold for odds in known)
    names = f" ({listing(won, 8)})" if won and verdicts[0].dataset is None else ""
    return (
        f"Of {len(verdicts)} comparisons, at probability {threshold:g} or more, {leads} show a practical "
        f"difference{names}, "
        f"{equal} practical equality, and {len(verdicts) - leads - equal} neither."
    )
