"""Run cells on a Dask cluster that is there already. Each dataset goes to each of its workers once."""

from __future__ import annotations

import contextlib
import importlib
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any

from treeforge.data import Dataset
from treeforge.errors import ParameterError, ResultError
from treeforge.experiment.cell import Cell, run_cell, versions
from treeforge.experiment.result import Result
from treeforge.experiment.transport import pack, unpack
from treeforge.experiment.worker import KEPT, Worker

#: cells handed over for each thread of the cluster: enough that none waits, few enough to stop soon
AHEAD = 3
#: how often a cell is handed over again when the cluster lost it or its data
TRIES = 4
#: seconds to wait for an answer from the scheduler, and for a first worker
PATIENCE = 30.0
GONE = (
    "the Dask cluster is gone, or has lost its last worker; finished cells are safe, "
    "and the same command goes on from there"
)


def execute_on_cluster(
    cells: Iterable[Cell], address: str, *, time_limit: float | None = None
) -> Iterator[Result]:
    """Run cells on the cluster at an address and yield results as they come.

    With a time limit each thread of the cluster runs its cells in a process beside it, which can be stopped.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise ParameterError("the engine 'dask' needs Dask: pip install 'treeforge[dask]'") from None
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as fault:
        raise ResultError(f"no Dask scheduler answers at '{address}': {fault}") from None
    desk = _Desk(client, distributed, time_limit)
    try:
        desk.greet(address)
        yield from desk.run(iter(cells))
    finally:
        desk.close()


class _Desk:
    """Hands cells to the cluster, a few ahead, and takes results back."""

    def __init__(self, client: Any, distributed: Any, time_limit: float | None) -> None:
        self._client = client
        self._distributed = distributed
        self._time_limit = time_limit
        self._data: OrderedDict[str, Any] = OrderedDict()  # hash -> future of the dataset
        self._pending: dict[Any, tuple[Cell, int]] = {}  # future -> cell, how often it was handed over
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def greet(self, address: str) -> None:
        """Wait for a worker, and see that all have this version of treeforge."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ResultError(f"the Dask cluster at '{address}' has no workers") from None
        here = versions()["treeforge"]
        for worker, there in self._client.run(_version, on_error="return").items():
            if there != here:
                found = (
                    f"has treeforge {there}" if isinstance(there, str) else f"cannot load treeforge: {there}"
                )
                raise ResultError(f"the Dask worker {worker} {found}; this is treeforge {here}")

    def run(self, cells: Iterator[Cell]) -> Iterator[Result]:
        self._hand_over(cells)
        while self._pending:
            future = self._next()
            cell, tries = self._pending.pop(future)
            result = self._result(cell, future)
            if result is not None:
                yield result
                self._hand_over(cells)
            elif tries < TRIES:
                self._data.clear()  # its data may be what was lost
                with self._workers_or_end():
                    self._client.wait_for_workers(1, timeout=PATIENCE)
                self._submit(cell, tries + 1)
            else:
                yield cell.failed(f"the Dask cluster lost the cell {TRIES} times")

    @contextlib.contextmanager
    def _workers_or_end(self) -> Iterator[None]:
        try:
            yield
        except (TimeoutError, OSError):
            raise ResultError(GONE) from None

    def _next(self) -> Any:
        """The next future that is done. A cluster without workers is waited for, but not for ever."""
        end = None
        while True:
            try:
                return self._done.get(timeout=1.0)
            except queue.Empty:
                if self._client.status == "running" and self._client.nthreads():
                    end = None
                elif end is None:
                    end = time.monotonic() + PATIENCE
                elif time.monotonic() > end:
                    raise ResultError(GONE) from None

    def _hand_over(self, cells: Iterator[Cell]) -> None:
        room = AHEAD * max(1, sum(self._client.nthreads().values()))
        while len(self._pending) < room and (cell := next(cells, None)) is not None:
            self._submit(cell, 1)

    def _submit(self, cell: Cell, tries: int) -> None:
        data, datasets = pack(cell)
        futures = [self._scatter(name, dataset) for name, dataset in datasets.items()]
        future = self._client.submit(
            _run, data, list(datasets), self._time_limit, *futures, pure=False, key=f"cell-{cell.key}-{tries}"
        )
        self._pending[future] = cell, tries
        future.add_done_callback(self._done.put)

    def _scatter(self, name: str, dataset: Dataset) -> Any:
        if name not in self._data:
            with self._workers_or_end():
                self._data[name] = self._client.scatter(dataset, broadcast=True, hash=False)
        self._data.move_to_end(name)
        while len(self._data) > KEPT:  # cells under way keep what they need
            self._data.popitem(last=False)
        return self._data[name]

    def _result(self, cell: Cell, future: Any) -> Result | None:
        """What came of a cell; None when it was lost together with the worker that had it."""
        try:
            result: Result = future.result(timeout=PATIENCE)
            return result
        except self._distributed.KilledWorker:
            return cell.failed("the Dask workers that ran the cell died, one after another")
        except (CancelledError, TimeoutError):
            return None
        except Exception as fault:
            return cell.failed(f"{type(fault).__name__} on the Dask cluster: {fault}")

    def close(self) -> None:
        """Take back what is not done; the cluster itself goes on."""
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._pending))
            if self._time_limit is not None:
                self._client.run(_close_workers, on_error="ignore")
        self._client.close()


# what follows runs in the cluster's workers

_here = threading.local()
_workers: list[Worker] = []


def _version() -> str:
    return versions()["treeforge"]


def _run(data: bytes, names: list[str], time_limit: float | None, *datasets: Dataset) -> Result:
    cell: Cell = unpack(data, dict(zip(names, datasets, strict=True)))
    if time_limit is None:
        return run_cell(cell)
    if not hasattr(_here, "worker"):
        _here.worker = Worker()
        _workers.append(_here.worker)
    worker: Worker = _here.worker
    return worker.run(cell, time_limit)


def _close_workers() -> None:
    """End the processes beside this one; a thread's next cell starts another."""
    for worker in _workers:
        worker.interrupt()
