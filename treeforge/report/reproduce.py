"""What somebody needs to run the same again, as pairs of words and facts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from treeforge.report.data import ReportData

LABELS = {
    "command": "Command",
    "started": "Started",
    "finished": "Finished",
    "seed": "Seed",
    "engine": "Engine",
    "workers": "Workers",
    "pipeline_hash": "Pipeline hash",
    "comparisons_hash": "Comparisons hash (declared before the run)",
}


def facts(data: ReportData) -> list[tuple[str, str]]:
    """Single facts: command, seed, hashes, versions, machine; what run.json does not hold is not here."""
    found = [
        (label, str(data.run[key])) for key, label in LABELS.items() if data.run.get(key) not in (None, "")
    ]
    found += [(f"Version of {k}", str(v)) for k, v in _mapping(data.run.get("versions")).items()]
    found += [(f"Machine: {k}", str(v)) for k, v in _mapping(data.run.get("machine")).items()]
    return found


def parameters(data: ReportData) -> list[tuple[str, str]]:
    """Each algorithm with its resolved specification as JSON."""
    return [
        (str(a.get("name", "")), json.dumps(a.get("spec"), ensure_ascii=False, indent=2))
        for a in data.run.get("algorithms") or ()
        if a.get("spec")
    ]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
