"""Samples as the root of a tree: the whole table, part of it, in any order, with copies and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mixed_table import assert_same, mixed_table
from numpy.typing import NDArray

from treeforge.core.grow import grow
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.errors import DataError
from treeforge.plugin import registry

N = 3000
ROWS: NDArray[np.int32] = np.arange(N, dtype=np.int32)
UNKNOWN = pytest.mark.parametrize("unknown", [0.0, 0.1])


def grown(table: Table, rows: NDArray[np.int32] = ROWS, **sample: Any) -> Tree:
    """By the core itself, which a learner never tells of weights that are all 1."""
    splitter, criterion = (
        registry.load(kind, name)().kernel(table)
        for kind, name in (("splitter", "c45"), ("criterion", "gain_ratio"))
    )
    tree = grow(table, splitter, criterion, rows, max_depth=8, leaves=True, **sample)
    assert tree.n_leaves > 20 or len(rows) < 200
    return tree


def relabelled(table: Table, classes: NDArray[np.int32]) -> Table:
    return Table(table.columns, table.n_categories, classes, table.n_classes)


def rows_of(table: Table, rows: NDArray[np.int32]) -> Table:
    """A table of these rows alone, whose columns may be kept in other forms."""
    columns = [column[rows] for column in table.columns]
    return Table(columns, table.n_categories, table.classes[rows], table.n_classes)


@UNKNOWN
@pytest.mark.parametrize(
    "spelled",
    [
        {"copies": np.ones(N, np.int32)},
        {"weights": np.ones(N)},
        {"held": np.empty(0, np.int32)},
        {"held": ROWS[:100]},
    ],
    ids=["copies", "weights", "none held", "held and in the sample"],
)
def test_the_table_is_a_sample_like_any_other(unknown: float, spelled: dict[str, Any]) -> None:
    table = mixed_table(unknown, 1, N)
    assert_same(grown(table), grown(table, **spelled))


def test_order_of_rows_does_not_matter_where_all_values_are_known() -> None:
    table, order = mixed_table(0.0, 2, N), np.random.default_rng(3).permutation(ROWS)
    one, other = grown(table), grown(table, order)
    assert_same(one, other)
    np.testing.assert_array_equal(one.training_leaves, other.training_leaves)
    copies = np.random.default_rng(4).integers(0, 4, N).astype(np.int32)
    assert_same(grown(table, copies=copies), grown(table, order, copies=copies[order]))


@UNKNOWN
def test_rows_in_any_order_are_a_table_of_their_own(unknown: float) -> None:
    table, order = mixed_table(unknown, 2, N), np.random.default_rng(3).permutation(ROWS)
    assert_same(grown(table, order), grown(rows_of(table, order)))


@UNKNOWN
@pytest.mark.parametrize("n", [0, 1, 150, 2000, N - 1])
def test_first_rows_are_a_table_of_their_own(unknown: float, n: int) -> None:
    table = mixed_table(unknown, 5, N)
    assert_same(grown(table, ROWS[:n]), grown(rows_of(table, ROWS[:n]), ROWS[:n]))


@UNKNOWN
def test_rows_of_weight_zero_or_without_copies_stay_away(unknown: float) -> None:
    table, rng = mixed_table(unknown, 6, N), np.random.default_rng(7)
    weights: NDArray[np.float64] = rng.choice([0.0, 0.5, 2.5], N)
    taken = ROWS[weights > 0]
    assert_same(grown(table, weights=weights), grown(table, taken, weights=weights[taken]))
    copies = rng.integers(0, 3, N).astype(np.int32)
    taken = ROWS[copies > 0]
    assert_same(grown(table, copies=copies), grown(table, taken, copies=copies[taken]))


def test_a_sample_of_weight_zero_is_an_empty_leaf() -> None:
    table = mixed_table(0.1, 8, 50)
    rows = np.arange(50, dtype=np.int32)
    for nothing in ({"weights": np.zeros(50)}, {"copies": np.zeros(50, np.int32)}):
        tree = grown(table, rows, **nothing)
        assert (tree.n_nodes, tree.weight.tolist()) == (1, [0.0])


@UNKNOWN
def test_rows_without_a_class_are_as_if_held_back(unknown: float) -> None:
    table, rng = mixed_table(unknown, 9, N), np.random.default_rng(10)
    classes = table.classes.copy()
    classes[rng.random(N) < 0.2] = -1
    table = relabelled(table, classes)
    known, rest = ROWS[classes >= 0], ROWS[classes < 0]
    assert_same(grown(table), grown(table, known, held=rest))


@UNKNOWN
def test_rows_held_back_that_train_as_well_change_nothing(unknown: float) -> None:
    table = mixed_table(unknown, 12, N)
    assert_same(
        grown(table, ROWS[:2000], held=ROWS[2000:2500]), grown(table, ROWS[:2000], held=ROWS[1500:2500])
    )


def test_a_table_without_any_class_is_an_empty_leaf() -> None:
    table = relabelled(mixed_table(0.1, 11, 50), np.full(50, -1, np.int32))
    tree = grown(table, np.arange(50, dtype=np.int32))
    assert (tree.n_nodes, tree.weight.tolist()) == (1, [0.0])


@pytest.mark.parametrize(
    "sample",
    [
        {},
        {"copies": np.arange(N, dtype=np.int32) % 5},
        {"copies": np.repeat(np.array([0, 2], np.int32), N // 2)},
        {"weights": np.arange(N) / N},
        {"weights": np.where(np.arange(N) < N - 1, 0.0, 1.0)},
        {"held": ROWS},
    ],
    ids=["plain", "copies", "no copies first", "weights", "weights of 0 but one", "held"],
)
@pytest.mark.parametrize("rows", [np.zeros(N, np.int32), ROWS // 2, np.append(ROWS[1:], 1)])
def test_a_row_that_comes_twice_is_refused(rows: NDArray[np.int32], sample: dict[str, Any]) -> None:
    twice = np.bincount(rows).argmax()
    with pytest.raises(DataError, match=rf"row {twice} is \d+ times in the sample.*`copies`"):
        grown(mixed_table(0.1, 1, N), rows.astype(np.int32), **sample)


@pytest.mark.parametrize("row", [-1, N, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("held", [False, True])
def test_a_row_that_the_table_has_not_is_refused(row: int, held: bool) -> None:
    table, rows = mixed_table(0.0, 1, N), np.array([5, row, 7], np.int32)
    for weights in (None, np.array([1.0, 0.0, 1.0]) if not held else np.ones(100)):
        with pytest.raises(DataError, match=rf"row {row} is in the sample, .* 0 to {N - 1}"):
            grown(table, ROWS[:100] if held else rows, weights=weights, held=rows if held else None)


def test_rows_of_weight_0_may_be_held() -> None:
    table, weights = mixed_table(0.1, 1, N), np.where(ROWS < 1000, 0.0, 1.0)
    assert_same(
        grown(table, weights=weights, held=ROWS[:1000]),
        grown(table, ROWS[1000:], weights=weights[1000:], held=ROWS[:1000]),
    )


def test_more_copies_than_can_be_counted_are_refused() -> None:
    copies = np.full(N, 2**31 // N + 1, np.int32)
    with pytest.raises(ValueError, match="copies make 214"):
        grown(mixed_table(0.0, 1, N), copies=copies)
