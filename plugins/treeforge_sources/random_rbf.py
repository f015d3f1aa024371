"""Clouds around random centres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute
from treeforge_sources.generator import BLOCK, Generator, codes, numbered


@dataclass(frozen=True)
class _Centres:
    places: NDArray[np.float64]  # [centres, attributes], within the unit cube
    classes: NDArray[np.int32]  # [centres]
    spreads: NDArray[np.float64]  # [centres]
    shares: NDArray[np.float64]  # cumulated, [centres]


@dataclass(frozen=True)
class RandomRbf(Generator):
    """Rows scattered around random centres, each with a class, a spread and a share of the rows.

    Parameters
    ----------
    rows : int
    classes, n_attributes, centres : int
        How many of each there are.

    References
    ----------
    A. Bifet, G. Holmes, R. Kirkby, B. Pfahringer: MOA: Massive Online Analysis. Journal of Machine Learning
    Research 11, 2010, 1601-1604.
    """

    classes: int = 2
    n_attributes: int = 10
    centres: int = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("classes", "n_attributes", "centres"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is a number above 0, not {getattr(self, name)}")

    def attributes(self) -> list[Attribute]:
        numbers = [Attribute(f"x{i}") for i in range(1, self.n_attributes + 1)]
        return [*numbers, Attribute("class", "nominal", numbered(self.classes))]

    def prepare(self, random: np.random.Generator) -> _Centres:
        shares = np.cumsum(random.random(self.centres))
        return _Centres(
            random.random((self.centres, self.n_attributes)),
            codes(np.floor(random.random(self.centres) * self.classes)),
            random.random(self.centres),
            shares / shares[-1],
        )

    def draw(self, random: np.random.Generator, prepared: _Centres) -> list[NDArray[Any]]:
        centre = np.searchsorted(prepared.shares, random.random(BLOCK), side="right")
        direction = 2 * random.random((BLOCK, self.n_attributes)) - 1
        length = np.sqrt((direction**2).sum(axis=1, keepdims=True))
        distance = random.standard_normal((BLOCK, 1)) * prepared.spreads[centre][:, None]
        values = prepared.places[centre] + direction / length * distance
        return [*values.T, prepared.classes[centre]]
