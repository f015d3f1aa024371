"""Costs of mistakes: which class is said when some mistakes are worse than others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.errors import ParameterError

#: costs[i][j]: of saying class j where class i is true
Costs = tuple[tuple[float, ...], ...]


def check_costs(costs: Any, n_classes: int) -> Costs:
    """The matrix as tuples of numbers; ParameterError when it does not fit the classes."""
    try:
        matrix = np.array(costs, dtype=np.float64)
    except (TypeError, ValueError):
        matrix = np.array(np.nan)
    if matrix.shape != (n_classes, n_classes) or not np.isfinite(matrix).all():
        raise ParameterError(
            f"cost_matrix: {n_classes} rows of {n_classes} finite numbers are expected, the costs of each true class "
            f"by predicted class, not {costs!r}"
        )
    return tuple(tuple(row) for row in matrix.tolist())


def decide(probabilities: NDArray[np.float64], costs: Sequence[Sequence[float]] | None) -> NDArray[np.int32]:
    """Class said for each row, [n]: the most probable one, or of least expected cost; -1 without any probability.

    Equal ones go to the class that is declared first.

    Examples
    --------
    >>> decide(np.array([[0.7, 0.3]]), None), decide(np.array([[0.7, 0.3]]), [[0, 1], [5, 0]])
    (array([0], dtype=int32), array([1], dtype=int32))
    """
    if costs is None:
        codes: NDArray[np.int32] = probabilities.argmax(axis=1).astype(np.int32)
    else:
        expected = probabilities @ np.asarray(costs, dtype=np.float64)
        codes = expected.argmin(axis=1).astype(np.int32)
    codes[~(probabilities > 0).any(axis=1)] = -1
    return codes
