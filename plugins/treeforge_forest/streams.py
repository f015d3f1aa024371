"""Random streams by tree number: the same forest on any number of threads."""

from __future__ import annotations

import numpy as np

from treeforge.plugin import Sample, Table


def generator_of(seed: int, tree: int) -> np.random.Generator:
    """The random stream of one tree: a child of the seed, by the tree's number."""
    return np.random.default_rng(np.random.SeedSequence(entropy=seed, spawn_key=(tree,)))


def bootstrap(table: Table, sample: Sample, generator: np.random.Generator) -> Sample:
    """As many cases as the sample has with a class, drawn with replacement; a row stands for all its copies.

    With case weights, a row is drawn in proportion to its weight.
    """
    weights = sample.weights
    if weights is None and table.weights is not None:
        weights = table.weights[sample.rows]
    usable = table.classes.take(sample.rows) >= 0
    if weights is not None:
        usable &= weights > 0
    rows = sample.rows.compress(usable)  # five times as fast as an index of booleans
    if weights is None:
        drawn = generator.integers(0, len(rows), len(rows)) if len(rows) else np.zeros(0, dtype=np.int64)
    else:
        share = weights[usable] / weights[usable].sum()
        drawn = generator.choice(len(rows), len(rows), p=share)
    copies = np.bincount(drawn, minlength=len(rows)).astype(np.int32)
    found = copies > 0
    return Sample(rows.compress(found), copies=copies.compress(found))
