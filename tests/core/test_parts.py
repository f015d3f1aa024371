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


def test_training_leaves_are_of_the_whole_tree() -> None:
    table = mixed_table(0.0, 4, N)
    builders = [Builder(learner({}), table, n_threads=n) for n in (1, 4)]
    one, other = (builder.grow(Sample.whole(N), 1) for builder in builders)
    assert one.training_leaves is not None
    assert other.training_leaves is not None
    np.testing.assert_array_equal(one.training_leaves, other.training_leaves)
    np.testing.assert_array_equal(one.training_leaves, one.apply(table))


class Failing(Splitter):
    def propose(self, node: Any, attribute: int) -> Iterable[Any]:
        if node.n_rows < 3000:
            raise RuntimeError("deep down")
        return [[float(np.median(node.values(0)))]] if attribute == 0 else []


def test_an_error_in_a_thread_is_raised() -> None:
    failing = replace(learner({"pruner": "none"}), splitter=Failing())
    with pytest.raises(RuntimeError, match="deep down"):
        Builder(failing, mixed_table(0.0, 5, N), n_threads=2).grow(Sample.whole(N), 1)
