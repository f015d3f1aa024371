"""Pipeline -> Study: the only place where names become objects.

Every name is looked up and every parameter checked where it stands, so that each fault has its own line and
column; the faults of the document and those found here are told together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeforge.errors import nearest
from treeforge.experiment.experiment import Experiment
from treeforge.experiment.folds import SCHEMES
from treeforge.experiment.scheme import Scheme
from treeforge.learn import build as learn
from treeforge.pipeline import datasets
from treeforge.pipeline.entries import AlgorithmEntry, ComparisonEntry, EvaluationEntry, Pipeline
from treeforge.pipeline.forms import known_keys
from treeforge.pipeline.matrix import label
from treeforge.pipeline.names import made, plugin, trying
from treeforge.pipeline.yaml import Faults, Node, Place
from treeforge.plugin.parameters import check


@dataclass(frozen=True, eq=False)
class Declared:
    """A comparison as declared: the test, and the metric that it is about."""

    metric: str
    test: Any
    words: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Study:
    """The objects that a pipeline names."""

    pipeline: Pipeline
    experiment: Experiment
    comparisons: tuple[Declared, ...]


def build(pipeline: Pipeline) -> Study:
    """All objects of a pipeline, data read; PipelineError with every fault of the file."""
    faults = pipeline.faults
    learners = {e.name: found for e in pipeline.algorithms if (found := _algorithm(e, faults)) is not None}
    scheme = _scheme(pipeline.evaluation, faults)
    metrics = {label(node): plugin("metric", node, faults) for node in pipeline.metrics}
    comparisons = [_comparison(entry, pipeline, metrics) for entry in pipeline.comparisons]
    tasks = datasets.read(pipeline, faults, needs_test=bool(scheme and scheme.needs_test))
    faults.stop()
    assert scheme is not None
    experiment = Experiment(tuple(tasks), learners, scheme, metrics, pipeline.seed)
    return Study(pipeline, experiment, tuple(comparisons))


def _comparison(entry: ComparisonEntry, pipeline: Pipeline, metrics: dict[str, Any]) -> Declared:
    faults, name = pipeline.faults, entry.test.value
    words = Node({name: entry.parameters}, entry.place, {name: entry.test.place})
    test = plugin("test", words, faults)
    control = entry.parameters.value.get("control")
    names = [algorithm.name for algorithm in pipeline.algorithms]
    if control is not None and isinstance(control.value, str) and control.value not in names:
        known = f"{nearest(control.value, names)} (algorithms: {', '.join(names)})"
        faults.add(control.place, f"no algorithm is called '{control.value}'{known}")
    if entry.metric not in metrics:  # what is compared is measured, whether it is listed or not
        metrics[entry.metric] = plugin("metric", Node(entry.metric, entry.metric_place), faults)
    return Declared(entry.metric, test, {"test": name, "metric": entry.metric, **entry.parameters.plain()})


def _algorithm(entry: AlgorithmEntry, faults: Faults) -> Any:
    """The learner of an entry, or None after a fault for each thing that is wrong with it."""
    before = len(faults.found)
    words = entry.words
    if "estimator" in words.value:
        known_keys(words, ("estimator", "parameters"), "an outside estimator", faults)
    else:
        known = (*learn.PLUGINS, *learn.SETTINGS, "estimator")
        what = f"algorithm '{entry.name}'"
        known_keys(words, known, what, faults, lambda key: learn.owner_of(key, words.plain()))
        for key, value in words.items():
            if key in learn.PLUGINS:
                plugin(key, value, faults)
            elif key in learn.SETTINGS:
                trying(value.place, faults, lambda k=key, v=value: check(learn.SETTINGS[k], v.plain(), k))  # type: ignore[misc]
    if len(faults.found) > before:
        return None
    return trying(_blamed(words, entry.place), faults, lambda: learn.learner(words.plain()))


def _blamed(words: Node, place: Place) -> Place:
    """Where a fault of the whole algorithm is shown: at the estimator's name, if there is one."""
    return words.value["estimator"].place if "estimator" in words.value else place


def _scheme(entry: EvaluationEntry, faults: Faults) -> Scheme | None:
    if entry.scheme not in SCHEMES:
        known = ", ".join(SCHEMES)
        faults.add(
            entry.place,
            f"no evaluation is called '{entry.scheme}'{nearest(entry.scheme, SCHEMES)} (evaluations: {known})",
        )
        return None
    options = entry.options or Node({}, entry.place)
    scheme: Scheme | None = made(SCHEMES[entry.scheme], entry.scheme, entry.place, options, faults)
    return scheme
