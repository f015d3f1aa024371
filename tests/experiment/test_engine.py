"""Threads, processes, and what goes wrong in them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toys import Toy, experiment

from treeforge.experiment.engine import execute
from treeforge.experiment.worker import Worker


def outcome(results):
    return {r.key: r.stable() for r in results}


def test_result_is_the_same_on_every_engine():
    cells = experiment(repeats=2).cells
    expected = outcome(execute(cells))
    assert len(expected) == 40
    for options in (
        {"workers": 8},
        {"workers": 2, "engine": "processes"},
        {"workers": 1, "engine": "processes"},
        {"workers": 2, "isolate": {cells[0].key}},
    ):
        assert outcome(execute(cells, **options)) == expected, options


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        ("crash", "the interpreter crashed with SIGSEGV"),
        ("die", "the interpreter ended with status 7"),
        ("hang", "stopped after the time limit of 0.5 seconds"),
        ("raise", "ValueError: a plugin's own mistake"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_trouble_fails_its_cell_only(trouble, reason, workers):
    bad = Toy(trouble, releases_gil=False, only_seed=2)  # in the second repeat
    cells = experiment({"bad": bad}, datasets=1, folds=2, repeats=3).cells
    results = list(execute(cells, workers=workers, time_limit=0.5))
    assert len(results) == 6
    assert sorted((r.repeat, r.status) for r in results) == sorted(
        (r, "failed" if r == 1 else "ok") for r in (0, 1, 2) for _ in range(2)
    )
    assert {r.reason.split(" (")[0] for r in results if not r.ok} == {reason}


def test_suspect_is_kept_out_of_this_process():
    cells = experiment(
        {"bad": Toy("crash", releases_gil=True, only_seed=2)}, datasets=1, folds=2, repeats=2
    ).cells
    results = list(execute(cells, isolate={c.key for c in cells if c.seed == 2}))
    assert [r.status for r in results] == ["ok", "ok", "failed", "failed"]


def test_data_go_to_a_worker_once(monkeypatch):
    given = []
    give = Worker._give
    monkeypatch.setattr(
        Worker, "_give", lambda self, name, data: (given.append(name), give(self, name, data))
    )
    sent = []

    from multiprocessing.connection import Connection

    send = Connection.send
    monkeypatch.setattr(Connection, "send", lambda self, thing: (sent.append(thing), send(self, thing)))
    cells = experiment(datasets=5).cells
    list(execute(cells, engine="processes"))
    assert len(given) == 50
    assert len([name for name, data in sent if data is not None]) == 5
    assert len([name for name, data in sent if data is None]) == 2


SCRIPT = """
import sys, time
sys.path.insert(0, {tests!r})
from toys import Toy, experiment
from treeforge.experiment.engine import execute
slow = Toy(seconds=60.0, releases_gil=False)
for result in execute(experiment({{"slow": slow}}).cells, workers=2, engine="processes"):
    pass
"""


def children(pid):
    out = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in out.stdout.split()]


def state(pid):
    """One letter; nothing for a process that is gone (Z: gone, but its new parent has not looked yet)."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process table")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_run(how):
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(tests=tests)], stderr=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while len(found := children(process.pid)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(1.0)
    assert len(found) == 2
    process.send_signal(how)
    process.wait(10)
    end = time.monotonic() + 20
    while {state(pid) for pid in found} - {"Z", ""} and time.monotonic() < end:
        time.sleep(0.05)
    assert not {state(pid) for pid in found} - {"Z", ""}


@pytest.mark.slow
def test_real_algorithms_give_the_same_bits_on_every_engine():
    from treeforge.data import read_arff
    from treeforge.experiment.experiment import Experiment, Task
    from treeforge.experiment.folds import CrossValidation
    from treeforge.learn.build import learner
    from treeforge.plugin import registry

    root = Path(__file__).resolve().parent.parent.parent
    words = {
        "C4.5": {"splitter": "c45"},
        "reduced": {"splitter": "c45", "pruner": "reduced_error"},
        "sklearn": {"estimator": "sklearn.tree.DecisionTreeClassifier", "parameters": {"max_features": 2}},
        "forest": {"estimator": "sklearn.ensemble.RandomForestClassifier", "parameters": {"n_estimators": 5}},
    }
    exp = Experiment(
        tuple(Task(n, read_arff(root / "arff_data" / f"{n}.arff")) for n in ("labor", "iris")),
        {name: learner(w) for name, w in words.items()},
        CrossValidation(3),
        {
            e.name: registry.load("metric", e.name)()
            for e in registry.entries("metric")
            if e.package == "treeforge"
        },
    )
    expected = outcome(execute(exp.cells, engine="threads"))
    assert len(expected) == 2 * 4 * 3
    assert all(record["status"] == "ok" for record in expected.values())
    for options in (
        {"workers": 8, "engine": "threads"},
        {"workers": 2},
        {"workers": 3, "engine": "processes"},
    ):
        assert outcome(execute(exp.cells, **options)) == expected, options
