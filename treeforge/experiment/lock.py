"""The lock of a run folder: every run holds a share of it; who finds nobody else has it alone for a moment."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

from treeforge.errors import ResultError

try:
    import fcntl
except ImportError:  # not on Windows; runs there cannot see one another
    fcntl = None  # type: ignore[assignment]


class FolderLock:
    """Held from its making to ``close``, or to the death of the process, whatever kills it.

    Parameters
    ----------
    path : path
        The file that carries the lock.
    wait : float
        Seconds to wait for somebody who has it alone.

    Attributes
    ----------
    alone : bool
        Whether nobody else held it. Then nobody gets it until ``share``.
    """

    def __init__(self, path: Path, wait: float) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            self.alone = self._take(path, wait)
        except BaseException:
            self.close()
            raise

    def _take(self, path: Path, wait: float) -> bool:
        if fcntl is None:
            return True
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            pass
        end = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return False
            except OSError as fault:
                if fault.errno not in (errno.EAGAIN, errno.EACCES):
                    return False  # a file system without locks: rather not alone
                if time.monotonic() > end:
                    raise ResultError(
                        f"another run has kept this folder locked for {wait:g} seconds", file=str(path.parent)
                    ) from None
                time.sleep(0.02)

    def share(self) -> None:
        """Let others in."""
        if fcntl is not None and self.alone:
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def close(self) -> None:
        """Let go of it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
