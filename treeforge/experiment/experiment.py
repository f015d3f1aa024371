"""An experiment: data sets x learners x splits -> cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from treeforge.data import Dataset
from treeforge.errors import DataError, ParameterError
from treeforge.experiment.cell import Cell, Learner
from treeforge.experiment.folds import CrossValidation
from treeforge.experiment.outcome import plain_json
from treeforge.experiment.scheme import Scheme
from treeforge.experiment.split import Splits

if TYPE_CHECKING:
    from treeforge.plugin import Metric


@dataclass(frozen=True, eq=False)
class Task:
    """A data set under the name that results give it, with its test file where the scheme wants one.

    ``warnings`` are about the files: what may have been meant otherwise than it was read.
    """

    name: str
    dataset: Dataset
    test: Dataset | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Experiment:
    """What is to be computed.

    Parameters
    ----------
    tasks : tuple of Task
    learners : mapping of name to Learner
    scheme : Scheme
    metrics : mapping of name to Metric
        Names are columns of the results.
    seed : int
        Splits are drawn with it; learners are given ``seed + repeat``.
    """

    tasks: tuple[Task, ...]
    learners: Mapping[str, Learner]
    scheme: Scheme = field(default_factory=CrossValidation)
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    seed: int = 1

    def __post_init__(self) -> None:
        names = [task.name for task in self.tasks]
        for name in names:
            if names.count(name) > 1:
                raise ParameterError(f"two data sets are called '{name}': give one of them another name")
        for task in self.tasks:
            attribute = task.dataset.schema.class_attribute
            if not attribute.is_nominal:
                raise DataError(
                    f"the class attribute '{attribute.name}' is {attribute.kind}, not nominal",
                    file=task.dataset.source or None,
                )

    @cached_property
    def splits(self) -> dict[str, Splits]:
        """The splits of each data set, by its name: the same for every algorithm."""
        return {t.name: self.scheme.splits(t.dataset, self.seed, t.test) for t in self.tasks}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know about the data, and about the splits: classes that are too rare for them."""
        of_data = (warning for task in self.tasks for warning in task.warnings)
        return (*of_data, *(w for splits in self.splits.values() for w in splits.warnings))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells; those of one data set together, so that its columns are encoded once."""
        specs = {name: plain_json(learner.spec()) for name, learner in self.learners.items()}
        found = []
        for task in self.tasks:
            dataset = self.scheme.inputs(task.dataset)
            test = None if task.test is None else self.scheme.inputs(task.test)
            for name, learner in self.learners.items():
                for split in self.splits[task.name]:
                    found.append(
                        Cell(
                            dataset_name=task.name,
                            algorithm=name,
                            dataset=dataset,
                            test=test,
                            learner=learner,
                            spec=specs[name],
                            split=split,
                            seed=self.seed + split.repeat,
                            metrics=self.metrics,
                        )
                    )
        return tuple(found)
