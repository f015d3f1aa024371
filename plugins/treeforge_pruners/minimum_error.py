"""Minimum-error pruning with the m-estimate of a probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treeforge.plugin import Pruner, Sample, Table, Tree
from treeforge_pruners.walk import TIE, cheapest


@dataclass(frozen=True)
class MinimumErrorPruner(Pruner):
    """Keep the subtree of least expected error, class probabilities being m-estimates.

    At a node of N cases, n_c of them of class c, whose share at the root is p_c, the expected error of a
    leaf is ``min_c 1 - (n_c + m p_c) / (N + m)``; that of a subtree is the mean of its branches', weighted
    by their cases.

    Parameters
    ----------
    m : float
        Weight of the prior. More of it tends to prune more; ``m`` equal to the number of classes under even
        priors is Laplace's rule, as Niblett and Bratko had it.

    References
    ----------
    T. Niblett, I. Bratko, Learning decision rules in noisy domains, Expert Systems 86 (1986).
    B. Cestnik, I. Bratko, On estimating probabilities in tree pruning, EWSL 1991.
    """

    m: float = 2.0

    def __post_init__(self) -> None:
        if not self.m >= 0:
            raise ValueError(f"m must not be negative, not {self.m}")

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        n = tree.weight
        prior = tree.distribution[0] / max(n[0], TIE)
        wrong = n[:, None] - tree.distribution + self.m * (1.0 - prior)
        expected = wrong.min(axis=1) / np.maximum(n + self.m, TIE)
        # n times the error adds up over branches, where a mean would need their shares
        return cheapest(tree, n * expected, np.zeros(tree.n_nodes))
