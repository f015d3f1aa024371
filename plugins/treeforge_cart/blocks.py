"""Improved SPRINT's blocks of a numeric attribute: cut in the widest gaps of each class, then thin out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def block_cuts(values: Array, classes: NDArray[np.int32], blocks: int) -> list[float]:
    """At most ``blocks - 1`` ascending cuts (Wang et al. 2016).

    Each class offers the midpoints of the widest gaps between its own neighbouring values. Pooled, the two
    candidates that lie closest are replaced by their midpoint until few enough are left. Ties go to the lower
    place; a class with fewer than two distinct values offers nothing.
    """
    pooled: set[float] = set()
    for label in np.unique(classes):
        own = np.unique(values[classes == label])
        if len(own) < 2:
            continue
        widest = np.argsort(-np.diff(own), kind="stable")[: blocks - 1]
        pooled.update(halfway(float(own[i]), float(own[i + 1])) for i in widest)
    candidates = sorted(pooled)
    while len(candidates) > blocks - 1:
        at = int(np.argmin(np.diff(candidates)))
        candidates[at : at + 2] = [halfway(candidates[at], candidates[at + 1])]
    return candidates


def halfway(low: float, high: float) -> float:
    """The midpoint: finite where the sum would not be, and below the upper value even if it has to round down."""
    middle = (low + high) / 2.0 if max(-low, high) < 1e300 else low / 2.0 + high / 2.0
    return middle if middle < high else low
