"""Threads inside one tree: its subtrees grow side by side, and it is the same tree for any number of threads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mixed_table import assert_same, mixed_table
from numpy.typing import NDArray

from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder
from treeforge.plugin import Splitter

N = 20_000
LARGE = 70_000  # of nodes with so many cases several threads share the columns


def grown(table: Table, sample: Sample, n_threads: int, words: dict[str, Any]) -> tuple[Tree, Any]:
    builder = Builder(learner(words), table, n_threads=n_threads)
    tree = builder.grow(sample, 7)
    return tree, builder.learner.pruner.build(builder.grow, table, sample, 7)


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize(
    "words",
    [
        {},
        {"splitter": {"c45": {"binary": True}}, "pruner": "none"},
        {"splitter": "amsd", "pruner": "none"},
        {"splitter": "cart", "criterion": "gini", "pruner": "none"},
        {"max_attributes": 2, "pruner": "none"},
    ],
    ids=["pruned", "binary", "amsd", "gini", "random"],
)
def test_same_tree_for_any_number_of_threads(unknown: float, words: dict[str, Any]) -> None:
    table = mixed_table(unknown, 1, N)
    sample = Sample.whole(N)
    tree, pruned = grown(table, sample, 1, words)
    assert tree.n_leaves > 100
    for n_threads in (2, 5):
        other, other_pruned = grown(table, sample, n_threads, words)
        assert_same(tree, other)
        assert_same(pruned, other_pruned)


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize(
    "words",
    [
        {},
        {"splitter": {"c45": {"binary": True}}, "pruner": "none"},
        {"splitter": "msd", "pruner": "none"},
        {"splitter": "cart", "criterion": "gini", "pruner": "none"},
        {"splitter": "random_cut", "pruner": "none"},
        {"max_attributes": 3, "pruner": "none"},
    ],
    ids=["pruned", "binary", "msd", "gini", "random cuts", "random attributes"],
)
def test_same_tree_where_threads_share_the_columns(unknown: float, words: dict[str, Any]) -> None:
    """Three levels: what threads do in large nodes, not below them."""
    table = mixed_table(unknown, 6, LARGE)
    words = {"max_depth": 3} | words
    tree, pruned = grown(table, Sample.whole(LARGE), 1, words)
    assert tree.n_nodes > 7
    for n_threads in (2, 3, 5):
        other, other_pruned = grown(table, Sample.whole(LARGE), n_threads, words)
        assert_same(tree, other)
        assert_same(pruned, other_pruned)


@pytest.mark.parametrize("unknown", [0.0, 0.05])
def test_weights_and_copies_where_threads_share_the_columns(unknown: float) -> None:
    table = mixed_table(unknown, 7, LARGE)
    rng = np.random.default_rng(8)
    rows = rng.permutation(LARGE)[:50_000].astype(np.int32)
    weights: NDArray[np.float64] = rng.choice([0.5, 1.0, 2.5], rows.size)
    copies = rng.integers(0, 4, rows.size).astype(np.int32)
    for sample in (Sample(rows, weights), Sample(np.sort(rows), copies=copies), Sample(rows)):
        one, _ = grown(table, sample, 1, {})
        other, _ = grown(table, sample, 2, {})
        assert_same(one, other)


def test_weights_copies_and_rows_held_back() -> None:
    table = mixed_table(0.05, 2, N)
    rng = np.random.default_rng(3)
    rows = rng.permutation(N)[:15_000].astype(np.int32)
    weights: NDArray[np.float64] = rng.choice([0.5, 1.0, 2.5], rows.size)
    copies = rng.integers(0, 4, rows.size).astype(np.int32)
    for sample in (Sample(rows, weights), Sample(np.sort(rows), copies=copies), Sample(rows)):
        one, _ = grown(table, sample, 1, {})
        other, _ = grown(table, sample, 3, {})
        assert_same(one, other)


def ends(tree: Tree, table: Table) -> NDArray[np.int32]:
    """Where each row ends: in a leaf, or at the first test that its value is unknown for."""
    found = np.zeros(table.n_rows, dtype=np.int32)
    for node in range(tree.n_nodes):
        here = np.flatnonzero(found == node)
        if tree.attribute[node] < 0 or here.size == 0:
            continue
        values = np.asarray(table.columns[tree.attribute[node]])[here]
        here, values = here[values >= -9], values[values >= -9]  # NaN is not
        if values.dtype == np.float64:
            cells = np.searchsorted(tree.cuts[tree.cut_start[node] : tree.cut_start[node + 1]], values)
        else:
            here, cells = here[values >= 0], values[values >= 0]
        found[here] = tree.first_child[node] + tree.branch_of[tree.cell_start[node] + cells]
    return found


@pytest.mark.parametrize("unknown", [0.0, 0.05, 0.3])
def test_training_leaves_are_of_the_whole_tree(unknown: float) -> None:
    table = mixed_table(unknown, 4, N)
    builders = [Builder(learner({}), table, n_threads=n) for n in (1, 2, 4)]
    trees = [builder.grow(Sample.whole(N), 1) for builder in builders]
    expected = ends(trees[0], table)
    assert bool((trees[0].attribute[expected] >= 0).any()) == (unknown > 0)
    for tree in trees:
        assert tree.training_leaves is not None
        np.testing.assert_array_equal(tree.training_leaves, expected)


def test_training_leaves_of_some_rows() -> None:
    table = mixed_table(0.05, 5, N)
    rng = np.random.default_rng(1)
    rows = rng.permutation(N)[:12_000].astype(np.int32)
    copies = rng.integers(0, 4, rows.size).astype(np.int32)
    for sample, used in (
        (Sample(rows), rows),
        (Sample(np.sort(rows), copies=copies), np.sort(rows)[copies > 0]),
    ):
        trees = [Builder(learner({}), table, n_threads=n).grow(sample, 1) for n in (1, 2)]
        expected = np.full(N, -1, dtype=np.int32)
        expected[used] = ends(trees[0], table)[used]
        for tree in trees:
            assert tree.training_leaves is not None
            np.testing.assert_array_equal(tree.training_leaves, expected)


class Failing(Splitter):
    def propose(self, node: Any, attribute: int) -> Iterable[Any]:
        if node.n_rows < 3000:
            raise RuntimeError("deep down")
        return [[float(np.median(node.values(0)))]] if attribute == 0 else []


def test_an_error_in_a_thread_is_raised() -> None:
    failing = replace(learner({"pruner": "none"}), splitter=Failing())
    with pytest.raises(RuntimeError, match="deep down"):
        Builder(failing, mixed_table(0.0, 5, N), n_threads=2).grow(Sample.whole(N), 1)
