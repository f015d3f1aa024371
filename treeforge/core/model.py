"""What predicts: one tree, or several that vote."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.predict import Walker, predict_codes, predict_proba

if TYPE_CHECKING:
    from treeforge.core.predict import Source
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
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; a row of zeros is an unclassified case."""
        return predict_proba(self.tree.walker(), source, rows, laplace=self.laplace, n_threads=n_threads)

    def predict_codes(
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.int32]:
        """The first of the most probable classes, [n_rows]; -1 for an unclassified case."""
        return predict_codes(self.tree.walker(), source, rows, laplace=self.laplace, n_threads=n_threads)

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
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; trees are added in their order, whatever the threads."""
        return predict_proba(self.walker, source, rows, n_threads=n_threads, **self._how)

    def predict_codes(
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.int32]:
        """The first of the most probable classes, [n_rows]; -1 for an unclassified case."""
        return predict_codes(self.walker, source, rows, n_threads=n_threads, **self._how)

    @cached_property
    def walker(self) -> Walker:
        """The trees in the form that predicts, made once."""
        return Walker(self.trees)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "walker"}

    @property
    def _how(self) -> dict[str, Any]:
        return {"laplace": self.laplace, "votes": self.votes, "weights": self.weights}

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
