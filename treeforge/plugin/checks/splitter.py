"""What a splitter must satisfy."""

from __future__ import annotations

import numpy as np

from treeforge.core.model import TreeModel
from treeforge.data import Sample
from treeforge.learn.encode import encode
from treeforge.plugin.checks import tables
from treeforge.plugin.checks.fitting import assert_same, fit, tree
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


def a_second_look_keeps_the_tests(plugin: Splitter) -> None:
    """It changes no test, no weight by more than rounding, and keeps where the training cases ended."""
    if type(plugin).second_look is Splitter.second_look:
        return
    data = tables.mixed(unknown=0.15)
    model = fit(plugin, data).fitted
    assert isinstance(model, TreeModel)
    ended = np.zeros(data.n_rows, dtype=np.int32)
    model.tree.training_leaves = ended
    looked_at = plugin.second_look(model.tree, encode(data), Sample.whole(data.n_rows))
    assert_same(model.tree, looked_at, "a second look")
    assert looked_at.training_leaves is ended, "a second look loses 'training_leaves'"
