from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

class SampleLike(Protocol):
    """Rows and their weights: ``treeforge.data.Sample``."""

    @property
    def rows(self) -> NDArray[np.int32]: ...
    @property
    def weights(self) -> NDArray[np.float64] | None: ...
    @property
    def copies(self) -> NDArray[np.int32] | None: ...

class Table:
    n_rows: int
    n_inputs: int
    n_classes: int
    columns: list[NDArray[Any]]
    n_categories: NDArray[np.int32]
    classes: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    encoded: Any
    plain: Any
    def __init__(
        self,
        columns: Sequence[NDArray[Any]],
        n_categories: Sequence[int] | NDArray[np.int32],
        classes: NDArray[np.int32] | None,
        n_classes: int,
        weights: NDArray[np.float64] | None = None,
    ) -> None: ...
    def weights_of(self, sample: SampleLike) -> NDArray[np.float64]:
        """Weight of each case of a sample, [n]: its own or its copies, else the table's, else 1."""
