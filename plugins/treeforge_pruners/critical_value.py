"""Critical value pruning: a test must be worth something, or lead to one that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Pruner, Sample, Table, Tree
from treeforge_pruners.walk import upwards

Measure = Literal["information_gain", "gain_ratio", "chi_squared"]


@dataclass(frozen=True)
class CriticalValuePruner(Pruner):
    """Make a leaf of every node at and below which no test reaches the critical value.

    Parameters
    ----------
    critical : float
        The value to be reached. Larger values prune more.
    measure : {'gain_ratio', 'information_gain', 'chi_squared'}
        What is compared with it: gains in bits a case, or the chi-squared statistic.

    References
    ----------
    J. Mingers, Expert systems: rule induction with statistical data,
    Journal of the Operational Research Society 38 (1987).
    """

    critical: float = 0.1
    measure: Measure = "gain_ratio"

    def __post_init__(self) -> None:
        if not self.critical >= 0:
            raise ValueError(f"critical must not be negative, not {self.critical}")

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        best = np.where(tree.attribute >= 0, strength(tree, self.measure), -np.inf)
        for nodes in upwards(tree):
            np.maximum.at(best, tree.parent[nodes], best[nodes])
        return tree.with_leaves(best < self.critical)


def strength(tree: Tree, measure: Measure) -> NDArray[np.float64]:
    """What each test achieves on the training cases, [n_nodes]; 0 at a leaf."""
    children = np.arange(1, tree.n_nodes)
    parent = tree.parent[children]

    def over_branches(amount: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros(tree.n_nodes)
        np.add.at(total, parent, amount)
        return total

    n = np.maximum(tree.weight, np.finfo(float).tiny)
    if measure == "chi_squared":
        expected = tree.weight[children, None] * tree.distribution[parent] / n[parent, None]
        off = np.square(tree.distribution[children] - expected)
        chi = np.divide(off, expected, out=np.zeros_like(off), where=expected > 0).sum(axis=1)
        return over_branches(chi)
    entropy = xlog2x(tree.weight) - xlog2x(tree.distribution).sum(axis=1)  # bits x weight
    gain = entropy - over_branches(entropy[children])
    if measure == "information_gain":
        found: NDArray[np.float64] = np.where(tree.attribute >= 0, gain / n, 0.0)
        return found
    split = xlog2x(tree.weight) - over_branches(xlog2x(tree.weight[children]))
    ratio: NDArray[np.float64] = np.zeros_like(gain)
    np.divide(gain, split, out=ratio, where=(split > 1e-9) & (tree.attribute >= 0))
    return ratio


def xlog2x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """``x log2 x``, 0 at 0."""
    product = np.zeros_like(x)
    np.multiply(x, np.log2(x, where=x > 0, out=product), out=product)
    return product
