"""The cases that rules are made with: those of known class, each with its weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import CellTest, Sample, Table

#: Weights are multiples of 2^-50 of their total, so that sums of them are exact in any order.
BITS = 50


@dataclass(frozen=True, eq=False)
class Cases:
    """Training cases of known class and of weight above 0; "row" below is a place among them.

    Parameters
    ----------
    table : Table
    rows : ndarray of int32, [n]
        Their rows in the table.
    classes : ndarray of int32, [n]
    weights : ndarray of float64, [n]
    """

    table: Table
    rows: NDArray[np.int32]
    classes: NDArray[np.int32]
    weights: NDArray[np.float64]

    @staticmethod
    def of(table: Table, sample: Sample) -> Cases:
        """The cases of a sample."""
        weights = table.weights_of(sample)
        used = (table.classes[sample.rows] >= 0) & (weights > 0)
        rows, weights = sample.rows[used], weights[used]
        if len(rows):
            unit = 2.0 ** (ceil(log2(weights.sum())) - BITS)
            weights = np.round(weights / unit) * unit
        return Cases(table, rows, table.classes[rows], weights)

    @property
    def n(self) -> int:
        return len(self.rows)

    @cached_property
    def total(self) -> float:
        """Their weight."""
        return float(self.weights.sum())

    @cached_property
    def of_class(self) -> NDArray[np.float64]:
        """Weight of each class, [n_classes]."""
        return np.asarray(np.bincount(self.classes, self.weights, self.table.n_classes), dtype=np.float64)

    @property
    def nominal(self) -> list[bool]:
        """Which inputs are nominal."""
        return [column.dtype == np.int32 for column in self.table.columns]

    @cached_property
    def columns(self) -> list[NDArray[Any]]:
        """Values of each input, [n]."""
        return [column[self.rows] for column in self.table.columns]

    @cached_property
    def failing(self) -> Callable[[CellTest], NDArray[np.bool_]]:
        """Which cases do not pass a test, [n]. The last tests are remembered: neighbouring leaves share them."""
        return lru_cache(maxsize=256)(lambda test: ~test.passed(self.columns[test.attribute]))
