"""Read a run folder, or a result file of Weka's Experimenter, for a report."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from treeforge.errors import ResultError
from treeforge.report import weka
from treeforge.report.build import KEY_COLUMNS, build
from treeforge.report.data import ReportData

#: what a report is made of
FILES = ("results.csv", "run.json", "trees.json")


def files_read(folder: Path) -> tuple[Path, ...]:
    """The files that ``load`` reads."""
    return tuple(folder / name for name in FILES) if folder.is_dir() else (folder,)


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
        return weka.read(folder)
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
        _read_rows(table),
        {**_read_object(folder / "trees.json"), **_read_object(folder / "run.json")},
        fallback_name=folder.resolve().name,
        folder=folder,
    )


def _read_object(path: Path) -> dict[str, Any]:
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


def _read_rows(path: Path) -> list[dict[str, str]]:
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
