"""Which rows train and which test, once; and all of these for a data set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Sample

Rows = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Split:
    """One training part and the test part that goes with it.

    Parameters
    ----------
    trained : ndarray of int32, or int
        Row numbers in the order of use; or how many rows there are, of which all that do not test train, in file
        order. The latter is what makes leave-one-out and many repeats fit into memory.
    test : ndarray of int32
        Row numbers in the order of use; they count in the test data set where a scheme has one.
    repeat, fold : int
        From 0.
    """

    trained: Rows | int
    test: Rows
    repeat: int = 0
    fold: int = 0

    @property
    def train(self) -> Rows:
        """Row numbers of the training part."""
        if not isinstance(self.trained, int):
            return self.trained
        rest = np.ones(self.trained, dtype=bool)
        rest[self.test] = False
        return np.flatnonzero(rest).astype(np.int32)

    @property
    def n_train(self) -> int:
        """How many rows train."""
        if isinstance(self.trained, int):
            return self.trained - len(self.test)
        return len(self.trained)

    @property
    def sample(self) -> Sample:
        return Sample(self.train)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the rows in their order: what makes two splits the same split."""
        digest = hashlib.sha256()
        for rows in (self.train, self.test):
            digest.update(len(rows).to_bytes(8, "little"))
            digest.update(np.ascontiguousarray(rows, dtype="<i4").tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Splits:
    """All splits of a data set, and what its reader should be warned of."""

    splits: tuple[Split, ...]
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Split]:
        return iter(self.splits)

    def __len__(self) -> int:
        return len(self.splits)

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the hashes of the splits."""
        return hashlib.sha256("".join(split.hash for split in self.splits).encode()).hexdigest()
