"""Learners and metrics that do as little as an experiment can stand on, or misbehave on purpose."""

from __future__ import annotations

import ctypes
import os
import time
from dataclasses import dataclass

import numpy as np

from treeforge.data import Attribute, Dataset, Schema
from treeforge.experiment.experiment import Experiment, Task
from treeforge.experiment.folds import CrossValidation
from treeforge.plugin import Metric


@dataclass(frozen=True)
class Frequencies:
    """Predicts the class frequencies of the training rows."""

    table: np.ndarray
    answer: object = None
    counts: object = None

    def predict_proba(self, dataset, rows=None, n_threads=1):
        n = dataset.n_rows if rows is None else len(rows)
        return np.tile(self.table, (n, 1)) if self.answer is None else self.answer

    def measures(self):
        return {"leaves": 1, "size": 1, "depth": 0} if self.counts is None else self.counts


@dataclass(frozen=True)
class Toy:
    """The learner; ``trouble`` says what goes wrong, ``on`` in which fold's first test row it does."""

    trouble: str = ""
    smoothing: float = 1.0
    releases_gil: bool = True
    seconds: float = 0.0
    only_seed: int = 0

    def spec(self):
        return {"toy": self.trouble, "smoothing": self.smoothing, "seconds": self.seconds}

    def fit(self, dataset, sample=None, *, seed=1, n_threads=1):
        codes = dataset.class_codes[sample.rows]
        counts = np.bincount(codes[codes >= 0], minlength=len(dataset.schema.classes)) + self.smoothing
        if self.seconds:
            time.sleep(self.seconds)
        model = Frequencies(counts / counts.sum())
        if self.only_seed and seed != self.only_seed:
            return model
        match self.trouble:
            case "raise":
                raise ValueError("a plugin's\nown mistake")
            case "exit":
                raise SystemExit(3)
            case "hang":
                time.sleep(3600)
            case "crash":
                ctypes.string_at(0)
            case "die":
                os._exit(7)
            case "none":
                return None
            case "shape":
                return Frequencies(counts, answer=np.ones((3, 99)))
            case "nan":
                return Frequencies(counts * np.nan)
            case "two":
                return Frequencies(counts / counts.sum() * 2)
            case "text":
                return Frequencies(counts, answer="yes")
            case "measures":
                return Frequencies(counts / counts.sum(), counts={"leaves": "many"})
        return model


@dataclass(frozen=True)
class Accuracy(Metric):
    """Share of the weight that is right."""

    needs_predictions = False
    scale: float = 1.0

    def value(self, outcome):
        table = outcome["confusion"]
        return float(np.trace(table) / table.sum()) * self.scale if table.sum() else None


@dataclass(frozen=True)
class Undefined(Metric):
    """Never defined."""

    def value(self, outcome):
        return None


@dataclass(frozen=True)
class Rows(Metric):
    """Counts predictions; needs them."""

    def value(self, outcome):
        return len(outcome["predicted"])

    def per_class(self, outcome):
        return [float((outcome["truth"] == i).sum()) or None for i in range(len(outcome["classes"]))]


@dataclass(frozen=True)
class FitSeconds(Metric):
    needs_predictions = False
    reproducible = False

    def value(self, outcome):
        return outcome["fit_seconds"]


def table(n=30, name="toy", seed=0):
    rng = np.random.default_rng(seed)
    schema = Schema((Attribute("x"), Attribute("class", "nominal", ("a", "b", "c"))), 1)
    return Dataset(schema, (rng.normal(size=n), rng.integers(0, 3, n).astype(np.int32)), name=name)


def experiment(learners=None, *, datasets=2, folds=5, repeats=1, metrics=None, n=30, **more):
    return Experiment(
        tuple(Task(f"d{i}", table(n, f"d{i}", i)) for i in range(datasets)),
        learners or {"one": Toy(), "two": Toy(smoothing=2.0)},
        CrossValidation(folds, repeats),
        {"accuracy": Accuracy(), "fit_seconds": FitSeconds()} if metrics is None else metrics,
        **more,
    )
