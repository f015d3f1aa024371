"""The folder of a run: where it is, and that nothing of the user's own is replaced in it."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from treeforge.errors import ResultError
from treeforge.report import FORMATS

#: what a run writes
NAMES = ("results.csv", "run.json", "trees.json", *(f"report{ending}" for ending in FORMATS.values()))


def default_folder(name: str) -> Path:
    """``runs/NAME`` for a name that is a file name everywhere; another one is changed, and told apart by a hash.

    Examples
    --------
    >>> default_folder("a/b").as_posix(), default_folder("study").as_posix()
    ('runs/a_b-c14cddc0', 'runs/study')
    """
    safe = re.sub(r"[^A-Za-z0-9_.-]", "_", name).strip(".")[:80]
    if safe != name:
        safe = f"{safe}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return Path("runs") / safe


def claim(folder: Path) -> None:
    """ResultError where a run would replace files that no run has written; other files may well be there."""
    taken = [name for name in NAMES if (folder / name).exists()]
    if taken and not _is_of_a_run(folder):
        own = " and ".join(f"'{name}'" for name in taken)
        raise ResultError(
            f"{own} in this folder would be replaced, and no run of TreeForge has written "
            f"{'it' if len(taken) == 1 else 'them'}: name another folder for the results",
            file=str(folder),
        )


def _is_of_a_run(folder: Path) -> bool:
    """Whether there are records of cells, or what says which run it was."""
    cells = folder / "cells"
    if cells.is_dir() and (
        (folder / ".lock").is_file()
        or any(re.fullmatch("[0-9a-f]{2}", shard.name) for shard in cells.iterdir())
    ):
        return True
    try:
        facts = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(facts, dict) and "pipeline_hash" in facts
