"""Which rows take part, and at what weight: a training fold, a bootstrap, a hold-out part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.errors import DataError


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of a dataset in a given order, with weights.

    Parameters
    ----------
    rows : ndarray of int32, shape [n]
        Row numbers, each at most once, which is checked where a tree is grown. The order of cases matters to J48's
        arithmetic, so it is kept.
    weights : ndarray of float64, shape [n], or None
        Weight of each of them; None takes the weights of the dataset.
    copies : ndarray of int32, shape [n], or None
        How many cases of weight 1 each row stands for, as in a bootstrap; then there are no weights.
    """

    rows: NDArray[np.int32]
    weights: NDArray[np.float64] | None = None
    copies: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.ascontiguousarray(self.rows, dtype=np.int32))
        if self.weights is not None:
            weights = np.ascontiguousarray(self.weights, dtype=np.float64)
            if len(weights) != len(self.rows):
                raise DataError(f"{len(self.rows)} rows, but {len(weights)} weights")
            object.__setattr__(self, "weights", weights)
        if self.copies is not None:
            copies = np.ascontiguousarray(self.copies, dtype=np.int32)
            if len(copies) != len(self.rows) or self.weights is not None:
                raise DataError("a sample has one number of copies for each row, and then no weights")
            object.__setattr__(self, "copies", copies)

    @staticmethod
    def whole(n_rows: int) -> Sample:
        """All rows in order."""
        return Sample(np.arange(n_rows, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.rows)
