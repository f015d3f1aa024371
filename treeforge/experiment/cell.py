"""One cell: a data set, a learner and a split. Running it is a pure function of it."""

from __future__ import annotations

import hashlib
import json
import platform
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Dataset, Sample
from treeforge.errors import PluginError, TreeForgeError
from treeforge.experiment.outcome import check_measures, check_metric, check_probabilities, count, plain
from treeforge.experiment.result import FORMAT, Result
from treeforge.experiment.split import Split
from treeforge.plugin.code import code

if TYPE_CHECKING:
    from treeforge.plugin import Metric

T = TypeVar("T")
MAX_REASON = 500


class Model(Protocol):
    """What an experiment needs of a fitted model, whoever made it."""

    def predict_proba(self, dataset: Dataset, rows: NDArray[np.int32] | None = None) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes] in declared order; a row of zeros is no answer."""

    def measures(self) -> Mapping[str, float]:
        """``leaves``, ``size``, ``depth`` and whatever else can be counted."""


class Learner(Protocol):
    """What an experiment needs of a learner.

    If there is a method ``prepare(dataset)``, it is called before the time of a fit begins: it does what is done
    once a data set.
    """

    @property
    def releases_gil(self) -> bool:
        """Whether threads run it in parallel; it is then also trusted to run in this process."""

    def spec(self) -> dict[str, Any]:
        """The resolved algorithm as JSON can hold it: equal specifications give equal results."""

    def fit(
        self, dataset: Dataset, sample: Sample | None = None, *, seed: int = 1, n_threads: int = 1
    ) -> Model: ...


@dataclass(frozen=True, eq=False)
class Cell:
    """What is computed and stored as one.

    Parameters
    ----------
    dataset_name, algorithm : str
        What reports call them.
    dataset : Dataset
    test : Dataset or None
        Where the test rows stand, if not in ``dataset``.
    learner : Learner
    spec : dict
        ``learner.spec()``, asked for once a learner.
    split : Split
    seed : int
        What ``Learner.fit`` is given.
    metrics : mapping of name to Metric
    """

    dataset_name: str
    algorithm: str
    dataset: Dataset
    learner: Learner
    spec: dict[str, Any]
    split: Split
    seed: int
    metrics: Mapping[str, Metric]
    test: Dataset | None = None

    @cached_property
    def content(self) -> str:
        """SHA-256 of everything that the result depends on."""
        return _sha256(
            {
                "format": FORMAT,
                "data": self.dataset.content_hash,
                "test": None if self.test is None else self.test.content_hash,
                "split": self.split.hash,
                "spec": self.spec,
                "seed": self.seed,
                "treeforge": versions()["treeforge"],
            }
        )

    @cached_property
    def key(self) -> str:
        """Names the record. With the names in it, so that two names never share a record (nor a row)."""
        return _sha256([self.content, self.dataset_name, self.algorithm, self.split.repeat, self.split.fold])

    def __str__(self) -> str:
        return f"{self.dataset_name} / {self.algorithm} / repeat {self.split.repeat} fold {self.split.fold}"

    def failed(self, reason: str, trace: str = "", **more: Any) -> Result:
        """The result of this cell when it came to nothing."""
        line = " ".join(reason.split())
        if len(line) > MAX_REASON:
            line = line[: MAX_REASON - 3] + "..."
        return Result(**self.identity, status="failed", reason=line, trace=trace, **more)

    @property
    def identity(self) -> dict[str, Any]:
        """What a result says of its cell."""
        return {
            "key": self.key,
            "content": self.content,
            "dataset": self.dataset_name,
            "data_hash": self.dataset.content_hash,
            "algorithm": self.algorithm,
            "spec": self.spec,
            "repeat": self.split.repeat,
            "fold": self.split.fold,
            "seed": self.seed,
            "split_hash": self.split.hash,
            "classes": list(self.dataset.schema.classes),
            "n_train": self.split.n_train,
            "versions": versions(),
        }


def run_cell(cell: Cell) -> Result:
    """Fit, predict, measure. Whatever a plugin does wrong becomes a failed result with its reason."""
    start = time.perf_counter()
    try:
        return _run(cell, start)
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # SystemExit, too: a plugin must not end the run
        from treeforge.plugin.faults import in_words  # a run in which nothing fails does without it

        reason = str(fault) if isinstance(fault, TreeForgeError) else in_words(fault)
        wall = {"wall_seconds": time.perf_counter() - start}
        return cell.failed(reason, traceback.format_exc(), times=wall)


def _run(cell: Cell, start: float) -> Result:
    data = cell.dataset if cell.test is None else cell.test
    codes = data.class_codes[cell.split.test]
    rows = cell.split.test[codes >= 0]  # a case of unknown class can test nothing
    truth = codes[codes >= 0]
    weights = np.ones(len(rows)) if data.weights is None else data.weights[rows]

    prepare = getattr(cell.learner, "prepare", None)
    if prepare is not None:  # what all folds share is in the time of none, also not of whichever came first
        prepare(cell.dataset)
        if cell.test is not None:
            prepare(cell.test)
    clock = time.thread_time()  # of this thread alone: what runs beside it does not count
    model = cell.learner.fit(cell.dataset, cell.split.sample, seed=cell.seed, n_threads=1)
    fitted = time.thread_time()
    answer = model.predict_proba(data, rows)
    predicted = time.thread_time()

    n_classes = len(cell.dataset.schema.classes)
    decide = getattr(model, "decide", None)
    outcome = count(truth, check_probabilities(answer, len(rows), n_classes), weights, decide)
    identity, measures = cell.identity, check_measures(model.measures())
    times = {"fit_seconds": fitted - clock, "predict_seconds": predicted - fitted}
    facts = {
        **measures,
        **outcome,
        **times,
        "n_train": identity["n_train"],
        "n_test": len(rows),
        "classes": identity["classes"],
    }
    found = _measure(cell.metrics, facts)
    return Result(
        **identity,
        status="ok",
        metrics=found.values,
        per_class=found.per_class,
        metric_specs=found.specs,
        measures=measures,
        confusion=plain(outcome["confusion"]),
        unclassified=plain(outcome["unclassified"]),
        n_test=len(rows),
        times={**times, **found.times, "wall_seconds": time.perf_counter() - start},
    )


def measure(result: Result, metrics: Mapping[str, Metric]) -> Result:
    """The result with these metrics added, from the record alone.

    That suffices for metrics that do not need each case's prediction: they cost nothing in a finished run.
    """
    facts = {
        **result.measures,
        **result.times,
        "confusion": np.array(result.confusion, dtype=np.float64),
        "unclassified": np.array(result.unclassified, dtype=np.float64),
        "n_train": result.n_train,
        "n_test": result.n_test,
        "classes": result.classes,
    }
    found = _measure(metrics, facts)
    return replace(
        result,
        metrics=_sorted(result.metrics | found.values),
        per_class=_sorted(result.per_class | found.per_class),
        metric_specs=_sorted(result.metric_specs | found.specs),
        times=result.times | found.times,
    )


@dataclass
class _Measured:
    """What metrics found, each part in order of their names."""

    values: dict[str, float | None] = field(default_factory=dict)
    per_class: dict[str, list[float | None]] = field(default_factory=dict)
    specs: dict[str, str] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)


def _measure(metrics: Mapping[str, Metric], facts: Mapping[str, Any]) -> _Measured:
    found = _Measured()
    for name, metric in sorted(metrics.items()):
        try:
            value, each = metric.both(facts)
            value = check_metric(value, name)
            if each is not None:
                found.per_class[name] = [check_metric(one, name) for one in each]
        except TreeForgeError:
            raise
        except Exception as fault:
            raise PluginError(f"metric '{name}' failed: {type(fault).__name__}: {fault}") from fault
        found.specs[name] = metric_spec(metric)
        if metric.reproducible:
            found.values[name] = value
        elif value is not None:
            found.times[name] = value
    return found


def _sorted(names: dict[str, T]) -> dict[str, T]:
    return dict(sorted(names.items()))


def metric_spec(metric: Metric) -> str:
    """A metric with its parameters, the version of its meaning, and the code that no version tells apart."""
    try:
        return _metric_spec(metric)
    except TypeError:  # a parameter that cannot be hashed
        return _metric_spec.__wrapped__(metric)


@lru_cache
def _metric_spec(metric: Metric) -> str:
    return f"{metric!r}@{metric.meaning}{code(type(metric))}"


@cache
def versions() -> dict[str, str]:
    """What the results were computed with. Plugins' packages are in each algorithm's specification."""
    return {"treeforge": version("treeforge"), "python": platform.python_version(), "numpy": np.__version__}


_JSON = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _sha256(content: Any) -> str:
    return hashlib.sha256(_JSON.encode(content).encode()).hexdigest()
