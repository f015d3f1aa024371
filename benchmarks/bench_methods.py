#!/usr/bin/env python3
"""What the other splitters and the forests cost: every claim of the methods in one run.

    python benchmarks/bench_methods.py [--only PART ...] [--rows N] [--trees N] [--repeats N] [--peers NAME ...]

Parts: peers, growth, visits, exact, covertype, forests, amsd_forest. Measured as ``bench_trees.py`` measures, with
two differences: the least time of the runs is taken, not their median, and what more than one thread does is wall
time. ``--rows`` and ``--trees`` make a short run, whose ratios are not those of the claims.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jvm
import numpy as np
import peers
from bench_trees import ours
from clock import Fit, walled
from data import first_rows, fresh, load, matrix, unknown_as_category
from table import bound, in_words, print_parts, row

from treeforge.data import Dataset
from treeforge.learn.build import learner
from treeforge.plugin import Tree

MOMENTS = ("msd", "amsd", "vfc45")
ROWS = 2 * 10**6
EXACT_FOREST: Mapping[str, Any] = {}
AMSD_FOREST: Mapping[str, Any] = {"splitter": "amsd"}


def unpruned(splitter: str) -> dict[str, Any]:
    return {"splitter": splitter, "pruner": "none"}


def sized(name: str, args: argparse.Namespace) -> Dataset | None:
    """A data set, or what ``--rows`` leaves of it."""
    if name.startswith("quest:"):
        return load(f"quest:{min(int(float(name.partition(':')[2])), args.rows)}")
    found = load(name)
    return None if found is None else first_rows(found, args.rows)


def least(fits: Sequence[Fit], repeats: int) -> list[float]:
    """The least time of each, one run of each after the other; a slow one is not repeated often."""
    times: list[list[float]] = [[] for _ in fits]
    for _ in range(max(repeats, 1)):
        for fit, seen in zip(fits, times, strict=True):
            if not seen or sum(seen) < 30:
                seen.append(fit())
    return [min(seen) for seen in times]


# ---------------------------------------------------------------------- single trees


def beside_sklearn(args: argparse.Namespace) -> None:
    """Ranking, coding and growing, beside scikit-learn's entropy tree."""
    for name in ("waveform", "quest:1e6"):
        if (dataset := sized(name, args)) is None:
            continue
        fits = [*(ours(dataset, unpruned(s)) for s in MOMENTS), peers.sklearn_tree(dataset)]
        *times, theirs = least(fits, args.repeats)
        for splitter, seconds in zip(MOMENTS, times, strict=True):
            goal = (15, 20) if splitter != "vfc45" else (0, 0)
            row(f"{splitter} tree, {name}", seconds, "sklearn", theirs, *goal)


def growth(args: argparse.Namespace) -> None:
    """Exponent of time against rows, by least squares of the logarithms; with ranking the columns, and without."""
    sizes = [n for n in (10**4, 31623, 10**5, 316228, 10**6, 2 * 10**6) if n <= args.rows]
    sizes = sizes if len(sizes) > 1 else [args.rows // 2, args.rows]
    for splitter in MOMENTS:
        for coded in (False, True):
            seconds = []
            for size in sizes:
                dataset = load(f"quest:{size}")
                assert dataset is not None
                seconds += least([ours(dataset, unpruned(splitter), coded=coded)], args.repeats)
            slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
            what = (
                f"{splitter}: growth, {sizes[0]} to {sizes[-1]} rows, {'grow' if coded else 'rank and grow'}"
            )
            bound(f"{what} ({', '.join(map(in_words, seconds))})", slope, "", 1.05)


def visits(tree: Tree, n_inputs: int, min_split: float = 4.0) -> float:
    """Cases times inputs of all nodes for which tests were looked at."""
    weights = tree.distribution.sum(axis=1)
    mixed = weights - tree.distribution.max(axis=1) > 1e-6
    return float(weights[mixed & (weights >= min_split)].sum()) * n_inputs


def a_visit(args: argparse.Namespace) -> None:
    """Growing by the visit: to evaluate a node by one input, and to divide its cases."""
    for name in ("waveform", "letter", "adult", "quest:1e5", "quest:1e6", "covertype100k"):
        if (dataset := sized(name, args)) is None:
            continue
        splitters = ("c45", *MOMENTS)
        times = least([ours(dataset, unpruned(s), coded=True) for s in splitters], args.repeats)
        cost = {}
        for splitter, seconds in zip(splitters, times, strict=True):
            tree = learner(unpruned(splitter)).fit(dataset).fitted.tree  # type: ignore[union-attr]
            cost[splitter] = seconds / visits(tree, len(dataset.schema.input_indices)) * 1e9
        words = ", ".join(f"{s} {ns:.2f}" for s, ns in cost.items())
        bound(f"{name}: amsd / msd, a visit (ns: {words})", cost["amsd"] / cost["msd"], "x", 1.10)
        for splitter in MOMENTS:
            bound(f"{name}: {splitter} / our exact tree, a visit", cost[splitter] / cost["c45"], "x", 1.0)


def beside_exact(args: argparse.Namespace) -> None:
    """Whole fits beside our own exact C4.5 tree."""
    for name in ("waveform", "quest:1e6", "letter", "adult"):
        if (dataset := sized(name, args)) is None:
            continue
        exact, *times = least([ours(dataset, unpruned(s)) for s in ("c45", *MOMENTS)], args.repeats)
        for splitter, seconds in zip(MOMENTS, times, strict=True):
            must = (1.5, 1.9) if name == "waveform" and splitter != "vfc45" else (0, 0)
            row(f"{splitter} tree, {name}", seconds, "our exact tree", exact, *must)


def covertype(args: argparse.Namespace) -> None:
    """An AMSD tree on 100,000 rows, a small fraction of scikit-learn's time: taken as a fifth."""
    if (dataset := sized("covertype100k", args)) is not None:
        fits = [ours(dataset, unpruned("amsd")), peers.sklearn_tree(dataset)]
        seconds, theirs = least(fits, args.repeats)
        row("amsd tree, covertype-100k", seconds, "sklearn", theirs, 5, 10)


# ---------------------------------------------------------------------- forests


def forest(dataset: Dataset, words: Mapping[str, Any], n_trees: int, n_threads: int) -> Fit:
    """Ranking, coding and growing; sqrt(m) attributes a node, as scikit-learn draws."""
    ensemble = {"random_forest": {"trees": n_trees, "max_attributes": "sqrt"}}
    fitting = learner({**words, "ensemble": ensemble})

    def run() -> float:
        data = fresh(dataset)
        return _clock(n_threads, lambda: fitting.fit(data, n_threads=n_threads))

    return run


def sklearn_forest(dataset: Dataset, n_trees: int, n_threads: int) -> Fit:
    from sklearn.ensemble import RandomForestClassifier

    X, y = matrix(dataset)
    X = X.astype(np.float32)

    def run() -> float:
        other = RandomForestClassifier(
            n_trees, criterion="entropy", max_features="sqrt", n_jobs=n_threads, random_state=1
        )
        return _clock(n_threads, lambda: other.fit(X, y))

    return run


def peer_forest(peer: str, dataset: Dataset, n_trees: int, n_threads: int) -> Fit | None:
    """Another program's forest; Weka's in one thread alone."""
    if peer == "sklearn":
        return sklearn_forest(dataset, n_trees, n_threads)
    if n_threads > 1:
        return None
    n_attributes = int(len(dataset.schema.input_indices) ** 0.5)
    options = {"-I": n_trees, "-K": n_attributes, "-num-slots": 1}
    return jvm.weka_fit(dataset, jvm.FOREST, *(str(word) for pair in options.items() for word in pair))


def _clock(n_threads: int, work: Callable[[], object]) -> float:
    clock = time.process_time if n_threads == 1 else time.perf_counter
    start = clock()
    work()
    return clock() - start


#: data set -> peer -> (must, aim): how many times as fast as the peer
FORESTS: dict[str, dict[str, tuple[float, float]]] = {
    "letter": {"sklearn": (3.2, 4.5), "weka": (9, 13)},
    "adult": {"sklearn": (2.2, 2.9), "weka": (6, 7.8)},
    "adult, unknown a category": {"sklearn": (2.2, 2.9)},
    "covertype": {"sklearn": (2.6, 3.6), "weka": (17, 24)},
}
MOST_TREES = {"covertype": 10}


def forests(args: argparse.Namespace) -> None:
    """Exact random forests beside scikit-learn's and Weka's, and two threads beside one (all by the wall).

    On adult scikit-learn sends a case of unknown value down one branch, we send parts of it down all, which is
    more work: a second line takes "unknown" as a category, so that both do the same.
    """
    two = len(os.sched_getaffinity(0)) > 1
    for name, goals in FORESTS.items():
        if (dataset := sized(name.partition(",")[0], args)) is None:
            continue
        if "," in name:
            dataset = unknown_as_category(dataset)
        n_trees = min(args.trees, MOST_TREES.get(name, args.trees))
        what = f"forest of {n_trees}, {name}"
        for n_threads in (1, 2) if two else (1,):
            found = {
                peer: fit
                for peer in goals
                if peer in args.peers and (fit := peer_forest(peer, dataset, n_trees, n_threads)) is not None
            }
            fits = [forest(dataset, EXACT_FOREST, n_trees, n_threads), *found.values()]
            seconds, *theirs = least(fits, args.repeats)
            for peer, other in zip(found, theirs, strict=True):
                row(f"{what}, {n_threads} thread(s)", seconds, peer, other, *goals[peer])
        if two:
            fits = [walled(forest(dataset, EXACT_FOREST, n_trees, n)) for n in (1, 2)]
            one, both = least(fits, args.repeats)
            row(f"{what}, two threads, wall", both, "one thread", one, 1.85, 2)


def amsd_forest(args: argparse.Namespace) -> None:
    """RF-AMSD beside our exact forest: columns of many values, and, to compare, of few (letter)."""
    for name, goal in (("waveform", (1, 1.5)), ("quest:1e5", (1, 1.5)), ("letter", (0, 0))):
        if (dataset := sized(name, args)) is not None:
            fits = [forest(dataset, words, args.trees, 1) for words in (AMSD_FOREST, EXACT_FOREST)]
            seconds, exact = least(fits, args.repeats)
            row(f"RF-AMSD of {args.trees}, {name}", seconds, "our exact forest", exact, *goal)


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "peers": beside_sklearn,
    "growth": growth,
    "visits": a_visit,
    "exact": beside_exact,
    "covertype": covertype,
    "forests": forests,
    "amsd_forest": amsd_forest,
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    arguments.add_argument("--rows", type=int, default=ROWS, help="most rows of a data set, at least 100")
    arguments.add_argument("--trees", type=int, default=100, help="of a forest")
    arguments.add_argument("--repeats", type=int, default=5)
    arguments.add_argument("--peers", nargs="*", choices=("sklearn", "weka"), default=["sklearn", "weka"])
    args = arguments.parse_args()
    if args.rows < 100 or args.trees < 1:
        arguments.error("--rows must be at least 100, --trees at least 1")
    print_parts(f"scikit-learn {peers.version('scikit-learn')}", PARTS, args)


if __name__ == "__main__":
    main()
