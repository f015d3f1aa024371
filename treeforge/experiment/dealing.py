"""Rows dealt out to folds, and splits made from that."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treeforge.experiment.split import Rows, Split


def legacy_random(seed: int) -> np.random.RandomState:
    """NumPy's old generator, as scikit-learn uses it: its stream is frozen for good. It takes 32 bits of the seed."""
    return np.random.RandomState(seed % 2**32)


def deal_classes(codes: NDArray[np.int32], k: int, generator: np.random.RandomState) -> NDArray[np.int64]:
    """Fold of each row, as scikit-learn's StratifiedKFold deals it: sizes differ by one at most, also by class."""
    # classes are numbered in the order in which they appear, which is the order in which they are shuffled
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    encoded = rank[inverse]
    ordered = np.sort(encoded)
    n_classes = len(first)
    allocation = np.array([np.bincount(ordered[fold::k], minlength=n_classes) for fold in range(k)])
    fold_of = np.empty(len(codes), dtype=np.int64)
    for place in range(n_classes):
        folds = np.arange(k).repeat(allocation[:, place])
        generator.shuffle(folds)
        fold_of[encoded == place] = folds
    return fold_of


def from_folds(fold_of: NDArray[np.int64], k: int, repeat: int) -> Iterator[Split]:
    """The splits of one repeat: each fold tests once."""
    for fold in range(k):
        yield Split(len(fold_of), rows_of(fold_of == fold), repeat, fold)


def rows_of(mask: NDArray[np.bool_]) -> Rows:
    """The rows that a mask chooses, in file order."""
    return np.flatnonzero(mask).astype(np.int32)
