"""The three waves of Breiman, Friedman, Olshen and Stone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute
from treeforge_sources.generator import BLOCK, Generator, codes, integers, numbered

_PLACES = np.arange(1, 22)
_WAVES = np.array([np.maximum(6 - np.abs(_PLACES - top), 0) for top in (11, 15, 7)])
_PAIRS = np.array([[0, 1], [0, 2], [1, 2]])  # the waves that each class mixes


@dataclass(frozen=True)
class Waveform(Generator):
    """21 points of a mixture of two of three triangular waves, with noise; rounded to two decimals as in UCI's file.

    The best that any method can reach is about 86 %.

    Parameters
    ----------
    rows : int
    irrelevant : int
        Further attributes of noise alone; UCI's second file has 19.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone: Classification and Regression Trees. 1984, 49-55.
    """

    irrelevant: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.irrelevant < 0:
            raise ValueError(f"irrelevant is a number not below 0, not {self.irrelevant}")

    def attributes(self) -> list[Attribute]:
        points = [Attribute(f"x{i}") for i in range(1, 22 + self.irrelevant)]
        return [*points, Attribute("class", "nominal", numbered(3))]

    def prepare(self, random: np.random.Generator) -> None:
        return None

    def draw(self, random: np.random.Generator, prepared: None) -> list[NDArray[Any]]:
        wave = codes(integers(random, 0, 2))
        share = random.random((BLOCK, 1))
        first, second = _WAVES[_PAIRS[wave].T]
        values = random.standard_normal((BLOCK, 21 + self.irrelevant))
        values[:, :21] += share * first + (1 - share) * second
        return [*np.round(values, 2).T, wave]
