"""Tables whose columns are kept in every form of the core; and what it means for two trees to be the same."""

from __future__ import annotations

import numpy as np

from treeforge.core.table import Table
from treeforge.core.tree import Tree


def mixed_table(unknown: float, seed: int, n: int) -> Table:
    """Bytes, lists, a wide column; classes that depend on several of them, and noise. ``unknown``: part of values."""
    rng = np.random.default_rng(seed)
    real, whole = rng.normal(size=n), rng.integers(0, 60, n).astype(np.float64)
    few, many = rng.integers(0, 5, n).astype(np.int32), rng.integers(0, 300, n).astype(np.int32)
    classes = (real + whole / 30 + (few == 2) + rng.normal(scale=0.7, size=n) > 1.5).astype(np.int32)
    classes[rng.random(n) < 0.05] = 2
    noise = rng.normal(size=n).round(2) + 0.0  # no -0.0, which is the same number in other bits
    for column in (real, whole, noise):
        column[rng.random(n) < unknown] = np.nan
    few[rng.random(n) < unknown] = -1
    return Table([real, few, whole, many, noise], [0, 5, 0, 300, 0], classes, 3)


def assert_same(one: Tree, other: Tree) -> None:
    """To the last bit."""
    assert one.arrays().keys() == other.arrays().keys()
    for name, values in one.arrays().items():
        assert values.tobytes() == other.arrays()[name].tobytes(), name
