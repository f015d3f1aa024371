"""Quinlan's pessimistic pruning of 1987: a correction for continuity instead of a pruning set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treeforge.plugin import Pruner, Sample, Table, Tree
from treeforge_pruners.walk import TIE, errors_as_leaf, sum_over_leaves


@dataclass(frozen=True)
class PessimisticPruner(Pruner):
    """Replace a subtree whose corrected errors are within a standard error of the leaf's.

    A subtree of L leaves that gets E of N training cases wrong is charged ``X = E + L/2``, a leaf
    ``E + 1/2``. The subtree becomes a leaf when ``E_leaf + 1/2 <= X + SE``, ``SE = sqrt(X (N - X) / N)``.
    Every subtree is looked at as it was grown, from the top down.

    Parameters
    ----------
    standard_errors : float
        How many standard errors count as near.

    References
    ----------
    J. R. Quinlan, Simplifying decision trees, Int. J. Man-Machine Studies 27 (1987), section 2.3.
    """

    standard_errors: float = 1.0

    def __post_init__(self) -> None:
        if not self.standard_errors >= 0:
            raise ValueError(f"standard_errors must not be negative, not {self.standard_errors}")

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        as_leaf = errors_as_leaf(tree)
        leaves = sum_over_leaves(tree, np.ones(tree.n_nodes))
        charged = sum_over_leaves(tree, as_leaf) + leaves / 2
        n = np.maximum(tree.weight, TIE)
        # more is charged than there are cases below a test of tiny branches: then nothing is left to vary
        spread = np.sqrt(np.maximum(charged * (n - charged), 0.0) / n)
        return tree.with_leaves(as_leaf + 0.5 <= charged + self.standard_errors * spread + TIE)
