"""A run that never happened: 12 data sets x 5 algorithms x 10 folds, failures, undefined values."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

from treeforge.compare import ScoreTable, compare

DATASETS = ["anneal", "breast-w", "credit-a", "diabetes", "glass", "heart-cleveland", "iris", "labor",
            "segment", "sonar", "vehicle", "R&D <panel>"]  # fmt: skip
ALGORITHMS = ["C4.5", "VFC4.5", "MSD", "AMSD", "CART"]
METRICS = ["accuracy", "macro_f1", "size", "fit_seconds"]
SPEC = {
    "splitter": {"name": "c45", "meaning": 1, "parameters": {"binary": False}},
    "pruner": {"name": "error_based", "parameters": {"confidence": 0.25}},
    "limits": {"min_branch": 2.0},
}
HOSTILE = ["<b>tight</b>", 'loose & "free"', "</script>", "50%_of $x^2 {~\\}#", "é 日本 🌲"]


def rows(
    datasets: list[str] = DATASETS, algorithms: list[str] = ALGORITHMS, folds: int = 10, repeats: int = 1
) -> list[dict[str, str]]:
    """Result rows as ``results.csv`` has them."""
    dice = random.Random(7)
    skill = {a: dice.gauss(0, 0.015) for a in algorithms}
    found = []
    for place, d in enumerate(datasets):
        level, nodes = dice.uniform(0.6, 0.97), dice.uniform(5, 300)
        for a in algorithms:
            here = skill[a] + dice.gauss(0, 0.01)
            for repeat in range(1, repeats + 1):
                for fold in range(1, folds + 1):
                    row = dict.fromkeys(
                        ["dataset", "algorithm", "repeat", "fold", "status", "reason", *METRICS], ""
                    )
                    row |= {
                        "dataset": d,
                        "algorithm": a,
                        "repeat": str(repeat),
                        "fold": str(fold),
                        "status": "ok",
                    }
                    if place == 3 and a == algorithms[len(algorithms) // 2] and fold <= 2:
                        row |= {"status": "failed", "reason": "time limit: the cell ran longer than 60 s"}
                    elif place == min(8, len(datasets) - 1) and a == algorithms[-1]:
                        row |= {
                            "status": "failed",
                            "reason": "ValueError: <script>alert('x')</script> & more",
                        }
                    else:
                        accuracy = min(1.0, max(0.0, level + here + dice.gauss(0, 0.03)))
                        row["accuracy"] = f"{accuracy:.6f}"
                        if not (place == 4 and fold == 2):  # a class was never predicted
                            row["macro_f1"] = f"{accuracy * 0.97:.6f}"
                        row["size"] = str(
                            int(nodes * (1 + 8 * max(0, skill[a])) * dice.uniform(0.9, 1.1)) + 1
                        )
                        row["fit_seconds"] = (
                            f"{nodes / 1e5 * (1 + abs(here) * 60) * dice.uniform(0.8, 1.2):.6f}"
                        )
                    found.append(row)
    return found


def comparison(result_rows: list[dict[str, str]], metric: str = "accuracy", **spec: Any) -> dict[str, Any]:
    """The real thing: what a run writes for ``{test: wilcoxon, metric: ...}``."""
    cells = [
        {
            "dataset": r["dataset"], "algorithm": r["algorithm"], "repeat": r["repeat"], "fold": r["fold"],
            "status": r["status"], "metrics": {metric: float(r[metric]) if r[metric] else None},
            "n_train": 90, "n_test": 10,
        }
        for r in result_rows
    ]  # fmt: skip
    table = ScoreTable.from_cells(cells, metric, larger_is_better=metric in ("accuracy", "macro_f1"))
    return compare(table, {"test": "wilcoxon", "metric": metric, **spec}).to_dict()


def run(result_rows: list[dict[str, str]], name: str = "moments-study") -> dict[str, Any]:
    """A ``run.json`` for these rows."""
    datasets = list(dict.fromkeys(r["dataset"] for r in result_rows))
    algorithms = list(dict.fromkeys(r["algorithm"] for r in result_rows))
    return {
        "format": 1, "name": name, "command": "treeforge run study.yaml --workers 2",
        "started": "2026-11-30T05:00:00+00:00", "finished": "2026-11-30T05:03:12+00:00",
        "seed": 1, "engine": "threads", "workers": 2,
        "pipeline": {"treeforge": 1, "seed": 1, "algorithms": {a: {"splitter": "c45"} for a in algorithms}},
        "pipeline_hash": "sha256:" + "1f" * 32, "comparisons_hash": "sha256:" + "2e" * 32,
        "evaluation": {"scheme": "cross_validation", "folds": 10, "repeats": 1, "stratified": True},
        "datasets": [{"name": d, "path": f"arff_data/{d}.arff", "hash": "sha256:" + f"{i:02x}" * 32,
                      "rows": 100 + 37 * i, "attributes": 4 + i, "numeric": 3, "nominal": 1 + i,
                      "classes": 2 + i % 3, "unknown": i % 4, "split_hash": "sha256:" + f"{i + 99:02x}" * 32}
                     for i, d in enumerate(datasets)],
        "algorithms": [{"name": a, "spec": SPEC} for a in algorithms],
        "metrics": [{"name": m, "larger_is_better": m in ("accuracy", "macro_f1")} for m in METRICS],
        "comparisons": [comparison(result_rows), comparison(result_rows, "size", control=algorithms[0])],
        "trees": [{"dataset": datasets[-1], "algorithm": algorithms[0], "leaves": 5, "size": 9,
                   "text": "petalwidth <= 0.6: <b>tight</b> (50.0)\npetalwidth > 0.6\n"
                           "|   petalwidth <= 1.7: loose & \"free\" (48.0/1.0)\n"
                           "|   petalwidth > 1.7: plain (46.0/1.0)\n"}],
        "versions": {"treeforge": "0.1.0", "python": "3.11.7", "numpy": "2.4.6"},
        "machine": {"system": "Linux", "processor": "a processor", "cores": 2, "memory": "24 GiB"},
        "warnings": ["glass: class 'tableware' has fewer members than there are folds"],
    }  # fmt: skip


def write_run(
    folder: Path, result_rows: list[dict[str, str]] | None = None, facts: dict[str, Any] | None = None
) -> Path:
    """The run folder on disk."""
    result_rows = rows() if result_rows is None else result_rows
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "results.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(result_rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(result_rows)
    (folder / "run.json").write_text(
        json.dumps(run(result_rows) if facts is None else facts), encoding="utf-8"
    )
    return folder
