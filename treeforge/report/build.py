"""From the rows of ``results.csv`` and what the run says of itself to what a report is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from treeforge.report.data import Failure, ReportData, TreeText
from treeforge.report.factors import factor_tables
from treeforge.report.records import confusions, current
from treeforge.report.scores import DIRECTIONS, Metric, fold_name, metric_table, number
from treeforge.report.verdicts import read_comparison

KEY_COLUMNS = ("dataset", "algorithm", "repeat", "fold", "status", "reason")
#: counts of cases, which a result table from Weka has; they are no metrics
COUNT_COLUMNS = ("n_train", "n_test", "n_correct", "n_incorrect", "n_unclassified")


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
    for row in sorted(rows, key=lambda r: (number(r["repeat"]), number(r["fold"]))):
        cells.setdefault((row["dataset"], row["algorithm"]), []).append(row)
    tables = tuple(
        metric_table(metric, datasets, algorithms, cells, repeated) for metric in _metrics(rows, run)
    )
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
        n_missing=_missing(datasets, algorithms, cells),
        unfinished=folder is not None and (folder / "cells").is_dir() and not (folder / "run.json").is_file(),
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


def _metrics(rows: Sequence[Mapping[str, str]], run: Mapping[str, Any]) -> list[Metric]:
    columns = [c for c in (rows[0] if rows else ()) if c not in KEY_COLUMNS + COUNT_COLUMNS]
    said = {
        str(m["name"]): m.get("larger_is_better") for m in run.get("metrics", ()) if isinstance(m, Mapping)
    }
    named = [m for m in said if m in columns]
    return [Metric(c, said.get(c, DIRECTIONS.get(c))) for c in dict.fromkeys([*named, *columns])]


def _missing(
    datasets: Sequence[str],
    algorithms: Sequence[str],
    cells: Mapping[tuple[str, str], Sequence[Mapping[str, str]]],
) -> int:
    """How many cells are not there, failed ones apart: each algorithm's against the folds that any of them has."""
    n = 0
    for d in datasets:
        there = [{(row["repeat"], row["fold"]) for row in cells.get((d, a), ())} for a in algorithms]
        n += sum(len(set().union(*there) - folds) for folds in there)
    return n


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
                    reasons.setdefault(reason, []).append(fold_name(row, repeated))
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
