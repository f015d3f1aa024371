"""CART, SPRINT and improved SPRINT: two branches, whatever the attribute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import NodeView, Proposal, Splitter, Table
from treeforge_cart import _kernel
from treeforge_cart.blocks import block_cuts, halfway
from treeforge_cart.subsets import candidate_sides

Array = NDArray[np.float64]
MOST_EXACT = 20  # categories; 2^19 subsets a node and attribute
MOST_BLOCKS = 64
SAME = 1e-9  # weights that differ by this share of the whole are the same


class BinarySplitter(Splitter):
    """What the three have in common; a category without cases at a node goes with the heavier side."""

    blocks: ClassVar[int] = 0
    exact_up_to: int

    default_criterion: ClassVar[str] = "gini"
    releases_gil: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 2 <= self.exact_up_to <= MOST_EXACT:
            raise ValueError(f"exact_up_to must be between 2 and {MOST_EXACT}, not {self.exact_up_to}")

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        """The reference of the compiled kernel."""
        known = node.known(attribute)
        values, classes, weights = node.column(attribute)[known], node.classes[known], node.weights[known]
        if not node.is_numeric(attribute):
            counts = class_weights(values, classes, weights, (node.n_categories(attribute), node.n_classes))
            for groups in self._sides(node, counts):
                yield groups
            return
        values, classes, weights = values[weights > 0], classes[weights > 0], weights[weights > 0]
        if self.blocks:
            cuts = block_cuts(values, classes, self.blocks)
            cells = np.searchsorted(cuts, values)
            counts = class_weights(cells, classes, weights, (len(cuts) + 1, node.n_classes))
            for groups in self._sides(node, counts):
                yield Proposal(*joined(cuts, groups))
            return
        distinct = np.unique(values)
        for low, high in pairwise(distinct):
            yield [halfway(float(low), float(high))]

    def _sides(self, node: NodeView, counts: Array) -> Iterable[list[list[int]]]:
        """Two groups of cells for each partition that is tried."""
        present = np.flatnonzero(counts.sum(axis=1) > 0)
        if len(present) < 2:
            return
        for side in candidate_sides(counts[present], node.gain, self.exact_up_to):
            inside = {int(present[value]) for value in side}
            first = inside if int(present[0]) in inside else {int(p) for p in present} - inside
            weight = counts[sorted(first)].sum()
            if 2 * weight >= counts.sum() * (1 - SAME):
                first |= set(range(len(counts))) - {int(p) for p in present}
            yield [sorted(first), [cell for cell in range(len(counts)) if cell not in first]]

    def kernel(self, table: Table) -> object:
        return _kernel.kernel(self.blocks, self.exact_up_to)

    def metadata(self) -> dict[str, Any]:
        return {"subsets": f"exact up to {self.exact_up_to} categories or with two classes, greedy above"}


@dataclass(frozen=True)
class CartSplitter(BinarySplitter):
    """The best midpoint of a number, the best subset of categories; two branches.

    With two classes the best subset is a prefix of the categories in order of the first class's share
    (Breiman's theorem). With more, all ``2^(m-1) - 1`` partitions of the m categories present are tried up to a
    bound, and above it a subset grows greedily.

    Parameters
    ----------
    exact_up_to : int
        The bound.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and regression trees (1984), section 4.2.
    """

    exact_up_to: int = 12

    default_pruner: ClassVar[str] = "cost_complexity"


@dataclass(frozen=True)
class SprintSplitter(BinarySplitter):
    """SPRINT's tests: the best midpoint, the best subset, by the Gini index.

    The tests are CART's; SPRINT found them in presorted attribute lists, as our loop does for everybody, and
    prunes by MDL.

    Parameters
    ----------
    exact_up_to : int
        Most categories of which all subsets are tried when there are more than two classes.

    References
    ----------
    J. Shafer, R. Agrawal, M. Mehta, SPRINT: a scalable parallel classifier for data mining, VLDB 1996.
    """

    exact_up_to: int = 12

    default_pruner: ClassVar[str] = "mdl"


@dataclass(frozen=True)
class ImprovedSprintSplitter(BinarySplitter):
    """SPRINT with blocks: a number is first cut in the widest gaps of its classes, then into two sets of blocks.

    Each class offers the midpoints of the ``blocks - 1`` widest gaps between its own values; the pooled
    candidates are thinned, the two that lie closest becoming their midpoint, until ``blocks - 1`` are left. A
    test is then 'block in {...}': a union of intervals against the rest.

    Parameters
    ----------
    blocks : int
        Into which a number is cut.
    exact_up_to : int
        Most categories (or blocks) of which all subsets are tried when there are more than two classes.

    References
    ----------
    Z. Wang et al., A searching method of candidate segmentation point in SPRINT classification, J. Electrical and
    Computer Engineering (2016).
    """

    examples: ClassVar[tuple[Mapping[str, Any], ...]] = ({}, {"blocks": 2})

    blocks: int = 4  # type: ignore[misc]  # a parameter here, no blocks in the others
    exact_up_to: int = 12

    default_pruner: ClassVar[str] = "mdl"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.blocks <= MOST_BLOCKS:
            raise ValueError(f"blocks must be between 2 and {MOST_BLOCKS}, not {self.blocks}")


def class_weights(
    cells: NDArray[Any], classes: NDArray[np.int32], weights: Array, shape: tuple[int, int]
) -> Array:
    """Weight of each class in each cell."""
    counts = np.zeros(shape)
    np.add.at(counts, (cells, classes), weights)
    return counts


def joined(cuts: list[float], groups: list[list[int]]) -> tuple[list[float], list[list[int]]]:
    """Without the cuts that have the same group on both sides."""
    group_of = {cell: g for g, cells in enumerate(groups) for cell in cells}
    kept = [cut for cell, cut in enumerate(cuts) if group_of[cell] != group_of[cell + 1]]
    order = [group_of[0]] + [
        group_of[cell + 1] for cell in range(len(cuts)) if group_of[cell] != group_of[cell + 1]
    ]
    return kept, [[cell for cell, g in enumerate(order) if g == group] for group in range(len(groups))]
