import numpy as np
from numpy.typing import NDArray

def kernel(average_rule: bool) -> object:
    """The capsule of the gain ratio criterion."""

def _py_gain_and_ratio(table: NDArray[np.float64], total: float) -> tuple[float, float]:
    """Both of a table [n_branches, n_classes]; for tests."""
