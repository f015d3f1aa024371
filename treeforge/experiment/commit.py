"""Files that were written are made to last, many at a time, by a thread behind.

An fsync costs from half a millisecond to ten: one for each small file would cost more than many a cell does. One
syncfs makes a whole batch last; only then are its files renamed, so that a power cut, too, leaves under the final
name all of a file or nothing. Until then a file stands complete under another name: the death of the process loses
nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

#: seconds that a batch gathers at least, and how many times longer than syncing it does
PAUSE = 0.1
SHARE = 4.0
#: files that may wait; beyond, whoever adds one waits
MOST = 5000

Rename = tuple[str, str]


class Committer:
    """Makes files of one folder last, and gives them their names.

    Parameters
    ----------
    folder : path
        The files are in it, or below.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[Rename] = []
        self._busy = False
        self._closed = False
        self._fault: OSError | None = None
        self._changed = threading.Condition()
        self._hurry = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, part: str, path: str) -> None:
        """Take charge of a complete file."""
        with self._changed:
            while len(self._waiting) >= MOST:
                self._changed.wait()
            self._waiting.append((part, path))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="committer", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def flush(self) -> None:
        """Wait until all files have their names and last."""
        with self._changed:
            self._hurry.set()
            while self._waiting or self._busy:
                self._changed.wait()
            self._hurry.clear()

    def close(self) -> None:
        """Flush, and end the thread."""
        self.flush()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def fault(self) -> OSError | None:
        """What went wrong since this was last asked."""
        fault, self._fault = self._fault, None
        return fault

    def _work(self) -> None:
        pause = PAUSE
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
            self._hurry.wait(pause)
            with self._changed:
                batch, self._waiting, self._busy = self._waiting, [], True
                self._changed.notify_all()
            start = time.monotonic()
            try:
                self._commit(batch)
            except OSError as fault:
                self._fault = fault
            pause = max(PAUSE, SHARE * (time.monotonic() - start))
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _commit(self, batch: Sequence[Rename]) -> None:
        if not sync_filesystem(self._folder):
            for part, _ in batch:
                sync(part)
        for part, path in batch:
            os.replace(part, path)
        if not sync_filesystem(self._folder):
            for folder in {os.path.dirname(path) for _, path in batch}:
                with contextlib.suppress(OSError):  # some systems cannot do that with a folder
                    sync(folder)


def sync(path: str) -> None:
    """Make a file, or the names in a folder, last."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_filesystem(folder: Path) -> bool:
    """Make everything in the folder's file system last; False where there is no such call."""
    try:
        call = ctypes.CDLL(None, use_errno=True).syncfs
    except (AttributeError, OSError, TypeError):
        return False
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if call(descriptor) == 0:
            return True
        number = ctypes.get_errno()
    finally:
        os.close(descriptor)
    if number in (errno.ENOSYS, errno.EINVAL):
        return False
    raise OSError(number, os.strerror(number), str(folder))
