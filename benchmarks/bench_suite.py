#!/usr/bin/env python3
"""Small sets: one fit from Python, ten folds of ten sets with four settings, and what an experiment adds to them.

    python benchmarks/bench_suite.py [--only PART ...] [--repeats N]

Parts: small, suite, workers, cells. Medians of runs that alternate between the programs; CPU seconds of one thread, and
on two workers seconds on the wall.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import peers
from bench_trees import PRUNED, UNPRUNED
from clock import Fit, alternating, clocked, walled
from data import SUITE, folds, fresh, load, matrix
from jvm import weka_suite
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier
from table import bound, in_words, print_parts, row

from treeforge.data import Dataset
from treeforge.experiment.cell import run_cell
from treeforge.experiment.engine import execute
from treeforge.experiment.experiment import Experiment, Task
from treeforge.learn.build import learner
from treeforge.plugin import registry

#: J48's tree, and three more: the words of a pipeline, and Weka's options for the same (not -R: there J48 stops)
SETTINGS: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "j48": (PRUNED, ""),
    "unpruned": (UNPRUNED, "-U"),
    "no raising": ({"pruner": {"error_based": {"subtree_raising": False}}}, "-S"),
    "binary": ({"splitter": {"c45": {"binary": True}}}, "-B"),
}
#: scikit-learn's, of which it has other ones: the first is the one to compare J48's tree with
THEIRS: Sequence[Mapping[str, Any]] = (
    {"criterion": "entropy", "min_samples_leaf": 2},
    {"criterion": "entropy"},
    {"criterion": "entropy", "min_samples_leaf": 2, "ccp_alpha": 0.01},
    {"criterion": "gini", "min_samples_leaf": 2},
)


def sets() -> list[Dataset]:
    """The ten sets; none where the shared folder is not there."""
    found = [dataset for name in SUITE if (dataset := load(name)) is not None]
    if any((dataset.class_codes < 0).any() for dataset in found):
        raise ValueError("a set of the suite has cases without a class: scikit-learn's folds would be others")
    return found


def small(args: argparse.Namespace) -> None:
    """One small fit from Python, a prediction, and a fold of both; scikit-learn beside it."""
    if (vote := load("vote")) is None:
        return
    fitting, default, (sample, test) = learner(UNPRUNED), learner(PRUNED), folds(vote.n_rows)[0]
    model = fitting.fit(vote)
    X, y = matrix(vote)
    X = X.astype(np.float32)
    other = DecisionTreeClassifier(**THEIRS[0]).fit(X, y)
    works: list[Callable[[], object]] = [
        lambda: fitting.fit(vote),
        lambda: model.predict_proba(vote),
        lambda: fitting.fit(vote, sample).predict_proba(vote, test),
        lambda: default.fit(vote),
        lambda: DecisionTreeClassifier(**THEIRS[0]).fit(X, y),
        lambda: other.predict_proba(X),
    ]
    many = [clocked(lambda work=work: [work() for _ in range(50)]) for work in works]
    times = [seconds / 50 for seconds in alternating(many, args.repeats)]
    bound(f"vote: a fit (scikit-learn {in_words(times[4])})", times[0] * 1e3, "ms", 0.15)
    bound(f"vote: predict 435 rows (scikit-learn {in_words(times[5])})", times[1] * 1e3, "ms", 0.05)
    bound("vote: a fold, fit and predict", times[2] * 1e3, "ms", 0.3)
    bound("vote: a fit, pruned", times[3] * 1e3, "ms", 0.15 * 1.3)


def suite(args: argparse.Namespace) -> None:
    """Cross-validations in one thread: J48's tree alone, and all four settings.

    Weka's folds are made before its clock starts, and its predictions are not scored; scikit-learn's are.
    """
    if not (found := sets()):
        return
    parts = [folds(dataset.n_rows) for dataset in found]
    tests = [(dataset, [test for _, test in split]) for dataset, split in zip(found, parts, strict=True)]

    def ours(names: Sequence[str]) -> Fit:
        learners = [learner(SETTINGS[name][0]) for name in names]

        def work() -> None:
            for dataset, split in zip(map(fresh, found), parts, strict=True):
                for sample, test in split:
                    for fitting in learners:
                        fitting.fit(dataset, sample).predict_proba(dataset, test)

        return clocked(work)

    for n, goals in ((1, {"sklearn": (9, 18), "weka": (10, 20)}), (4, {"sklearn": (7, 11), "weka": (6, 9)})):
        names = list(SETTINGS)[:n]
        options = [SETTINGS[name][1] for name in names]
        them = {
            ("sklearn", goals["sklearn"]): clocked(cross_validations(found, n, 1)),
            ("weka, a new JVM", goals["weka"]): weka_suite(tests, options, warm=0.0),
            ("weka, a warm JVM", (0, 0)): weka_suite(tests, options),
        }
        theirs = {name: fit for name, fit in them.items() if fit is not None}
        times = alternating([ours(names), *theirs.values()], args.repeats)
        what = f"suite: {10 * len(found) * n} fits and predictions, {', '.join(names)}"
        for (name, goal), seconds in zip(theirs, times[1:], strict=True):
            row(what, times[0], name, seconds, *goal)
    bound("suite: the same", times[0], "s", 0.63)


def cross_validations(found: Sequence[Dataset], n_settings: int, n_jobs: int) -> Callable[[], None]:
    """scikit-learn's, of matrices that are there already."""
    prepared = []
    for dataset in found:
        X, y = matrix(dataset)
        split = [(sample.rows, test) for sample, test in folds(dataset.n_rows)]
        prepared.append((X.astype(np.float32), y, split))

    def work() -> None:
        for X, y, split in prepared:
            for words in THEIRS[:n_settings]:
                cross_val_score(DecisionTreeClassifier(**words), X, y, cv=split, n_jobs=n_jobs)

    return work


def workers(args: argparse.Namespace) -> None:
    """The suite as an experiment on two workers, its accuracies included, where there are two processors."""
    if len(os.sched_getaffinity(0)) < 2 or not (found := sets()):
        return
    metrics = {"accuracy": registry.load("metric", "accuracy")()}
    learners = {name: learner(words) for name, (words, _) in SETTINGS.items()}

    def ours(n_workers: int) -> Fit:
        def work() -> None:
            tasks = tuple(Task(dataset.name, fresh(dataset)) for dataset in found)
            for result in execute(Experiment(tasks, learners, metrics=metrics).cells, workers=n_workers):
                if not result.ok:
                    raise RuntimeError(result.reason)

        return walled(work)

    theirs = walled(cross_validations(found, len(SETTINGS), 2))
    two, one, sklearn = alternating([ours(2), ours(1), theirs], args.repeats)
    what = f"suite: {10 * len(found) * len(SETTINGS)} cells on two workers, wall"
    row(what, two, "sklearn, n_jobs 2", sklearn, 8, 13)
    row(what, two, "one worker", one, 1.85, 2)
    bound(what, two, "s", 0.34)


def cells(args: argparse.Namespace) -> None:
    """What an experiment adds to its folds: cells of J48 on the small sets, with four metrics, not stored."""
    if not (found := sets()):
        return
    metrics = {name: registry.load("metric", name)() for name in ("accuracy", "kappa", "auc", "leaves")}
    tasks = tuple(Task(dataset.name, dataset) for dataset in found)
    todo = Experiment(tasks, {"j48": learner(PRUNED)}, metrics=metrics).cells

    def bare() -> None:
        for cell in todo:
            model = cell.learner.fit(cell.dataset, cell.split.sample, seed=cell.seed)
            model.predict_proba(cell.dataset, cell.split.test)

    def whole() -> None:
        for cell in todo:
            run_cell(replace(cell))  # a new one keeps nothing of the run before

    plain, full = alternating([clocked(bare), clocked(whole)], args.repeats)
    bound(f"{len(todo)} cells: a cell with its metrics", full / len(todo) * 1e3, "ms", 1.0)
    bound(f"{len(todo)} cells: of which not fit and predict", (full - plain) / len(todo) * 1e3, "ms", 0.3)


PARTS = {f.__name__: f for f in (small, suite, workers, cells)}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    arguments.add_argument("--repeats", type=int, default=7)
    args = arguments.parse_args()
    print_parts(f"scikit-learn {peers.version('scikit-learn')}", PARTS, args)


if __name__ == "__main__":
    main()
