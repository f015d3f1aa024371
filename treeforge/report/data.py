"""What a report is made from: a run folder, read once and summarised. Renderers compute no numbers."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from treeforge.compare import Comparison
from treeforge.compare.ranks import rank_rows
from treeforge.errors import ResultError
from treeforge.report.factors import FactorTable, factor_tables
from treeforge.report.records import Confusion, confusions, current
from treeforge.report.verdicts import all_pairs, read_comparison

KEY_COLUMNS = ("dataset", "algorithm", "repeat", "fold", "status", "reason")
#: counts of cases, which a result table from Weka has; they are no metrics
COUNT_COLUMNS = ("n_train", "n_test", "n_correct", "n_incorrect", "n_unclassified")

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


@dataclass(frozen=True)
class Failure:
    """Cells of one data set and algorithm that ended for the same reason."""

    dataset: str
    algorithm: str
    folds: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class TreeText:
    """One tree on paper, as the run wrote it down."""

    dataset: str
    algorithm: str
    text: str
    svg: str = ""
    leaves: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class ReportData:
    """Everything a renderer may print."""

    name: str
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    tables: tuple[MetricTable, ...]
    comparisons: tuple[Comparison, ...] = ()
    failures: tuple[Failure, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    factors: tuple[FactorTable, ...] = ()
    trees: tuple[TreeText, ...] = ()
    n_cells: int = 0
    n_failed: int = 0
    repeated: bool = False
    run: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[Mapping[str, str], ...] = ()
    folder: Path | None = None

    def table(self, name: str) -> MetricTable | None:
        """The table of a metric, if it was measured."""
        return next((t for t in self.tables if t.metric.name == name), None)

    @property
    def primary(self) -> MetricTable | None:
        """What the report talks about first: the metric of the first comparison, else the first column."""
        for comparison in self.comparisons:
            table = self.table(comparison.metric)
            if table is not None:
                return table
        return self.tables[0] if self.tables else None

    @property
    def pairwise(self) -> Comparison | None:
        """The all-pairs comparison of the primary metric: the numbers behind matrix and diagram."""
        primary = self.primary
        name = primary.metric.name if primary else None
        return next((c for c in self.comparisons if all_pairs(c) and c.metric == name), None)


def load(folder: Path | str) -> ReportData:
    """Read a run folder: ``results.csv``, ``run.json`` and ``trees.json`` (see docs/run-folder.md).

    A result file of Weka's Experimenter (``.arff``) is read as a run, too.

    Raises
    ------
    ResultError
        The folder is none, or a file in it is damaged.
    """
    folder = Path(folder)
    if folder.is_file() and folder.name.endswith((".arff", ".arff.gz")):
        from treeforge.report.weka import read

        return read(folder)
    table = folder / "results.csv"
    if not folder.is_dir():
        raise ResultError(
            "there is no such folder; expected one that 'treeforge run' wrote", file=str(folder)
        )
    if not table.is_file():
        begun = (folder / "cells").is_dir()
        raise ResultError(
            "this run has not come to its end; 'treeforge run' goes on where it stopped"
            if begun
            else "this folder holds no results.csv; expected one that 'treeforge run' wrote",
            file=str(folder),
        )
    return build(
        read_rows(table),
        {**read_object(folder / "trees.json"), **read_object(folder / "run.json")},
        fallback_name=folder.resolve().name,
        folder=folder,
    )


def read_object(path: Path) -> dict[str, Any]:
    """A JSON object, or nothing where there is no such file: a report then says less."""
    if not path.is_file():
        return {}
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as wrong:
        line = getattr(wrong, "lineno", None)
        raise ResultError(f"not valid JSON: {wrong}", file=str(path), line=line) from wrong
    if not isinstance(run, dict):
        raise ResultError("expected a JSON object", file=str(path))
    return run


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of ``results.csv``; every row has every column."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, restkey="", strict=True)
        try:
            missing = [c for c in KEY_COLUMNS[:5] if c not in (reader.fieldnames or ())]
            if missing:
                raise ResultError(f"no column {', '.join(missing)}", file=str(path), line=1)
            rows = []
            for row in reader:
                if None in row.values() or "" in row:
                    raise ResultError(
                        "this row has another number of fields", file=str(path), line=reader.line_num
                    )
                rows.append(row)
        except (csv.Error, UnicodeDecodeError) as wrong:
            raise ResultError(str(wrong), file=str(path), line=reader.line_num + 1) from wrong
    return rows


def build(
    rows: Sequence[Mapping[str, str]],
    run: Mapping[str, Any],
    *,
    fallback_name: str = "run",
    folder: Path | None = None,
) -> ReportData:
    """Summarise result rows; ``run`` orders the names and adds what rows cannot say."""
    datasets = _ordered([r["dataset"] for r in rows], run.get("datasets", ()))
    algorithms = _ordered([r["algorithm"] for r in rows], run.get("algorithms", ()))
    repeated = len({r["repeat"] for r in rows}) > 1
    cells: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row in sorted(rows, key=lambda r: (_number(r["repeat"]), _number(r["fold"]))):
        cells.setdefault((row["dataset"], row["algorithm"]), []).append(row)
    tables = tuple(_table(metric, datasets, algorithms, cells, repeated) for metric in _metrics(rows, run))
    comparisons = tuple(read_comparison(c) for c in run.get("comparisons", ()))
    return ReportData(
        name=str(run.get("name") or fallback_name),
        datasets=datasets,
        algorithms=algorithms,
        tables=tables,
        comparisons=comparisons,
        failures=_failures(datasets, algorithms, cells, repeated),
        confusions=confusions(list(current(folder, rows)), datasets, algorithms) if folder else (),
        factors=factor_tables(run.get("algorithms", ()), tables, comparisons),
        trees=tuple(_tree(t) for t in run.get("trees", ()) if "leaves" in t or t.get("text") or t.get("svg")),
        n_cells=len(rows),
        n_failed=sum(r["status"] != "ok" for r in rows),
        repeated=repeated,
        run=run,
        rows=tuple(rows),
        folder=folder,
    )


def _ordered(seen: Iterable[str], declared: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Names in the order of the pipeline; those that only the results know come last."""
    present = dict.fromkeys(seen)
    first = [str(d["name"]) for d in declared if str(d["name"]) in present]
    return tuple(dict.fromkeys([*first, *present]))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.inf


def _metrics(rows: Sequence[Mapping[str, str]], run: Mapping[str, Any]) -> list[Metric]:
    columns = [c for c in (rows[0] if rows else ()) if c not in KEY_COLUMNS + COUNT_COLUMNS]
    said = {
        str(m["name"]): m.get("larger_is_better") for m in run.get("metrics", ()) if isinstance(m, Mapping)
    }
    named = [m for m in said if m in columns]
    return [Metric(c, said.get(c, DIRECTIONS.get(c))) for c in dict.fromkeys([*named, *columns])]


def _fold_name(row: Mapping[str, str], repeated: bool) -> str:
    return f"repeat {row['repeat']} fold {row['fold']}" if repeated else row["fold"]


def _score(metric: str, rows: Sequence[Mapping[str, str]], repeated: bool) -> Score:
    values, undefined, failed = [], [], []
    for row in rows:
        if row["status"] != "ok":
            failed.append(_fold_name(row, repeated))
            continue
        value = _number(row[metric])  # empty: undefined
        if math.isfinite(value):
            values.append(value)
        else:
            undefined.append(_fold_name(row, repeated))
    return Score(
        tuple(values),
        tuple(undefined),
        tuple(failed),
        fmean(values) if values else None,
        stdev(values) if len(values) > 1 else None,
    )


def _table(
    metric: Metric,
    datasets: Sequence[str],
    algorithms: Sequence[str],
    cells: Mapping[tuple[str, str], Sequence[Mapping[str, str]]],
    repeated: bool,
) -> MetricTable:
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


def _failures(
    datasets: Sequence[str],
    algorithms: Sequence[str],
    cells: Mapping[tuple[str, str], Sequence[Mapping[str, str]]],
    repeated: bool,
) -> tuple[Failure, ...]:
    found = []
    for d in datasets:
        for a in algorithms:
            reasons: dict[str, list[str]] = {}
            for row in cells.get((d, a), ()):
                if row["status"] != "ok":
                    reason = row.get("reason") or "no reason was recorded"
                    reasons.setdefault(reason, []).append(_fold_name(row, repeated))
            found += [Failure(d, a, tuple(folds), reason) for reason, folds in reasons.items()]
    return tuple(found)


def _tree(record: Mapping[str, Any]) -> TreeText:
    return TreeText(
        str(record["dataset"]),
        str(record["algorithm"]),
        str(record.get("text") or ""),
        str(record.get("svg") or ""),
        record.get("leaves"),
        record.get("size"),
    )
