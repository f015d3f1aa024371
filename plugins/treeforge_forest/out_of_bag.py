"""What out-of-bag cases tell: each case is judged by the trees that did not train on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Sample, Table, Tree

Array = NDArray[np.float64]


def outside(table: Table, sample: Sample, bag: Sample) -> NDArray[np.int32]:
    """The cases of known class that are not in a bag, ascending."""
    rows = sample.rows[table.classes[sample.rows] >= 0]
    return np.setdiff1d(rows, bag.rows, assume_unique=True).astype(np.int32)


def out_of_bag(table: Table, sample: Sample, trees: Sequence[Tree], bags: Sequence[Sample]) -> dict[str, Any]:
    """Error over the cases with at least one vote, and how many those are.

    ``out_of_bag_error`` is None when no case has a vote: an estimate that is not available is not 0.
    """
    rows = sample.rows[table.classes[sample.rows] >= 0]
    votes = np.zeros((table.n_rows, table.n_classes))
    for tree, bag in zip(trees, bags, strict=True):
        out = outside(table, sample, bag)
        votes[out] += tree.predict_proba(table, out)
    judged = rows[votes[rows].any(axis=1)]
    wrong = votes[judged].argmax(axis=1) != table.classes[judged]
    weights = weights_of(table, judged)
    total = float(weights.sum())
    return {
        "out_of_bag_error": float(weights[wrong].sum()) / total if total > 0 else None,
        "out_of_bag_cases": len(judged),
        "out_of_bag_without_vote": len(rows) - len(judged),
    }


def permutation(
    table: Table, sample: Sample, tree: Tree, bag: Sample, generator: np.random.Generator
) -> Array:
    """The accuracy that one tree loses out of bag when an attribute's values are shuffled, [n_inputs].

    NaN when the tree has no case out of bag; 0 for an attribute that it does not test (Breiman 2001, section 10).
    """
    out = outside(table, sample, bag)
    weights = weights_of(table, out)
    if not weights.sum() > 0:
        return np.full(table.n_inputs, np.nan)
    columns = [column[out] for column in table.columns]
    truth = table.classes[out]

    def accuracy() -> float:
        cases = Table(columns, table.n_categories, truth, table.n_classes)
        answer = tree.predict_proba(cases)
        right = (answer.argmax(axis=1) == truth) & answer.any(axis=1)
        return float(np.average(right, weights=weights))

    whole, lost = accuracy(), np.zeros(table.n_inputs)
    for place in np.unique(tree.attribute[tree.attribute >= 0]).tolist():
        column = columns[place]
        columns[place] = column[generator.permutation(len(out))]
        lost[place] = whole - accuracy()
        columns[place] = column
    return lost


def mean_permutation(lost: Sequence[Array]) -> dict[str, Any]:
    """The mean over the trees that have cases out of bag, a number for each input; None when no tree has."""
    told = [each for each in lost if not np.isnan(each).any()]
    return {"permutation_importance": np.mean(told, axis=0).tolist() if told else None}


def weights_of(table: Table, rows: NDArray[np.int32]) -> Array:
    """Weight of each of the cases, [n_rows]."""
    return np.ones(len(rows)) if table.weights is None else table.weights[rows]
