"""``run.json``: what was run, on what, with what; see docs/run-folder.md."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from treeforge.compare import Comparison
from treeforge.data import Dataset
from treeforge.errors import ResultError
from treeforge.experiment.cell import versions
from treeforge.experiment.experiment import Task
from treeforge.experiment.result import Result
from treeforge.pipeline.build import Study

FORMAT = 1


def now() -> str:
    """The time of day, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write(
    folder: Path,
    study: Study,
    results: Sequence[Result],
    comparisons: Sequence[Comparison],
    warnings: Sequence[str],
    facts: Mapping[str, Any],
) -> None:
    """Write ``run.json`` in one step, so that a reader sees a whole one."""
    record = describe(study, results, comparisons, warnings, facts)
    half = folder / f".run.json.{os.getpid()}"
    half.write_text(
        json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8"
    )
    half.replace(folder / "run.json")


def read(folder: Path) -> dict[str, Any]:
    """``run.json`` of a folder; ResultError when there is none, or it is damaged."""
    path = folder / "run.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ResultError("no run has come to its end here: there is no run.json", file=str(folder)) from None
    except (OSError, ValueError) as wrong:
        raise ResultError(f"cannot be read: {wrong}", file=str(path)) from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise ResultError("is no run record of this version", file=str(path))
    return facts


def describe(
    study: Study,
    results: Sequence[Result],
    comparisons: Sequence[Comparison],
    warnings: Sequence[str],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """The record as a mapping."""
    pipeline, experiment = study.pipeline, study.experiment
    declared = [dict(comparison.words) for comparison in study.comparisons]
    return {
        "format": FORMAT,
        "name": pipeline.name,
        **{key: value for key, value in facts.items() if value not in ("", None)},
        "finished": now(),
        "seed": pipeline.seed,
        "pipeline": pipeline.plain,
        "pipeline_text": pipeline.text,
        "pipeline_hash": pipeline.text_hash,
        "comparisons_hash": _hash(declared),
        "evaluation": experiment.scheme.spec(),
        "datasets": [_dataset(task, experiment.splits[task.name].hash) for task in experiment.tasks],
        "algorithms": [
            {
                "name": entry.name,
                "spec": experiment.learners[entry.name].spec(),
                **({"factors": dict(entry.factors)} if entry.factors else {}),
            }
            for entry in pipeline.algorithms
        ],
        "metrics": [
            {"name": name, "larger_is_better": metric.larger_is_better, "unit": _unit(name)}
            for name, metric in experiment.metrics.items()
        ],
        "comparisons": [comparison.to_dict() for comparison in comparisons],
        "versions": versions(),
        "machine": machine(),
        "warnings": list(warnings),
    }


def _hash(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _unit(metric: str) -> str:
    return "s" if metric.endswith("_seconds") else "B" if metric.endswith("_bytes") else ""


def _dataset(task: Task, split_hash: str) -> dict[str, Any]:
    data = task.dataset
    return {
        "name": task.name,
        "path": data.source,
        "hash": data.content_hash,
        "rows": data.n_rows,
        "attributes": len(data.schema.inputs),
        "numeric": sum(a.is_numeric for a in data.schema.inputs),
        "nominal": sum(a.is_nominal for a in data.schema.inputs),
        "classes": len(data.schema.classes),
        "unknown": _unknown(data),
        "split_hash": split_hash,
    }


def _unknown(data: Dataset) -> int:
    """How many values of inputs are unknown."""
    total = 0
    for place in data.schema.input_indices:
        column = data.columns[place]
        if column.dtype == np.float64:
            total += int(np.isnan(column).sum())
        elif column.dtype == np.int32:
            total += int((column < 0).sum())
        else:
            total += sum(value is None for value in column)
    return total


def machine() -> dict[str, Any]:
    """The machine, in general terms: no name, no user."""
    facts: dict[str, Any] = {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
    }
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        facts["memory"] = f"{memory / 2**30:.0f} GiB"
    except (AttributeError, ValueError, OSError):
        pass
    return facts


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
