"""A real Dask cluster: a scheduler and two worker processes on this machine, one of which is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toys import Toy, experiment

from treeforge.errors import ParameterError, ResultError
from treeforge.experiment.engine import execute
from treeforge.experiment.runner import run
from treeforge.experiment.store import ResultStore

TESTS = Path(__file__).resolve().parent.parent


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ParameterError, match=r"needs Dask: pip install 'treeforge\[dask\]'"):
        list(execute(experiment().cells, engine="dask:tcp://127.0.0.1:1"))


@pytest.fixture
def cluster(tmp_path):
    """Address of the scheduler, and its two worker processes."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
        "DASK_DISTRIBUTED__DASHBOARD__LINK": "",
    }

    def start(*words):
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words, "--scheduler-file", str(file)],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    scheduler = start("scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1")
    workers = [start("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard") for _ in range(2)]
    try:
        from distributed import Client

        end = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < end
            assert scheduler.poll() is None
            time.sleep(0.1)
        with Client(scheduler_file=str(file), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        yield address, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def stable(folder):
    with ResultStore(folder) as store:
        return {r.key: r.stable() for r in store.results()}


@pytest.mark.slow
def test_cluster_of_two_of_which_one_is_killed_gives_the_same_results(tmp_path, cluster):
    address, workers = cluster
    exp = experiment({"one": Toy(seconds=0.02), "two": Toy("raise", only_seed=2)}, repeats=3, datasets=3)
    with ResultStore(tmp_path / "cluster") as store:
        for event in run(exp, store, engine=f"dask:{address}"):
            if event.kind == "cell" and event.done == 20:
                workers[0].send_signal(signal.SIGKILL)
    assert event.kind == "end"
    assert (event.done, event.failed) == (90, 15)
    assert workers[1].poll() is None
    with ResultStore(tmp_path / "here") as store:
        list(run(exp, store))
    assert stable(tmp_path / "cluster") == stable(tmp_path / "here")
    lines = [(tmp_path / where / "results.csv").read_text().splitlines() for where in ("cluster", "here")]
    assert [line.rpartition(",")[0] for line in lines[0]] == [line.rpartition(",")[0] for line in lines[1]]


@pytest.mark.slow
def test_time_limit_and_crash_on_a_cluster_fail_their_cells_only(cluster):
    address, _ = cluster
    learners = {
        "good": Toy(),
        "hang": Toy("hang", only_seed=2),
        "crash": Toy("crash", only_seed=2),
    }
    cells = experiment(learners, datasets=1, folds=2, repeats=2).cells
    for _ in range(2):  # the processes beside the workers were ended in between
        results = list(execute(cells, engine=f"dask:{address}", time_limit=2.0))
        failed = sorted((r.algorithm, r.repeat, r.reason) for r in results if not r.ok)
        assert failed == [
            *[("crash", 1, "the interpreter crashed with SIGSEGV")] * 2,
            *[("hang", 1, "stopped after the time limit of 2 seconds")] * 2,
        ]
        assert len(results) == 12


@pytest.mark.slow
def test_cluster_that_dies_ends_the_run_with_a_sentence(cluster, monkeypatch):
    from treeforge.experiment import cluster as module

    monkeypatch.setattr(module, "PATIENCE", 2.0)
    address, workers = cluster
    results = execute(experiment({"one": Toy(seconds=0.05)}).cells, engine=f"dask:{address}")
    next(results)
    for worker in workers:
        worker.kill()
    with pytest.raises(ResultError, match="has lost its last worker; finished cells are safe"):
        list(results)


@pytest.mark.slow
def test_data_go_to_the_cluster_once(cluster, monkeypatch):
    from distributed import Client

    address, _ = cluster
    sent, scatter = [], Client.scatter

    def counting(self, thing, **options):
        sent.append((thing.name, options["broadcast"]))
        return scatter(self, thing, **options)

    monkeypatch.setattr(Client, "scatter", counting)
    results = list(execute(experiment(datasets=3, repeats=2).cells, engine=f"dask:{address}"))
    assert len(results) == 60
    assert sent == [("d0", True), ("d1", True), ("d2", True)]


def test_nobody_answers(monkeypatch):
    pytest.importorskip("distributed")
    from treeforge.experiment import cluster as module

    monkeypatch.setattr(module, "PATIENCE", 0.5)
    with pytest.raises(ResultError, match="no Dask scheduler answers at"):
        list(execute(experiment().cells, engine="dask:tcp://127.0.0.1:9"))
