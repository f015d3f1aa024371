from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.steps import Walker
from treeforge.core.table import Table

#: A table, or a C-contiguous float64 matrix [n_rows, n_inputs] whose columns are the inputs: NaN is unknown, and
#: a category stands as its code.
Source = Table | NDArray[np.float64]

def predict_proba(
    walker: Walker,
    source: Source,
    rows: NDArray[np.int32] | None = None,
    *,
    laplace: bool = False,
    votes: bool | None = None,
    weights: NDArray[np.float64] | None = None,
    n_threads: int = 1,
) -> NDArray[np.float64]:
    """Class probabilities, [n, n_classes]. ``votes`` is None for the tree alone; otherwise trees are averaged.

    Trees are added in their order, whatever the threads: the answer is the same to the last bit.

    ValueError when a row of a matrix that is asked for holds an infinite number, in whichever column, as scikit-learn
    has it; rows that are not asked for are not looked at. Numbers of a table may be infinite: they lie beyond all cuts.
    """

def predict_codes(
    walker: Walker,
    source: Source,
    rows: NDArray[np.int32] | None = None,
    *,
    laplace: bool = False,
    votes: bool | None = None,
    weights: NDArray[np.float64] | None = None,
    n_threads: int = 1,
) -> NDArray[np.int32]:
    """The first of the most probable classes, [n]; -1 where all probabilities are 0. Refuses what the other does."""

def refuse_infinite(matrix: NDArray[np.float64]) -> None:
    """ValueError for a C-contiguous matrix that holds infinities. One pass over it where all numbers are finite."""

__all__: list[Any]
