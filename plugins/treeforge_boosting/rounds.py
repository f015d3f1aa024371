"""What the three kinds of boosting share: the cases that train, and what a tree gets right of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Sample, Table, Tree, TreeBuilder

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Cases:
    """The training cases of known class and positive weight, with the weights that they begin with."""

    table: Table
    rows: NDArray[np.int32]
    weights: Array

    @staticmethod
    def of(table: Table, sample: Sample) -> Cases:
        weights = table.weights_of(sample)
        used = (table.classes[sample.rows] >= 0) & (weights > 0)
        return Cases(table, sample.rows[used], weights[used])

    @property
    def n_classes(self) -> int:
        """Classes that occur."""
        return len(np.unique(self.table.classes[self.rows]))

    def right(self, tree: Tree) -> NDArray[np.bool_]:
        """Which cases a tree answers with their class."""
        answer = tree.predict_proba(self.table, self.rows)
        decided = answer.max(axis=1, initial=0.0) > 0
        found: NDArray[np.bool_] = (answer.argmax(axis=1) == self.table.classes[self.rows]) & decided
        return found

    def sample(self, weights: Array) -> Sample:
        """The cases at other weights. What boosting has all but given up is left out."""
        kept = weights > 1e-12 * weights.sum()
        return Sample(self.rows[kept], weights[kept])


def seeds(seed: int, n: int) -> Iterator[int]:
    """A random stream for each tree, by its number."""
    for child in np.random.SeedSequence(seed).spawn(n):
        yield int(child.generate_state(1, np.uint64)[0])


def lone_tree(builder: TreeBuilder, sample: Sample, seed: int) -> tuple[Tree, ...]:
    """What is left of an ensemble when there is nothing to boost on."""
    return (builder.tree(sample, next(seeds(seed, 1))),)
