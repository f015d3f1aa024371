"""One cell: a data set, a learner and a split. Running it is a pure function of it."""

from __future__ import annotations

import hashlib
import json
import platform
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Dataset, Sample
from treeforge.errors import PluginError, TreeForgeError
from treeforge.experiment.folds import Split
from treeforge.experiment.outcome import check_measures, check_metric, check_probabilities, count, plain
from treeforge.experiment.result import FORMAT, Result

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
    """What an experiment needs of a learner."""

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
        return replace(self._blank(), status="failed", reason=line, trace=trace, **more)

    def _blank(self) -> Result:
        return Result(
            key=self.key,
            content=self.content,
            dataset=self.dataset_name,
            data_hash=self.dataset.content_hash,
            algorithm=self.algorithm,
            spec=self.spec,
            repeat=self.split.repeat,
            fold=self.split.fold,
            seed=self.seed,
            split_hash=self.split.hash,
            status="ok",
            classes=list(self.dataset.schema.classes),
            n_train=len(self.split.train),
            versions=versions(),
        )


def run_cell(cell: Cell) -> Result:
    """Fit, predict, measure. Whatever a plugin does wrong becomes a failed result with its reason."""
    start = time.perf_counter()
    try:
        return _run(cell, start)
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # SystemExit, too: a plugin must not end the run
        reason = str(fault) if isinstance(fault, TreeForgeError) else f"{type(fault).__name__}: {fault}"
        wall = {"wall_seconds": time.perf_counter() - start}
        return cell.failed(reason, traceback.format_exc(), times=wall)


def _run(cell: Cell, start: float) -> Result:
    data = cell.dataset if cell.test is None else cell.test
    codes = data.class_codes[cell.split.test]
    rows = cell.split.test[codes >= 0]  # a case of unknown class can test nothing
    truth = codes[codes >= 0]
    weights = np.ones(len(rows)) if data.weights is None else data.weights[rows]

    clock = time.thread_time()  # of this thread alone: what runs beside it does not count
    model = cell.learner.fit(cell.dataset, cell.split.sample, seed=cell.seed, n_threads=1)
    fitted = time.thread_time()
    answer = model.predict_proba(data, rows)
    predicted = time.thread_time()

    n_classes = len(cell.dataset.schema.classes)
    outcome = count(truth, check_probabilities(answer, len(rows), n_classes), weights)
    result = replace(
        cell._blank(),
        confusion=plain(outcome["confusion"]),
        unclassified=plain(outcome["unclassified"]),
        measures=check_measures(model.measures()),
        n_test=len(rows),
        times={"fit_seconds": fitted - clock, "predict_seconds": predicted - fitted},
    )
    result = measure(result, cell.metrics, outcome)
    return replace(result, times={**result.times, "wall_seconds": time.perf_counter() - start})


def measure(
    result: Result, metrics: Mapping[str, Metric], outcome: Mapping[str, Any] | None = None
) -> Result:
    """The result with these metrics added.

    Without ``outcome`` they are had from the record alone, which suffices for those that do not need each
    case's prediction: such a metric can be added to a finished run at no cost.
    """
    if outcome is None:
        outcome = {
            "confusion": np.array(result.confusion, dtype=np.float64),
            "unclassified": np.array(result.unclassified, dtype=np.float64),
        }
    facts = {
        **result.measures,
        **outcome,
        "fit_seconds": result.times["fit_seconds"],
        "predict_seconds": result.times["predict_seconds"],
        "n_train": result.n_train,
        "n_test": result.n_test,
        "classes": result.classes,
    }
    values, times = dict(result.metrics), dict(result.times)
    per_class, specs = dict(result.per_class), dict(result.metric_specs)
    for name, metric in metrics.items():
        try:
            value = check_metric(metric.value(facts), name)
            each = metric.per_class(facts)
            if each is not None:
                per_class[name] = [check_metric(one, name) for one in each]
        except Exception as fault:
            if isinstance(fault, TreeForgeError):
                raise
            raise PluginError(f"metric '{name}' failed: {type(fault).__name__}: {fault}") from fault
        specs[name] = metric_spec(metric)
        if metric.reproducible:
            values[name] = value
        elif value is not None:
            times[name] = value
    return replace(
        result,
        metrics=_sorted(values),
        per_class=_sorted(per_class),
        metric_specs=_sorted(specs),
        times=times,
    )


def _sorted(names: dict[str, T]) -> dict[str, T]:
    return dict(sorted(names.items()))


def metric_spec(metric: Metric) -> str:
    """A metric with its parameters and the version of its meaning."""
    return f"{metric!r}@{metric.meaning}"


@cache
def versions() -> dict[str, str]:
    """What the results were computed with. Plugins' packages are in each algorithm's specification."""
    return {"treeforge": version("treeforge"), "python": platform.python_version(), "numpy": np.__version__}


def _sha256(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
