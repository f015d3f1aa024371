"""What all generators share: rows in blocks, the same rows whatever their number."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute, Dataset, Schema
from treeforge.plugin import Source

BLOCK = 8192  # rows made at a time; another number would make other rows


@dataclass(frozen=True)
class Generator(Source):
    """A source that draws its rows from one random stream.

    Parameters
    ----------
    rows : int
        How many rows are made.
    """

    rows: int = 1000

    def __post_init__(self) -> None:
        if self.rows < 0:
            raise ValueError(f"rows is a number not below 0, not {self.rows}")

    @abstractmethod
    def attributes(self) -> list[Attribute]:
        """The inputs, and the class behind them."""

    @abstractmethod
    def prepare(self, random: np.random.Generator) -> Any:
        """What is drawn once, before the rows: a tree, centres ..."""

    @abstractmethod
    def draw(self, random: np.random.Generator, prepared: Any) -> list[NDArray[Any]]:
        """The columns of ``BLOCK`` rows, the class last."""

    def blocks(self, seed: int) -> Iterator[Dataset]:
        attributes = self.attributes()
        name = type(self).__name__.lower()
        schema = Schema(tuple(attributes), len(attributes) - 1, name)
        random = np.random.default_rng(seed)
        prepared = self.prepare(random)
        for start in range(0, max(self.rows, 1), BLOCK):
            columns = self.draw(random, prepared)
            n = min(BLOCK, self.rows - start)
            yield Dataset(
                schema, tuple(column[:n] for column in columns), name=name, source=f"{self}, seed {seed}"
            )


def integers(random: np.random.Generator, low: int, high: int) -> NDArray[np.float64]:
    """Whole numbers from low to high, both among them."""
    return np.floor(low + random.random(BLOCK) * (high - low + 1))


def codes(column: NDArray[Any]) -> NDArray[np.int32]:
    """A column of whole numbers from 0 as categories."""
    return column.astype(np.int32)


def numbered(n: int, start: int = 0) -> tuple[str, ...]:
    """Categories that are called by their number."""
    return tuple(map(str, range(start, start + n)))


def check_share(name: str, value: float) -> None:
    """Refuse what is no share."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is a number from 0 to 1, not {value}")
