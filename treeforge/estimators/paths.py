"""Which nodes each row comes to, and which part of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.core.walk import branches


def paths(tree: Tree, table: Table) -> csr_matrix:
    """The part of each row that comes to each node, [n_rows, n_nodes]."""
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
        branch = branches(tree, node, table.columns[int(tree.attribute[node])][here])
        first = int(tree.first_child[node])
        for b in range(int(tree.n_branches[node])):
            share = 0.0 if tree.empty[first + b] else float(tree.share[first + b])
            child_part = np.where(branch == b, part, np.where(branch < 0, part * share, 0.0))
            taken = child_part > 0
            if taken.any():
                waiting.append((first + b, here[taken], child_part[taken]))
    where = (np.concatenate(rows), np.concatenate(nodes))
    return csr_matrix((np.concatenate(parts), where), shape=(table.n_rows, tree.n_nodes))
