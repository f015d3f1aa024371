#!/usr/bin/env python3
"""The table of goals: our trees beside those of other programs, in one run.

    python benchmarks/bench_trees.py [--only PART ...] [--skip SET ...] [--repeats N] [--slow]

Parts: trees, pruning, growth, memory, small, cells, suite, threads. One thread, training only, data in each
program's own container, CPU seconds (they suffer least from other work on the machine), medians of runs that
alternate between the programs. Ranking and coding the columns is counted for us. ``--slow`` adds Weka on
the two large sets, which takes an hour.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import peers
from data import HERE, SUITE, folds, fresh, load, matrix
from peers import Fit
from table import HEAD, bound, in_words, row

from treeforge.data import Dataset
from treeforge.experiment.cell import run_cell
from treeforge.experiment.experiment import Experiment, Task
from treeforge.learn.build import learner
from treeforge.learn.learner import Learner
from treeforge.plugin import registry

UNPRUNED: Mapping[str, Any] = {"pruner": "none"}
PRUNED: Mapping[str, Any] = {}
#: data set -> peer -> (must, aim): how many times as fast as the peer
TREES: dict[str, dict[str, tuple[float, float]]] = {
    "letter": {"j48": (40, 55), "sklearn": (6, 9), "ydf": (5, 7), "c5.0": (7, 11), "probe": (1 / 1.4, 1)},
    "waveform": {"j48": (12, 17), "sklearn": (8, 11), "c5.0": (7, 10), "probe": (1 / 1.4, 1)},
    "adult": {"j48": (20, 39), "sklearn": (5, 9.5), "c5.0": (4, 6.6)},
    "madelon": {"j48": (20, 28), "sklearn": (12, 17), "ydf": (7, 10), "probe": (1 / 1.4, 1)},
    "quest:1e6": {
        "j48": (450, 650),
        "sklearn": (15, 24),
        "ydf": (5, 8),
        "c5.0": (9, 13.5),
        "probe": (1 / 1.4, 1),
    },
    "covertype100k": {"j48": (120, 178)},
    # not beside the probe: called again on this set, it crashes
    "covertype": {"sklearn": (7, 11), "ydf": (7, 11), "c5.0": (22, 34)},
}
LARGE = ("quest:1e6", "covertype")
PEERS: dict[str, Callable[[Dataset], Fit | None]] = {
    "j48": lambda dataset: peers.weka_j48(dataset, unpruned=True),
    "sklearn": peers.sklearn_tree,
    "ydf": peers.ydf_cart,
    "c5.0": peers.c50,
    "probe": peers.probe,
}


def ours(dataset: Dataset, words: Mapping[str, Any], *, coded: bool = False) -> Fit:
    """One fit; unless ``coded``, of a data set whose columns nobody has ranked yet."""
    fitting = learner(words)

    def run() -> float:
        data = dataset if coded else fresh(dataset)
        start = time.process_time()
        fitting.fit(data)
        return time.process_time() - start

    return run


def alternating(fits: Sequence[Fit], repeats: int) -> list[float]:
    """The median of each, one run of each after the other; a slow one is not repeated often."""
    times: list[list[float]] = [[fit()] for fit in fits]
    for _ in range(repeats - 1):
        for fit, seen in zip(fits, times, strict=True):
            if sum(seen) < 20:
                seen.append(fit())
    return [statistics.median(seen[1:] or seen) for seen in times]


def trees(args: argparse.Namespace) -> None:
    """Unpruned trees beside the peers'."""
    for name, goals in TREES.items():
        if name in args.skip or (dataset := load(name)) is None:
            continue
        chosen = [p for p in goals if p in args.peers and (p != "j48" or name not in LARGE or args.slow)]
        found = {p: fit for p in chosen if (fit := PEERS[p](dataset)) is not None}
        times = alternating([ours(dataset, UNPRUNED), *found.values()], 3 if name in LARGE else args.repeats)
        for peer, seconds in zip(found, times[1:], strict=True):
            row(f"{name}, unpruned", times[0], peer, seconds, *goals[peer])
    if "j48" in args.peers and (letter := load("letter")) is not None:
        weka = peers.weka_j48(letter, unpruned=False)
        if weka is not None:
            times = alternating([ours(letter, PRUNED), weka], args.repeats)
            row("letter, pruned", times[0], "j48", times[1], 35, 50)


def pruning(args: argparse.Namespace) -> None:
    """What error-based pruning with subtree raising adds."""
    for name in ("letter", "waveform", "adult", "madelon", "quest:1e6", "covertype"):
        if (dataset := load(name)) is not None:
            fits = [ours(dataset, UNPRUNED), ours(dataset, PRUNED)]
            plain, pruned = alternating(fits, 3 if name in LARGE else args.repeats)
            bound(f"{name}: pruned / unpruned ({in_words(pruned)})", pruned / plain, "x", 1.3)


def growth(args: argparse.Namespace) -> None:
    """Exponent of time against rows, by least squares of the logarithms."""
    sizes = [10**4, 31623, 10**5, 316228, 10**6, 2 * 10**6]
    seconds = []
    for size in sizes:
        dataset = load(f"quest:{size}")
        assert dataset is not None
        seconds += alternating([ours(dataset, UNPRUNED)], args.repeats if size < 10**6 else 3)
    slope = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    bound(f"growth, 10^4 to 2*10^6 rows ({', '.join(map(in_words, seconds))})", float(slope), "", 1.10)


def memory(args: argparse.Namespace) -> None:
    """Peak of a process of its own while fitting a million rows, above the process with the data in it."""
    for words, most in ((UNPRUNED, 120), (PRUNED, 120)):
        code = f"import bench_trees; bench_trees.print_peak({dict(words)!r})"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=HERE, check=True, capture_output=True, text=True
        )
        bound(
            f"memory above the input, 10^6 rows, {'unpruned' if words else 'pruned'}",
            float(done.stdout),
            "MB",
            most,
        )


def print_peak(words: Mapping[str, Any]) -> None:
    dataset, small = load("quest:1e6"), load("quest:1e3")
    assert dataset is not None
    assert small is not None
    fitting = learner(words)
    fitting.fit(small)  # whatever is loaded on first use
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forget the peak so far
    before = _status("VmRSS")
    fitting.fit(dataset)
    print((_status("VmHWM") - before) / 1e6)


def _status(key: str) -> int:
    with open("/proc/self/status") as file:
        return 1024 * int(file.read().split(key + ":")[1].split()[0])


def small(args: argparse.Namespace) -> None:
    """One small fit from Python, a prediction, and a fold of both; scikit-learn beside it."""
    from sklearn.tree import DecisionTreeClassifier

    if (vote := load("vote")) is None:
        return
    fitting, default, (sample, test) = learner(UNPRUNED), learner(PRUNED), folds(vote.n_rows)[0]
    model = fitting.fit(vote)
    X, y = matrix(vote)
    X = X.astype(np.float32)
    other = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2).fit(X, y)

    def many(work: Callable[[], object]) -> Fit:
        def run() -> float:
            start = time.process_time()
            for _ in range(50):
                work()
            return (time.process_time() - start) / 50

        return run

    works: list[Callable[[], object]] = [
        lambda: fitting.fit(vote),
        lambda: model.predict_proba(vote),
        lambda: fitting.fit(vote, sample).predict_proba(vote, test),
        lambda: default.fit(vote),
        lambda: DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2).fit(X, y),
        lambda: other.predict_proba(X),
    ]
    times = alternating([many(work) for work in works], args.repeats)
    bound(f"vote: a fit (scikit-learn {in_words(times[4])})", times[0] * 1e3, "ms", 0.15)
    bound(f"vote: predict 435 rows (scikit-learn {in_words(times[5])})", times[1] * 1e3, "ms", 0.05)
    bound("vote: a fold, fit and predict", times[2] * 1e3, "ms", 0.3)
    bound("vote: a fit, pruned", times[3] * 1e3, "ms", 0.15 * 1.3)


def cells(args: argparse.Namespace) -> None:
    """What an experiment adds to its folds: cells of J48 on the small sets, with four metrics, not stored."""
    names = ("accuracy", "kappa", "auc", "leaves")
    metrics = {name: registry.load("metric", name)() for name in names}
    tasks = tuple(Task(name, dataset) for name in SUITE if (dataset := load(name)) is not None)
    todo = Experiment(tasks, {"j48": learner(PRUNED)}, metrics=metrics).cells

    def bare() -> None:
        for cell in todo:
            model = cell.learner.fit(cell.dataset, cell.split.sample, seed=cell.seed)
            model.predict_proba(cell.dataset, cell.split.test)

    def whole() -> None:
        for cell in todo:
            run_cell(replace(cell))  # a new one keeps nothing of the run before

    plain, full = alternating([peers.clocked(bare), peers.clocked(whole)], args.repeats)
    bound(f"{len(todo)} cells: a cell with its metrics", full / len(todo) * 1e3, "ms", 1.0)
    bound(f"{len(todo)} cells: of which not fit and predict", (full - plain) / len(todo) * 1e3, "ms", 0.3)


def suite(args: argparse.Namespace) -> None:
    """Ten folds of ten small sets with J48's four usual settings; scikit-learn's entropy tree beside it."""
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    sets = [dataset for name in SUITE if (dataset := load(name)) is not None]
    settings = [PRUNED, UNPRUNED, {"pruner": {"reduced_error": {}}}, {"splitter": {"c45": {"binary": True}}}]
    split = [folds(dataset.n_rows) for dataset in sets]
    tables = [matrix(dataset) for dataset in sets]
    tables = [(X.astype(np.float32), y) for X, y in tables]

    def run(chosen: Sequence[Mapping[str, Any]]) -> Fit:
        learners = [learner(words) for words in chosen]

        def work() -> None:
            for dataset, parts in zip(map(fresh, sets), split, strict=True):
                for sample, test in parts:
                    for fitting in learners:
                        fitting.fit(dataset, sample).predict_proba(dataset, test)

        return peers.clocked(work)

    def sklearn() -> None:
        for (X, y), parts in zip(tables, split, strict=True):
            tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
            cross_val_score(tree, X, y, cv=[(sample.rows, test) for sample, test in parts])

    if any(len(y) != dataset.n_rows for (_, y), dataset in zip(tables, sets, strict=True)):
        raise ValueError("a set of the suite has cases without a class")
    all_four, one, theirs = alternating(
        [run(settings), run(settings[:1]), peers.clocked(sklearn)], args.repeats
    )
    n = 10 * len(sets)
    row(f"suite: {n} fits and predictions, J48's tree", one, "sklearn", theirs, 9, 18)
    bound(f"suite: {4 * n} fits and predictions, four settings", all_four, "s", 0.63)


def threads(args: argparse.Namespace) -> None:
    """Wall time of a fit on two threads over one, where there are two processors."""
    if len(os.sched_getaffinity(0)) < 2 or (dataset := load("covertype")) is None:
        return

    def wall(fitting: Learner, n_threads: int) -> Fit:
        def run() -> float:
            data = fresh(dataset)
            start = time.perf_counter()
            fitting.fit(data, n_threads=n_threads)
            return time.perf_counter() - start

        return run

    for words, what in ((UNPRUNED, "unpruned"), (PRUNED, "pruned")):
        fitting = learner(words)
        one, two = alternating([wall(fitting, 1), wall(fitting, 2)], 7)
        row(f"covertype, {what}, two threads", two, "one thread", one, 1.6, 1.85)


PARTS = {f.__name__: f for f in (trees, pruning, growth, memory, small, cells, suite, threads)}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    arguments.add_argument(
        "--skip", nargs="*", choices=TREES, default=[], help="data sets to leave out of `trees`"
    )
    arguments.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    arguments.add_argument("--repeats", type=int, default=7)
    arguments.add_argument("--slow", action="store_true", help="Weka on a million rows as well")
    args = arguments.parse_args()
    load_before = os.getloadavg()[0]
    versions = {
        name: peers.version(name) for name in ("treeforge", "scikit-learn", "ydf", "python-weka-wrapper3")
    }
    print(", ".join(f"{k} {v or 'absent'}" for k, v in versions.items()), f"; load {load_before:.1f}")
    print(f"\n{HEAD}")
    for part in args.only:
        PARTS[part](args)
    print(f"\nload at the end {math.ceil(os.getloadavg()[0] * 10) / 10}")


if __name__ == "__main__":
    main()
