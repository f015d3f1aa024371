"""What tests on single data sets share: paired fold scores, and how much training sets overlap.

Folds of a cross-validation share training cases, so their scores are not independent, and a plain t-test
claims too much. Nadeau and Bengio (2003) widen the variance by n_test / n_train; Corani and Benavoli (2015)
use the correlation n_test / (n_test + n_train), which comes to the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.compare.differences import differences
from treeforge.compare.table import FoldScores, ScoreTable


@dataclass(frozen=True)
class PairedFolds:
    """Fold by fold differences of two algorithms on one data set, noise taken out.

    ``missing`` counts the folds where one of the two has no score; ``test_share`` is n_test / n_train.
    """

    differences: NDArray[np.float64]
    slack: NDArray[np.float64]
    missing: int
    test_share: float | None


def paired_folds(table: ScoreTable, dataset: str, left: str, right: str) -> PairedFolds:
    """The folds where both have a score."""
    a, b = table.folds.get((dataset, left)), table.folds.get((dataset, right))
    if a is None or b is None:
        return PairedFolds(np.empty(0), np.empty(0), 0, None)
    ours, theirs = dict(zip(a.folds, a.scores, strict=True)), dict(zip(b.folds, b.scores, strict=True))
    both = [(ours[f], theirs[f]) for f in ours if ours[f] is not None and theirs.get(f) is not None]
    scores = np.array(both, dtype=float).reshape(-1, 2)
    d, slack = differences(scores[:, 0], scores[:, 1])
    return PairedFolds(d, slack, len(ours.keys() | theirs.keys()) - len(both), _test_share(a))


def _test_share(folds: FoldScores) -> float | None:
    """As the results say, else that of a k-fold cross-validation; None when there is one fold a repeat."""
    if folds.test_share is not None:
        return folds.test_share
    k = len({fold for _, fold in folds.folds})
    return 1 / (k - 1) if k > 1 else None
