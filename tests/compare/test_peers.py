"""Second implementations: SciPy, and where they are installed (extra ``peers-stats``) statsmodels, scikit-posthocs,
autorank, baycomp and aeon."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from treeforge.compare import (
    FoldScores,
    ScoreTable,
    adjust,
    compare,
    corrected_t_test,
    correlated_t_posterior,
    groups,
    rank_rows,
    rank_test,
    sign_p,
    signed_rank,
    signed_rank_posterior,
)
from treeforge.compare.rank_tests import range_p


def scores(seed: int, n: int = 20, k: int = 5, decimals: int = 3) -> NDArray[np.float64]:
    """Accuracies of k algorithms on n data sets; few decimals make ties."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.95, (n, 1))
    return np.round(level + rng.normal(0, 0.02, (n, k)) + np.linspace(0, 0.02, k), decimals)


def table(values: NDArray[np.float64]) -> ScoreTable:
    n, k = values.shape
    return ScoreTable(tuple(f"d{i}" for i in range(n)), tuple("ABCDEFGH"[:k]), values, "accuracy")


@pytest.mark.parametrize("seed", range(10))
def test_scipy_exact_without_ties(seed: int) -> None:
    a, b = scores(seed, n=int(5 + 9 * seed), k=2, decimals=12).T
    ours, theirs = signed_rank(a, b), stats.wilcoxon(a, b, method="exact")
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-12)
    assert min(ours.positive, ours.negative) == theirs.statistic


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("seed", range(3))
def test_scipy_permutes_signs_with_ties_and_zeros(seed: int, zeros: Any) -> None:
    d = np.random.default_rng(seed).integers(-3, 4, 11).astype(float)
    method = stats.PermutationMethod(n_resamples=2**12, rng=np.random.default_rng(1))
    theirs = stats.wilcoxon(d, zero_method={"drop": "wilcox", "pratt": "pratt"}[zeros], method=method)
    assert signed_rank(d, np.zeros(11), zeros=zeros).p == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("seed", range(5))
def test_scipy_normal_approximation(seed: int, zeros: Any) -> None:
    d = np.random.default_rng(seed).integers(-9, 12, 60).astype(float)
    name = {"drop": "wilcox", "pratt": "pratt"}[zeros]
    theirs = stats.wilcoxon(d, zero_method=name, method="approx", correction=True)
    ours = signed_rank(d, np.zeros(60), zeros=zeros, exact_limit=0)
    assert ours.method == "normal"
    # SciPy's correction for continuity is half a rank too; both clip at 1
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize(("n", "level", "off"), [(50, 0.05, 0.013), (500, 0.05, 0.0013), (500, 0.001, 0.029)])
def test_normal_approximation_is_as_near_as_the_documentation_says(n: int, level: float, off: float) -> None:
    d = np.arange(1.0, n + 1)
    exact = signed_rank(d, np.zeros(n))
    while exact.p < level:  # turn signs, largest first, until p comes near the level
        d[int(np.flatnonzero(d > 0)[-1])] *= -1
        exact = signed_rank(d, np.zeros(n))
    normal = signed_rank(d, np.zeros(n), exact_limit=0)
    assert (exact.method, normal.method) == ("exact", "normal")
    assert normal.p == pytest.approx(exact.p, rel=off)


@pytest.mark.parametrize("decimals", [2, 12])
def test_scipy_friedman(decimals: int) -> None:
    values = scores(1, decimals=decimals)
    ours, theirs = rank_test(rank_rows(values, True)), stats.friedmanchisquare(*values.T)
    assert (ours.chi_square, ours.chi_square_p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)


def test_iman_davenport_is_analysis_of_variance_on_ranks() -> None:
    ranks = rank_rows(scores(2, decimals=2), True)
    n, k = ranks.shape
    residual = ranks - ranks.mean(axis=0) - ranks.mean(axis=1, keepdims=True) + ranks.mean()
    between = n * np.square(ranks.mean(axis=0) - ranks.mean()).sum() / (k - 1)
    f = between / (np.square(residual).sum() / ((n - 1) * (k - 1)))
    ours = rank_test(ranks)
    assert ours.f == pytest.approx(f, rel=1e-9)
    assert ours.f_p == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-9)


@pytest.mark.parametrize("k", [2, 3, 7, 30])
def test_scipy_studentized_range(k: int) -> None:
    for q in (0.3, 2.0, 3.5, 6.0):
        assert range_p(q, k) == pytest.approx(stats.studentized_range.sf(q, k, np.inf), rel=1e-8)


def test_scipy_binomial_test() -> None:
    for wins, losses in ((9, 1), (11, 3), (30, 18), (5, 5), (0, 0)):
        expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
        assert sign_p(wins, 0, losses) == pytest.approx(expected)


def test_scipy_t_test_when_training_sets_share_nothing() -> None:
    d = np.random.default_rng(5).normal(0.01, 0.02, 10)
    ours, theirs = corrected_t_test(d, 1e-300), stats.ttest_1samp(d, 0)
    assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))


@pytest.mark.parametrize("seed", range(10))
def test_statsmodels_corrections(seed: int) -> None:
    multitest = pytest.importorskip(
        "statsmodels.stats.multitest", reason="statsmodels (peers-stats) is not installed"
    )
    p = np.round(np.random.default_rng(seed).beta(0.3, 2, 12), 3)
    names = {
        "holm": "holm",
        "hommel": "hommel",
        "hochberg": "simes-hochberg",
        "bonferroni": "bonferroni",
        "benjamini_hochberg": "fdr_bh",
    }
    for ours, theirs in names.items():
        assert adjust(p, ours) == pytest.approx(multitest.multipletests(p, method=theirs)[1]), ours


def test_scikit_posthocs_wilcoxon_with_holm() -> None:
    posthocs = pytest.importorskip("scikit_posthocs", reason="scikit-posthocs (peers-stats) is not installed")
    values = scores(4, decimals=12)
    theirs = posthocs.posthoc_wilcoxon(list(values.T), p_adjust="holm").to_numpy()
    comparison = compare(table(values), {"test": "wilcoxon"})
    for v in comparison.verdicts:
        i, j = (comparison.algorithms.index(name) for name in (v.left, v.right))
        assert v.adjusted_p == pytest.approx(theirs[i, j])


def test_scikit_posthocs_nemenyi() -> None:
    posthocs = pytest.importorskip("scikit_posthocs", reason="scikit-posthocs (peers-stats) is not installed")
    values = scores(5, decimals=2)
    theirs = np.asarray(posthocs.posthoc_nemenyi_friedman(values))
    comparison = compare(table(values), {"test": "friedman", "posthoc": "nemenyi"})
    for v in comparison.verdicts:
        i, j = (comparison.algorithms.index(name) for name in (v.left, v.right))
        assert v.adjusted_p == pytest.approx(theirs[i, j], abs=1e-6)


def test_autorank_mean_ranks_and_critical_distance() -> None:
    ranker = pytest.importorskip("autorank", reason="autorank (peers-stats) is not installed")
    pandas = pytest.importorskip("pandas")
    values = scores(6, n=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = ranker.autorank(pandas.DataFrame(values, columns=list("ABCDE")), force_mode="nonparametric")
    comparison = compare(table(values), {"test": "friedman", "posthoc": "nemenyi"})
    assert theirs.cd == pytest.approx(comparison.critical_difference, rel=1e-3)
    for name, rank in theirs.rankdf["meanrank"].items():
        assert comparison.mean_ranks[name] == pytest.approx(rank)
    assert comparison.omnibus is not None
    assert comparison.omnibus.statistic["chi_square_p"] == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("rope", [0.01, 0.03])
def test_baycomp_signed_rank(rope: float) -> None:
    baycomp = pytest.importorskip("baycomp", reason="baycomp (peers-stats) is not installed")
    a, b = scores(7, n=15, k=2, decimals=12).T
    right, equal, left = baycomp.SignedRankTest.probs(b, a, rope=rope, nsamples=20_000, random_state=1)[::-1]
    # baycomp speaks of y - x: its right is where the second argument is higher
    below, within, above = signed_rank_posterior(a - b, np.zeros(15), rope)
    assert (below, within, above) == pytest.approx((left, equal, right), abs=0.015)


@pytest.mark.parametrize("runs", [1, 10])
def test_baycomp_correlated_t(runs: int) -> None:
    baycomp = pytest.importorskip("baycomp", reason="baycomp (peers-stats) is not installed")
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.8, 0.03, 10 * runs), rng.normal(0.78, 0.03, 10 * runs)
    theirs = baycomp.CorrelatedTTest.probs(b, a, rope=0.01, runs=runs)
    ours = correlated_t_posterior(a - b, np.zeros(len(a)), 0.01, 1 / 9)
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_aeon_pairwise_p_values_and_cliques() -> None:
    peer = pytest.importorskip("aeon.benchmarking.stats", reason="aeon (peers-stats) is not installed")
    values = scores(9, n=25, decimals=12)
    one_sided = peer.wilcoxon_test(values, list("ABCDE"))
    for i in range(5):
        for j in range(i + 1, 5):
            ours = signed_rank(values[:, i], values[:, j], zeros="drop", alternative="greater")
            assert ours.p == pytest.approx(one_sided[i, j])
    ranks = rank_rows(values, True)
    assert rank_test(ranks).chi_square_p == pytest.approx(peer.check_friedman(ranks))
    comparison = compare(table(values), {"test": "friedman", "posthoc": "nemenyi"})
    order = sorted(comparison.mean_ranks, key=lambda name: comparison.mean_ranks[name])
    near = peer.nemenyi_test(np.array([comparison.mean_ranks[name] for name in order]), 25, 0.05)
    pairs = [(order[i], order[j]) for i in range(5) for j in range(i + 1, 5) if near[i, j]]
    assert comparison.groups == groups(order, pairs)


def test_corrected_t_is_wider_than_the_plain_t_test_by_the_overlap() -> None:
    folds = tuple((0, i) for i in range(10))
    rng = np.random.default_rng(10)
    left, right = rng.normal(0.8, 0.02, 10), rng.normal(0.78, 0.02, 10)
    columns = {("iris", "A"): left, ("iris", "B"): right}
    scores_ = {key: FoldScores(folds, tuple(map(float, column))) for key, column in columns.items()}
    means = np.array([[left.mean(), right.mean()]])
    comparison = compare(ScoreTable(("iris",), ("A", "B"), means, folds=scores_), {"test": "corrected_t"})
    plain = stats.ttest_rel(left, right)
    verdict = comparison.verdict("A", "B", "iris")
    # 1/10 becomes 1/10 + 1/9
    assert verdict.statistic["t"] == pytest.approx(plain.statistic / np.sqrt(1 + 10 / 9))
    assert verdict.p == pytest.approx(2 * stats.t.sf(abs(verdict.statistic["t"] or 0), 9))
