"""A tree in a model file: flat arrays over its nodes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.tree import Tree
from treeforge.data import Schema
from treeforge.errors import ModelError
from treeforge.export.check_tree import check_tree
from treeforge.export.values import array, compact, get, numbers, plain

#: What a tree is stored as: name in the file -> type of its numbers. Parents and starts follow from these.
ARRAYS: dict[str, type[np.generic]] = {
    "attribute": np.int32,
    "first_child": np.int32,
    "n_branches": np.int32,
    "closed_left": np.uint8,
    "n_cuts": np.int32,
    "n_cells": np.int32,
    "cuts": np.float64,
    "branch_of": np.int32,
    "distribution": np.float64,
    "weight": np.float64,
    "share": np.float64,
    "empty": np.uint8,
}


def tree_lines(tree: Tree) -> list[str]:
    """The lines of one tree, without the bracket that closes it."""
    parts: dict[str, Any] = {
        name: getattr(tree, name) for name in ARRAYS if not name.startswith(("n_cuts", "n_cells"))
    }
    parts["n_cuts"], parts["n_cells"] = np.diff(tree.cut_start), np.diff(tree.cell_start)
    lines = [f'{{"n_nodes": {tree.n_nodes}, "n_classes": {tree.n_classes},']
    lines += [f'"{name}": {json.dumps(numbers(parts[name]), separators=(",", ":"))},' for name in ARRAYS]
    lines.append(f'"metadata": {compact(plain(tree.metadata, "metadata"))}')
    return lines


def tree_in(found: Any, schema: Schema, where: str) -> Tree:
    """The tree; ModelError unless the arrays are a sound tree of the schema. ``where`` names it in messages."""
    if not isinstance(found, dict):
        raise ModelError(f"{where} is no dict")
    n_nodes, n_classes = get(found, "n_nodes", int, where), get(found, "n_classes", int, where)
    arrays = {
        name: array(get(found, name, list, where), kind, f"'{name}' of {where}")
        for name, kind in ARRAYS.items()
    }
    check_tree(arrays, n_nodes, n_classes, schema, where)
    parent = np.full(n_nodes, -1, dtype=np.int32)
    inner = np.flatnonzero(arrays["attribute"] >= 0)
    parent[1:] = np.repeat(inner, arrays["n_branches"][inner])[
        np.argsort(_children(arrays, inner), kind="stable")
    ]
    starts = {
        f"{what}_start": np.concatenate([[0], np.cumsum(arrays.pop(f"n_{what}s"), dtype=np.int64)])
        for what in ("cut", "cell")
    }
    arrays["distribution"] = arrays["distribution"].reshape(n_nodes, n_classes)
    return Tree(parent=parent, metadata=get(found, "metadata", dict, where), **arrays, **starts)


def _children(arrays: dict[str, NDArray[Any]], inner: NDArray[Any]) -> NDArray[Any]:
    """The children of all inner nodes, one after the other."""
    counts = arrays["n_branches"][inner]
    offsets = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    children: NDArray[Any] = np.repeat(arrays["first_child"][inner], counts) + offsets
    return children
