"""Whether arrays that came from outside are a tree: every link, range and size, before one is made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Schema
from treeforge.errors import ModelError


def check_tree(
    arrays: dict[str, NDArray[Any]], n_nodes: int, n_classes: int, schema: Schema, where: str
) -> None:
    """Raise ModelError unless the arrays (names and types of ``json.ARRAYS``) are one sound tree."""

    def refuse(what: str) -> None:
        raise ModelError(f"{where} is no sound tree: {what}")

    def at(wrong: NDArray[np.bool_]) -> int:
        return int(np.flatnonzero(wrong)[0])

    if n_nodes < 1:
        refuse(f"it claims {n_nodes} nodes")
    if n_classes != len(schema.classes):
        refuse(f"it counts {n_classes} classes, the schema {len(schema.classes)}")
    sizes = dict.fromkeys(arrays, n_nodes)
    sizes["distribution"] = n_nodes * n_classes
    for name in ("n_cuts", "n_cells"):
        if arrays[name].size and arrays[name].min() < 0:
            refuse(f"'{name}' holds a negative number")
    sizes["cuts"] = int(arrays["n_cuts"].sum(dtype=np.int64))
    sizes["branch_of"] = int(arrays["n_cells"].sum(dtype=np.int64))
    for name, size in sizes.items():
        if arrays[name].size != size:
            refuse(f"'{name}' has {arrays[name].size} numbers where {n_nodes} nodes need {size}")

    attribute, n_branches = arrays["attribute"], arrays["n_branches"]
    leaf = attribute == -1
    wrong = (attribute < -1) | (attribute >= len(schema.inputs))
    if wrong.any():
        refuse(f"node {at(wrong)} tests attribute {attribute[at(wrong)]} of {len(schema.inputs)}")
    wrong = leaf & ((n_branches != 0) | (arrays["n_cuts"] != 0) | (arrays["n_cells"] != 0))
    if wrong.any():
        refuse(f"node {at(wrong)} is a leaf, yet has branches, cuts or cells")
    wrong = ~leaf & (n_branches < 1)
    if wrong.any():
        refuse(f"node {at(wrong)} has a test without branches")
    _check_links(arrays, n_nodes, refuse)

    arity = np.array([len(a.categories) if a.is_nominal else -1 for a in schema.inputs], dtype=np.int64)
    usable = np.array([a.is_nominal or a.is_numeric for a in schema.inputs], dtype=bool)
    tested = np.flatnonzero(~leaf)
    kind = arity[attribute[tested]] if len(tested) else np.zeros(0, dtype=np.int64)
    cells, cuts = arrays["n_cells"][tested], arrays["n_cuts"][tested]
    bad = ~usable[attribute[tested]] if len(tested) else np.zeros(0, dtype=bool)
    bad |= np.where(kind >= 0, (cuts != 0) | (cells > kind), cells != cuts + 1)
    if bad.any():
        node = int(tested[at(bad)])
        refuse(f"the cells or cuts of node {node} do not fit '{schema.inputs[attribute[node]].name}'")

    cell_owner = np.repeat(np.arange(n_nodes), arrays["n_cells"])
    wrong = (arrays["branch_of"] < 0) | (arrays["branch_of"] >= n_branches[cell_owner])
    if wrong.any():
        refuse(
            f"a cell of node {int(cell_owner[at(wrong)])} leads to branch {arrays['branch_of'][at(wrong)]}"
        )
    cut_owner = np.repeat(np.arange(n_nodes), arrays["n_cuts"])
    wrong = (np.diff(arrays["cuts"]) <= 0) & (cut_owner[1:] == cut_owner[:-1])
    if wrong.any():
        refuse(f"the cuts of node {int(cut_owner[at(wrong)])} do not ascend")
    for name in ("distribution", "weight", "share"):
        if (arrays[name] < 0).any():
            refuse(f"'{name}' holds a negative number")
    for name in ("closed_left", "empty"):
        if (arrays[name] > 1).any():
            refuse(f"'{name}' holds something other than 0 and 1")
    if (arrays["empty"].astype(bool) & ~leaf).any():
        refuse(f"node {at(arrays['empty'].astype(bool) & ~leaf)} is marked empty, yet has a test")


def _check_links(arrays: dict[str, NDArray[Any]], n_nodes: int, refuse: Any) -> None:
    """Every node but the root is the child of exactly one node before it: no cycles, no orphans."""
    attribute, first, n_branches = arrays["attribute"], arrays["first_child"], arrays["n_branches"]
    inner = np.flatnonzero(attribute >= 0)
    if (first[attribute < 0] != -1).any():
        refuse("a leaf has children")
    start, stop = first[inner].astype(np.int64), first[inner].astype(np.int64) + n_branches[inner]
    backwards = (start <= inner) | (stop > n_nodes)
    if backwards.any():
        node = int(inner[np.flatnonzero(backwards)[0]])
        refuse(
            f"node {node} leads to {int(first[node])}; children come after their parent and before {n_nodes}"
        )
    order = np.argsort(start, kind="stable")
    edges = np.concatenate([[1], stop[order]])
    if not (np.array_equal(start[order], edges[:-1]) and edges[-1] == n_nodes):
        refuse("its nodes are not each the child of exactly one node")
