import numpy as np
from numpy.typing import NDArray

#: names of the methods, in the kernel's order
METHODS: tuple[str, ...]

def kernel(
    method: str,
    n_rows: int,
    *,
    bins: int = 0,
    at_most: int = 0,
    at_least: int = 1,
    least_expected: float = 0.0,
    inconsistency: float = 0.0,
    thresholds: NDArray[np.float64] | None = None,
) -> object:
    """The capsule of a discretiser at a node.

    Parameters
    ----------
    method : str
        One of ``METHODS``.
    n_rows : int
        Rows of the table: a test has fewer cuts.
    bins : int
        Of equal width and equal frequency.
    at_most, at_least : int
        Intervals of ChiMerge; 0: any number.
    least_expected, inconsistency : float
        Of ChiMerge and Chi2.
    thresholds : ndarray of float64, [n_levels, n_classes]
        Of chi-squared, by level and degrees of freedom; ChiMerge has one level.
    """
