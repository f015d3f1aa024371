"""Discretisers: published cuts of iris, formulas worked by hand, and laws that all of them keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from treeforge_discretize import (
    CaimDiscretizer,
    Chi2Discretizer,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MdlpDiscretizer,
)

from treeforge.plugin import Discretizer

Array = NDArray[np.float64]
ALL = [
    EqualWidthDiscretizer(),
    EqualFrequencyDiscretizer(),
    MdlpDiscretizer(),
    ChiMergeDiscretizer(),
    Chi2Discretizer(),
    CaimDiscretizer(),
]


def cuts(of: Discretizer, values: object, classes: object, weights: object = None) -> list[float]:
    values, classes = np.asarray(values, dtype=float), np.asarray(classes, dtype=np.int32)
    given = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=float)
    return of.cuts(values, classes, given, 1 + int(classes.max(initial=0)))


@pytest.mark.parametrize(
    ("discretizer", "expected"),
    [
        (MdlpDiscretizer(), [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]),
        (CaimDiscretizer(), [[5.55, 6.25], [2.95, 3.05], [2.45, 4.75], [0.8, 1.75]]),
        (ChiMergeDiscretizer(), [[5.45, 5.75, 7.05], [2.95, 3.35], [2.45, 4.75, 5.15], [0.8, 1.75]]),
    ],
)
def test_cuts_of_iris_are_the_published_ones(discretizer: Discretizer, expected: list[list[float]]) -> None:
    data, target = load_iris(return_X_y=True)
    for column, wanted in enumerate(expected):
        assert cuts(discretizer, data[:, column], target) == pytest.approx(wanted)


def test_equal_width_divides_the_range() -> None:
    assert cuts(EqualWidthDiscretizer(bins=4), [0, 1, 8], [0, 0, 1]) == [2, 4, 6]


def test_equal_width_is_finite_over_the_whole_range_of_numbers() -> None:
    found = cuts(EqualWidthDiscretizer(bins=4), [-1.7e308, 1.7e308], [0, 1])
    assert found == pytest.approx([-0.85e308, 0, 0.85e308])


def test_equal_frequency_keeps_equal_values_together() -> None:
    assert cuts(EqualFrequencyDiscretizer(bins=3), [1, 2, 3, 4, 5, 6], [0] * 6) == [2.5, 4.5]
    assert cuts(EqualFrequencyDiscretizer(bins=4), [1, 1, 1, 1, 1, 9], [0] * 6) == [5]


def test_equal_frequency_counts_weight_not_cases() -> None:
    assert cuts(EqualFrequencyDiscretizer(bins=2), [1, 2, 3], [0, 0, 0], [1, 1, 8]) == [2.5]


def test_mdlp_accepts_and_refuses_by_the_formula() -> None:
    # N = 8, two pure halves: gain 1; log2(7)/8 + (log2(3^2 - 2) - 2)/8 = 0.4518
    assert cuts(MdlpDiscretizer(), range(8), [0] * 4 + [1] * 4) == [3.5]
    # N = 4: gain 1 against (log2(3) + log2(7) - 2)/4 = 0.598; N = 2: 1 against (0 + 0.807)/2
    assert cuts(MdlpDiscretizer(), range(4), [0, 0, 1, 1]) == [1.5]
    # one odd case in ten: gain 0.469 against (log2(9) + log2(7) - 0.938)/10 = 0.504
    assert cuts(MdlpDiscretizer(), range(10), [0] * 9 + [1]) == []


def test_chi_merge_takes_small_expected_counts_as_one_half() -> None:
    # two neighbours of one case each, of different classes: expected 0.5 everywhere, chi-squared 2 < 3.84
    assert cuts(ChiMergeDiscretizer(), [1, 2], [0, 1]) == []
    assert cuts(ChiMergeDiscretizer(significance=0.8), [1, 2], [0, 1]) == [1.5]


def test_chi_merge_keeps_within_its_numbers_of_intervals() -> None:
    values, classes = np.arange(40), np.arange(40) // 5 % 2
    free = cuts(ChiMergeDiscretizer(significance=0.5), values, classes)
    assert len(free) == 7
    assert len(cuts(ChiMergeDiscretizer(significance=0.5, max_intervals=3), values, classes)) == 2
    assert len(cuts(ChiMergeDiscretizer(significance=0.9999999, min_intervals=4), values, classes)) == 3


def test_chi2_stops_before_classes_mix() -> None:
    values, classes = np.arange(60), np.arange(60) // 20
    assert cuts(Chi2Discretizer(inconsistency=0.0), values, classes) == [19.5, 39.5]
    # a third of the cases may be wrong: a boundary goes when the level is low enough
    assert len(cuts(Chi2Discretizer(inconsistency=0.7, levels=(0.5, 1e-300)), values, classes)) == 0


def test_caim_value_worked_by_hand() -> None:
    from treeforge_discretize.caim import with_another

    reached = np.array([[0, 0], [3, 0], [4, 1], [4, 5]], dtype=float)  # counts 3/0, 1/1, 0/4
    found = with_another(reached, np.array([0, 3]), np.array([1, 2]))
    assert found == pytest.approx([(9 / 3 + 25 / 6) / 2, (16 / 5 + 16 / 4) / 2])


cases = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=40)


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
@given(cases=cases)
@settings(max_examples=60, deadline=None)
def test_cuts_ascend_leave_something_on_both_sides_and_do_not_depend_on_order(
    discretizer: Discretizer, cases: list[tuple[int, int, int]]
) -> None:
    values, classes, weights = (np.array(part) for part in zip(*cases, strict=True))
    found = cuts(discretizer, values, classes, weights)
    assert found == sorted(set(found))
    there = values[weights > 0]
    assert all(there.min() <= cut < there.max() for cut in found)
    assert cuts(discretizer, values[::-1], classes[::-1], weights[::-1]) == found


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
@given(cases=cases)
@settings(max_examples=40, deadline=None)
def test_a_weight_of_two_is_a_case_twice(discretizer: Discretizer, cases: list[tuple[int, int, int]]) -> None:
    values, classes, weights = (np.array(part) for part in zip(*cases, strict=True))
    repeated = cuts(discretizer, np.repeat(values, weights), np.repeat(classes, weights))
    if weights.sum():
        assert cuts(discretizer, values, classes, weights) == pytest.approx(repeated)


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
def test_nothing_is_cut_where_nothing_differs(discretizer: Discretizer) -> None:
    assert cuts(discretizer, [], []) == []
    assert cuts(discretizer, [4.0], [1]) == []
    assert cuts(discretizer, [4.0, 4.0, 4.0], [0, 1, 1]) == []


@pytest.mark.parametrize(
    "discretizer", [MdlpDiscretizer(), ChiMergeDiscretizer(), Chi2Discretizer(), CaimDiscretizer()]
)
def test_one_class_needs_no_cut(discretizer: Discretizer) -> None:
    assert cuts(discretizer, [1, 2, 3, 4], [1, 1, 1, 1]) == []


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (EqualWidthDiscretizer, {"bins": 1}),
        (EqualWidthDiscretizer, {"bins": 65535}),
        (EqualFrequencyDiscretizer, {"bins": 0}),
        (ChiMergeDiscretizer, {"significance": 1.0}),
        (ChiMergeDiscretizer, {"max_intervals": 0}),
        (ChiMergeDiscretizer, {"min_intervals": 0}),
        (ChiMergeDiscretizer, {"least_expected": -1.0}),
        (Chi2Discretizer, {"inconsistency": 1.5}),
        (Chi2Discretizer, {"levels": (0.1, 0.5)}),
        (Chi2Discretizer, {"levels": ()}),
        (Chi2Discretizer, {"least_expected": -1.0}),
    ],
)
def test_parameters_out_of_range_are_refused(kind: type[Discretizer], wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        kind(**wrong)
