"""The display with seven lights of Breiman, Friedman, Olshen and Stone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute
from treeforge_sources.generator import BLOCK, Generator, check_share, codes, integers, numbered

# which lights are on for each digit: top, upper left, upper right, middle, lower left, lower right, bottom
_LIGHTS = np.array(
    [[light == "1" for light in digit] for digit in (
        "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011".split()  # noqa: SIM905
    )]
)  # fmt: skip


@dataclass(frozen=True)
class Led(Generator):
    """Which digit is meant by seven lights, each of which may be wrong.

    Parameters
    ----------
    rows : int
    noise : float
        Chance of each light to show the wrong state. At 0.1 no method is right more often than 74 % of the time.
    irrelevant : int
        Further lights that mean nothing.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone: Classification and Regression Trees. 1984, 43-49.
    """

    noise: float = 0.1
    irrelevant: int = 17

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("noise", self.noise)
        if self.irrelevant < 0:
            raise ValueError(f"irrelevant is a number not below 0, not {self.irrelevant}")

    def attributes(self) -> list[Attribute]:
        lights = [Attribute(f"light{i}", "nominal", ("0", "1")) for i in range(1, 8 + self.irrelevant)]
        return [*lights, Attribute("digit", "nominal", numbered(10))]

    def prepare(self, random: np.random.Generator) -> None:
        return None

    def draw(self, random: np.random.Generator, prepared: None) -> list[NDArray[Any]]:
        digit = codes(integers(random, 0, 9))
        wrong = random.random((BLOCK, 7)) < self.noise
        irrelevant = random.random((BLOCK, self.irrelevant)) < 0.5
        return [*codes(_LIGHTS[digit] ^ wrong).T, *codes(irrelevant).T, digit]
