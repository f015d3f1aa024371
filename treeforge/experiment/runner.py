"""Run an experiment into a folder: what is there is kept, what is missing is computed, every step is told."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from treeforge.errors import ResultError
from treeforge.experiment.cell import Cell
from treeforge.experiment.changes import reasons
from treeforge.experiment.engine import check_engine, execute, runs_apart
from treeforge.experiment.experiment import Experiment
from treeforge.experiment.result import Result
from treeforge.experiment.schedule import Estimate, groups, recall, schedule
from treeforge.experiment.store import ResultStore
from treeforge.experiment.transport import check_portable

#: how often ``results.csv`` is written at most, and how many times longer than writing it the pause is
TABLE_SECONDS = 5.0
TABLE_SHARE = 50.0


@dataclass(frozen=True)
class Event:
    """One step of a run.

    Parameters
    ----------
    kind : {'start', 'warning', 'cell', 'end'}
    text : str
        A warning, why cells are computed anew, or what there is to know at the start and at the end.
    result : Result or None
        Of the cell that has just ended.
    done, failed, total : int
        Cells with a result, how many of these failed, and cells in all.
    seconds_left : float or None
        None while nothing has been measured.
    """

    kind: Literal["start", "warning", "cell", "end"]
    done: int
    failed: int
    total: int
    text: str = ""
    result: Result | None = None
    seconds_left: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """For ``--json``: one object a line."""
        facts: dict[str, Any] = {
            "event": self.kind,
            "done": self.done,
            "failed": self.failed,
            "total": self.total,
        }
        if self.text:
            facts["text"] = self.text
        if self.seconds_left is not None:
            facts["seconds_left"] = round(self.seconds_left, 3)
        if self.result is not None:
            r = self.result
            names = ("dataset", "algorithm", "repeat", "fold", "status", "reason", "metrics", "times")
            facts.update({name: getattr(r, name) for name in names})
        return facts


def run(
    experiment: Experiment,
    store: ResultStore,
    *,
    workers: int = 1,
    engine: str | None = None,
    time_limit: float | None = None,
    fresh: bool = False,
    retry_failed: bool = False,
    select: Callable[[Cell], bool] = lambda cell: True,
) -> Generator[Event, None, None]:
    """Compute what is missing and yield an event for each step.

    Close the generator (``contextlib.closing``) where the loop over it may be left early: that ends the workers.

    Parameters
    ----------
    experiment : Experiment
    store : ResultStore
        Results are stored in it as they come; ``results.csv`` is written at the start, from time to time, and at
        the end, also when the run is stopped.
    workers, engine, time_limit
        As for ``execute``.
    fresh : bool
        Forget the results that are there and compute all anew.
    retry_failed : bool
        Try cells again that failed before.
    select : callable
        Which cells to compute; the table has them all.
    """
    check_engine(engine, workers, time_limit)
    cells = experiment.cells
    wanted = [cell for cell in cells if select(cell)]
    if fresh:
        contents = {cell.content for cell in wanted}
        store.clear([r.key for r in store.results() if r.content in contents])
    found = schedule(cells, store, retry_failed=retry_failed, time_limit=time_limit)
    chosen = {cell.key for cell in wanted}
    missing = [cell for cell in found.missing if cell.key in chosen]
    cluster = engine is not None and engine.startswith("dask:")
    if cluster or workers > 1 or engine == "processes":
        check_portable(cell for cell in missing if cluster or runs_apart(cell, engine, time_limit))

    tally = _Tally(experiment, store, {r.key: r for r in (*found.done, *found.failed)}, missing, workers)
    for result in found.done:
        if store.get(result.key) is not result:  # renamed, or given another metric
            store.append(result)
    again = len(found.failed)
    yield tally.event(
        "start",
        f"{_cells(again)} failed before and will not be tried again without --retry-failed" if again else "",
    )
    why = reasons(missing, store.results())
    for warning in (*map(str, store.broken), *experiment.warnings, *why):
        yield tally.event("warning", warning)

    elsewhere: deque[Result] = deque()  # what another run on this folder has finished in the meantime

    def to_do() -> Iterator[Cell]:
        # runs that share a folder start from opposite ends and meet in the middle
        for cell in missing if store.alone else reversed(missing):
            if store.get(cell.key) is None and store.look(cell.key) is not None:
                result = recall(cell, store)
                if result is not None:
                    elsewhere.append(result)
                    continue
            yield cell

    # a run that died in the middle of a cell may have died of it: its algorithm is not trusted with this process
    shaky = {cell.algorithm for cell in missing if cell.key in store.suspects}
    try:
        tally.write_table()
        for result in execute(
            to_do(),
            workers=workers,
            engine=engine,
            time_limit=time_limit,
            isolate={cell.key for cell in missing if cell.algorithm in shaky},
            begin=lambda cell: store.begin(cell.key),
        ):
            store.append(result)
            yield tally.add(result)
            while elsewhere:
                yield tally.add(elsewhere.popleft())
            tally.refresh_table()
        while elsewhere:
            yield tally.add(elsewhere.popleft())
        store.flush()
    except BaseException:
        with contextlib.suppress(ResultError):  # the first error is the one to be told
            tally.write_table()
        raise
    tally.write_table()
    yield tally.event("end")


class _Tally:
    """Keeps count of a run, its remaining time, and its table."""

    def __init__(
        self,
        experiment: Experiment,
        store: ResultStore,
        current: dict[str, Result],
        missing: Sequence[Cell],
        workers: int,
    ) -> None:
        self._experiment = experiment
        self._store = store
        self._current = current
        self._keys = [cell.key for cell in experiment.cells]
        self._total = len(current) + len(missing)
        self._failed = sum(not r.ok for r in current.values())
        self._estimate = Estimate(store.results())
        self._groups = groups(missing)
        self._workers = workers
        self._left: float | None = None
        self._left_at = 0.0
        self._next_table = 0.0

    def add(self, result: Result) -> Event:
        self._current[result.key] = result
        self._failed += not result.ok
        self._estimate.add(result)
        group = self._groups[result.data_hash, result.algorithm]
        group.count -= 1
        return self.event("cell", result=result)

    def event(
        self, kind: Literal["start", "warning", "cell", "end"], text: str = "", result: Result | None = None
    ) -> Event:
        now = time.monotonic()
        if now > self._left_at + 0.2:
            self._left, self._left_at = self._estimate.total(self._groups.values(), self._workers), now
        left = 0.0 if kind == "end" else self._left
        return Event(kind, len(self._current), self._failed, self._total, text, result, left)

    def refresh_table(self) -> None:
        """Write the table now and then: after a kill it should not be far behind, and it should cost little."""
        start = time.monotonic()
        if start > self._next_table:
            self.write_table()
            end = time.monotonic()
            self._next_table = end + max(TABLE_SECONDS, TABLE_SHARE * (end - start))

    def write_table(self) -> None:
        rows = [self._current[key] for key in self._keys if key in self._current]
        self._store.write_table(rows, list(self._experiment.metrics))


def _cells(n: int) -> str:
    return "1 cell" if n == 1 else f"{n} cells"
