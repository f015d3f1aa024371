"""Run folders -> measured.json: what the runs of pipelines/papers came to, small enough to keep.

    python docs/papers/figures.py runs/papers-amsd runs/papers-msd ...

An entry is replaced by the run of the same name. Every figure of docs/papers.md comes from here: means over the cells
of ``results.csv``, the tests of ``run.json`` as they stand there, and the trees of ``trees.json``, with the data's
hashes, seed, splits, versions and date of the run.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

HERE = Path(__file__).resolve().parent
MEASURED = HERE / "measured.json"
#: kept of a run's record as they are
RECORD = ("seed", "evaluation", "pipeline_hash", "comparisons_hash", "versions", "started", "finished")
COLUMNS = ("dataset", "algorithm", "repeat", "fold", "status", "reason")


def condensed(folder: Path) -> dict[str, Any]:
    """What a run folder says, without its cells."""
    record = json.loads((folder / "run.json").read_text())
    found: dict[str, Any] = {key: record[key] for key in RECORD}
    found["datasets"] = {
        d["name"]: {k: d[k] for k in ("hash", "split_hash", "rows", "attributes", "classes")}
        for d in record["datasets"]
    }
    found["algorithms"] = {a["name"]: a["spec"] for a in record["algorithms"]}
    with (folder / "results.csv").open(newline="") as file:
        found["results"] = _results(csv.DictReader(file))
    trees = json.loads((folder / "trees.json").read_text())["trees"]
    found["trees"] = _nested(
        (t["dataset"], t["algorithm"], {k: t[k] for k in ("leaves", "size")}) for t in trees
    )
    found["comparisons"] = [_comparison(c) for c in record["comparisons"]]
    return found


def _results(rows: Iterable[Mapping[str, str]]) -> dict[str, dict[str, Any]]:
    """Data set -> algorithm -> cells, failed ones, the mean of each metric, and accuracy by repeat."""
    groups: dict[tuple[str, str], list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        groups[row["dataset"], row["algorithm"]].append(row)
    return _nested((*key, _group(rows)) for key, rows in groups.items())


def _group(rows: list[Mapping[str, str]]) -> dict[str, Any]:
    good = [row for row in rows if row["status"] == "ok"]
    means = {
        metric: _short(fmean(float(row[metric]) for row in good if row[metric]))
        for metric in rows[0]
        if metric not in COLUMNS and any(row[metric] for row in good)
    }
    repeats: dict[str, list[float]] = defaultdict(list)
    for row in good:
        repeats[row["repeat"]].append(float(row["accuracy"]))
    by_repeat = [_short(fmean(scores)) for scores in repeats.values()]
    return {"cells": len(good), "failed": len(rows) - len(good), **means, "accuracy_by_repeat": by_repeat}


def _comparison(record: Mapping[str, Any]) -> dict[str, Any]:
    keys = (
        "dataset",
        "left",
        "right",
        "n",
        "p",
        "adjusted_p",
        "better",
        "wins",
        "ties",
        "losses",
        "left_out",
    )
    verdicts = []
    for verdict in record["verdicts"]:
        kept = {key: verdict[key] for key in keys}
        kept["estimate"] = verdict["estimate"] and {
            k: verdict["estimate"][k] for k in ("value", "low", "high")
        }
        verdicts.append({k: _short(v) if isinstance(v, float) else v for k, v in kept.items()})
    return {**{k: record[k] for k in ("test", "metric", "title", "parameters")}, "verdicts": verdicts}


def _nested(items: Iterable[tuple[str, str, Any]]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for dataset, algorithm, value in items:
        found[dataset][algorithm] = value
    return dict(found)


def _short(value: float) -> float:
    """Six significant digits: what a page can use, and the same text on every machine."""
    return float(f"{value:.6g}")


def load() -> dict[str, Any]:
    return json.loads(MEASURED.read_text()) if MEASURED.exists() else {}


def keep(name: str, entry: Mapping[str, Any]) -> None:
    """Put an entry into measured.json."""
    everything = json.dumps(dict(sorted({**load(), name: entry}.items())), indent=1)
    # what holds nothing nested stands on one line
    MEASURED.write_text(re.sub(r"[\[{][^\[\]{}]*[\]}]", lambda m: " ".join(m[0].split()), everything) + "\n")


def main(folders: list[str]) -> None:
    if not folders:
        raise SystemExit("which runs? python docs/papers/figures.py runs/papers-amsd ...")
    for folder in map(Path, folders):
        missing = [
            name for name in ("run.json", "results.csv", "trees.json") if not (folder / name).is_file()
        ]
        if missing:
            raise SystemExit(f"{folder} is no finished run: it has no {', '.join(missing)}")
        keep(json.loads((folder / "run.json").read_text())["name"], condensed(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
