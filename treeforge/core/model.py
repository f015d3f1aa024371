"""What predicts: one tree, or several that vote."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from treeforge.core.table import Table
    from treeforge.core.tree import Tree


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A single tree.

    Parameters
    ----------
    tree : Tree
    laplace : bool
        Whether a leaf's probabilities are smoothed by Laplace's rule (J48 -A).
    """

    tree: Tree
    laplace: bool = False

    def predict_proba(
        self, table: Table, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; a row of zeros is an unclassified case."""
        return self.tree.predict_proba(table, rows, laplace=self.laplace, n_threads=n_threads)

    def measures(self) -> dict[str, float]:
        """Leaves, size (all nodes), depth (tests on the longest path), and bytes of the tree's arrays."""
        return {
            "leaves": self.tree.n_leaves,
            "size": self.tree.n_nodes,
            "depth": self.tree.depth,
            "model_bytes": _bytes(self.tree),
        }


@dataclass(frozen=True, eq=False)
class VoteModel:
    """Several trees whose class probabilities are averaged, each with its weight.

    Parameters
    ----------
    trees : tuple of Tree
    weights : ndarray of float64, [n_trees], or None
        None weighs all alike.
    votes : bool
        True: each tree votes for its most probable class; False: its probabilities are averaged.
    details : dict
        What the ensemble measured while it grew: out-of-bag estimate, importances ...
    """

    trees: tuple[Tree, ...]
    weights: NDArray[np.float64] | None = None
    votes: bool = False
    laplace: bool = False
    details: dict[str, Any] = field(default_factory=dict)

    def predict_proba(
        self, table: Table, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; trees are added in their order, whatever the threads."""
        total: NDArray[np.float64] | None = None
        weights = np.ones(len(self.trees)) if self.weights is None else self.weights
        for tree, weight in zip(self.trees, weights, strict=True):
            part = tree.predict_proba(table, rows, laplace=self.laplace, n_threads=n_threads)
            if self.votes:
                chosen = np.zeros_like(part)
                chosen[np.arange(len(part)), part.argmax(axis=1)] = part.max(axis=1) > 0
                part = chosen
            part *= weight
            total = part if total is None else np.add(total, part, out=total)
        assert total is not None, "an ensemble has at least one tree"
        sums = total.sum(axis=1, keepdims=True)
        share: NDArray[np.float64] = np.divide(total, sums, out=np.zeros_like(total), where=sums > 0)
        return share

    def measures(self) -> dict[str, float]:
        """Sums of leaves, nodes and bytes, the greatest depth, and the number of trees."""
        return {
            "leaves": sum(t.n_leaves for t in self.trees),
            "size": sum(t.n_nodes for t in self.trees),
            "depth": max(t.depth for t in self.trees),
            "trees": len(self.trees),
            "model_bytes": sum(map(_bytes, self.trees)),
        }


def _bytes(tree: Tree) -> int:
    return sum(array.nbytes for array in tree.arrays().values())
