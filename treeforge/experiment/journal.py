"""Which cells are being computed inside the run's own process: should it crash, one of them may be the culprit."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path


class Journal:
    """One file of keys for each run that is going on, or that died, in a folder.

    Parameters
    ----------
    folder : path
    is_done : callable
        Whether a key has a record.
    """

    def __init__(self, folder: Path, is_done: Callable[[str], bool]) -> None:
        self._folder = folder
        self._is_done = is_done
        self._old: list[tuple[Path, list[str]]] = []
        self._path = folder / f"{os.getpid()}-{time.time_ns()}"
        self._file: int | None = None

    def take_up(self) -> set[str]:
        """Keys that runs which died had begun and not finished. Nobody else may be writing."""
        for path in self._folder.glob("*"):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                self._old.append((path, path.read_text().splitlines()))
        return {key for _, keys in self._old for key in keys if not self._is_done(key)}

    def begin(self, key: str) -> None:
        """Note a key, at the cost of one small write."""
        if self._file is None:
            self._folder.mkdir(exist_ok=True)
            self._file = os.open(
                self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o666
            )
        os.write(self._file, f"{key}\n".encode())

    def close(self) -> None:
        """End this run's file, and those of dead runs whose cells have all been computed since."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            self._old.append((self._path, []))
        for path, keys in self._old:
            if all(map(self._is_done, keys)):
                with contextlib.suppress(OSError):
                    path.unlink()
