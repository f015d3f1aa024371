"""What a comparison says: who is better, in which words, and when it must keep quiet."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeforge.compare import FoldScores, ScoreTable, compare
from treeforge.compare.declared import TESTS
from treeforge.errors import ParameterError, ResultError

TEN = tuple(f"d{i}" for i in range(10))
DECLARED: list[dict[str, Any]] = [
    {"test": "wilcoxon"},
    {"test": "wilcoxon", "correction": "shaffer", "zero_method": "pratt"},
    {"test": "wilcoxon", "control": "B"},
    {"test": "sign", "correction": "hommel"},
    {"test": "friedman"},
    {"test": "friedman", "posthoc": "nemenyi"},
    {"test": "friedman", "posthoc": "bonferroni_dunn", "control": "A"},
    {"test": "corrected_t"},
    {"test": "bayesian_signed_rank", "samples": 200},
    {"test": "bayesian_correlated_t"},
]


def lead(n: int = 10, larger_is_better: bool | None = True) -> ScoreTable:
    """A is higher than B on every data set, by different amounts; C is between them by chance."""
    steps = np.arange(1, n + 1) / 100
    scores = np.column_stack([0.5 + steps, np.full(n, 0.5), 0.5 + np.resize([0.02, -0.02], n)])
    return ScoreTable(TEN[:n], ("A", "B", "C"), scores, "accuracy", larger_is_better)


def test_verdict_names_the_better_algorithm_and_says_it_in_words() -> None:
    verdict = compare(lead(), {"test": "wilcoxon"}).verdict("A", "B")
    assert verdict.significant
    assert verdict.better == "A"
    assert (verdict.wins, verdict.ties, verdict.losses) == (10, 0, 0)
    assert verdict.sentence == (
        "A is better than B (higher accuracy): A is better on 10 of 10 data sets, worse on 0 "
        "(exact p = 0.002, Holm-adjusted p = 0.0059)."
    )
    assert verdict.estimate is not None
    assert verdict.estimate.value == pytest.approx(0.055)
    assert verdict.effect is not None
    assert (verdict.effect.value, verdict.effect.words) == (1.0, "large")


def test_lower_is_better_turns_the_verdict_but_not_the_estimate() -> None:
    verdict = compare(lead(larger_is_better=False), {"test": "wilcoxon"}).verdict("A", "B")
    assert verdict.better == "B"
    assert (verdict.wins, verdict.losses) == (0, 10)
    assert verdict.sentence.startswith("B is better than A (lower accuracy): B is better on 10 of 10")
    assert verdict.estimate is not None
    assert verdict.estimate.value == pytest.approx(0.055)


def test_without_a_direction_nothing_is_called_better() -> None:
    verdict = compare(lead(larger_is_better=None), {"test": "wilcoxon"}).verdict("A", "B")
    assert verdict.significant
    assert verdict.better is None
    assert verdict.sentence.startswith(
        "A has a higher accuracy than B: A is higher on 10 of 10 data sets, lower on 0"
    )


def test_absence_of_a_difference_is_not_called_equality() -> None:
    verdict = compare(lead(), {"test": "wilcoxon"}).verdict("B", "C")
    assert verdict.significant is False
    assert "which does not show that they are equal" in verdict.sentence


def test_too_few_datasets_are_said() -> None:
    comparison = compare(lead(5), {"test": "wilcoxon"})
    assert comparison.warnings == (
        "Nothing can be significant with this few data sets, whatever the scores.",
    )
    verdict = comparison.verdict("A", "B")
    assert verdict.minimum_p == 0.0625
    assert verdict.warnings == (
        "A and B cannot be significantly different with this few data sets: 5 data sets give p = 0.188 at best "
        "after correction.",
    )


def test_six_datasets_are_enough_for_one_pair_but_not_for_three_after_holm() -> None:
    assert not compare(lead(6), {"test": "wilcoxon", "correction": "none"}).verdict("A", "B").warnings
    assert compare(lead(6), {"test": "wilcoxon"}).verdict("A", "B").minimum_adjusted_p == 0.09375


def test_ties_count_among_the_few() -> None:
    scores = np.array([[0.5, 0.5]] * 6 + [[0.6, 0.5]] * 4)
    comparison = compare(ScoreTable(TEN, ("A", "B"), scores), {"test": "wilcoxon"})
    assert comparison.warnings == ("Nothing can be significant: too few data sets have different scores.",)
    assert "4 of 10 with different scores" in comparison.verdicts[0].warnings[0]


def test_datasets_without_a_score_are_left_out_of_their_pairs_only() -> None:
    scores = lead().scores.copy()
    scores[0, 2] = np.nan
    comparison = compare(ScoreTable(TEN, ("A", "B", "C"), scores, "accuracy"), {"test": "wilcoxon"})
    assert comparison.verdict("A", "B").n == 10
    assert comparison.verdict("B", "C").n == 9
    assert comparison.verdict("C", "A").left_out == ("d0",)
    assert comparison.left_out == ("d0",)
    assert comparison.datasets == TEN[1:]
    assert comparison.notes == ("accuracy of C is undefined on d0.",)


@pytest.mark.parametrize("spec", DECLARED, ids=lambda s: "-".join(map(str, s.values())))
def test_algorithm_without_any_score_stops_no_test(spec: dict[str, Any]) -> None:
    scores = lead().scores.copy()
    scores[:, 2] = np.nan
    comparison = compare(ScoreTable(TEN, ("A", "B", "C"), scores, "accuracy"), spec)
    json.dumps(comparison.to_dict(), allow_nan=False)
    assert comparison.summary
    for verdict in comparison.verdicts:
        if "C" in (verdict.left, verdict.right):
            assert verdict.significant is None
            assert verdict.p is None


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "bayesian_signed_rank"])
def test_summary_says_what_could_not_be_compared(test: str) -> None:
    scores = lead().scores.copy()
    scores[:, 2] = np.nan
    some = compare(ScoreTable(TEN, ("A", "B", "C"), scores, "accuracy"), {"test": test}).summary
    assert some.endswith(" 2 of 3 comparisons could not be made: C has no accuracy on any data set.")
    assert "A over B" in some or "A is better than B" in some
    scores[:, 1] = np.nan
    none = compare(ScoreTable(TEN, ("A", "B", "C"), scores, "accuracy"), {"test": test}).summary
    assert none == (
        "Nothing could be compared: B has no accuracy on any data set; C has no accuracy on any data set."
    )


def test_summary_names_pairs_that_have_nothing_in_common() -> None:
    scores = lead().scores[:, :2].copy()
    scores[:5, 0] = scores[5:, 1] = np.nan
    comparison = compare(ScoreTable(TEN, ("A", "B"), scores, "accuracy"), {"test": "wilcoxon"})
    assert comparison.summary == "Nothing could be compared: A and B have too few results in common."


def test_tallies_of_data_sets_say_what_could_not_be_compared() -> None:
    scores = np.full((10, 2), np.nan)
    comparison = compare(ScoreTable(TEN, ("A", "B"), scores, "accuracy"), {"test": "corrected_t"})
    assert comparison.summary == "A and B could not be compared on any data set."


@pytest.mark.parametrize("correction", ["holm", "shaffer"])
def test_pair_without_data_is_in_no_group(correction: str) -> None:
    scores = lead().scores.copy()
    scores[:, 2] = np.nan
    table = ScoreTable(TEN, ("A", "B", "C"), scores, "accuracy")
    comparison = compare(table, {"test": "wilcoxon", "correction": correction})
    assert comparison.groups == ()
    assert comparison.verdict("A", "B").significant


@pytest.mark.parametrize("name", list(TESTS))
def test_mapping_and_class_name_the_same_test(name: str) -> None:
    assert TESTS[name].name == name  # type: ignore[attr-defined]


def test_control_limits_the_family() -> None:
    comparison = compare(lead(), {"test": "wilcoxon", "control": "B"})
    assert [(v.left, v.right) for v in comparison.verdicts] == [("A", "B"), ("C", "B")]
    assert comparison.groups == ()  # bars need all pairs
    # two comparisons instead of three
    assert comparison.verdict("A", "B").adjusted_p == pytest.approx(2 * 2 / 2**10)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"test": "wilcoxn"}, "no test is called 'wilcoxn'"),
        ({"test": "wilcoxon", "control": "Z"}, r"control 'Z' is none of the algorithms \(A, B, C\)"),
        ({"test": "wilcoxon", "alpha": 5}, "between 0 and 1, not 5"),
        ({"test": "wilcoxon", "correction": "holms"}, "no correction is called 'holms'"),
        ({"test": "wilcoxon", "correction": "shaffer", "control": "A"}, "with a control use"),
        ({"test": "wilcoxon", "zero_method": "zsplit"}, "split, drop, pratt"),
        ({"test": "wilcoxon", "zeros": "drop"}, "zeros"),
        ({"test": "wilcoxon", "metric": "kappa"}, "about kappa, the table about accuracy"),
        ({"test": "sign", "zero_method": "pratt"}, "split or drop"),
        ({"test": "friedman", "posthoc": "tukey"}, "none, nemenyi, bonferroni_dunn"),
        ({"test": "friedman", "posthoc": "bonferroni_dunn"}, "name it"),
        ({"test": "friedman", "posthoc": "nemenyi", "control": "A"}, "use bonferroni_dunn"),
        ({"test": "corrected_t", "test_share": 0.0}, "above 0"),
        ({"test": "bayesian_signed_rank", "rope": -1.0}, "0 or more"),
        ({"test": "bayesian_signed_rank", "threshold": 0.2}, "between 0.5 and 1"),
    ],
)
def test_wrong_declarations_are_refused_in_one_line(spec: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message) as caught:
        compare(lead(), spec)
    assert "\n" not in str(caught.value)


def test_one_algorithm_is_no_comparison() -> None:
    with pytest.raises(ParameterError, match="two algorithms or more, not 1"):
        compare(ScoreTable(("a",), ("A",), np.ones((1, 1))), {"test": "wilcoxon"})


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([0.5, 0.6, 0.7, None]), min_size=3, max_size=3), min_size=1, max_size=8
    ),
    st.sampled_from(DECLARED),
    st.sampled_from([True, False, None]),
)
def test_any_table_gives_a_comparison_that_json_can_hold(
    rows: list[list[float | None]], spec: dict[str, Any], larger_is_better: bool | None
) -> None:
    names = tuple(f"d{i}" for i in range(len(rows)))
    table = ScoreTable(names, ("A", "B", "C"), np.array(rows, dtype=float), "accuracy", larger_is_better)
    comparison = compare(table, spec)
    json.dumps(comparison.to_dict(), allow_nan=False)
    for verdict in comparison.verdicts:
        assert verdict.sentence
        assert "nan" not in verdict.sentence
        assert verdict.p is None or 0 <= verdict.p <= 1
        assert not verdict.significant or (
            verdict.adjusted_p is not None and verdict.adjusted_p <= comparison.alpha
        )


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(3)), st.integers(0, 1000))
def test_order_of_columns_changes_no_verdict(order: list[int], seed: int) -> None:
    scores = np.round(np.random.default_rng(seed).normal([0.7, 0.7, 0.9], 0.1, (10, 3)), 2)
    names = ("A", "B", "C")
    one = compare(ScoreTable(TEN, names, scores), {"test": "wilcoxon"})
    turned = ScoreTable(TEN, tuple(names[i] for i in order), scores[:, order])
    other = compare(turned, {"test": "wilcoxon"})
    assert {frozenset(g) for g in one.groups} == {frozenset(g) for g in other.groups}
    for verdict in one.verdicts:
        match = other.verdict(verdict.left, verdict.right)
        assert (match.adjusted_p, match.better) == (verdict.adjusted_p, verdict.better)


def folds(*scores: float | None) -> FoldScores:
    return FoldScores(tuple((0, i) for i in range(len(scores))), scores)


def on_one_dataset(a: FoldScores, b: FoldScores, metric: str = "accuracy") -> ScoreTable:
    means = np.array([[a.mean(), b.mean()]], dtype=float)
    return ScoreTable(("iris",), ("A", "B"), means, metric, True, {("iris", "A"): a, ("iris", "B"): b})


def test_equal_difference_in_every_fold_has_no_t_test() -> None:
    table = on_one_dataset(folds(0.9, 0.8, 0.7), folds(0.8, 0.7, 0.6))
    verdict = compare(table, {"test": "corrected_t"}).verdict("A", "B", "iris")
    assert verdict.p is None
    assert "no variance to test with" in verdict.sentence
    equal = on_one_dataset(folds(0.9, 0.8, 0.7), folds(0.9, 0.8, 0.7))
    assert compare(equal, {"test": "corrected_t"}).verdict("A", "B", "iris").p == 1.0


def test_folds_without_a_score_are_left_out_of_both_and_said() -> None:
    table = on_one_dataset(folds(0.9, None, 0.7, 0.8), folds(0.8, 0.7, 0.65, None))
    verdict = compare(table, {"test": "corrected_t"}).verdict("A", "B", "iris")
    assert verdict.n == 2
    assert verdict.warnings == ("2 folds of iris without a score for both were left out.",)


def test_practical_equality_is_a_verdict_of_its_own() -> None:
    same = np.full(20, 0.8) + np.arange(20) / 1e5
    scores = np.column_stack([same, same[::-1]])
    table = ScoreTable(tuple(f"d{i}" for i in range(20)), ("A", "B"), scores, "accuracy")
    verdict = compare(table, {"test": "bayesian_signed_rank"}).verdicts[0]
    assert verdict.probabilities is not None
    assert verdict.probabilities.equal > 0.99
    assert verdict.sentence.startswith("A and B are practically equal in accuracy")


def test_difference_on_the_border_of_the_region_is_within_it() -> None:
    # 0.87 - 0.86 is a little more than 0.01 in binary
    table = ScoreTable(TEN, ("A", "B"), np.full((10, 2), [0.87, 0.86]), "accuracy")
    odds = compare(table, {"test": "bayesian_signed_rank", "rope": 0.01}).verdicts[0].probabilities
    assert odds is not None
    assert odds.equal == 1.0


def test_bayesian_draws_are_repeatable() -> None:
    one, two = (compare(lead(), {"test": "bayesian_signed_rank"}).to_dict() for _ in range(2))
    assert one == two


def test_mean_rank_verdicts_carry_their_warning() -> None:
    comparison = compare(lead(), {"test": "friedman", "posthoc": "nemenyi"})
    assert any("depend on who else takes part" in warning for warning in comparison.warnings)
    assert not any("depend on who" in w for w in compare(lead(), {"test": "friedman"}).warnings)


def test_identical_orders_make_f_infinite_not_wrong() -> None:
    scores = np.full((10, 3), [0.9, 0.8, 0.7])
    omnibus = compare(ScoreTable(TEN, ("A", "B", "C"), scores), {"test": "friedman"}).omnibus
    assert omnibus is not None
    assert omnibus.p == pytest.approx(6.0**-9)  # nine data sets repeat the order of the first
    assert omnibus.statistic["f"] is None
    assert "F(2, 18) = infinite" in omnibus.sentence


def test_all_scores_equal_is_no_difference_for_friedman() -> None:
    omnibus = compare(ScoreTable(TEN, ("A", "B", "C"), np.full((10, 3), 0.5)), {"test": "friedman"}).omnibus
    assert omnibus is not None
    assert omnibus.p == 1.0


def cell(fold: int, value: float | None, status: str = "ok", algorithm: str = "A") -> dict[str, Any]:
    return {
        "dataset": "iris",
        "algorithm": algorithm,
        "repeat": 0,
        "fold": fold,
        "status": status,
        "metrics": {"f1": value},
        "n_train": 90,
        "n_test": 10,
    }


def test_undefined_folds_are_counted_not_averaged_as_zero() -> None:
    cells = [
        cell(0, 0.8),
        cell(1, None),
        cell(2, 0.7),
        cell(0, 0.5, algorithm="B"),
        cell(1, 0.5, "failed", "B"),
    ]
    table = ScoreTable.from_cells(cells, "f1")
    assert table.scores.tolist() == [[0.75, 0.5]]
    assert table.notes() == (
        "f1 of A is undefined in some folds, and averaged over the others, on iris (1 of 3).",
        "f1 of B is undefined in some folds, and averaged over the others, on iris (1 of 2).",
    )
    assert table.folds["iris", "A"].undefined == ((0, 1),)
    assert table.folds["iris", "A"].test_share == pytest.approx(1 / 9)


def test_a_fold_that_stands_twice_is_refused() -> None:
    with pytest.raises(ResultError, match="repeat 0, fold 1 of A on iris stands twice"):
        ScoreTable.from_cells([cell(1, 0.5), cell(1, 0.6)], "f1")


def test_infinite_scores_are_undefined() -> None:
    assert math.isnan(ScoreTable(("a",), ("A",), np.array([[np.inf]])).scores[0, 0])


def test_names_stand_once() -> None:
    with pytest.raises(ResultError, match="algorithm 'A' stands twice"):
        ScoreTable(("a",), ("A", "A"), np.ones((1, 2)))
