"""CPU seconds of whole fits -> measured.json: what ``fit_seconds`` of a run leaves out is in them.

    python docs/papers/costs.py                 # the data sets of the folder `shared`, or where TREEFORGE_SHARED is

A run codes the columns of a data set once, for all its cells, and counts that to none of them. A search for cuts needs
the order of the values, so here each fit starts from a data set that nobody has looked at. One thread; the methods take
turns; the median of the rounds.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import figures

from treeforge.data import Dataset, read_arff
from treeforge.learn.build import learner

ROOT = figures.HERE.parent.parent
SHARED = Path(os.environ.get("TREEFORGE_SHARED", ROOT.parent / "shared"))
FILES = {"adult": "adult.arff.gz", "covertype-100k": "covertype-100k.arff.gz"}
FOREST = {"random_forest": {"trees": 100}}
#: algorithm -> its words, and how many rounds it takes part in
METHODS: dict[str, tuple[Mapping[str, Any], int]] = {
    "C4.5": ({"splitter": "c45"}, 7),
    "MSD": ({"splitter": "msd"}, 7),
    "AMSD": ({"splitter": "amsd"}, 7),
    "VFC4.5": ({"splitter": "vfc45"}, 7),
    "RF-AMSD": ({"splitter": "amsd", "ensemble": FOREST, "pruner": "none"}, 1),
    "RF": ({"splitter": "c45", "ensemble": FOREST, "pruner": "none"}, 1),
}


def seconds(dataset: Dataset, methods: Mapping[str, tuple[Mapping[str, Any], int]]) -> dict[str, list[float]]:
    """CPU seconds of each fit, method by method."""
    learners = {name: learner(words) for name, (words, _) in methods.items()}
    times: dict[str, list[float]] = {name: [] for name in methods}
    for i in range(max(rounds for _, rounds in methods.values())):
        for name, (_, rounds) in methods.items():
            if i < rounds:
                fresh = replace(dataset)  # one that has not been coded
                start = time.process_time()
                learners[name].fit(fresh)
                times[name].append(time.process_time() - start)
    return times


def main() -> None:
    missing = [
        str(SHARED / "datasets" / f) for f in FILES.values() if not (SHARED / "datasets" / f).is_file()
    ]
    if missing:
        raise SystemExit(
            f"there is no {' and no '.join(missing)}; TREEFORGE_SHARED may say where the folder is"
        )
    entry: dict[str, Any] = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"treeforge": version("treeforge")},
        "load": os.getloadavg()[0],
        "datasets": {},
        "results": {},
    }
    for name, file in FILES.items():
        path = SHARED / "datasets" / file
        dataset = read_arff(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        entry["datasets"][name] = {"rows": dataset.n_rows, "sha256": digest}
        entry["results"][name] = {
            method: {"seconds": float(f"{statistics.median(times):.4g}"), "rounds": len(times)}
            for method, times in seconds(dataset, METHODS).items()
        }
        print(name, entry["results"][name], flush=True)
    figures.keep("costs", entry)


if __name__ == "__main__":
    main()
