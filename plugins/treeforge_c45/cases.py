"""Which cases trained a tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Sample, Table
from treeforge_c45 import _draft


def cases_of(table: Table, sample: Sample) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The rows that trained a tree, and their weights."""
    rows, weights = sample.rows, table.weights_of(sample)
    used = (table.classes[rows] >= 0) & (weights > 0)
    return (rows, weights) if used.all() else (rows[used], weights[used])


def plain_cases_of(table: Table, sample: Sample) -> tuple[NDArray[np.int32], NDArray[np.float64] | None]:
    """The same without an array of ones: None where every row is one case."""
    weighted = not (sample.weights is None and sample.copies is None and table.weights is None)
    if weighted or not _draft.all_classes_known(table, sample.rows):
        return cases_of(table, sample)
    return sample.rows, None
