"""What a discretizer must satisfy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin.interfaces import Discretizer


def _data(n: int = 150) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    draw = np.random.RandomState(6)
    values = np.round(draw.normal(size=n) * 3, 1)
    return values, ((values > 0.5).astype(int) + (draw.uniform(size=n) < 0.1)).clip(0, 1).astype(np.int32)


def _cuts(
    plugin: Discretizer, values: NDArray[np.float64], codes: NDArray[np.int32], weight: float = 1.0
) -> list[float]:
    return list(plugin.cuts(values, codes, np.full(len(values), weight), 2))


def cuts_ascend_within_the_values(plugin: Discretizer) -> None:
    """Cuts are finite, ascend, and lie between the least and the greatest value."""
    values, codes = _data()
    cuts = np.array(_cuts(plugin, values, codes))
    assert np.isfinite(cuts).all(), f"cuts {cuts.tolist()} are not finite"
    assert (np.diff(cuts) > 0).all(), f"cuts {cuts.tolist()} do not ascend"
    if len(cuts):
        assert values.min() <= cuts[0], f"cut {cuts[0]} lies below all values"
        assert cuts[-1] < values.max() or np.isclose(cuts[-1], values.max()), (
            f"cut {cuts[-1]} lies above all values"
        )


def order_of_cases(plugin: Discretizer) -> None:
    """The cases in another order give the same cuts."""
    values, codes = _data()
    order = np.random.RandomState(1).permutation(len(values))
    assert np.allclose(_cuts(plugin, values, codes), _cuts(plugin, values[order], codes[order]))


def constant_values(plugin: Discretizer) -> None:
    """Where all values are equal, and where there is none or one, there is nothing to cut."""
    for n in (0, 1, 30):
        cuts = _cuts(plugin, np.full(n, 4.0), (np.arange(n) % 2).astype(np.int32))
        assert cuts == [], f"{n} equal values were cut at {cuts}"


def inputs_are_not_changed(plugin: Discretizer) -> None:
    """Values, classes and weights are left as they were."""
    values, codes = _data()
    weights = np.ones(len(values))
    for array in (values, codes, weights):
        array.flags.writeable = False
    plugin.cuts(values, codes, weights, 2)


def one_class(plugin: Discretizer) -> None:
    """Cases of one class are no reason to fail."""
    values, codes = _data()
    _cuts(plugin, values, np.zeros_like(codes))
