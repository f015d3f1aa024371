"""The out-of-bag estimate: each case is judged by the trees that did not train on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treeforge.plugin import Sample, Table, Tree


def out_of_bag(table: Table, sample: Sample, trees: Sequence[Tree], bags: Sequence[Sample]) -> dict[str, Any]:
    """Error over the cases with at least one vote, and how many those are.

    ``out_of_bag_error`` is None when no case has a vote: an estimate that is not available is not 0.
    """
    rows = sample.rows[table.classes[sample.rows] >= 0]
    votes = np.zeros((table.n_rows, table.n_classes))
    voted = np.zeros(table.n_rows, dtype=bool)
    for tree, bag in zip(trees, bags, strict=True):
        outside = np.setdiff1d(rows, bag.rows, assume_unique=True).astype(np.int32)
        votes[outside] += tree.predict_proba(table, outside)
        voted[outside] = True
    judged = rows[voted[rows]]
    wrong = votes[judged].argmax(axis=1) != table.classes[judged]
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    total = float(weights[judged].sum())
    return {
        "out_of_bag_error": float(weights[judged][wrong].sum()) / total if total > 0 else None,
        "out_of_bag_cases": len(judged),
        "out_of_bag_without_vote": len(rows) - len(judged),
    }
