"""What the pruners share: errors of a node as a leaf, sums over its leaves, the cheapest subtree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Tree

#: costs that differ by less count as equal, and then the smaller tree wins: they are sums of the same weights
TIE = 1e-9


def errors_as_leaf(tree: Tree) -> NDArray[np.float64]:
    """Weight of the training cases that each node would get wrong if it were a leaf, [n_nodes]."""
    right = tree.distribution[np.arange(tree.n_nodes), tree.majority]
    return tree.weight - right


def upwards(tree: Tree) -> Iterator[NDArray[np.int64]]:
    """The nodes level by level, deepest first, the root left out: each level's parents are in later ones."""
    depth = np.zeros(tree.n_nodes, dtype=np.int64)
    above = tree.parent.astype(np.int64)
    while (above >= 0).any():
        depth += above >= 0
        above = np.where(above >= 0, tree.parent[above], -1)
    order = np.argsort(depth, kind="stable")
    bounds = np.searchsorted(depth[order], np.arange(depth.max() + 2))
    for level in range(int(depth.max()), 0, -1):
        yield order[bounds[level] : bounds[level + 1]]


def sum_over_leaves(tree: Tree, amount: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each node, the amounts of the leaves below it (its own, at a leaf), [n_nodes]."""
    total = np.where(tree.attribute < 0, amount, 0.0)
    for nodes in upwards(tree):
        np.add.at(total, tree.parent[nodes], total[nodes])
    return total


def cheapest(tree: Tree, as_leaf: NDArray[np.float64], as_test: NDArray[np.float64]) -> Tree:
    """The subtree of least cost, from the leaves up.

    A node costs ``as_leaf``, or ``as_test`` plus what its children cost; a leaf wins a tie.
    """
    cost = np.where(tree.attribute < 0, as_leaf, as_test)
    leaf = tree.attribute < 0

    def decide(nodes: NDArray[np.int64]) -> None:
        better = as_leaf[nodes] <= cost[nodes] + TIE
        leaf[nodes] |= better
        cost[nodes] = np.where(better, as_leaf[nodes], cost[nodes])

    for nodes in upwards(tree):
        decide(nodes)
        np.add.at(cost, tree.parent[nodes], cost[nodes])
    decide(np.zeros(1, dtype=np.int64))
    return tree.with_leaves(leaf)
