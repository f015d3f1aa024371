"""A grown tree: where cases end, what it predicts, copies without a subtree."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree

from treeforge.core.table import Table
from treeforge.data import Sample

NUMBER = Test(0, [Leaf([3, 1]), Leaf([0, 4])], cuts=[2.0])
NOMINAL = Test(0, [Leaf([2, 0]), Leaf([0, 0]), Leaf([1, 1])])


def numbers(*values: float, classes: list[int] | None = None) -> Table:
    labels = None if classes is None else np.array(classes, np.int32)
    return Table([np.array(values)], [0], labels, 2)


def codes(*values: int) -> Table:
    return Table([np.array(values, np.int32)], [3], None, 2)


def test_value_equal_to_a_cut_goes_left_or_right_as_the_tree_says() -> None:
    assert tree(NUMBER).apply(numbers(1, 2, 3)).tolist() == [1, 1, 2]
    right = Test(0, NUMBER.children, cuts=[2.0], closed_left=True)
    assert tree(right).apply(numbers(1, 2, 3)).tolist() == [1, 2, 2]


def test_cells_lead_to_the_branches_they_are_mapped_to() -> None:
    outside = Test(0, [Leaf([1, 0]), Leaf([0, 1])], cuts=[1.0, 2.0], branch_of=[0, 1, 0])
    assert tree(outside).apply(numbers(0, 1.5, 9)).tolist() == [1, 2, 1]


def test_unknown_value_is_answered_by_all_branches() -> None:
    found = tree(NUMBER).predict_proba(numbers(np.nan))
    np.testing.assert_allclose(found, [[0.5 * 0.75, 0.5 * 0.25 + 0.5]])


def test_unknown_value_ends_in_the_branch_of_largest_share() -> None:
    heavy = Test(0, [Leaf([1, 0]), Leaf([0, 4])], cuts=[2.0])
    assert tree(heavy).apply(numbers(np.nan)).tolist() == [2]


def test_empty_branch_answers_as_the_node_above() -> None:
    np.testing.assert_allclose(
        tree(NOMINAL).predict_proba(codes(0, 1, 2)), [[1, 0], [0.75, 0.25], [0.5, 0.5]]
    )


def test_laplace_moves_probabilities_towards_one_another() -> None:
    found = tree(NOMINAL).predict_proba(codes(0, 1), laplace=True)
    np.testing.assert_allclose(found, [[3 / 4, 1 / 4], [4 / 6, 2 / 6]])


def test_cases_held_out_are_counted_at_every_node() -> None:
    table = numbers(1, 3, np.nan, 3, classes=[0, 1, 1, -1])
    reached = tree(NUMBER).reach(table, Sample.whole(4))
    np.testing.assert_allclose(reached, [[1, 2], [1, 0.5], [0, 1.5]])


def test_marked_nodes_become_leaves_and_nothing_else_changes() -> None:
    grown = tree(Test(0, [NUMBER, Leaf([5, 0])], cuts=[10.0]))
    cut = grown.with_leaves(np.array([False, True, False, False, False]))
    assert cut.attribute.tolist() == [0, -1, -1]
    assert cut.distribution.tolist() == [[8, 5], [3, 5], [5, 0]]
    assert (grown.n_nodes, cut.n_nodes, cut.cuts.tolist()) == (5, 3, [10])


def test_measures_of_a_tree() -> None:
    grown = tree(Test(0, [NUMBER, Leaf([5, 0])], cuts=[10.0]))
    assert (grown.n_nodes, grown.n_leaves, grown.depth) == (5, 3, 2)


def test_deep_trees_are_walked_and_copied_without_recursion() -> None:
    levels = 20_000
    deep = deep_tree(levels)
    table = numbers(-1.0, levels + 1.0, np.nan)
    assert deep.depth == levels
    assert deep.apply(table).tolist()[1] == deep.n_nodes - 1
    np.testing.assert_allclose(deep.predict_proba(table).sum(axis=1), 1)
    again = pickle.loads(pickle.dumps(copy.deepcopy(deep)))
    np.testing.assert_array_equal(again.distribution, deep.distribution)
    assert deep.with_leaves(np.arange(deep.n_nodes) == 2).n_nodes == 3


def test_rows_outside_the_table_are_refused() -> None:
    for row in (-1, 3):
        with pytest.raises(IndexError, match=r"0\.\.2"):
            tree(NUMBER).predict_proba(numbers(1, 2, 3), np.array([row], np.int32))
    assert tree(NUMBER).predict_proba(numbers(1, 2, 3), np.zeros(0, np.int32)).shape == (0, 2)
