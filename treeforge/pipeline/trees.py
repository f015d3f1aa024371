"""The trees of a study on paper: each algorithm trained once more, on all rows of each data set, for reports.

Only what cells run inside this process is trained here (learners that release the lock): anything else could hang or
crash the run at its very end. Trees that were drawn before are taken from ``trees.json``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from treeforge.data import Dataset
from treeforge.errors import TreeForgeError
from treeforge.experiment.result import Result
from treeforge.export.svg import to_svg
from treeforge.export.text import to_text
from treeforge.learn.learner import Learner
from treeforge.pipeline.build import Study

#: Larger trees are counted, not printed: nobody reads them, and a page of them would not open.
MOST_LEAVES = 300
#: Larger trees have no picture.
MOST_LEAVES_DRAWN = 40
#: Larger data sets (rows x attributes) are left out: one more training on them is no small matter.
MOST_VALUES = 5_000_000


def write(study: Study, results: Sequence[Result], folder: Path, workers: int = 1) -> None:
    """Write ``trees.json``: a record for each data set and algorithm whose cells all went well, in the study's order.

    Each has ``key``, ``dataset``, ``algorithm``, ``leaves``, ``size``, and ``text`` and ``svg`` where they are small
    enough; where nothing could be drawn only the first three.
    """
    experiment = study.experiment
    status: dict[tuple[str, str], bool] = {}
    for result in results:
        pair = result.dataset, result.algorithm
        status[pair] = status.get(pair, True) and result.ok
    wanted: list[tuple[dict[str, Any], Learner, Dataset]] = []
    for task in experiment.tasks:
        data = experiment.scheme.inputs(task.dataset)
        if data.n_rows * len(data.schema.inputs) > MOST_VALUES:
            continue
        for name, learner in experiment.learners.items():
            single = isinstance(learner, Learner) and learner.ensemble is None and learner.releases_gil
            if isinstance(learner, Learner) and single and status.get((task.name, name)):
                key = _key(learner, data, experiment.seed)
                wanted.append(({"key": key, "dataset": task.name, "algorithm": name}, learner, data))
    before = _read(folder / "trees.json")

    def one(job: tuple[dict[str, Any], Learner, Dataset]) -> dict[str, Any]:
        names, learner, data = job
        return {**(before.get(names["key"]) or _draw(learner, data, experiment.seed)), **names}

    with ThreadPoolExecutor(max(1, workers)) as pool:
        drawn = list(pool.map(one, wanted))
    half = folder / f".trees.json.{os.getpid()}"
    half.write_text(json.dumps({"trees": drawn}, ensure_ascii=False) + "\n", encoding="utf-8")
    half.replace(folder / "trees.json")


def _draw(learner: Learner, data: Dataset, seed: int) -> dict[str, Any]:
    """The tree in words and as a picture; nothing where it cannot be trained on all rows or put on paper."""
    try:
        model = learner.fit(data, seed=seed)
        measures = model.measures()
        record: dict[str, Any] = {"leaves": int(measures["leaves"]), "size": int(measures["size"])}
        if record["leaves"] <= MOST_LEAVES:
            record["text"] = to_text(model)
        if record["leaves"] <= MOST_LEAVES_DRAWN:
            record["svg"] = to_svg(model)
    except (TreeForgeError, KeyError):
        return {}
    return record


def _key(learner: Learner, data: Dataset, seed: int) -> str:
    words = json.dumps([learner.spec(), data.content_hash, seed], sort_keys=True)
    return hashlib.sha256(words.encode()).hexdigest()


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Earlier records by key."""
    try:
        return {record["key"]: record for record in json.loads(path.read_text(encoding="utf-8"))["trees"]}
    except (OSError, ValueError, KeyError, TypeError):  # none yet, or damaged: drawn again
        return {}
