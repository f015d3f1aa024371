"""Result files of Weka's Experimenter: read as a run, and written so that Weka's analysis opens them."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from treeforge.compare import ScoreTable, compare
from treeforge.data.arff import read_arff
from treeforge.data.arff_writer import quoted
from treeforge.data.cells import number_text
from treeforge.data.dataset import Dataset
from treeforge.errors import ResultError, TreeForgeError
from treeforge.report.build import KEY_COLUMNS, build
from treeforge.report.data import ReportData
from treeforge.report.records import current

_JAVA_CLASS = re.compile(r"(?:[a-z]\w*\.)+[A-Z]\w*")

KEYS = ("Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options", "Key_Scheme_version_ID")

#: Weka's column -> our metric, and what Weka's number is divided by
METRICS: Mapping[str, tuple[str, float]] = {
    "Percent_correct": ("accuracy", 100.0),
    "Percent_incorrect": ("error", 100.0),
    "Kappa_statistic": ("kappa", 1.0),
    "Weighted_avg_F_measure": ("weighted_f1", 1.0),
    "Unweighted_macro_avg_F_measure": ("macro_f1", 1.0),
    "measureTreeSize": ("size", 1.0),
    "measureNumLeaves": ("leaves", 1.0),
    "measureNumRules": ("rules", 1.0),
    "UserCPU_Time_training": ("fit_seconds", 1.0),
    "UserCPU_Time_testing": ("predict_seconds", 1.0),
    "Serialized_Model_Size": ("model_bytes", 1.0),
}
#: Weka's column -> ours; its corrected t-test takes the ratio of test to training cases from them
COUNTS: Mapping[str, str] = {
    "Number_of_training_instances": "n_train",
    "Number_of_testing_instances": "n_test",
    "Number_correct": "n_correct",
    "Number_incorrect": "n_incorrect",
    "Number_unclassified": "n_unclassified",
}


def read(path: Path | str) -> ReportData:
    """A result file as the data of a report.

    Schemes become algorithms, named by their class and, where one class has several, their options. Comparisons are
    those that Weka and Demsar (2006) would make: the corrected resampled t-test on each data set against the first
    scheme, and Wilcoxon's test of all pairs over the data sets.
    """
    table = read_arff(path)
    names = [a.name for a in table.schema.attributes]
    missing = [key for key in KEYS[:4] if key not in names]
    if missing:
        raise ResultError(
            f"no attribute {', '.join(missing)}; expected a result file of Weka's Experimenter",
            file=str(path),
        )
    columns = {name: _texts(table, i) for i, name in enumerate(names) if name in {*KEYS, *COUNTS, *METRICS}}
    algorithms = _algorithms(columns, table.n_rows)
    found = [name for name in METRICS if name in columns and any(columns[name])]
    rows = []
    for i in range(table.n_rows):
        row = {
            "dataset": columns["Key_Dataset"][i],
            "algorithm": algorithms[i],
            "repeat": columns["Key_Run"][i],
            "fold": columns["Key_Fold"][i],
            "status": "ok",
            "reason": "",
        }
        for name in found:
            metric, unit = METRICS[name]
            text = columns[name][i]
            row[metric] = repr(float(text) / unit) if text else ""
        row |= {ours: columns[name][i] if name in columns else "" for name, ours in COUNTS.items()}
        _exact(row)
        rows.append(row)
    run: dict[str, Any] = {"name": Path(path).name.split(".")[0]}
    run["comparisons"] = _comparisons(rows)
    return build(rows, run)


def _exact(row: dict[str, str]) -> None:
    """Accuracy from the counts: Weka's percentages are rounded, which would make differences out of ties."""
    counts = [row[name] for name in ("n_correct", "n_incorrect", "n_unclassified")]
    if all(counts):
        correct, incorrect, unclassified = map(float, counts)
        total = correct + incorrect + unclassified
        if total:
            row |= {"accuracy": repr(correct / total), "error": repr((incorrect + unclassified) / total)}


def _texts(table: Dataset, i: int) -> list[str]:
    """A column as text; unknown is empty."""
    attribute, column = table.schema.attributes[i], table.columns[i]
    if attribute.is_nominal:
        return [attribute.categories[code] if code >= 0 else "" for code in column.tolist()]
    if column.dtype == np.float64:
        return ["" if math.isnan(v) else number_text(v) for v in column.tolist()]
    return [v or "" for v in column.tolist()]


def _algorithms(columns: Mapping[str, Sequence[str]], n_rows: int) -> list[str]:
    schemes = columns["Key_Scheme"]
    options = columns.get("Key_Scheme_options", [""] * n_rows)
    several: dict[str, set[str]] = {}
    for scheme, option in zip(schemes, options, strict=True):
        several.setdefault(scheme, set()).add(option)
    last = {s: s.rpartition(".")[2] if _JAVA_CLASS.fullmatch(s) else s for s in several}
    short = {s: n if list(last.values()).count(n) == 1 else s for s, n in last.items()}
    return [
        f"{short[scheme]} {option}".strip() if len(several[scheme]) > 1 else short[scheme]
        for scheme, option in zip(schemes, options, strict=True)
    ]


def _comparisons(rows: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    algorithms = list(dict.fromkeys(r["algorithm"] for r in rows))
    if len(algorithms) < 2 or "accuracy" not in rows[0]:
        return []
    cells = [
        {
            **{key: row[key] for key in ("dataset", "algorithm", "repeat", "fold")},
            **{key: float(row[key]) for key in ("n_train", "n_test") if row[key]},
            "metrics": {"accuracy": float(row["accuracy"]) if row["accuracy"] else None},
        }
        for row in rows
    ]
    table = ScoreTable.from_cells(cells, "accuracy")
    found = []
    for spec in ({"test": "wilcoxon"}, {"test": "corrected_t", "control": algorithms[0]}):
        try:
            found.append(compare(table, spec).to_dict())
        except TreeForgeError:  # such as folds without their sizes: then there is no such verdict
            continue
    return found


def render(data: ReportData) -> str:
    """The run as a result file for Weka's Experimenter; cells that failed are left out, and counted in a remark.

    Folds and repeats count from 1, as Weka's do.
    """
    counts = _counts(data)
    rows = [{**counts.get(_place(row), {}), **row} for row in data.rows if row["status"] == "ok"]
    specs = {str(a.get("name")): _options(a.get("spec")) for a in data.run.get("algorithms") or ()}
    start = 0 if any(row["fold"] == "0" for row in data.rows) else 1
    columns = {ours: (name, 1.0) for name, ours in COUNTS.items()}
    columns |= {ours: (name, unit) for name, (ours, unit) in METRICS.items()}
    measured = {name for row in rows for name in row if name not in KEY_COLUMNS}
    order = dict.fromkeys([*COUNTS.values(), *(name for row in rows[:1] for name in row)])
    numbers = [(ours, *columns.get(ours, (ours, 1.0))) for ours in order if ours in measured]
    keys = [
        [
            row["dataset"],
            str(int(row["repeat"]) + 1 - start),
            str(int(row["fold"]) + 1 - start),
            row["algorithm"],
            specs.get(row["algorithm"], ""),
            _version(specs.get(row["algorithm"], row["algorithm"])),
        ]
        for row in rows
    ]
    lines = [f"% {data.name!r}, written by TreeForge"]
    if data.n_failed:
        lines.append(f"% {data.n_failed} failed cells are left out")
    lines.append("@relation InstanceResultListener\n")
    for i, name in enumerate(KEYS):
        values = dict.fromkeys(key[i] for key in keys)
        lines.append(f"@attribute {name} {{{','.join(quoted(v) for v in values)}}}")
    lines += [f"@attribute {quoted(name)} numeric" for _, name, _ in numbers]
    lines.append("\n@data")
    for key, row in zip(keys, rows, strict=True):
        cells = [_number(row.get(ours, ""), unit) for ours, _, unit in numbers]
        lines.append(",".join([*map(quoted, key), *cells]))
    return "\n".join(lines) + "\n"


def _place(row: Mapping[str, str]) -> tuple[str, str, int, int]:
    return row["dataset"], row["algorithm"], int(row["repeat"]), int(row["fold"])


def _number(text: str, unit: float) -> str:
    return number_text(float(text) * unit) if text else "?"


def _options(spec: Any) -> str:
    """The specification without the signs that ARFF would have to escape."""
    return json.dumps(spec, ensure_ascii=False).translate(str.maketrans("", "", '"\\')) if spec else ""


def _version(text: str) -> str:
    """A whole number that changes with the specification, like the serial number of a Java class."""
    return str(int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big"))


def _counts(data: ReportData) -> dict[tuple[str, str, int, int], dict[str, str]]:
    """From the records of the run's own cells; empty where there are none (results.csv has no counts)."""
    folder = data.folder
    if folder is None or not (folder / "cells").is_dir():
        return {}
    found = {}
    for result in current(folder, data.rows):
        correct = sum(row[i] for i, row in enumerate(result.confusion))
        incorrect = sum(map(sum, result.confusion)) - correct
        counts = (result.n_train, result.n_test, correct, incorrect, sum(result.unclassified))
        place = result.dataset, result.algorithm, result.repeat, result.fold
        found[place] = dict(zip(COUNTS.values(), map(number_text, counts), strict=True))
    return found
