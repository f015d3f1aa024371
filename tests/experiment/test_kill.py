"""kill -9 at random moments: nothing that was finished is lost, and the end is that of an undisturbed run."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toys import Toy, experiment

from treeforge.experiment.runner import run
from treeforge.experiment.store import ResultStore

TESTS = Path(__file__).resolve().parent.parent
ALGORITHMS = {"one": Toy(seconds=0.03), "two": Toy(smoothing=2.0), "bad": Toy("raise", only_seed=2)}
SCRIPT = f"""
import sys
sys.path.insert(0, {str(TESTS)!r})
from toys import Toy, experiment
from treeforge.experiment.runner import run
from treeforge.experiment.store import ResultStore
algorithms = {ALGORITHMS!r}
with ResultStore(sys.argv[1]) as store:
    for event in run(experiment(algorithms, repeats=10, datasets=4), store, workers=2, engine=sys.argv[2] or None):
        if event.kind == "cell":
            print(event.result.key, flush=True)
"""


def start(folder, engine):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), engine], stdout=subprocess.PIPE, text=True
    )


def outcome(folder):
    with ResultStore(folder) as store:
        found = {r.key: r.stable() for r in store.results()}
        assert not store.broken
    lines = (folder / "results.csv").read_text().splitlines()
    return found, [line.rpartition(",")[0] for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["", "processes"])
def test_run_killed_at_twenty_random_moments(tmp_path, engine):
    chance = random.Random(20)
    reported = set()
    computed_twice = 0
    for _ in range(20):
        process = start(tmp_path / "killed", engine)
        first = process.stdout.readline()  # it has begun; nothing when all is done already
        time.sleep(chance.random() * 0.3)
        process.send_signal(signal.SIGKILL)
        keys = (first + process.communicate()[0]).split()
        # what was reported as finished is never computed again, although nobody said goodbye
        computed_twice += len(reported & set(keys))
        reported.update(keys)
    assert computed_twice == 0
    process = start(tmp_path / "killed", engine)
    last = process.communicate()[0].split()
    assert process.returncode == 0
    assert not set(last) & reported

    exp = experiment(ALGORITHMS, repeats=10, datasets=4)
    with ResultStore(tmp_path / "undisturbed") as store:
        list(run(exp, store, workers=2))
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "undisturbed")
    assert len(outcome(tmp_path / "killed")[0]) == 600
    leftovers = [
        p for p in (tmp_path / "killed").rglob("*") if p.suffix == ".part" or p.parent.name == "running"
    ]
    assert not leftovers


@pytest.mark.slow
def test_two_runs_on_one_folder_at_the_same_time_of_which_one_is_killed(tmp_path):
    first, second = (start(tmp_path / "shared", "") for _ in range(2))
    first.stdout.readline()
    time.sleep(0.3)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    keys = second.communicate()[0].split()
    assert second.returncode == 0
    with ResultStore(tmp_path / "undisturbed") as store:
        list(run(experiment(ALGORITHMS, repeats=10, datasets=4), store, workers=2))
    again = start(tmp_path / "shared", "")
    assert again.communicate()[0] == ""
    assert outcome(tmp_path / "shared") == outcome(tmp_path / "undisturbed")
    assert len(keys) == len(set(keys))


@pytest.mark.slow
def test_crash_in_a_thread_is_the_cells_failure_on_the_second_run(tmp_path):
    """A native learner that is trusted with a thread and crashes takes the run along, once."""
    script = SCRIPT.replace(repr(ALGORITHMS), repr({"one": Toy(), "bad": Toy("crash", only_seed=3)}))
    script = script.replace("datasets=4", "datasets=1")
    command = [sys.executable, "-c", script, str(tmp_path), "threads"]
    counts = []
    for _ in range(2):
        process = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
        with ResultStore(tmp_path) as store:
            counts.append((process.returncode, len(store), sum(not r.ok for r in store.results())))
    assert counts[0][0] == -signal.SIGSEGV
    assert 0 < counts[0][1] < 100
    assert counts[1] == (0, 100, 5)  # the five folds of the third repeat
