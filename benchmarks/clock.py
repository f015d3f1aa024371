"""How time is taken: a function runs once and returns seconds; those to be compared take turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

Fit = Callable[[], float]


def clocked(work: Callable[[], object]) -> Fit:
    """CPU seconds of this process."""
    return _by(time.process_time, work)


def walled(work: Callable[[], object]) -> Fit:
    """Seconds on the wall: of what more than one thread or process does."""
    return _by(time.perf_counter, work)


def _by(clock: Callable[[], float], work: Callable[[], object]) -> Fit:
    def run() -> float:
        start = clock()
        work()
        return clock() - start

    return run


def alternating(fits: Sequence[Fit], repeats: int) -> list[float]:
    """The median of each, one run of each after the other; a slow one is not repeated often.

    The first run of each does not count where there are others.
    """
    times: list[list[float]] = [[fit()] for fit in fits]
    for _ in range(repeats - 1):
        for fit, seen in zip(fits, times, strict=True):
            if sum(seen) < 20:
                seen.append(fit())
    return [statistics.median(seen[1:] or seen) for seen in times]
