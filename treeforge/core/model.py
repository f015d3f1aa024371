"""What predicts: one tree, with hard thresholds or soft ones, or several that vote."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.predict import predict_codes, predict_proba
from treeforge.core.soft import SoftWalker
from treeforge.core.steps import Walker

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
class SoftTreeModel:
    """A single tree whose thresholds are soft: a number between two bounds goes down both branches, by parts.

    At ``lower`` and below, all of a case goes to the branch of the small values, at the cut half of it, at
    ``upper`` and above nothing; the part falls in straight lines between them. Where both bounds are the cut, the
    test is hard.

    Parameters
    ----------
    tree : Tree
    lower, upper : ndarray of float64, [n_cuts]
        ``lower <= tree.cuts <= upper``, finite. Apart only where a test has one cut and two branches.
    laplace : bool

    Raises
    ------
    ValueError
        For bounds that do not fit the tree.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning (1993), chapter 8.
    """

    tree: Tree
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    laplace: bool = False

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.float64))
        tree, lower, upper = self.tree, self.lower, self.upper
        if not len(lower) == len(upper) == len(tree.cuts):
            raise ValueError(f"{len(tree.cuts)} cuts, but {len(lower)} lower and {len(upper)} upper bounds")
        wrong = ~((lower <= tree.cuts) & (tree.cuts <= upper) & np.isfinite(lower) & np.isfinite(upper))
        if wrong.any():
            cut = int(wrong.argmax())
            raise ValueError(
                f"the bounds {lower[cut]} and {upper[cut]} of cut {cut} do not lie about {tree.cuts[cut]}"
            )
        wrong = (lower < upper) & ~may_be_soft(tree)[
            np.repeat(np.arange(tree.n_nodes), np.diff(tree.cut_start))
        ]
        if wrong.any():
            raise ValueError(
                f"cut {int(wrong.argmax())} is not that of a test of two branches: it cannot be soft"
            )

    def predict_proba(
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; a row of zeros is an unclassified case."""
        return self.walker.predict_proba(source, rows, n_threads=n_threads)

    def predict_codes(
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.int32]:
        """The first of the most probable classes, [n_rows]; -1 for an unclassified case."""
        probabilities = self.predict_proba(source, rows, n_threads)
        codes: NDArray[np.int32] = probabilities.argmax(axis=1).astype(np.int32)
        codes[~probabilities.any(axis=1)] = -1
        return codes

    @cached_property
    def walker(self) -> SoftWalker:
        """The tree in the form that predicts, made once."""
        return SoftWalker(self.tree, self.lower, self.upper, laplace=self.laplace)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "walker"}

    def measures(self) -> dict[str, float]:
        """As of the tree with hard thresholds; the bounds count among its bytes."""
        plain = TreeModel(self.tree).measures()
        return plain | {"model_bytes": plain["model_bytes"] + self.lower.nbytes + self.upper.nbytes}


def may_be_soft(tree: Tree) -> NDArray[np.bool_]:
    """Which nodes test a number with one cut and two branches, [n_nodes]."""
    found: NDArray[np.bool_] = (np.diff(tree.cut_start) == 1) & (tree.n_branches == 2)
    one_way = np.flatnonzero(found)
    first = tree.cell_start[one_way]
    found[one_way] = tree.branch_of[first] != tree.branch_of[first + 1]
    return found


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
        """Sums of leaves, nodes and bytes, the greatest depth, the number of trees; the out-of-bag error if known."""
        error = self.details.get("out_of_bag_error")
        return {
            "leaves": sum(t.n_leaves for t in self.trees),
            "size": sum(t.n_nodes for t in self.trees),
            "depth": max(t.depth for t in self.trees),
            "trees": len(self.trees),
            "model_bytes": sum(map(_bytes, self.trees)),
            **({} if error is None else {"out_of_bag_error": error}),
        }


def _bytes(tree: Tree) -> int:
    return sum(array.nbytes for array in tree.arrays().values())
