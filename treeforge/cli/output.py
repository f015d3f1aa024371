"""Where a command writes to: never one of the files that it reads."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from treeforge.errors import ParameterError


def spare(inputs: Iterable[Path | str | None], out: Path | str | None, word: str = "-o") -> None:
    """Refuse an output file that is one of the inputs, under whatever name; None and ``-`` are no files.

    ``word`` is what the command calls its output.

    Raises
    ------
    ParameterError
        Before anything is written.
    """
    if out is None or not os.path.exists(out):
        return
    for path in inputs:
        if path is not None and os.path.exists(path) and os.path.samefile(path, out):
            raise ParameterError(f"{out} is read by this command: name another file for {word}")
