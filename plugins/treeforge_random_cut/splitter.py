"""Extra-Trees' splitter: one random test an attribute, which only the choice between attributes makes useful."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treeforge.plugin import NodeView, Splitter, Table
from treeforge_random_cut import _kernel


@dataclass(frozen=True)
class RandomCutSplitter(Splitter):
    """One random test an attribute, drawn without looking at the classes; two branches.

    A number is cut at a place drawn uniformly between its least and its largest value at the node. Of the
    categories present at the node a subset is drawn, any but none and all being equally likely, and of those
    absent any subset; it is tested against the rest. An attribute that is constant at the node is not tested.

    References
    ----------
    P. Geurts, D. Ernst, L. Wehenkel, Extremely randomized trees, Machine Learning 63 (2006) 3-42, table 1 and
    appendix A.
    """

    default_criterion: ClassVar[str] = "gini"
    default_pruner: ClassVar[str] = "none"
    releases_gil: ClassVar[bool] = True
    waived: ClassVar[Mapping[str, str]] = {
        "ties": "cuts are drawn at random: equal columns get different ones",
        "category_labels": "subsets are drawn in declared order: the same draws name other categories",
    }

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        """The reference of the compiled kernel; both draw the same numbers in the same order."""
        there = node.known(attribute) & (node.weights > 0)
        values = node.column(attribute)[there]
        if values.size == 0 or values.min() == values.max():
            return
        if node.is_numeric(attribute):
            yield [random_cut(node, float(values.min()), float(values.max()))]
        else:
            yield random_sides(node, np.unique(values).tolist(), node.n_categories(attribute))

    def kernel(self, table: Table) -> object:
        return _kernel.kernel()


def random_cut(node: NodeView, low: float, high: float) -> float:
    """A cut in [low, high): what is not above it, and what is, are both there."""
    share = node.uniform()
    cut = low + (high - low) * share
    if not np.isfinite(cut):  # the range is larger than any number
        cut = low * (1.0 - share) + high * share
    return cut if cut < high else low


def random_sides(node: NodeView, present: list[int], n_categories: int) -> list[list[int]]:
    """A coin for each category, thrown again until those present lie on both sides; the first of them on side 0."""
    while True:
        side = [node.uniform() < 0.5 for _ in range(n_categories)]
        if len({side[category] for category in present}) == 2:
            break
    first = side[present[0]]
    return [[c for c in range(n_categories) if (side[c] == first) is inside] for inside in (True, False)]
