"""What a pruner must satisfy."""

from __future__ import annotations

import numpy as np

from treeforge.core.tree import Tree
from treeforge.data import Dataset
from treeforge.learn.encode import encode
from treeforge.plugin import Sample
from treeforge.plugin.checks import tables
from treeforge.plugin.checks.fitting import AsGrown, assert_same, fit, tree
from treeforge.plugin.interfaces import Pruner


def _grown(data: Dataset) -> Tree:
    return tree(AsGrown(), data)


def trees_get_no_larger(plugin: Pruner) -> None:
    """The pruned tree has no more leaves than the one that was grown."""
    for unknown in (0.0, 0.15):
        data = tables.mixed(unknown=unknown)
        full, small = _grown(data), tree(plugin, data)
        assert small.n_leaves <= full.n_leaves, f"{full.n_leaves} leaves became {small.n_leaves}"
        inner = np.flatnonzero(small.attribute >= 0)
        assert (small.first_child[inner] > inner).all(), "a child stands before its parent"


def the_given_tree_is_not_changed(plugin: Pruner) -> None:
    """``prune`` returns another tree and leaves the given one as it was."""
    data = tables.mixed(unknown=0.1)
    full = _grown(data)
    before = {name: array.copy() for name, array in full.arrays().items()}
    plugin.prune(full, encode(data), Sample.whole(data.n_rows))
    for name, array in full.arrays().items():
        assert np.array_equal(array, before[name]), f"'{name}' of the given tree was changed"


def a_leaf_stays_a_leaf(plugin: Pruner) -> None:
    """A tree that is one leaf is pruned to itself."""
    data = tables.mixed()
    pure = tables.with_column(data, len(data.columns) - 1, np.ones(data.n_rows, dtype=np.int32))
    assert tree(plugin, pure).n_nodes == 1


def the_same_again(plugin: Pruner) -> None:
    """The same data and seed give the same tree, whatever came between."""
    data = tables.mixed(unknown=0.1)
    first = tree(plugin, data, seed=3)
    tree(plugin, tables.mixed(90, seed=4), seed=5)
    assert_same(first, tree(plugin, data, seed=3), "the same fit again")


def predictions_are_probabilities(plugin: Pruner) -> None:
    """The pruned tree predicts probabilities for every case, unknown values or not."""
    data = tables.mixed(unknown=0.2)
    answer = fit(plugin, data).predict_proba(tables.mixed(unknown=0.5, seed=8))
    assert np.isfinite(answer).all()
    assert (answer.sum(axis=1) <= 1 + 1e-9).all(), "probabilities sum to more than 1"


def deep_trees(plugin: Pruner) -> None:
    """A tree of 5,000 levels is pruned without recursion."""
    chain, data = _chain(5_000)
    pruned = plugin.prune(chain, encode(data), Sample.whole(data.n_rows))
    assert pruned.n_nodes <= chain.n_nodes


def _chain(levels: int) -> tuple[Tree, Dataset]:
    """``x <= 1``, else ``x <= 3``, else ...: two cases, of either class in turn, in each leaf."""
    n_rows, n_nodes = 2 * levels + 2, 2 * levels + 1
    codes = (np.arange(n_rows) // 2 % 2).astype(np.int32)
    data = tables.dataset([np.arange(n_rows, dtype=np.float64)], codes, (0,), 2)
    left = np.vstack([np.cumsum(np.eye(2)[codes][::-1], axis=0)[::-1], np.zeros((1, 2))])  # from a row on
    node = np.arange(n_nodes)
    inner = (node % 2 == 0) & (
        node < n_nodes - 1
    )  # node 2k tests x <= 2k + 1; 2k + 1 is a leaf, 2k + 2 goes on
    distribution = left[node // 2 * 2] - np.where(node % 2 == 1, 1.0, 0.0)[:, None] * left[node // 2 * 2 + 2]
    parent = np.where(node == 0, -1, node - np.where(node % 2 == 1, 1, 2))
    weight = distribution.sum(axis=1)
    starts = np.append(0, np.cumsum(inner)).astype(np.int32)
    tree = Tree(
        attribute=np.where(inner, 0, -1).astype(np.int32),
        parent=parent.astype(np.int32),
        first_child=np.where(inner, node + 1, -1).astype(np.int32),
        n_branches=np.where(inner, 2, 0).astype(np.int32),
        closed_left=np.zeros(n_nodes, dtype=np.uint8),
        cut_start=starts,
        cell_start=2 * starts,
        cuts=np.arange(1, 2 * levels, 2, dtype=np.float64),
        branch_of=np.tile(np.array([0, 1], dtype=np.int32), levels),
        distribution=distribution,
        weight=weight,
        share=np.where(parent >= 0, weight / weight[np.maximum(parent, 0)], 1.0),
        empty=np.zeros(n_nodes, dtype=np.uint8),
    )
    return tree, data
