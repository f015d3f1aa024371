"""Training cases on their way down a tree, all cases of a node together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.tree import Tree

if TYPE_CHECKING:
    from treeforge.core.table import SampleLike, Table

Rows = NDArray[np.int32]
Array = NDArray[np.float64]

TINY = 1e-6  # weights below this count as none (c45.md 0.2)


def branches(tree: Tree, node: int, values: NDArray[Any]) -> Rows:
    """The branch that each value takes at a test, [n]; -1 where it is unknown. Values are numbers or codes."""
    branch_of = tree.branch_of[tree.cell_start[node] : tree.cell_start[node + 1]]
    if values.dtype == np.int32:
        known = (values >= 0) & (values < len(branch_of))
        return np.where(known, branch_of[np.where(known, values, 0)], -1).astype(np.int32)
    cuts = tree.cuts[tree.cut_start[node] : tree.cut_start[node + 1]]
    cells = np.searchsorted(cuts, values, side="right" if tree.closed_left[node] else "left")
    return np.where(np.isnan(values), -1, branch_of[np.minimum(cells, len(branch_of) - 1)]).astype(np.int32)


def training_cases(table: Table, sample: SampleLike) -> tuple[Rows, Array]:
    """The rows of a sample that train, and their weights: the class is known, the weight above 0."""
    weights = table.weights_of(sample)
    used = (table.classes[sample.rows] >= 0) & (weights > 0)
    return sample.rows[used], weights[used]


def cases_of_tests(tree: Tree, table: Table, sample: SampleLike) -> Iterator[tuple[int, Rows, Array]]:
    """Each test with the cases that come to it, and the weight of each there: c45.md 5.2, by the tree's shares."""
    waiting = [(0, *training_cases(table, sample))]
    while waiting:
        node, rows, weights = waiting.pop()
        if tree.attribute[node] < 0 or not len(rows):
            continue
        yield node, rows, weights
        branch = branches(tree, node, table.columns[int(tree.attribute[node])][rows])
        first, n = int(tree.first_child[node]), int(tree.n_branches[node])
        waiting += _divided(branch, rows, weights, tree.share[first : first + n], first)


def refilled(tree: Tree, table: Table, sample: SampleLike) -> Tree:
    """The same tests, filled with other cases: distributions and shares are those of the sample.

    At each test the known cases are counted, and the unknown ones go on in these proportions (c45.md 6.4).
    """
    distribution = np.zeros((tree.n_nodes, tree.n_classes))
    share = np.ones(tree.n_nodes)
    waiting = [(0, *training_cases(table, sample))]
    while waiting:
        node, rows, weights = waiting.pop()
        distribution[node] = np.bincount(table.classes[rows], weights, tree.n_classes)
        if tree.attribute[node] < 0:
            continue
        branch = branches(tree, node, table.columns[int(tree.attribute[node])][rows])
        first, n = int(tree.first_child[node]), int(tree.n_branches[node])
        known = np.bincount(branch[branch >= 0], weights[branch >= 0], n)
        share[first : first + n] = known / known.sum() if known.sum() >= TINY else 1.0 / n
        waiting += _divided(branch, rows, weights, share[first : first + n], first)
    weight = distribution.sum(axis=1)
    arrays = tree.arrays() | {"distribution": distribution, "weight": weight, "share": share}
    arrays["empty"] = ((tree.attribute < 0) & (weight < TINY)).astype(np.uint8)
    return Tree(metadata=tree.metadata, **arrays)


def _divided(
    branch: Rows, rows: Rows, weights: Array, share: Array, first: int
) -> Iterator[tuple[int, Rows, Array]]:
    """Each branch's node, its cases, and their weights there; branch b leads to node ``first + b``."""
    for b in range(len(share)):
        part = np.where(branch < 0, share[b] * weights, weights)
        here = ((branch == b) | (branch < 0)) & (part > 0)
        yield first + b, rows[here], part[here]
