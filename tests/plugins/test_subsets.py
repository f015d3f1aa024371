"""Two-sided partitions: counted, exact, and the same by every way to find the best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from treeforge_cart.blocks import block_cuts
from treeforge_cart.subsets import both_sides, candidate_sides, greedy, partitions, prefixes_by_share

Array = NDArray[np.float64]


def gini_gain(table: Array) -> float:
    def impurity(row: Array) -> float:
        return float(row.sum() - np.square(row).sum() / row.sum()) if row.sum() else 0.0

    return (impurity(table.sum(axis=0)) - impurity(table[0]) - impurity(table[1])) / float(table.sum())


@pytest.mark.parametrize(("m", "count"), [(2, 1), (3, 3), (4, 7), (5, 15), (6, 31), (12, 2047)])
def test_every_partition_is_tried_once(m: int, count: int) -> None:
    sides = list(partitions(m))
    as_partitions = {frozenset([frozenset(s), frozenset(range(m)) - frozenset(s)]) for s in sides}
    assert len(sides) == len(as_partitions) == count


def test_four_values_have_four_partitions_of_size_one_and_three_of_size_two() -> None:
    assert [len(side) for side in partitions(4)] == [1, 1, 1, 1, 2, 2, 2]


def test_one_value_has_no_partition() -> None:
    assert list(partitions(1)) == []


tables = st.integers(2, 7).flatmap(
    lambda m: st.lists(
        st.lists(st.integers(0, 9), min_size=2, max_size=2).filter(any), min_size=m, max_size=m
    ).map(lambda rows: np.array(rows, dtype=float))
)


@given(tables)
@settings(max_examples=150, deadline=None)
def test_with_two_classes_the_prefix_by_share_is_as_good_as_the_best_of_all(counts: Array) -> None:
    best = max(gini_gain(both_sides(counts, side)) for side in partitions(len(counts)))
    prefixes = prefixes_by_share(counts)
    assert max(gini_gain(both_sides(counts, side)) for side in prefixes) == pytest.approx(best, abs=1e-12)


def test_more_classes_are_tried_in_full_up_to_the_bound_and_grown_above_it() -> None:
    counts = np.random.default_rng(1).integers(1, 9, size=(5, 3)).astype(float)
    assert candidate_sides(counts, gini_gain, exact_up_to=5) == list(partitions(5))
    assert candidate_sides(counts, gini_gain, exact_up_to=4) == [tuple(greedy(counts, gini_gain))]


def test_greedy_growth_adds_until_nothing_helps() -> None:
    counts = np.array([[9, 0, 0], [0, 9, 0], [8, 0, 1], [0, 0, 9]], dtype=float)
    assert greedy(counts, gini_gain) == [1, 3]  # the same partition as 0 and 2 on one side


def test_ninety_two_values_of_three_classes_take_no_time() -> None:
    counts = np.random.default_rng(2).integers(0, 5, size=(92, 3)) + 1.0
    (side,) = candidate_sides(counts, gini_gain, exact_up_to=12)
    assert 0 < len(side) < 92


def test_blocks_cut_the_widest_gaps_of_each_class() -> None:
    values = np.array([1, 2, 10, 11, 30, 4, 5, 20, 21], dtype=float)
    classes = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1], dtype=np.int32)
    # class 0: 11..30 and 2..10 -> 20.5, 6; class 1: 5..20 and 4..5 -> 12.5, 4.5 (the lower of two gaps of 1)
    # 4.5 6 12.5 20.5: 4.5 and 6 lie closest -> 5.25 12.5 20.5; then 5.25 and 12.5 -> 8.875 20.5
    assert block_cuts(values, classes, blocks=3) == [8.875, 20.5]


def test_blocks_are_as_few_as_the_values_allow() -> None:
    values, classes = np.array([1.0, 2.0, 7.0, 7.0]), np.array([0, 0, 1, 1], dtype=np.int32)
    assert block_cuts(values, classes, blocks=4) == [1.5]
    assert block_cuts(np.array([3.0, 3.0]), np.array([0, 1], dtype=np.int32), blocks=4) == []


@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 2)), min_size=1, max_size=40), st.integers(2, 6)
)
@settings(max_examples=100, deadline=None)
def test_blocks_ascend_inside_the_range_and_are_no_more_than_asked(
    cases: list[tuple[int, int]], b: int
) -> None:
    values = np.array([v for v, _ in cases], dtype=float)
    cuts = block_cuts(values, np.array([c for _, c in cases], dtype=np.int32), b)
    assert len(cuts) < b
    assert cuts == sorted(set(cuts))
    assert all(values.min() < cut < values.max() for cut in cuts)
