"""Criteria: textbook values, and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chi2, chi2_contingency
from treeforge_criteria import (
    ChiSquaredCriterion,
    DkmCriterion,
    GiniCriterion,
    HellingerCriterion,
    InformationGainCriterion,
    MisclassificationCriterion,
)
from treeforge_criteria.chi_squared import log_upper_tail

from treeforge.plugin import Criterion

Array = NDArray[np.float64]
HALVES = np.array([[30.0, 10.0], [10.0, 30.0]])  # p = 1/2 above, 3/4 and 1/4 below


@pytest.mark.parametrize(
    ("criterion", "value"),
    [
        (InformationGainCriterion(), 1 - 0.8112781244591328),
        (GiniCriterion(), 0.5 - 0.375),
        (DkmCriterion(), 1 - 2 * np.sqrt(3 / 16)),
        (MisclassificationCriterion(), 0.25),
        (HellingerCriterion(), np.sqrt(2) * (np.sqrt(0.75) - np.sqrt(0.25))),
    ],
)
def test_value_of_two_halves(criterion: Criterion, value: float) -> None:
    assert criterion.score(HALVES, 80.0) == pytest.approx(value)


@pytest.mark.parametrize(
    "criterion", [InformationGainCriterion(), GiniCriterion(), DkmCriterion(), MisclassificationCriterion()]
)
def test_a_quarter_of_unknown_cases_takes_a_quarter_off(criterion: Criterion) -> None:
    assert criterion.score(HALVES * 0.75, 80.0) == pytest.approx(0.75 * criterion.score(HALVES, 80.0))


def test_chi_squared_is_the_logarithm_of_its_p_value() -> None:
    p = chi2_contingency(HALVES, correction=False).pvalue
    assert ChiSquaredCriterion().score(HALVES, 80.0) == pytest.approx(-np.log10(p))


def test_chi_squared_stops_at_its_significance() -> None:
    weak = np.array([[12.0, 10.0], [10.0, 12.0]])
    assert ChiSquaredCriterion().score(weak, 44.0) == 0.0
    assert ChiSquaredCriterion(significance=0.9).score(weak, 44.0) > 0.0


def test_empty_branches_and_classes_give_no_degree_of_freedom() -> None:
    wide = np.zeros((4, 4))
    wide[:2, :2] = HALVES
    assert ChiSquaredCriterion().score(wide, 80.0) == pytest.approx(ChiSquaredCriterion().score(HALVES, 80.0))


def test_hellinger_does_not_see_how_rare_a_class_is() -> None:
    rare = HALVES * [1.0, 0.01]
    assert HellingerCriterion().score(rare, rare.sum()) == pytest.approx(
        HellingerCriterion().score(HALVES, 80.0)
    )


@given(st.floats(1e-3, 700.0), st.integers(1, 200))
@settings(max_examples=200, deadline=None)
def test_tail_of_chi_squared_is_scipys(value: float, freedom: int) -> None:
    assert log_upper_tail(value, freedom) == pytest.approx(chi2.logsf(value, freedom), rel=1e-9, abs=1e-13)


def test_tail_of_chi_squared_where_its_p_value_is_no_double_any_more() -> None:
    # with two degrees the tail is exp(-x / 2)
    assert log_upper_tail(1e5, 2) == pytest.approx(-5e4)


tables = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=5).map(
    lambda rows: np.array(rows, dtype=float)
)


@pytest.mark.parametrize(
    "criterion",
    [
        InformationGainCriterion(),
        GiniCriterion(),
        DkmCriterion(),
        MisclassificationCriterion(),
        HellingerCriterion(),
    ],
)
@given(counts=tables)
@settings(max_examples=80, deadline=None)
def test_no_partition_is_worth_less_than_nothing(criterion: Criterion, counts: Array) -> None:
    if counts.sum() > 0:
        assert criterion.score(counts, counts.sum()) >= -1e-12


@pytest.mark.parametrize("criterion", [InformationGainCriterion(), GiniCriterion(), DkmCriterion()])
@given(share=st.lists(st.integers(1, 9), min_size=3, max_size=3))
@settings(max_examples=40, deadline=None)
def test_branches_like_the_node_are_worth_nothing(criterion: Criterion, share: list[int]) -> None:
    counts = np.outer([1.0, 2.0, 5.0], share)
    assert criterion.score(counts, counts.sum()) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("significance", [0.0, -0.1, 1.1, float("nan")])
def test_a_significance_is_a_probability(significance: float) -> None:
    with pytest.raises(ValueError, match="significance"):
        ChiSquaredCriterion(significance)
