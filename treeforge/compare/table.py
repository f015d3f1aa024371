"""A table of scores: data sets x algorithms, with undefined cells kept as such and counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import fsum, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.compare.differences import differences
from treeforge.errors import ResultError


@dataclass(frozen=True)
class FoldScores:
    """The scores of one algorithm on one data set, fold by fold.

    Attributes
    ----------
    folds : tuple of (int, int)
        Repeat and fold, ascending.
    scores : tuple of float or None
        None: undefined in that fold, or the cell failed.
    test_share : float or None
        Test cases / training cases, averaged over the folds; None when the results do not say.
    """

    folds: tuple[tuple[int, int], ...]
    scores: tuple[float | None, ...]
    test_share: float | None = None

    @property
    def undefined(self) -> tuple[tuple[int, int], ...]:
        """The folds without a score."""
        return tuple(fold for fold, score in zip(self.folds, self.scores, strict=True) if score is None)

    def mean(self) -> float | None:
        """Mean over the defined folds; None when there is none."""
        defined = [score for score in self.scores if score is not None]
        return fsum(defined) / len(defined) if defined else None


@dataclass(frozen=True)
class Pair:
    """Two algorithms on the data sets where both have a score."""

    left: str
    right: str
    datasets: tuple[str, ...]
    left_scores: NDArray[np.float64]
    right_scores: NDArray[np.float64]
    left_out: tuple[str, ...]

    def tally(self, larger_is_better: bool | None) -> tuple[int, int, int]:
        """Data sets on which left is better (higher, where neither direction is better), equal, worse."""
        d, _ = differences(self.left_scores, self.right_scores)
        higher, lower = int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0))
        wins, losses = (lower, higher) if larger_is_better is False else (higher, lower)
        return wins, len(d) - higher - lower, losses


@dataclass(frozen=True)
class ScoreTable:
    """One metric of every algorithm on every data set.

    Parameters
    ----------
    datasets, algorithms : tuple of str
        Names of rows and columns, each once.
    scores : ndarray, shape [n_datasets, n_algorithms]
        NaN is undefined; infinite scores become undefined too, since no difference of two is.
    metric : str
    larger_is_better : bool or None
        None when neither direction is better: then words say higher and lower only.
    folds : mapping, optional
        (data set, algorithm) -> FoldScores, for tests on single data sets and for counting undefined folds.

    Examples
    --------
    >>> table = ScoreTable(("iris", "wine"), ("A", "B"), [[0.9, 0.8], [0.7, None]], "accuracy")
    >>> table.pair("A", "B").left_out
    ('wine',)
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    scores: NDArray[np.float64]
    metric: str = "score"
    larger_is_better: bool | None = True
    folds: Mapping[tuple[str, str], FoldScores] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scores = np.array(self.scores, dtype=float)  # None becomes NaN
        if scores.shape != (len(self.datasets), len(self.algorithms)):
            raise ResultError(
                f"a table of {len(self.datasets)} data sets and {len(self.algorithms)} algorithms "
                f"was expected, not of shape {scores.shape}"
            )
        for what, names in (("data set", self.datasets), ("algorithm", self.algorithms)):
            for name in names:
                if names.count(name) > 1:
                    raise ResultError(f"{what} '{name}' stands twice in the table")
        scores[~np.isfinite(scores)] = np.nan
        scores.flags.writeable = False
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "datasets", tuple(self.datasets))
        object.__setattr__(self, "algorithms", tuple(self.algorithms))

    @classmethod
    def from_cells(
        cls,
        cells: Iterable[Mapping[str, Any]],
        metric: str,
        *,
        larger_is_better: bool | None = True,
        datasets: Iterable[str] = (),
        algorithms: Iterable[str] = (),
    ) -> ScoreTable:
        """The table of one metric from the results of cells, averaged over the folds where it is defined.

        Parameters
        ----------
        cells : iterable of mapping
            Each with ``dataset``, ``algorithm``, ``status``, ``metrics`` (name -> number or None), and
            ``repeat``, ``fold``, ``n_train``, ``n_test`` where there are any. A failed cell has no score.
        datasets, algorithms : iterable of str, optional
            The order of rows and columns; others follow as they come.
        """
        found: dict[tuple[str, str], list[tuple[tuple[int, int], float | None, float | None]]] = {}
        rows, columns = dict.fromkeys(datasets), dict.fromkeys(algorithms)
        for cell in cells:
            row, column = str(cell["dataset"]), str(cell["algorithm"])
            rows.setdefault(row)
            columns.setdefault(column)
            value = (cell.get("metrics") or {}).get(metric) if cell.get("status", "ok") == "ok" else None
            score = float(value) if value is not None and isfinite(value) else None
            n_train, n_test = cell.get("n_train"), cell.get("n_test")
            share = n_test / n_train if n_train and n_test else None
            fold = (int(cell.get("repeat") or 0), int(cell.get("fold") or 0))
            found.setdefault((row, column), []).append((fold, score, share))
        folds = {key: _fold_scores(key, values) for key, values in found.items()}
        scores = [[folds[r, c].mean() if (r, c) in folds else None for c in columns] for r in rows]
        table = np.array(scores, dtype=float).reshape(len(rows), len(columns))
        return cls(tuple(rows), tuple(columns), table, metric, larger_is_better, folds)

    def pair(self, left: str, right: str) -> Pair:
        """Two columns, on the rows where both are defined."""
        a, b = self.column(left), self.column(right)
        both = np.isfinite(a) & np.isfinite(b)
        names = np.array(self.datasets, dtype=object)
        return Pair(left, right, tuple(names[both]), a[both], b[both], tuple(names[~both]))

    def column(self, algorithm: str) -> NDArray[np.float64]:
        """The scores of one algorithm."""
        if algorithm not in self.algorithms:
            raise ResultError(
                f"no algorithm is called '{algorithm}' (algorithms: {', '.join(self.algorithms)})"
            )
        return self.scores[:, self.algorithms.index(algorithm)]

    def scoreless(self) -> dict[str, str]:
        """The algorithms without any score, and what is to be said of each."""
        return {
            name: f"has no {self.metric} on any data set"
            for name in self.algorithms
            if np.isnan(self.column(name)).all()
        }

    def complete(self) -> tuple[ScoreTable, tuple[str, ...]]:
        """The data sets where every algorithm has a score, and the names of the others."""
        keep = np.isfinite(self.scores).all(axis=1)
        names = np.array(self.datasets, dtype=object)
        table = ScoreTable(
            tuple(names[keep]),
            self.algorithms,
            self.scores[keep],
            self.metric,
            self.larger_is_better,
            self.folds,
        )
        return table, tuple(names[~keep])

    def notes(self) -> tuple[str, ...]:
        """What a reader must know about scores that are not there, a sentence each."""
        notes = []
        for j, algorithm in enumerate(self.algorithms):
            missing = [d for i, d in enumerate(self.datasets) if np.isnan(self.scores[i, j])]
            if missing:
                notes.append(f"{self.metric} of {algorithm} is undefined on {listing(missing)}.")
            partial = [
                f"{dataset} ({len(folds.undefined)} of {len(folds.folds)})"
                for (dataset, name), folds in self.folds.items()
                if name == algorithm
                and dataset in self.datasets
                and 0 < len(folds.undefined) < len(folds.folds)
            ]
            if partial:
                notes.append(
                    f"{self.metric} of {algorithm} is undefined in some folds, and averaged over the others, "
                    f"on {listing(partial)}."
                )
        return tuple(notes)


def _fold_scores(
    key: tuple[str, str], values: list[tuple[tuple[int, int], float | None, float | None]]
) -> FoldScores:
    values = sorted(values, key=lambda value: value[0])
    folds = tuple(value[0] for value in values)
    for before, fold in pairwise(folds):
        if before == fold:
            raise ResultError(
                f"repeat {fold[0]}, fold {fold[1]} of {key[1]} on {key[0]} stands twice in the results"
            )
    shares = [value[2] for value in values if value[2] is not None]
    return FoldScores(
        folds, tuple(value[1] for value in values), fsum(shares) / len(shares) if shares else None
    )


def listing(names: Iterable[str], at_most: int = 5) -> str:
    """``"a, b and c"``; a long list is cut and counted.

    Examples
    --------
    >>> listing("abcdefgh")
    'a, b, c, d and 4 others'
    """
    all_names = list(names)
    if len(all_names) > at_most:
        all_names = [*all_names[: at_most - 1], f"{len(all_names) - at_most + 1} others"]
    return " and ".join(filter(None, [", ".join(all_names[:-1]), all_names[-1]])) if all_names else "none"
