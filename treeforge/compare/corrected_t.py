"""The corrected resampled t-test on each data set (Weka's paired corrected tester), as a declared comparison.

References
----------
Nadeau and Bengio (2003), Machine Learning 52, section 3 (the variance 1/J + n_test/n_train). Bouckaert and
Frank (2004), PAKDD, LNCS 3056 (its use with repeated cross-validation).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treeforge.compare.comparison import Comparison, Effect, Estimate, Verdict
from treeforge.compare.corrections import TITLES, Correction, adjust, check_correction
from treeforge.compare.fold_tests import paired_folds
from treeforge.compare.pairwise import check_alpha, pairs_of, parameters
from treeforge.compare.ranks import mean_ranks, means
from treeforge.compare.table import ScoreTable
from treeforge.compare.words import adjusted_words, claim, interval, show_p, tally_of
from treeforge.errors import ParameterError


@dataclass(frozen=True)
class CorrectedT:
    """Outcome on one data set; ``t`` and ``p`` are None when all folds differ by the same, not by zero."""

    n: int
    mean: float
    error: float
    t: float | None
    p: float | None


def corrected_t_test(differences: NDArray[np.float64], test_share: float) -> CorrectedT:
    """t = mean / sqrt((1/J + n_test/n_train) * variance), with J - 1 degrees of freedom.

    Parameters
    ----------
    differences : ndarray, shape [J]
        Left minus right, fold by fold; two or more.
    test_share : float
        n_test / n_train: 1/9 for ten folds.

    Examples
    --------
    >>> test = corrected_t_test(np.array([0.02, 0.01, 0.03, 0.0, 0.02]), 1 / 4)
    >>> round(test.t, 4), round(test.p, 4)
    (2.0919, 0.1046)
    """
    from scipy.special import stdtr

    n = len(differences)
    mean = float(np.mean(differences))
    spread = float(np.var(differences, ddof=1))
    if np.ptp(differences) <= 1e-12 * abs(mean):  # the same in every fold, but for noise
        return CorrectedT(n, mean, 0.0, 0.0 if mean == 0 else None, 1.0 if mean == 0 else None)
    error = math.sqrt((1 / n + test_share) * spread)
    t = mean / error
    return CorrectedT(n, mean, error, t, float(2 * stdtr(n - 1, -abs(t))))


@dataclass(frozen=True)
class CorrectedTTest:
    """Nadeau and Bengio's corrected resampled t-test of each pair on each data set, two-sided.

    Parameters
    ----------
    alpha : float
        Chance of one or more false claims among the pairs of one data set.
    correction : str
        For the number of pairs on a data set; ``none`` is what Weka does.
    control : str, optional
        Compare only with this algorithm; otherwise all pairs.
    test_share : float, optional
        n_test / n_train; otherwise as the results say, or that of a k-fold cross-validation.
    """

    alpha: float = 0.05
    correction: Correction = "holm"
    control: str | None = None
    test_share: float | None = None

    name: ClassVar[str] = "corrected_t"
    needs_folds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_correction(self.correction, self.control)
        if self.test_share is not None and not self.test_share > 0:
            raise ParameterError(f"test_share is n_test / n_train, a number above 0, not {self.test_share}")

    def compare(self, table: ScoreTable) -> Comparison:
        """The verdicts, data set by data set."""
        pairs = pairs_of(table.algorithms, self.control)
        verdicts = [v for dataset in table.datasets for v in self._on_dataset(table, dataset, pairs)]
        complete, left_out = table.complete()
        return Comparison(
            test=self.name,
            title=(
                f"Corrected resampled t-test on each data set, {TITLES[self.correction]} correction within it"
            ),
            metric=table.metric,
            larger_is_better=table.larger_is_better,
            algorithms=table.algorithms,
            datasets=complete.datasets,
            left_out=left_out,
            alpha=self.alpha,
            parameters=parameters(self),
            verdicts=tuple(verdicts),
            summary=_tallies(verdicts, pairs),
            control=self.control,
            correction=self.correction,
            means=means(table),
            mean_ranks=mean_ranks(table),
            notes=table.notes(),
            warnings=_many_datasets(table, self.alpha),
            references=_REFERENCES,
        )

    def _on_dataset(self, table: ScoreTable, dataset: str, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        raw = [self._verdict(table, dataset, left, right) for left, right in pairs]
        tested = [i for i, v in enumerate(raw) if v.p is not None or self.correction == "shaffer"]
        adjusted = adjust([1.0 if (p := raw[i].p) is None else p for i in tested], self.correction)
        for i, p in zip(tested, adjusted, strict=True):
            if raw[i].p is not None:
                raw[i] = self._decide(raw[i], float(p), table)
        return raw

    def _verdict(self, table: ScoreTable, dataset: str, left: str, right: str) -> Verdict:
        folds = paired_folds(table, dataset, left, right)
        d = folds.differences
        higher, lower = int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0))
        wins, losses = (lower, higher) if table.larger_is_better is False else (higher, lower)
        missing = (
            (f"{folds.missing} folds of {dataset} without a score for both were left out.",)
            if folds.missing
            else ()
        )
        verdict = Verdict(left, right, len(d), len(d) - higher - lower, "t", "", dataset, warnings=missing)
        share = self.test_share or folds.test_share
        why = ""
        if len(d) < 2:
            why = f"{left} and {right} have fewer than two folds in common on {dataset}: there is no t-test."
        elif share is None:
            why = f"the results of {dataset} do not say n_test / n_train: give test_share."
        if why or share is None:
            return replace(verdict, sentence=why, warnings=(*missing, why))
        outcome = corrected_t_test(d, share)
        if outcome.p is None:
            why = (
                f"{left} and {right} differ by the same in every fold of {dataset}: there is no variance "
                "to test with."
            )
            return replace(verdict, sentence=why, warnings=(*missing, why))
        return replace(
            verdict,
            statistic={"t": outcome.t, "df": outcome.n - 1, "standard_error": outcome.error},
            p=outcome.p,
            estimate=_mean_interval(outcome, 1 - self.alpha),
            effect=_standardised(d),
            wins=wins,
            ties=verdict.zeros,
            losses=losses,
        )

    def _decide(self, verdict: Verdict, adjusted: float, table: ScoreTable) -> Verdict:
        significant = adjusted <= self.alpha
        assert verdict.estimate is not None
        left_leads = (verdict.estimate.value > 0) is not (table.larger_is_better is False)
        winner, loser = (verdict.left, verdict.right) if left_leads else (verdict.right, verdict.left)
        evidence = f"p = {show_p(verdict.p)}{adjusted_words(self.correction, adjusted)}"
        tally = tally_of(verdict, winner if significant else verdict.left, table.larger_is_better, "folds")
        found = (
            claim(winner, loser, table.metric, table.larger_is_better)
            if significant
            else f"no difference in {table.metric} between {verdict.left} and {verdict.right} was found"
        )
        sentence = (
            f"On {verdict.dataset}, {found}: mean difference {interval(verdict.estimate)}, {tally} "
            f"({evidence})."
        )
        better = winner if significant and table.larger_is_better is not None else None
        return replace(
            verdict, adjusted_p=adjusted, significant=significant, better=better, sentence=sentence
        )


def _mean_interval(outcome: CorrectedT, level: float) -> Estimate:
    from scipy.special import stdtrit

    half = float(stdtrit(outcome.n - 1, (1 + level) / 2)) * outcome.error
    return Estimate("mean difference", outcome.mean, outcome.mean - half, outcome.mean + half, level)


def _standardised(d: NDArray[np.float64]) -> Effect | None:
    """Mean over standard deviation of the differences; it depends on the folds' size, so without words."""
    spread = float(np.std(d, ddof=1))
    return Effect("standardised mean difference", float(np.mean(d)) / spread, "") if spread > 0 else None


def _tallies(verdicts: Sequence[Verdict], pairs: Sequence[tuple[str, str]]) -> str:
    """Weka's (better / no difference / worse) of each pair over the data sets."""
    sentences = []
    for left, right in pairs:
        tested = [v for v in verdicts if (v.left, v.right) == (left, right) and v.significant is not None]
        if not tested:
            sentences.append(f"{left} and {right} could not be compared on any data set.")
            continue
        better, worse = (sum(v.better == name for v in tested) for name in (left, right))
        alike = sum(v.significant is False for v in tested)
        sentences.append(
            f"{left} is better than {right} on {better}, worse on {worse} of {len(tested)} data sets, "
            f"with no difference found on {alike}."
        )
    return " ".join(sentences)


def _many_datasets(table: ScoreTable, alpha: float) -> tuple[str, ...]:
    n = len(table.datasets)
    if n < 2:
        return ()
    return (
        f"Each data set is a family of its own: over {n} data sets, up to {alpha * n:.2g} false claims are "
        "to be "
        "expected even if no two algorithms differ. For a verdict over data sets use the Wilcoxon test.",
    )


_REFERENCES = (
    "Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.",
    "Bouckaert, R. R. and Frank, E. (2004). Evaluating the replicability of significance tests for "
    "comparing learning "
    "algorithms. PAKDD 2004, LNCS 3056, 3-12.",
)
