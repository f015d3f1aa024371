"""Trees built by hand: nested Python -> Tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from treeforge.core.tree import Tree


@dataclass
class Leaf:
    """The class weights of the training cases that came here."""

    counts: list[float]


@dataclass
class Test:
    """A test of an input: its cuts (numeric), where its cells go, and what is below each branch."""

    __test__ = False
    attribute: int
    children: list[Test | Leaf]
    cuts: list[float] = field(default_factory=list)
    branch_of: list[int] | None = None
    closed_left: bool = False


def tree(top: Test | Leaf, **metadata: Any) -> Tree:
    """A Tree with weights, shares and empty marks that follow from its leaves."""
    order: list[tuple[Test | Leaf, int, int]] = [(top, -1, -1)]  # what, parent, first child
    at = 0
    while at < len(order):
        what, parent, _ = order[at]
        if isinstance(what, Test):
            order[at] = (what, parent, len(order))
            order.extend((child, at, -1) for child in what.children)
        at += 1
    n = len(order)
    n_classes = next(len(w.counts) for w, _, _ in order if isinstance(w, Leaf))
    distribution = np.zeros((n, n_classes))
    for i in range(n - 1, -1, -1):
        what, parent, _ = order[i]
        if isinstance(what, Leaf):
            distribution[i] = what.counts
        if parent >= 0:
            distribution[parent] += distribution[i]
    weight = distribution.sum(axis=1)
    tests = [w if isinstance(w, Test) else None for w, _, _ in order]
    cuts = [t.cuts if t else [] for t in tests]
    cells = [
        [] if t is None else list(range(len(t.children))) if t.branch_of is None else t.branch_of
        for t in tests
    ]
    parents = [p for _, p, _ in order]
    return Tree(
        attribute=np.array([t.attribute if t else -1 for t in tests]),
        parent=np.array(parents),
        first_child=np.array([c for _, _, c in order]),
        n_branches=np.array([len(t.children) if t else 0 for t in tests]),
        closed_left=np.array([bool(t and t.closed_left) for t in tests]),
        cut_start=np.concatenate([[0], np.cumsum([len(c) for c in cuts])]),
        cell_start=np.concatenate([[0], np.cumsum([len(c) for c in cells])]),
        cuts=np.array(list(chain.from_iterable(cuts)), dtype=float),
        branch_of=np.array(list(chain.from_iterable(cells)), dtype=np.int32),
        distribution=distribution,
        weight=weight,
        share=np.array([1.0 if p < 0 else weight[i] / (weight[p] or 1.0) for i, p in enumerate(parents)]),
        empty=weight < 1e-6,
        metadata=metadata,
    )


def deep_tree(levels: int) -> Tree:
    """A tree so deep that recursion over its nodes would break: every test cuts one case off."""
    n = 2 * levels + 1
    inner = np.arange(n) % 2 == 0
    inner[-1] = False
    first = np.where(inner, np.arange(n) + 1, -1)
    parent = np.maximum(np.arange(n) - 1, 0) // 2 * 2
    parent[0] = -1
    left = np.arange(n) % 2 == 1
    distribution = np.zeros((n, 2))
    for i in range(n):
        below = levels - i // 2  # cases that are left at an inner node: one a level, and one at the end
        distribution[i] = (
            [0, 1] if left[i] and i // 2 % 2 else [1, 0] if left[i] else [(below + 2) // 2, (below + 1) // 2]
        )
    weight = distribution.sum(axis=1)
    counts = np.concatenate([[0], np.cumsum(inner)])
    return Tree(
        attribute=np.where(inner, 0, -1),
        parent=parent,
        first_child=first,
        n_branches=np.where(inner, 2, 0),
        closed_left=np.zeros(n),
        cut_start=counts,
        cell_start=2 * counts,
        cuts=np.arange(levels) + 0.5,
        branch_of=np.tile([0, 1], levels),
        distribution=distribution,
        weight=weight,
        share=np.where(parent < 0, 1.0, weight / weight[parent]),
        empty=np.zeros(n),
    )
