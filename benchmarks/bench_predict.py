#!/usr/bin/env python3
"""Prediction beside other programs: rows a second of a tree and of a forest of 100, and a single row from Python.

    python benchmarks/bench_predict.py [--only PART ...] [--repeats N]

Parts: tree, forest, others, threads, single. ``others`` are YDF and Weka, which get the rows that their forests were
trained on, the rest is scikit-learn. Both sides predict class probabilities from a matrix in memory, scikit-learn
from the float32 that it converts to: 20,000 rows drawn at random, and the first ones as the file has them. Over few
rows again and again, or over neighbours that are alike, a processor learns by heart which way each row goes; new data
allow no such thing, and programs that branch at every test gain much from it (scikit-learn on the 5,000 rows of
waveform 1.7 times the speed). CPU seconds, medians of runs that alternate between the two; with threads wall time,
since that is what they are for.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import peers
from clock import Fit, alternating, clocked, walled
from data import load, matrix
from jvm import FOREST as WEKA_FOREST
from jvm import weka_predict
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from table import bound, print_parts, row

from treeforge.estimators import C45Classifier, ForestClassifier

SETS = ("letter", "waveform")
ROWS = 20_000
#: data set -> (must, aim): how many times as many rows a second as scikit-learn
TREE = {"letter": (2.5, 3.6), "waveform": (3, 5.3), "covertype": (2, 2.5)}
FOREST = {"letter": (2.5, 5), "waveform": (2.5, 5)}


def trees(X: Any, y: Any) -> tuple[Any, Any]:
    ours = C45Classifier(pruning="none").fit(X, y)
    return ours, DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=1).fit(X, y)


def forests(X: Any, y: Any) -> tuple[Any, Any]:
    return ForestClassifier(100).fit(X, y), RandomForestClassifier(100, random_state=1).fit(X, y)


def beside(
    what: str,
    make: Callable[[Any, Any], tuple[Any, Any]],
    goals: dict[str, tuple[float, float]],
    args: argparse.Namespace,
    jobs: int = 1,
) -> None:
    """Two lines for each data set, rows drawn and as they come: how many times as fast as scikit-learn."""
    for name, goal in goals.items():
        if (dataset := load(name)) is None:
            continue
        X, y = matrix(dataset)
        X = np.nan_to_num(np.ascontiguousarray(X))
        ours, theirs = make(X, y)
        ours.n_jobs = jobs
        if hasattr(theirs, "n_jobs"):
            theirs.n_jobs = jobs
        drawn = X[np.random.default_rng(1).integers(0, len(X), ROWS)]
        for order, rows in (("drawn", drawn), ("in order", X[:ROWS])):
            seconds = both(ours, theirs, rows, args.repeats, jobs)
            words = (
                f"{what} on {name}, rows {order}, n_jobs {jobs}: {len(rows) / seconds[0] / 1e6:.3g} M rows/s"
            )
            row(words, seconds[0], "sklearn", seconds[1], *goal)


def both(ours: Any, theirs: Any, X: Any, repeats: int, jobs: int) -> list[float]:
    """Seconds of a prediction, ours and scikit-learn's."""
    narrow, clock = X.astype(np.float32), clocked if jobs == 1 else walled
    # some tens of milliseconds a run, so that the clock's step does not count
    times = 1 if hasattr(theirs, "estimators_") else 5
    works: list[Fit] = [
        clock(lambda: again(times, ours.predict_proba, X)),
        clock(lambda: again(times, theirs.predict_proba, narrow)),
    ]
    return [seconds / times for seconds in alternating(works, repeats)]


def again(times: int, predict: Callable[[Any], Any], X: Any) -> None:
    """Predict, and let go of the answer: fresh memory for each would cost more than the trees do."""
    for _ in range(times):
        predict(X)


def tree(args: argparse.Namespace) -> None:
    """One tree."""
    beside("tree", trees, TREE, args)


def forest(args: argparse.Namespace) -> None:
    """A forest of 100."""
    beside("forest of 100", forests, FOREST, args)


def others(args: argparse.Namespace) -> None:
    """A forest of 100 on letter, the 20,000 rows as the file has them, beside YDF's and Weka's."""
    if (dataset := load("letter")) is None:
        return
    X, y = matrix(dataset)
    ours, X = ForestClassifier(100).fit(X, y), np.ascontiguousarray(X)
    them = {
        ("ydf", (5, 0)): peers.ydf_forest_predict(dataset, 100),
        ("weka", (12, 0)): weka_predict(dataset, WEKA_FOREST, "-I", "100", "-num-slots", "1"),
    }
    theirs = {name: fit for name, fit in them.items() if fit is not None}
    times = alternating([clocked(lambda: ours.predict_proba(X)), *theirs.values()], args.repeats)
    for (name, goal), seconds in zip(theirs, times[1:], strict=True):
        row(
            f"forest of 100 on letter: {len(X) / times[0] / 1e6:.3g} M rows/s", times[0], name, seconds, *goal
        )


def threads(args: argparse.Namespace) -> None:
    """The same on two threads, where there are two processors."""
    if len(os.sched_getaffinity(0)) < 2:
        return
    beside("tree", trees, {name: TREE[name] for name in SETS}, args, jobs=2)
    beside("forest of 100", forests, FOREST, args, jobs=2)


def single(args: argparse.Namespace) -> None:
    """One row from Python: microseconds a call of the estimator, and of the model below it."""
    for name in SETS:
        if (dataset := load(name)) is None:
            continue
        X, y = matrix(dataset)
        for what, make, most in (("tree", trees, 20.0), ("forest of 100", forests, 60.0)):
            ours, theirs = make(X, y)
            one, narrow = np.ascontiguousarray(X[:1]), X[:1].astype(np.float32)
            n = 2000 if make is trees else 100
            works: list[Fit] = [
                clocked(lambda m=ours, x=one, n=n: [m.predict(x) for _ in range(n)]),
                clocked(lambda m=ours.model_.fitted, x=one, n=n: [m.predict_codes(x) for _ in range(n)]),
                clocked(lambda m=theirs, x=narrow, n=n: [m.predict(x) for _ in range(n)]),
            ]
            found = [1e6 * seconds / n for seconds in alternating(works, args.repeats)]
            bound(
                f"{what} on {name}: a single row (the model alone {found[1]:.3g}, scikit-learn {found[2]:.4g} us)",
                found[0],
                "us",
                most,
            )


PARTS = {f.__name__: f for f in (tree, forest, others, threads, single)}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    arguments.add_argument("--repeats", type=int, default=7)
    args = arguments.parse_args()
    print_parts(f"scikit-learn {peers.version('scikit-learn')}", PARTS, args)


if __name__ == "__main__":
    main()
