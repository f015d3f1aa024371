"""What somebody needs to run the same again, as pairs of words and facts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from treeforge.report.data import ReportData

LABELS = {
    "command": "Command",
    "pipeline_file": "Pipeline file",
    "settings": "Settings",
    "started": "Started",
    "finished": "Finished",
    "seed": "Seed",
    "engine": "Engine",
    "workers": "Workers",
    "pipeline_hash": "Pipeline hash",
    "comparisons_hash": "Comparisons hash",
}


def facts(data: ReportData) -> list[tuple[str, str]]:
    """Single facts: command, seed, hashes, versions, machine; what run.json does not hold is not here."""
    found = [
        (label, _text(data.run[key]))
        for key, label in LABELS.items()
        if data.run.get(key) not in (None, "", [])
    ]
    for key, label in (("versions", "Versions"), ("machine", "Machine")):
        told = _mapping(data.run.get(key))
        if told:
            found.append((label, ", ".join(f"{k} {v}" for k, v in told.items())))
    return found


def parameters(data: ReportData) -> list[tuple[str, str]]:
    """Each algorithm with its resolved specification, a line of JSON for each part."""
    return [
        (
            str(a.get("name", "")),
            "\n".join(f"{k}: {json.dumps(v, ensure_ascii=False)}" for k, v in a["spec"].items()),
        )
        for a in data.run.get("algorithms") or ()
        if isinstance(a.get("spec"), Mapping)
    ]


def _text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
