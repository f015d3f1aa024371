"""Scores from a CSV file: a wide table of data sets x algorithms, or the long ``results.csv`` of a run."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treeforge.compare.table import ScoreTable, listing
from treeforge.errors import ResultError

#: what people write where there is no score
UNDEFINED = frozenset({"", "?", "-", "na", "n/a", "nan", "null", "none", "undefined"})
#: columns of a long table that are no metrics
KEYS = ("dataset", "algorithm", "repeat", "fold", "status", "reason", "n_train", "n_test")
#: a row of averages pasted from a paper would be counted as a data set
SUMMARIES = frozenset(
    {"mean", "average", "avg", "avg.", "median", "average rank", "mean rank", "avg rank", "total"}
)

#: metric -> whether larger is better (None: neither)
Direction = Callable[[str], bool | None]


@dataclass(frozen=True)
class _Lines:
    """The rows of a file, each with its line number."""

    file: str
    header: list[str]
    rows: list[tuple[int, list[str]]]

    def error(self, message: str, line: int | None = None) -> ResultError:
        return ResultError(message, file=self.file, line=line)


def read_scores(
    path: Path | str, metrics: Sequence[str] = (), larger_is_better: Direction = lambda metric: True
) -> list[ScoreTable]:
    """The tables of a CSV file, one a metric.

    Parameters
    ----------
    path : path
        Wide: the first column names data sets, each other column is an algorithm. Long: columns ``dataset``
        and ``algorithm``, ``repeat``, ``fold``, ``status`` where there are any, and a column a metric.
        Fields are separated by comma, semicolon or tab.
    metrics : sequence of str
        Of a long table: which to read; otherwise ``accuracy``, or the first. Of a wide table: its one name.
    larger_is_better : callable
        Says it of a metric.

    Raises
    ------
    ResultError
        With file and line.
    """
    lines = _lines(Path(path))
    if {"dataset", "algorithm"} <= set(lines.header):
        return [_long(lines, metric, larger_is_better(metric)) for metric in _wanted(lines, metrics)]
    if len(metrics) > 1:
        raise lines.error(f"a table of data sets x algorithms holds one metric, not {len(metrics)}", 1)
    metric = metrics[0] if metrics else "score"
    return [_wide(lines, metric, larger_is_better(metric))]


def _lines(path: Path) -> _Lines:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as wrong:
        raise ResultError(f"cannot be read: {wrong.strerror or wrong}", file=str(path)) from None
    except UnicodeDecodeError:
        raise ResultError("is not UTF-8 text", file=str(path)) from None
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(",;\t", key=first.count)
    reader = csv.reader(
        text.splitlines(keepends=True), delimiter=separator, strict=True, skipinitialspace=True
    )
    rows: list[tuple[int, list[str]]] = []
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                rows.append((reader.line_num, [field.strip() for field in fields]))
    except csv.Error as wrong:
        raise ResultError(str(wrong), file=str(path), line=reader.line_num) from None
    lines = _Lines(str(path), rows[0][1] if rows else [], rows[1:])
    if not lines.rows:
        raise lines.error("a line of column names and a line a data set were expected, and there are none")
    for name, count in Counter(lines.header).items():
        if count > 1:
            raise lines.error(f"column '{name}' stands {count} times", rows[0][0])
    for number, fields in lines.rows:
        if len(fields) != len(lines.header):
            raise lines.error(f"{len(lines.header)} fields were expected, not {len(fields)}", number)
    return lines


def _number(lines: _Lines, line: int, column: str, text: str) -> float | None:
    if text.lower() in UNDEFINED:
        return None
    try:
        value = float(text)
    except ValueError:
        raise lines.error(f"column '{column}': a number was expected, not '{text}'", line) from None
    return value if math.isfinite(value) else None


def _wide(lines: _Lines, metric: str, larger_is_better: bool | None) -> ScoreTable:
    algorithms = lines.header[1:]
    if "" in algorithms:
        raise lines.error("a column has no name", 1)
    seen: dict[str, int] = {}
    scores = []
    for line, (dataset, *fields) in lines.rows:
        if dataset in seen:
            raise lines.error(f"data set '{dataset}' stands twice (first on line {seen[dataset]})", line)
        if dataset.lower() in SUMMARIES:
            raise lines.error(
                f"'{dataset}' looks like a summary of the rows, not a data set: take it out", line
            )
        seen[dataset] = line
        scores.append([_number(lines, line, a, text) for a, text in zip(algorithms, fields, strict=True)])
    if all(_is_fraction(dataset) for dataset in seen):
        raise lines.error("the first column holds the names of the data sets, and here it holds numbers", 2)
    table = np.array(scores, dtype=float).reshape(len(seen), len(algorithms))
    return ScoreTable(tuple(seen), tuple(algorithms), table, metric, larger_is_better)


def _is_fraction(text: str) -> bool:
    try:
        return not float(text).is_integer()
    except (ValueError, OverflowError):
        return False


def _wanted(lines: _Lines, metrics: Sequence[str]) -> list[str]:
    there = [name for name in lines.header if name not in KEYS]
    if not there:
        raise lines.error(f"no column is a metric (columns: {', '.join(lines.header)})", 1)
    for metric in metrics:
        if metric not in there:
            raise lines.error(f"no metric is called '{metric}' (metrics: {listing(there, 20)})", 1)
    return list(metrics) or (["accuracy"] if "accuracy" in there else there[:1])


def _long(lines: _Lines, metric: str, larger_is_better: bool | None) -> ScoreTable:
    return ScoreTable.from_cells(_cells(lines, metric), metric, larger_is_better=larger_is_better)


def _cells(lines: _Lines, metric: str) -> Iterator[dict[str, Any]]:
    numbered = "fold" in lines.header
    seen: dict[tuple[Any, ...], int] = {}
    counted: Counter[tuple[str, str]] = Counter()
    for line, fields in lines.rows:
        row = dict(zip(lines.header, fields, strict=True))
        pair = (row["dataset"], row["algorithm"])
        counted[pair] += 1
        repeat = _whole(lines, line, "repeat", row.get("repeat", ""))
        fold = _whole(lines, line, "fold", row["fold"]) if numbered else counted[pair]
        key = (*pair, repeat, fold)
        if key in seen:
            raise lines.error(
                f"this repeat and fold of {pair[1]} on {pair[0]} stands on line {seen[key]} too", line
            )
        seen[key] = line
        ok = row.get("status", "ok") == "ok"
        yield {
            "dataset": pair[0],
            "algorithm": pair[1],
            "repeat": repeat,
            "fold": fold,
            "status": "ok" if ok else "failed",
            "metrics": {metric: _number(lines, line, metric, row[metric]) if ok else None},
            "n_train": _number(lines, line, "n_train", row.get("n_train", "")),
            "n_test": _number(lines, line, "n_test", row.get("n_test", "")),
        }


def _whole(lines: _Lines, line: int, column: str, text: str) -> int:
    if not text:
        return 0
    try:
        return int(text)
    except ValueError:
        raise lines.error(f"column '{column}': a whole number was expected, not '{text}'", line) from None
