from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class HoeffdingTree:
    n_inputs: int
    n_classes: int
    n_nodes: int
    arity: NDArray[np.int32]
    def __init__(
        self,
        arity: Sequence[int] | NDArray[np.int32],
        n_classes: int,
        *,
        grace_period: float,
        delta: float,
        tie_threshold: float,
        least_share: float,
        bins: int,
        alpha: float,
        gamma_max: float,
        leaf: int,
    ) -> None: ...
    def learn(
        self,
        columns: Sequence[NDArray[Any]],
        classes: NDArray[np.int32],
        rows: NDArray[np.int32],
        weights: NDArray[np.float64],
    ) -> None: ...
    def predict(self, columns: Sequence[NDArray[Any]], rows: NDArray[np.int32]) -> NDArray[np.float64]: ...
    def structure(self) -> dict[str, Any]: ...
    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...
