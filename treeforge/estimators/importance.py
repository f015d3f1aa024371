"""How much each attribute contributes to a tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treeforge.core.tree import Tree


def importances(trees: Sequence[Tree], n_inputs: int) -> NDArray[np.float64]:
    """The part of each input in the information that all tests of a tree gain, averaged over the trees.

    The gain of a test is in bits times the weight of its cases, whatever criterion chose it, so that trees of
    different methods can be compared. Trees without a test count as zeros, and all zeros stay zeros.
    """
    total = np.zeros(n_inputs)
    for tree in trees:
        bits = _bits(tree.distribution)
        below = np.zeros(tree.n_nodes)
        np.add.at(below, tree.parent[1:], bits[1:])
        inner = tree.attribute >= 0
        gained = np.bincount(tree.attribute[inner], np.maximum(bits - below, 0)[inner], n_inputs)
        if gained.sum() > 0:
            total += gained / gained.sum()
    whole = total.sum()
    return total / whole if whole > 0 else total


def _bits(distribution: NDArray[np.float64]) -> NDArray[np.float64]:
    """Entropy of each node in bits, times its weight."""
    weight = distribution.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(distribution > 0, distribution * np.log2(distribution / weight), 0.0)
    bits: NDArray[np.float64] = -terms.sum(axis=1)
    return bits
