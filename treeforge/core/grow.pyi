from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.table import Table
from treeforge.core.tree import Tree

def grow(
    table: Table,
    splitter: object,
    criterion: object,
    rows: NDArray[np.int32],
    weights: NDArray[np.float64] | None = None,
    copies: NDArray[np.int32] | None = None,
    held: NDArray[np.int32] | None = None,
    *,
    min_branch: float = 2.0,
    min_split: float | None = None,
    max_depth: int | None = None,
    max_attributes: int | None = None,
    seed: int = 1,
    metadata: dict[str, Any] | None = None,
    leaves: bool = False,
    n_threads: int = 1,
) -> Tree: ...
def prepare(table: Table, splitter: object) -> None:
    """Code the columns as a splitter's kernel wants them, which else happens when the first tree is grown."""

def store_raised(error: BaseException) -> None: ...
