"""Two-valued columns that share a byte: which do, and that a tree does not tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_table import assert_same
from numpy.typing import NDArray

from treeforge.core.encode import encoded
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder

LARGE = 70_000  # of nodes with so many cases several threads share the columns


def bundles_of(columns: list[Any], arity: list[int] | None = None) -> list[int]:
    n_rows = len(columns[0])
    whole = [
        np.asarray(c, np.int32 if a else np.float64)
        for c, a in zip(columns, arity or [2] * len(columns), strict=True)
    ]
    table = Table(whole, arity or [2] * len(columns), np.zeros(n_rows, np.int32), 1)
    return [encoded(table).bundle_of(i) for i in range(len(columns))]


def one_by_one(codes: NDArray[np.int32], n_codes: int) -> list[NDArray[np.int32]]:
    return [(codes == k).astype(np.int32) for k in range(n_codes)]


def test_columns_of_one_attribute_share_a_byte() -> None:
    rng = np.random.default_rng(1)
    soil, area = rng.integers(0, 40, 5000).astype(np.int32), rng.integers(0, 4, 5000).astype(np.int32)
    assert bundles_of(one_by_one(area, 4) + one_by_one(soil, 40)) == [0] * 4 + [1] * 40


def test_the_rarer_value_may_be_either() -> None:
    assert bundles_of([[0, 0, 0, 0, 1], [1, 1, 1, 0, 1], [1, 0, 1, 1, 1]]) == [0, 0, 0]


def test_columns_that_meet_in_one_row_do_not_share() -> None:
    assert bundles_of([[0, 0, 0, 0, 1], [0, 0, 0, 1, 1]]) == [-1, -1]
    assert bundles_of([[0, 0, 0, 0, 1], [0, 0, 0, 1, 1], [0, 1, 0, 0, 0]]) == [-1, 0, 0]


def test_columns_that_meet_late_do_not_share() -> None:
    one, other = np.zeros(10_000, np.int32), np.zeros(10_000, np.int32)
    one[[5, 9999]] = other[[6, 9999]] = 1
    assert bundles_of([one, other]) == [-1, -1]


def test_two_valued_numbers_share_as_categories_do() -> None:
    columns = [[0.5, 0.5, 3.0, 0.5], [1, 0, 0, 0], [-1.0, -1.0, -1.0, 7.0]]
    assert bundles_of(columns, [0, 2, 0]) == [0, 0, 0]


def test_constant_columns_share_with_any() -> None:
    assert bundles_of([[0, 0, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]]) == [0, 0, 0]


def test_unknown_values_and_other_numbers_of_values_do_not_share() -> None:
    columns = [[0, 0, 0, 1], [1, 0, -1, 0], [2, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]]
    assert bundles_of(columns, [2, 2, 3, 1, 2]) == [0, -1, -1, -1, 0]


def test_a_byte_has_room_for_255_columns() -> None:
    codes = np.arange(600, dtype=np.int32) % 300
    assert bundles_of(one_by_one(codes, 300)) == [0] * 255 + [1] * 45


def test_a_table_without_rows_grows_a_leaf() -> None:
    none = np.empty(0, np.int32)
    assert grown(Table([none, none], [2, 2], none, 2), Sample.whole(0), {}).n_nodes == 1


# ------------------------------------------------------------------ the same trees


def grown(table: Table, sample: Sample, words: dict[str, Any], n_threads: int = 1) -> Tree:
    return Builder(learner({"pruner": "none"} | words), table, n_threads=n_threads).grow(sample, 7)


def with_and_without(columns: list[Any], arity: list[int], classes: NDArray[np.int32]) -> tuple[Table, Table]:
    """A table, and one with a row more in which all two-valued columns that share have their rarer value."""
    n_classes = int(classes.max()) + 1
    shared = Table(columns, arity, classes, n_classes)
    coded = encoded(shared)
    longer = []
    for i, column in enumerate(columns):
        values = np.unique(column[~np.isnan(column)])
        rare = values[0]
        if coded.bundle_of(i) >= 0 and values.size == 2:
            rare = values[int(2 * (column == values[1]).sum() <= column.size)]
        longer.append(np.append(column, column.dtype.type(rare)))
    apart = Table(longer, arity, np.append(classes, np.int32(0)), n_classes)
    return shared, apart


def table_parts(seed: int, n: int, unknown: float) -> tuple[list[Any], list[int], NDArray[np.int32]]:
    """Two attributes given one by one, one of them as numbers; lists, bytes; classes that depend on all."""
    rng = np.random.default_rng(seed)
    soil = np.minimum(rng.geometric(0.2, n) - 1, 20).astype(np.int32)
    area = rng.integers(0, 4, n).astype(np.int32)
    real, whole = rng.normal(size=n), rng.integers(0, 9, n).astype(np.float64)
    real[rng.random(n) < unknown] = np.nan
    few = rng.integers(0, 3, n).astype(np.int32)
    few[rng.random(n) < unknown] = -1
    noise = rng.normal(scale=0.6, size=n)
    classes = (real + (soil % 3) + 0.5 * area + (few == 1) + noise > 2.5).astype(np.int32)
    classes[soil == 4] = 2
    numbers = [np.where(area == k, 2.5, -1.0) for k in range(4)]
    columns = [*one_by_one(soil, 21), real, *numbers, few, whole]
    return columns, [2] * 21 + [0] * 5 + [3, 0], np.where(np.isnan(real), 1, classes).astype(np.int32)


WORDS: dict[str, dict[str, Any]] = {
    "c45": {},
    "binary": {"splitter": {"c45": {"binary": True}}},
    "grouping": {"splitter": {"c45": {"grouping": True}}},
    "c45 by gini": {"criterion": "gini"},
    "cart": {"splitter": "cart", "criterion": "gini"},
    "random cuts": {"splitter": "random_cut"},
    "msd": {"splitter": "msd"},
    "id3": {"splitter": "id3"},
    "random attributes": {"max_attributes": 5},
}


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_tree_is_the_same_as_from_columns_by_themselves(words: dict[str, Any], unknown: float) -> None:
    columns, arity, classes = table_parts(3, 3000, unknown)
    if words.get("splitter") == "id3":
        columns, arity = [c for c, a in zip(columns, arity, strict=True) if a], [a for a in arity if a]
    shared, apart = with_and_without(columns, arity, classes)
    assert encoded(shared).bundle_of(0) == 0
    assert encoded(apart).bundle_of(0) == -1
    rng = np.random.default_rng(4)
    some = np.sort(rng.permutation(3000)[:2500]).astype(np.int32)
    samples = [
        Sample.whole(3000),
        Sample(rng.permutation(3000).astype(np.int32)),
        Sample(some, rng.choice([0.5, 1.0, 2.0, 0.1], some.size)),
        Sample(some, copies=rng.integers(0, 4, some.size).astype(np.int32)),
    ]
    for sample in samples:
        tree = grown(shared, sample, words)
        assert tree.n_leaves > 20
        assert_same(tree, grown(apart, sample, words))
        assert_same(tree, grown(shared, sample, words, n_threads=3))


@pytest.mark.parametrize("unknown", [0.0, 0.05])
def test_threads_that_share_the_columns_grow_the_same_tree(unknown: float) -> None:
    shared, apart = with_and_without(*table_parts(5, LARGE, unknown))
    tree = grown(shared, Sample.whole(LARGE), {"max_depth": 4})
    for n_threads in (2, 3):
        assert_same(tree, grown(shared, Sample.whole(LARGE), {"max_depth": 4}, n_threads))
    assert_same(tree, grown(apart, Sample.whole(LARGE), {"max_depth": 4}))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_small_trees_are_the_same(data: st.DataObject) -> None:
    n = data.draw(st.integers(4, 40))
    code = st.integers(0, 3)
    codes = np.array(data.draw(st.lists(code, min_size=n, max_size=n)), np.int32)
    classes = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
    few = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), np.int32)
    columns: list[Any] = [*one_by_one(codes, 4), few]
    flipped = data.draw(st.lists(st.booleans(), min_size=4, max_size=4))
    columns[:4] = [1 - c if flip else c for c, flip in zip(columns[:4], flipped, strict=True)]
    shared, apart = with_and_without(columns, [2] * 4 + [3], classes)
    words = {
        "splitter": data.draw(st.sampled_from(["c45", "cart", "random_cut"])),
        "min_branch": data.draw(st.sampled_from([1, 2])),
    }
    weights = np.array(data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n)))
    for sample in (Sample.whole(n), Sample(np.arange(n, dtype=np.int32), weights)):
        assert_same(grown(shared, sample, words), grown(apart, sample, words))
