"""Ranks of algorithms on each data set, and their means."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeforge.compare.differences import NOISE, doubled_midranks
from treeforge.compare.table import ScoreTable


def rank_rows(scores: NDArray[np.float64], larger_is_better: bool | None) -> NDArray[np.float64]:
    """Rank 1 for the best of each row (the highest, where neither way is better); ties share their mean.

    Examples
    --------
    >>> rank_rows(np.array([[0.8, 0.9, 0.8]]), True).tolist()
    [[2.5, 1.0, 2.5]]
    """
    signed = scores if larger_is_better is False else -scores
    ranks = [doubled_midranks(row, NOISE * np.abs(row) / 2) / 2 for row in signed]
    return np.array(ranks).reshape(scores.shape)


def mean_ranks(table: ScoreTable) -> dict[str, float]:
    """Mean rank of each algorithm, over the data sets where all have a score; empty when there is none."""
    complete, _ = table.complete()
    if not complete.datasets:
        return {}
    means = rank_rows(complete.scores, table.larger_is_better).mean(axis=0)
    return {name: float(mean) for name, mean in zip(table.algorithms, means, strict=True)}


def means(table: ScoreTable) -> dict[str, float]:
    """Mean score of each algorithm, over the same data sets."""
    complete, _ = table.complete()
    if not complete.datasets:
        return {}
    return {
        name: float(mean) for name, mean in zip(table.algorithms, complete.scores.mean(axis=0), strict=True)
    }
