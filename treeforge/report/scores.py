"""The numbers of one metric: a score for each data set and algorithm, ranks and averages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np

from treeforge.compare.ranks import rank_rows

#: Whether more is better, for result tables whose run.json does not say.
DIRECTIONS: Mapping[str, bool | None] = {
    "accuracy": True, "balanced_accuracy": True, "macro_f1": True, "weighted_f1": True, "kappa": True,
    "mcc": True, "auc": True, "sensitivity": True, "specificity": True, "error": False, "log_loss": False,
    "brier": False, "leaves": False, "size": False, "depth": False, "rules": False, "fit_seconds": False,
    "predict_seconds": False, "model_bytes": False,
}  # fmt: skip


@dataclass(frozen=True)
class Metric:
    """A column of the results: its name and which way is better (None: neither)."""

    name: str
    larger_is_better: bool | None = None

    @property
    def label(self) -> str:
        """The name as a reader of a paper would write it."""
        return LABELS.get(self.name, self.name.replace("_", " "))


LABELS: Mapping[str, str] = {
    "macro_f1": "macro F1", "weighted_f1": "weighted F1", "mcc": "MCC", "auc": "AUC", "brier": "Brier score",
    "fit_seconds": "fit time (CPU s)", "predict_seconds": "prediction time (CPU s)",
    "model_bytes": "model size (bytes)", "size": "tree size (nodes)", "log_loss": "log loss",
}  # fmt: skip


@dataclass(frozen=True)
class Score:
    """One data set under one algorithm by one metric: the folds that have a value, and those that have none.

    Attributes
    ----------
    values : tuple of float
        The folds with a value, in order of repeat and fold.
    undefined : tuple of str
        Which folds ended well but have no value, e.g. ``"2"`` or ``"repeat 1 fold 2"``.
    failed : tuple of str
        Which folds ended in a failure.
    mean, sd : float or None
        Of ``values`` alone; None when there are too few.
    """

    values: tuple[float, ...]
    undefined: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    mean: float | None = None
    sd: float | None = None

    @property
    def n(self) -> int:
        """How many folds the mean is taken over."""
        return len(self.values)

    @property
    def partial(self) -> bool:
        """Whether the mean stands for fewer folds than were run: a report marks it."""
        return bool(self.undefined or self.failed)

    @property
    def quartiles(self) -> tuple[float, float, float, float, float]:
        """Smallest value, the three quartiles (linear interpolation), largest: what a box plot shows."""
        ordered = sorted(self.values)

        def at(share: float) -> float:
            place = share * (len(ordered) - 1)
            low = math.floor(place)
            high = min(low + 1, len(ordered) - 1)
            return ordered[low] + (ordered[high] - ordered[low]) * (place - low)

        return at(0.0), at(0.25), at(0.5), at(0.75), at(1.0)


@dataclass(frozen=True)
class MetricTable:
    """All of one metric: a score for each data set and algorithm, ranks, averages over complete data sets.

    ``complete`` are the data sets on which every algorithm has a mean: only those are ranked and averaged.
    """

    metric: Metric
    scores: Mapping[tuple[str, str], Score]
    ranks: Mapping[tuple[str, str], float]
    complete: tuple[str, ...]
    mean: Mapping[str, float]
    geometric_mean: Mapping[str, float]
    mean_rank: Mapping[str, float]

    def best(self, dataset: str) -> frozenset[str]:
        """The algorithms that share the first rank on a data set."""
        mine = {a: self.ranks[dataset, a] for a in self.mean_rank if (dataset, a) in self.ranks}
        least = min(mine.values(), default=0.0)
        return frozenset(a for a, r in mine.items() if r == least)


def number(text: str) -> float:
    """A number in ``results.csv``; infinite where there is none."""
    try:
        return float(text)
    except ValueError:
        return math.inf


def fold_name(row: Mapping[str, str], repeated: bool) -> str:
    """How a report calls the fold of a row."""
    return f"repeat {row['repeat']} fold {row['fold']}" if repeated else row["fold"]


def metric_table(
    metric: Metric,
    datasets: Sequence[str],
    algorithms: Sequence[str],
    cells: Mapping[tuple[str, str], Sequence[Mapping[str, str]]],
    repeated: bool,
) -> MetricTable:
    """Scores, ranks and averages of one metric, from the rows of each data set and algorithm."""
    scores = {
        (d, a): _score(metric.name, cells.get((d, a), ()), repeated) for d in datasets for a in algorithms
    }
    means = {key: score.mean for key, score in scores.items() if score.mean is not None}
    complete = tuple(d for d in datasets if all((d, a) in means for a in algorithms))
    ranks: dict[tuple[str, str], float] = {}
    if metric.larger_is_better is not None and len(algorithms) > 1 and complete:
        rows = np.array([[means[d, a] for a in algorithms] for d in complete], dtype=float)
        ranked = rank_rows(rows, metric.larger_is_better)
        ranks = {
            (d, a): float(ranked[i, j]) for i, d in enumerate(complete) for j, a in enumerate(algorithms)
        }
    positive = complete and all(means[d, a] > 0 for d in complete for a in algorithms)
    return MetricTable(
        metric,
        scores,
        ranks,
        complete,
        mean={a: fmean(means[d, a] for d in complete) for a in algorithms} if complete else {},
        geometric_mean={a: math.exp(fmean(math.log(means[d, a]) for d in complete)) for a in algorithms}
        if positive
        else {},
        mean_rank={a: fmean(ranks[d, a] for d in complete) for a in algorithms} if ranks else {},
    )


def _score(metric: str, rows: Sequence[Mapping[str, str]], repeated: bool) -> Score:
    values, undefined, failed = [], [], []
    for row in rows:
        if row["status"] != "ok":
            failed.append(fold_name(row, repeated))
            continue
        value = number(row[metric])  # empty: undefined
        if math.isfinite(value):
            values.append(value)
        else:
            undefined.append(fold_name(row, repeated))
    return Score(
        tuple(values),
        tuple(undefined),
        tuple(failed),
        fmean(values) if values else None,
        stdev(values) if len(values) > 1 else None,
    )
