import numpy as np
from numpy.typing import NDArray

from treeforge.core.rules import Rules

def first_rule(rules: Rules, column: NDArray[np.int32], matrix: NDArray[np.float64]) -> NDArray[np.int32]:
    """The first rule that holds, [n]; ``n_rules`` where none does. ``column[i]`` of the matrix is what test i reads."""

def count_rules(
    rules: Rules,
    column: NDArray[np.int32],
    matrix: NDArray[np.float64],
    classes: NDArray[np.int32],
    weights: NDArray[np.float64],
    n_classes: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Class weights of covered cases, [n_rules, n_classes], and of first-covered ones, [n_rules + 1, n_classes]."""
