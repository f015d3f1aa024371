"""Who runs the cells: this process, its threads, spawned processes, or a Dask cluster. The results are the same."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field

from treeforge.errors import ParameterError, PluginError
from treeforge.experiment.cell import Cell, run_cell
from treeforge.experiment.result import Result
from treeforge.experiment.transport import check_portable
from treeforge.experiment.worker import Worker

ENGINES = ("threads", "processes")
#: seconds that a stopped run waits for cells on threads
GRACE = 1.0
#: seconds between looks for results where cells are small: to be woken for each would hold the threads up, as Python
#: runs in one of them at a time (400 cells of 0.3 ms on two workers: 121 ms, and 107 with pauses)
PAUSE = 0.004


@dataclass
class _Desk:
    """Where threads fetch cells and hand in results."""

    cells: Iterator[Cell]
    isolated: Callable[[Cell], bool]
    time_limit: float | None
    begin: Callable[[Cell], None]
    lock: threading.Lock = field(default_factory=threading.Lock)
    results: queue.SimpleQueue[Result | BaseException | None] = field(default_factory=queue.SimpleQueue)
    stopped: bool = False
    workers: list[Worker] = field(default_factory=list)

    def take(self) -> tuple[Cell, bool] | None:
        with self.lock:
            cell = None if self.stopped else next(self.cells, None)
            if cell is None:
                return None
            apart = self.isolated(cell)
            if not apart:
                self.begin(cell)
            return cell, apart

    def work(self) -> None:
        """One thread's day; None says that it is over."""
        hand_in = self.results.put
        worker = Worker()
        self.workers.append(worker)
        try:
            while (task := self.take()) is not None:
                cell, apart = task
                hand_in(worker.run(cell, self.time_limit) if apart else run_cell(cell))
        except BaseException as fault:
            hand_in(fault)
        finally:
            worker.close()
            hand_in(None)

    def stop(self) -> None:
        self.stopped = True
        for worker in self.workers:
            worker.kill()


def runs_apart(cell: Cell, engine: str | None, time_limit: float | None) -> bool:
    """Whether a cell is run in a process of its own: there it can be stopped, and a crash harms nobody else."""
    if engine is None:
        return time_limit is not None or not cell.learner.releases_gil
    return engine == "processes"


def execute(
    cells: Iterable[Cell],
    *,
    workers: int = 1,
    engine: str | None = None,
    time_limit: float | None = None,
    isolate: Container[str] = (),
    begin: Callable[[Cell], None] = lambda cell: None,
) -> Iterator[Result]:
    """Run cells and yield their results as they come.

    Parameters
    ----------
    cells : iterable of Cell
        Taken one by one, when somebody is free to run it.
    workers : int
        How many at a time.
    engine : {None, 'threads', 'processes', 'dask:ADDRESS'}
        None runs a cell on a thread when its learner releases the GIL and there is no time limit, and in a
        spawned process otherwise.
    time_limit : float, optional
        Seconds that one cell may take; threads cannot be stopped, so they cannot have one.
    isolate : container of str
        Keys of cells that must not run inside this process, whatever the engine.
    begin : callable
        Told of each cell that is about to run inside this process.
    """
    if engine is not None and engine.startswith("dask:"):
        from treeforge.experiment.cluster import execute_on_cluster

        yield from execute_on_cluster(cells, engine.removeprefix("dask:"), time_limit=time_limit)
        return
    check_engine(engine, workers, time_limit)

    tied: dict[int, bool] = {}  # learners that cannot travel; the metrics of all cells are the same

    def isolated(cell: Cell) -> bool:
        apart = cell.key in isolate or runs_apart(cell, engine, time_limit)
        if not apart or workers > 1 or engine is not None:
            return apart
        if id(cell.learner) not in tied:
            try:
                check_portable([cell])
                tied[id(cell.learner)] = False
            except PluginError:  # something from a notebook, say: with one worker it need not travel
                tied[id(cell.learner)] = True
        return not tied[id(cell.learner)]

    desk = _Desk(iter(cells), isolated, time_limit, begin)
    yield from _serial(desk) if workers == 1 else _parallel(desk, workers)


def check_engine(engine: str | None, workers: int, time_limit: float | None) -> None:
    """ParameterError when this is no way to run cells."""
    if engine is not None and engine not in ENGINES and not engine.startswith("dask:"):
        raise ParameterError(f"there is no engine '{engine}' (engines: {', '.join(ENGINES)}, dask:ADDRESS)")
    if engine == "threads" and time_limit is not None:
        raise ParameterError("threads cannot be stopped: a time limit needs the engine 'processes'")
    if workers < 1:
        raise ParameterError(f"workers must be at least 1, not {workers}")


def _serial(desk: _Desk) -> Iterator[Result]:
    """In this very thread: no hand-over to pay for, and a debugger can follow."""
    worker = Worker()
    try:
        while (task := desk.take()) is not None:
            cell, apart = task
            yield worker.run(cell, desk.time_limit) if apart else run_cell(cell)
    finally:
        worker.close()


def _parallel(desk: _Desk, workers: int) -> Iterator[Result]:
    # daemons: a run that is stopped does not wait for a long fit on a thread
    threads = [threading.Thread(target=desk.work, name=f"cells-{i}", daemon=True) for i in range(workers)]
    for thread in threads:
        thread.start()
    running = len(threads)
    try:
        while running:
            if desk.results.empty():
                time.sleep(PAUSE)
            result = desk.results.get()
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result
    except KeyboardInterrupt:
        _stop(desk, threads)
        while not desk.results.empty():  # what was finished meanwhile; killed workers' cells count as failed
            late = desk.results.get()
            if isinstance(late, Result) and late.ok:
                yield late
        raise
    finally:
        _stop(desk, threads)


def _stop(desk: _Desk, threads: list[threading.Thread]) -> None:
    """Take no more cells, and give those under way a moment to end."""
    desk.stop()
    end = time.monotonic() + GRACE
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
