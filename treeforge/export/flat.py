"""All trees of a model in one set of arrays: what generated code carries, and walks as ``core.tree`` does.

Node numbers count through all trees. ``answers`` holds class proportions, one row for each node that can be
an answer: a leaf, or a node with an empty branch, which answers a known value that leads there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.model import VoteModel
from treeforge.core.tree import Tree
from treeforge.data import Attribute
from treeforge.errors import ModelError
from treeforge.export.subject import Subject, subject

_TINY = 1e-6  # c45.md 0.2


@dataclass(frozen=True, eq=False)
class Flat:
    """The arrays; see ``Tree`` for those that it has too."""

    inputs: tuple[Attribute, ...]
    classes: tuple[str, ...]
    roots: list[int]
    weights: list[float]
    single: bool  # one tree: its proportions are the probabilities
    votes: bool
    depth: int
    attribute: list[int]
    first_child: list[int]
    n_branches: list[int]
    closed_left: list[int]
    cut_start: list[int]
    cell_start: list[int]
    cuts: list[float]
    branch_of: list[int]
    share: list[float]
    empty: list[int]
    answer: list[int]  # row of `answers`, -1 where a node never answers
    answers: list[float]  # [n_rows * n_classes]


def flatten(model: Any, schema: Any = None) -> Flat:
    """The arrays of a Model, estimator, TreeModel, VoteModel or Tree."""
    found = subject(model, schema)
    no_soft_thresholds(found, "code")
    no_costs(found, "code")
    trees, fitted = found.trees, found.fitted
    votes = isinstance(fitted, VoteModel)
    offsets = np.cumsum([0] + [tree.n_nodes for tree in trees])
    rows: list[NDArray[np.float64]] = []
    answer: list[NDArray[Any]] = []
    n_rows = 0
    for tree in trees:
        needed = can_answer(tree)
        rows.append(proportions(tree, found.laplace)[needed])
        answer.append(np.where(needed, n_rows + np.cumsum(needed) - 1, -1))
        n_rows += int(needed.sum())

    def joined(name: str) -> list[Any]:
        together: list[Any] = np.concatenate([getattr(tree, name) for tree in trees]).tolist()
        return together

    def starts(name: str, counted: str) -> list[int]:
        base = np.cumsum([0] + [len(getattr(tree, counted)) for tree in trees])
        parts = [getattr(tree, name)[:-1] + b for tree, b in zip(trees, base[:-1], strict=True)]
        return [*np.concatenate(parts).tolist(), int(base[-1])]

    children = [
        np.where(tree.attribute >= 0, tree.first_child + offset, -1)
        for tree, offset in zip(trees, offsets[:-1], strict=True)
    ]
    weights = getattr(fitted, "weights", None)
    return Flat(
        inputs=found.inputs,
        classes=found.classes,
        roots=offsets[:-1].tolist(),
        weights=[1.0] * len(trees) if weights is None else [float(w) for w in weights],
        single=not votes,
        votes=votes and fitted.votes,  # type: ignore[union-attr]
        depth=max(tree.depth for tree in trees),
        attribute=joined("attribute"),
        first_child=np.concatenate(children).tolist(),
        n_branches=joined("n_branches"),
        closed_left=joined("closed_left"),
        cut_start=starts("cut_start", "cuts"),
        cell_start=starts("cell_start", "branch_of"),
        cuts=joined("cuts"),
        branch_of=joined("branch_of"),
        share=joined("share"),
        empty=joined("empty"),
        answer=np.concatenate(answer).tolist(),
        answers=np.concatenate(rows).ravel().tolist(),
    )


def can_answer(tree: Tree) -> NDArray[np.bool_]:
    """Leaves, and nodes above an empty leaf, [n_nodes]."""
    needed: NDArray[np.bool_] = tree.attribute < 0
    needed[tree.parent[np.flatnonzero(tree.empty)]] = True
    return needed


def proportions(tree: Tree, laplace: bool) -> NDArray[np.float64]:
    """Class probabilities at each node, [n_nodes, n_classes]: c45.md 7.1, by the very same operations."""
    total = tree.weight[:, None]
    if laplace:
        return (tree.distribution + 1.0) / (total + tree.n_classes)
    return np.divide(tree.distribution, total, out=np.zeros_like(tree.distribution), where=total >= _TINY)


def single_tree(model: Any, schema: Any, what: str, *, soft: bool = False) -> Any:
    """The subject, if it is one tree; otherwise an error that says what cannot be made of several.

    ``soft`` says whether the tree is only shown: soft thresholds and costs are no hindrance then.
    """
    found = subject(model, schema)
    if not soft:
        no_soft_thresholds(found, what)
        no_costs(found, what)
    if len(found.trees) != 1 or isinstance(found.fitted, VoteModel):
        raise ModelError(
            f"{what} cannot express several trees that vote ({len(found.trees)} here); "
            "json, python, c, java, javascript and onnx can"
        )
    return found


def no_soft_thresholds(found: Subject, what: str) -> None:
    """ModelError for soft thresholds."""
    if found.bounds is not None:
        raise ModelError(
            f"{what} cannot express soft thresholds, which part a case between two branches; "
            "text, json, dot, svg, html and table show them"
        )


def no_costs(found: Subject, what: str) -> None:
    """ModelError for a cost matrix."""
    if found.algorithm.get("cost_matrix") is not None:
        raise ModelError(
            f"{what} cannot express a cost matrix, by which another class than the most probable one may be said; "
            "onnx and json can"
        )
