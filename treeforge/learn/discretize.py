"""Discretising before training: cuts from the training cases alone, trees brought back to the numbers.

A tree that is grown on intervals tests *value -> interval -> branch*, which is what a test of a number is. So
the cuts are put back into the tree, and the model needs no preparation of the cases it predicts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.rule_model import RuleModel
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.errors import ParameterError
from treeforge.plugin import Discretizer

Cuts = list[NDArray[np.float64] | None]  #: by input; None for a nominal one


def find_cuts(table: Table, sample: Sample, discretizer: Discretizer) -> Cuts:
    """Cuts of every numeric input, from the sample's cases of known class."""
    weights = table.weights_of(sample)
    used = (table.classes[sample.rows] >= 0) & (weights > 0)
    rows, weights = sample.rows[used], weights[used]
    found: Cuts = []
    for column, n_categories in zip(table.columns, table.n_categories, strict=True):
        if n_categories:
            found.append(None)
            continue
        values = column[rows]
        known = ~np.isnan(values)
        cuts = discretizer.cuts(values[known], table.classes[rows][known], weights[known], table.n_classes)
        found.append(np.array(cuts, dtype=np.float64))
    return found


def discretized(table: Table, cuts: Cuts) -> Table:
    """The table with the interval of each number in its place; unknown stays unknown."""
    columns: list[NDArray[Any]] = []
    for column, inner in zip(table.columns, cuts, strict=True):
        if inner is None:
            columns.append(column)
        else:
            cells = np.searchsorted(inner, column, side="left").astype(np.int32)
            columns.append(np.where(np.isnan(column), np.int32(-1), cells))
    arity = [
        int(n) if inner is None else len(inner) + 1 for n, inner in zip(table.n_categories, cuts, strict=True)
    ]
    return Table(columns, arity, table.classes, table.n_classes, table.weights)


def restored(fitted: Any, cuts: Cuts) -> Any:
    """The model with its tests of intervals as tests of numbers."""
    if isinstance(fitted, RuleModel):
        return fitted.with_cuts(cuts)
    if hasattr(fitted, "tree") and isinstance(fitted.tree, Tree):
        return replace(fitted, tree=with_cuts(fitted.tree, cuts))
    if hasattr(fitted, "trees"):
        return replace(fitted, trees=tuple(with_cuts(tree, cuts) for tree in fitted.trees))
    raise ParameterError(
        f"a discretizer cannot stand in front of {type(fitted).__name__}, which has no trees of ours"
    )


def with_cuts(tree: Tree, cuts: Cuts) -> Tree:
    """A copy whose tests of a discretised input have its cuts."""
    none = np.empty(0)
    of_node = [none if a < 0 or (inner := cuts[a]) is None else inner for a in tree.attribute.tolist()]
    arrays = tree.arrays()  # which has no cuts yet: no input was a number
    arrays["cuts"] = np.concatenate(of_node)
    arrays["cut_start"] = np.concatenate([[0], np.cumsum([len(inner) for inner in of_node])])
    return Tree(metadata=tree.metadata, **arrays)
