"""Nodes of any number of branches, with unknown values: each branch gets its own cases, and its share of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder

N = 2000
NONE = {"none": {"collapse": False}}
MULTIWAY = {"splitter": "c45", "criterion": "information_gain"}


def table_of(n_categories: int, unknown: float) -> Table:
    """Three inputs of so many categories, the first ones common; a list, and a column in bytes."""
    rng = np.random.default_rng(n_categories)
    codes = [(n_categories * rng.random(N) ** 3).astype(np.int32) for _ in range(3)]
    real, whole = rng.normal(size=N), rng.integers(0, 40, N).astype(np.float64)
    classes = ((codes[0] % 3 + codes[1] % 2 + (real > 0) + whole / 40) % 3).astype(np.int32)
    for column in (*codes, real, whole):
        column[rng.random(N) < unknown] = -1 if column.dtype == np.int32 else np.nan
    return Table([*codes, real, whole], [n_categories] * 3 + [0, 0], classes, 3)


def grown(table: Table, weights: NDArray[np.float64] | None, **words: Any) -> Tree:
    made = learner({"pruner": NONE, "min_branch": 1, "max_depth": 3, "min_split": 50, **words})
    return Builder(made, table).grow(Sample(np.arange(table.n_rows), weights), 1)


def branches(tree: Tree, table: Table, node: int) -> NDArray[np.int64]:
    """The branch of each row of the table at a node; -1: unknown."""
    column = table.columns[tree.attribute[node]]
    if column.dtype == np.float64:
        cuts = tree.cuts[tree.cut_start[node] : tree.cut_start[node + 1]]
        cells = np.where(np.isnan(column), -1, np.searchsorted(cuts, column))
    else:
        cells = column
    branch_of = tree.branch_of[tree.cell_start[node] : tree.cell_start[node + 1]]
    return np.where(cells < 0, -1, branch_of[cells])


def assert_each_case_is_where_it_belongs(tree: Tree, table: Table, weights: NDArray[np.float64]) -> None:
    """Sends all cases down by themselves, and compares the class weights of every node."""
    reached = {0: weights}
    for node in range(tree.n_nodes):  # branches have greater numbers than their node
        here = reached.pop(node)
        summed = np.bincount(table.classes, here, 3)
        np.testing.assert_allclose(tree.distribution[node], summed, rtol=1e-9, atol=1e-9)
        if tree.attribute[node] < 0:
            continue
        taken, first = branches(tree, table, node), tree.first_child[node]
        known = np.bincount(taken[taken >= 0], here[taken >= 0], tree.n_branches[node])
        np.testing.assert_allclose(tree.share[first : first + len(known)], known / known.sum(), rtol=1e-9)
        for branch, share in enumerate(known / known.sum()):
            reached[first + branch] = here * np.where(taken < 0, share, taken == branch)
    assert not reached


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("unknown", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("n_categories", [3, 40, 300])  # in bytes, and wide
def test_branches_of_categories(n_categories: int, unknown: float, weighted: bool) -> None:
    table = table_of(n_categories, unknown)
    weights = np.random.default_rng(1).uniform(0.5, 2, N) if weighted else np.ones(N)
    tree = grown(table, weights if weighted else None, **MULTIWAY)
    assert tree.n_branches.max() == n_categories
    assert tree.depth >= 2
    assert_each_case_is_where_it_belongs(tree, table, weights)


@pytest.mark.parametrize("unknown", [0.0, 0.02, 0.4])
@pytest.mark.parametrize("bins", [3, 12])
def test_branches_of_intervals(bins: int, unknown: float) -> None:
    table = table_of(5, unknown)
    splitter = {"splitter": {"equal_width": {"bins": bins}}, "criterion": "information_gain"}
    tree = grown(table, None, **splitter)
    assert 3 in tree.attribute
    assert bins in tree.n_branches
    assert_each_case_is_where_it_belongs(tree, table, np.ones(N))


def test_branches_too_light_to_be_split_are_left_out_of_what_is_divided() -> None:
    """One category holds nearly all cases: the other branches are leaves, but their class weights are whole."""
    table = table_of(40, 0.1)
    rng = np.random.default_rng(2)
    common = np.where(rng.random(N) < 0.9, 7, table.columns[0]).astype(np.int32)
    common[rng.random(N) < 0.1] = -1
    table = Table([common, *table.columns[1:]], [40] * 3 + [0, 0], table.classes, 3)
    tree = grown(table, None, **MULTIWAY, min_split=300)
    assert_each_case_is_where_it_belongs(tree, table, np.ones(N))
    assert (tree.weight[tree.attribute >= 0] >= 300).all()


def test_a_case_of_which_all_is_unknown_goes_everywhere() -> None:
    table = table_of(3, 0.0)
    columns = [column.copy() for column in table.columns]
    for column in columns:
        column[0] = -1 if column.dtype == np.int32 else np.nan
    table = Table(columns, [3] * 3 + [0, 0], table.classes, 3)
    tree = grown(table, None, **MULTIWAY)
    assert_each_case_is_where_it_belongs(tree, table, np.ones(N))
