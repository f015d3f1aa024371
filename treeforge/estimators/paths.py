"""Which nodes each row comes to, and which part of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treeforge.core.soft import part_below
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.core.walk import branches
from treeforge.export.subject import Bounds


def paths(tree: Tree, table: Table, bounds: Bounds | None = None) -> csr_matrix:
    """The part of each row that comes to each node, [n_rows, n_nodes]. ``bounds`` are those of soft thresholds."""
    rows: list[NDArray[np.int64]] = []
    nodes: list[NDArray[np.int64]] = []
    parts: list[NDArray[np.float64]] = []
    # all rows of a node go on together; children come after their parent, so the stack stays small
    waiting: list[tuple[int, NDArray[np.int64], NDArray[np.float64]]] = [
        (0, np.arange(table.n_rows), np.ones(table.n_rows))
    ]
    while waiting:
        node, here, part = waiting.pop()
        rows.append(here)
        nodes.append(np.full(len(here), node))
        parts.append(part)
        if tree.attribute[node] < 0:
            continue
        values = table.columns[int(tree.attribute[node])][here]
        branch = branches(tree, node, values)
        first = int(tree.first_child[node])
        shares = _soft_shares(tree, node, values, bounds)
        for b in range(int(tree.n_branches[node])):
            unknown = 0.0 if tree.empty[first + b] else float(tree.share[first + b])
            known = np.where(branch == b, 1.0, 0.0) if shares is None else shares[b]
            child_part = part * np.where(branch < 0, unknown, known)
            taken = child_part > 0
            if taken.any():
                waiting.append((first + b, here[taken], child_part[taken]))
    where = (np.concatenate(rows), np.concatenate(nodes))
    return csr_matrix((np.concatenate(parts), where), shape=(table.n_rows, tree.n_nodes))


def _soft_shares(
    tree: Tree, node: int, values: NDArray[Any], bounds: Bounds | None
) -> dict[int, NDArray[np.float64]] | None:
    """The part of each value that takes each branch of a soft test; None where the test is hard."""
    cut = int(tree.cut_start[node])
    if bounds is None or cut == tree.cut_start[node + 1] or bounds[0][cut] == bounds[1][cut]:
        return None
    lower, middle, upper = float(bounds[0][cut]), float(tree.cuts[cut]), float(bounds[1][cut])
    closed_left = bool(tree.closed_left[node])
    below = np.array([part_below(value, lower, middle, upper, closed_left) for value in values.tolist()])
    first = int(tree.branch_of[tree.cell_start[node]])
    return {first: below, 1 - first: 1.0 - below}
