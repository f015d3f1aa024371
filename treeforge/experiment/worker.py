"""A worker process: the program that runs in it, and the handle on it.

Not ``multiprocessing``: its pools end when one worker crashes, cannot stop a single task, and import the user's script
once more in every worker.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import OrderedDict
from multiprocessing.connection import Connection
from traceback import format_exc

from treeforge.data import Dataset
from treeforge.errors import ResultError
from treeforge.experiment.cell import Cell, run_cell
from treeforge.experiment.result import Result
from treeforge.experiment.transport import pack, unpack

#: datasets that a worker keeps; cells come data set by data set, so few are enough
KEPT = 3
#: seconds for a worker to start and to import what a cell needs
PATIENCE = 120.0
READY = "ready"
#: a cell is measured as the work of one thread: numerical libraries start no others, unless the user wants it so
ONE_CORE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Worker:
    """A spawned process that runs one cell after another, and may be stopped or crash at any time.

    Used by one thread, which must live as long as the worker does; only ``kill`` is for others.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._send: Connection
        self._receive: Connection
        self._has: OrderedDict[str, None] = OrderedDict()
        self._killed = False

    def run(self, cell: Cell, time_limit: float | None = None) -> Result:
        """The result of a cell; a crash, or a cell that does not end in time, is a failed result."""
        try:
            data, datasets = pack(cell)
        except Exception as fault:
            return cell.failed(f"the cell cannot be sent to a process ({type(fault).__name__}: {fault})")
        self._start()
        try:
            for name, dataset in datasets.items():
                self._give(name, dataset)
            self._send.send_bytes(data)
            if not self._receive.poll(PATIENCE):
                self.close()
                return cell.failed(f"a worker process could not load the cell within {PATIENCE:g} seconds")
            answer = self._receive.recv()
            if answer is None:  # it has loaded the cell: its time runs from here
                if not self._receive.poll(time_limit):
                    self.close()
                    assert time_limit is not None
                    return cell.failed(
                        f"stopped after the time limit of {time_limit:g} seconds",
                        time_limit=time_limit,
                        times={"wall_seconds": time_limit},
                    )
                answer = self._receive.recv()
        except (EOFError, OSError):
            return cell.failed(self._bury())
        return answer if isinstance(answer, Result) else cell.failed(*answer)

    def kill(self) -> None:
        """End the process for good. Whoever waits for it gets a failed result at once."""
        self._killed = True
        self.interrupt()

    def interrupt(self) -> None:
        """End the process. The cell in it fails; the next one starts another process."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the process, whatever it does; the next cell starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for end in (self._send, self._receive):
                with contextlib.suppress(OSError):
                    end.close()

    def _bury(self) -> str:
        """How a process ended that closed its end of the pipe."""
        process = self._process
        assert process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        status = process.poll()
        self.close()
        if status is None:
            return "the process hung up without ending"
        if status >= 0:
            return f"the interpreter ended with status {status}"
        name = signal.Signals(-status).name
        hint = " (when memory runs out, the system does this)" if name == "SIGKILL" else ""
        return f"the interpreter crashed with {name}{hint}"

    def _give(self, name: str, dataset: Dataset) -> None:
        """Make sure that the process has a dataset, and has not too many."""
        if name in self._has:
            self._has.move_to_end(name)
            return
        self._send.send((name, dataset))
        self._has[name] = None
        while len(self._has) > KEPT:
            self._send.send((self._has.popitem(last=False)[0], None))

    def _start(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                return
            self.close()  # it was interrupted between two cells
        task_end, task = os.pipe()
        answer, answer_end = os.pipe()
        # the parent's own path first: plugins may be importable only because of where the run was started
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from treeforge.experiment.worker import serve; serve({task_end}, {answer_end}, {os.getpid()})"
        )
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", program],
                env={**ONE_CORE, **os.environ},
                pass_fds=(task_end, answer_end),
                stdin=subprocess.DEVNULL,
            )
        finally:
            os.close(task_end)
            os.close(answer_end)
        self._send, self._receive = Connection(task, readable=False), Connection(answer, writable=False)
        self._has.clear()
        self._process = process
        if self._killed:
            process.kill()
        try:
            if self._receive.poll(PATIENCE) and self._receive.recv() == READY:
                return
        except (EOFError, OSError):
            pass
        raise ResultError(f"worker processes do not start: {self._bury()}")


def serve(tasks: int, answers: int, parent: int) -> None:
    """The program of a worker process: read cells, run them, send results, until the parent hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    os.dup2(2, 1)  # a plugin that prints must not write into the run's own output
    receive, send = Connection(tasks, writable=False), Connection(answers, readable=False)
    if sys.platform == "linux":
        # the reader below cannot help while a native plugin holds the GIL, the kernel can
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            return
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(receive, messages), daemon=True).start()
    datasets: dict[str, Dataset] = {}
    send.send(READY)
    while True:
        message = messages.get()
        try:
            thing = unpack(message, datasets)
        except BaseException as fault:
            send.send(
                (f"{type(fault).__name__} while a worker process loaded the cell: {fault}", format_exc())
            )
            continue
        if not isinstance(thing, Cell):
            name, dataset = thing
            if dataset is None:
                datasets.pop(name, None)
            else:
                datasets[name] = dataset
            continue
        send.send(None)
        send.send(run_cell(thing))


def _read(receive: Connection, messages: queue.SimpleQueue[bytes]) -> None:
    """Take in messages while the main thread computes; when the parent is gone, so is this process."""
    try:
        while True:
            messages.put(receive.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)
