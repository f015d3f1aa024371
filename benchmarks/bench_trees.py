#!/usr/bin/env python3
"""Our trees beside those of other programs, in one run.

    python benchmarks/bench_trees.py [--only PART ...] [--skip SET ...] [--peers PEER ...] [--repeats N] [--slow]

Parts: trees, pruning, growth, memory, threads. One thread, training only, data in each program's own container, CPU
seconds (they suffer least from other work on the machine), medians of runs that alternate between the programs.
Ranking and coding the columns is counted for us. ``--slow`` adds Weka on the two large sets: one cold run of each,
which takes many minutes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import peers
from clock import Fit, alternating
from data import HERE, fresh, load
from jvm import J48, WARM, weka_fit
from table import bound, in_words, print_parts, row

from treeforge.data import Dataset
from treeforge.learn.build import learner
from treeforge.learn.learner import Learner

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
    "covertype": {"j48": (0, 0), "sklearn": (7, 11), "ydf": (7, 11), "c5.0": (22, 34), "xgboost": (2.5, 4)},
}
#: the same for pruned trees
PRUNED_TREES = {"letter": {"j48": (35, 50), "c5.0": (7, 11)}}
LARGE = ("quest:1e6", "covertype")
PEERS: dict[str, Callable[[Dataset], Fit | None]] = {
    "j48": lambda dataset: weka_fit(dataset, J48, "-U", warm=WARM if dataset.n_rows < 300_000 else 0.0),
    "sklearn": peers.sklearn_tree,
    "ydf": peers.ydf_cart,
    "c5.0": peers.c50,
    "xgboost": peers.xgboost_hist,
    "probe": peers.probe,
}
PRUNED_PEERS = {**PEERS, "j48": lambda dataset: weka_fit(dataset, J48)}


def ours(dataset: Dataset, words: Mapping[str, Any], *, coded: bool = False) -> Fit:
    """One fit; unless ``coded``, of a data set whose columns nobody has ranked yet."""
    fitting = learner(words)

    def run() -> float:
        data = dataset if coded else fresh(dataset)
        start = time.process_time()
        fitting.fit(data)
        return time.process_time() - start

    return run


def trees(args: argparse.Namespace) -> None:
    """Trees beside the peers': unpruned, and pruned where there is a goal for these."""
    beside(args, TREES, PEERS, UNPRUNED, "unpruned")
    beside(args, PRUNED_TREES, PRUNED_PEERS, PRUNED, "pruned")


def beside(
    args: argparse.Namespace,
    goals: Mapping[str, Mapping[str, tuple[float, float]]],
    programs: Mapping[str, Callable[[Dataset], Fit | None]],
    words: Mapping[str, Any],
    what: str,
) -> None:
    for name, ratios in goals.items():
        slow = name in LARGE and not args.slow
        chosen = [p for p in ratios if p in args.peers and not (p == "j48" and slow)]
        if name in args.skip or not chosen or (dataset := load(name)) is None:
            continue
        found = {p: fit for p in chosen if (fit := programs[p](dataset)) is not None}
        times = alternating([ours(dataset, words), *found.values()], 3 if name in LARGE else args.repeats)
        for peer, seconds in zip(found, times[1:], strict=True):
            row(f"{name}, {what}", times[0], peer, seconds, *ratios[peer])


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


PARTS = {f.__name__: f for f in (trees, pruning, growth, memory, threads)}


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
    versions = {
        name: peers.version(name)
        for name in ("treeforge", "scikit-learn", "ydf", "xgboost", "python-weka-wrapper3")
    }
    print_parts(", ".join(f"{k} {v or 'absent'}" for k, v in versions.items()), PARTS, args)


if __name__ == "__main__":
    main()
