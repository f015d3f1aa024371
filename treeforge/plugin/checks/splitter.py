"""What a splitter must satisfy."""

from __future__ import annotations

import numpy as np

from treeforge.plugin.checks import tables
from treeforge.plugin.checks.fitting import tree
from treeforge.plugin.interfaces import Splitter


def something_is_found(plugin: Splitter) -> None:
    """On data with an obvious test the tree is no leaf."""
    assert tree(plugin, tables.mixed()).n_nodes > 1, "nothing was split"


def branches_are_not_empty_of_reason(plugin: Splitter) -> None:
    """At least two branches of each test have the least weight that was asked for."""
    grown = tree(plugin, tables.mixed(), min_branch=5)
    for node in np.flatnonzero(grown.attribute >= 0).tolist():
        first = int(grown.first_child[node])
        weights = grown.distribution[first : first + int(grown.n_branches[node])].sum(axis=1)
        assert (weights >= 5 - 1e-9).sum() >= 2, f"node {node} has branches of weight {weights.tolist()}"


def cuts_lie_between_values(plugin: Splitter) -> None:
    """Thresholds part the values that are there: each lies between the least and the greatest."""
    data = tables.mixed()
    grown = tree(plugin, data)
    for node in np.flatnonzero(grown.attribute >= 0).tolist():
        column = data.columns[int(grown.attribute[node])]
        cuts = grown.cuts[int(grown.cut_start[node]) : int(grown.cut_start[node + 1])]
        if len(cuts):
            assert (np.diff(cuts) > 0).all(), f"cuts {cuts.tolist()} do not ascend"
            assert cuts[0] >= np.nanmin(column), f"cut {cuts[0]} lies below all values"
            assert cuts[-1] <= np.nanmax(column), f"cut {cuts[-1]} lies above all values"
