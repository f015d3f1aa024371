"""The results of a run on disk: one small file a finished cell, which no accident can take back.

Layout of a run folder, as far as this module writes it::

    cells/3f/3f09...e1.json    one record, named by its key; complete, or not there
    cells/3f/.3f09...e1.4711-0.part    one being written; a killed run leaves them, the next one takes up what is whole
    running/4711-...           keys that a run has begun inside its own process
    results.csv                the table made from the records
    .lock                      held, shared, by every run on the folder

A record is written to a ``.part`` file at once, so killing the process loses nothing; ``commit`` makes it last.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import itertools
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from treeforge.errors import ResultError
from treeforge.experiment.commit import Committer
from treeforge.experiment.journal import Journal
from treeforge.experiment.lock import FolderLock
from treeforge.experiment.result import Result

KEY_COLUMNS = ("dataset", "algorithm", "repeat", "fold", "status", "reason")
_CLOSE_ON_EXEC = getattr(os, "O_CLOEXEC", 0)
_REPEATED = {"spec": "algorithm", "metric_specs": "algorithm", "versions": "algorithm", "classes": "dataset"}
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class Broken:
    """A record that cannot be trusted; it will be computed again and replaced."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}; computed again"


class ResultStore:
    """Results in a folder. Several processes may write to it at the same time.

    Parameters
    ----------
    folder : path
        Made when it does not exist.
    wait : float
        Seconds to wait for the folder's lock.

    Attributes
    ----------
    alone : bool
        Whether no other run had the folder open when this one opened it.
    broken : list of Broken
        Records that were found damaged.
    suspects : set of str
        Keys that were begun inside a process which then died: one of them may have killed it.
    """

    def __init__(self, folder: Path | str, *, wait: float = 30.0) -> None:
        self.folder = Path(folder)
        self.broken: list[Broken] = []
        self.suspects: set[str] = set()
        self._results: dict[str, Result] = {}
        self._by_content: dict[str, str] = {}
        self._shared: dict[tuple[str, str], Any] = {}
        self._number = itertools.count()
        self._committer = Committer(self.folder)
        self._cells = os.path.join(self.folder, "cells")
        self._journal = Journal(self.folder / "running", lambda key: os.path.exists(self._path(key)))
        try:
            (self.folder / "cells").mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.folder / ".lock", wait)
        except OSError as fault:
            raise ResultError(f"cannot be used for results: {fault.strerror}", file=str(folder)) from None
        try:
            self._made = {entry.path for entry in os.scandir(self._cells)}
            self.alone = self._lock.alone
            if self.alone:
                self._take_up()
                self._lock.share()
            self.refresh()
        except BaseException:
            self._lock.close()
            raise
        self._open = True

    # reading

    def refresh(self) -> None:
        """Read what others have added since."""
        known = set(self._results)
        self.broken = []
        for shard in sorted(os.listdir(self._cells)):
            with contextlib.suppress(NotADirectoryError):
                for name in sorted(os.listdir(os.path.join(self._cells, shard))):
                    key, ending = os.path.splitext(name)
                    if ending == ".json" and key not in known:
                        self._read(key, os.path.join(self._cells, shard, name))

    def look(self, key: str) -> Result | None:
        """A result, also one that another run has added meanwhile."""
        if key not in self._results:
            path = self._path(key)
            if os.path.exists(path):
                self._read(key, path)
        return self._results.get(key)

    def get(self, key: str) -> Result | None:
        """A result that was there when the folder was last read, or was added here."""
        return self._results.get(key)

    def same_content(self, content: str) -> Result | None:
        """A result of the same computation, whatever its names."""
        key = self._by_content.get(content)
        return None if key is None else self._results[key]

    def results(self) -> tuple[Result, ...]:
        """Everything in the folder, current or not, in order of names."""
        found = self._results.values()
        return tuple(sorted(found, key=lambda r: (r.dataset, r.algorithm, r.repeat, r.fold, r.key)))

    def __len__(self) -> int:
        return len(self._results)

    def _read(self, key: str, path: str) -> None:
        try:
            with open(path, "rb", buffering=0) as file:
                result = Result.decode(file.read())
            if result.key != key:
                raise ResultError("holds the record of another cell")
        except FileNotFoundError:
            return
        except (OSError, ValueError, ResultError) as fault:
            self.broken.append(Broken(Path(path), str(fault)))
            return
        self._remember(result)

    def _remember(self, result: Result) -> None:
        # records of an algorithm repeat its specification, and so on: kept once, a long study fits in memory
        same = {}
        for name, owner in _REPEATED.items():
            value = getattr(result, name)
            last = self._shared.setdefault((name, getattr(result, owner)), value)
            same[name] = last if last == value else value
        result = replace(result, **same)
        self._results[result.key] = result
        if result.ok:
            self._by_content[result.content] = result.key

    # writing

    def append(self, result: Result) -> None:
        """Store a result, in place of an older one of the same key. It survives the death of this process at once.

        Raises ResultError when it cannot be written; whatever was stored before is safe.
        """
        self._raise_fault()
        path = self._path(result.key)
        shard = os.path.dirname(path)
        part = os.path.join(shard, f".{result.key}.{os.getpid()}-{next(self._number)}.part")
        data = result.encode()
        try:
            if shard not in self._made:
                os.makedirs(shard, exist_ok=True)
                self._made.add(shard)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSE_ON_EXEC, 0o666)
            try:
                _write(descriptor, data)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(part)
                raise
            finally:
                os.close(descriptor)
        except OSError as fault:
            raise self._error(fault) from None
        self._committer.add(part, path)
        self._remember(result)

    def flush(self) -> None:
        """Wait until everything that was stored has reached the disk under its final name."""
        self._committer.flush()
        self._raise_fault()

    def begin(self, key: str) -> None:
        """Note that a cell is computed inside this process: should it crash, the next run will be careful."""
        with contextlib.suppress(OSError):  # a full disk shows when the result is written
            self._journal.begin(key)

    def write_table(self, results: Iterable[Result], metrics: Sequence[str]) -> Path:
        """Write ``results.csv``: one row a cell, a column a metric, empty where it is undefined."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow([*KEY_COLUMNS, *metrics])
        for r in results:
            values = [r.value(metric) for metric in metrics]
            rows.writerow(
                [r.dataset, r.algorithm, r.repeat, r.fold, r.status, r.reason]
                + ["" if value is None else repr(value) for value in values]
            )
        path = self.folder / "results.csv"
        part = self.folder / f".results.{os.getpid()}-{next(self._number)}.part"
        try:
            with open(part, "x", encoding="utf-8", newline="") as file:
                file.write(text.getvalue())
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except OSError as fault:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise self._error(fault) from None
        return path

    def clear(self, keys: Iterable[str]) -> None:
        """Forget results, on disk too."""
        self.flush()
        for key in keys:
            if self._results.pop(key, None) is not None:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self._path(key))
        self._by_content = {r.content: key for key, r in self._results.items() if r.ok}

    def close(self) -> None:
        """Flush, and let go of the folder."""
        if not self._open:
            return
        self._open = False
        try:
            self._committer.close()
            self._raise_fault()
        finally:
            self._journal.close()
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _path(self, key: str) -> str:
        return f"{self._cells}{os.sep}{key[:2]}{os.sep}{key}.json"

    def _raise_fault(self) -> None:
        fault = self._committer.fault()
        if fault is not None:
            raise self._error(fault)

    def _error(self, fault: OSError) -> ResultError:
        why = "the disk is full" if fault.errno in _FULL else fault.strerror or str(fault)
        return ResultError(
            f"a result cannot be written: {why}; what was written before is safe, "
            "and the same command goes on from there",
            file=str(self.folder),
        )

    def _take_up(self) -> None:
        """Finish the parts that are whole, remove the others, and read which cells were under way."""
        for part in self.folder.glob("cells/*/.*.part"):
            try:
                key = Result.decode(part.read_bytes()).key
                os.replace(part, self._path(key))
            except (OSError, ValueError, ResultError):
                with contextlib.suppress(OSError):
                    part.unlink()
        for part in self.folder.glob(".results.*.part"):
            with contextlib.suppress(OSError):
                part.unlink()
        self.suspects = self._journal.take_up()


def _write(descriptor: int, data: bytes) -> None:
    """All of it: a write that is cut short says nothing."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
