"""How to fit: a splitter, a criterion, limits, a pruner and perhaps an ensemble, put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.grow import grow, prepare
from treeforge.core.guard import ALWAYS as GUARDED
from treeforge.core.guard import guarded
from treeforge.core.model import TreeModel
from treeforge.core.python_kernel import criterion_kernel, splitter_kernel
from treeforge.core.rule_model import RuleModel
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Dataset, Sample
from treeforge.errors import DataError, InputError, ParameterError
from treeforge.learn.costs import Costs, check_costs
from treeforge.learn.discretize import discretized, find_cuts, restored
from treeforge.learn.encode import encode
from treeforge.learn.model import Model
from treeforge.learn.soft import softened
from treeforge.plugin import (
    Criterion,
    Discretizer,
    Ensemble,
    Grow,
    Plugin,
    Pruner,
    Splitter,
    TreeBuilder,
    registry,
)
from treeforge.plugin.code import code


@dataclass(frozen=True)
class Limits:
    """When the loop stops.

    Parameters
    ----------
    min_branch : float
        Least weight of a branch; at least two must have it.
    min_split : float, optional
        Least weight of a node that is split; twice ``min_branch`` unless given.
    max_depth : int, optional
        Most tests on a path.
    max_attributes : int, optional
        Attributes looked at in a node, drawn anew in each.
    """

    min_branch: float = 2.0
    min_split: float | None = None
    max_depth: int | None = None
    max_attributes: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("min_branch", 0.0), ("min_split", 0.0), ("max_depth", 0), ("max_attributes", 1)):
            value = getattr(self, name)
            if value is not None and not (value >= least and (value > 0 or name == "max_depth")):
                raise ParameterError(
                    f"{name} must be {'at least 1' if least == 1 else 'above 0'}, not {value}"
                )


@dataclass(frozen=True)
class Learner:
    """Splitter + criterion + limits + pruner + ensemble.

    Parameters
    ----------
    splitter, criterion, pruner : plugins
    ensemble : plugin, optional
    discretizer : plugin, optional
        Cuts numbers into intervals before training, on the training cases alone.
    limits : Limits
    laplace : bool
        Smooth the class probabilities of leaves (J48 -A).
    soft_thresholds : bool
        A number near a threshold goes down both branches by parts (C4.5 -p); of a single tree only.
    cost_matrix : sequence of sequences of float, optional
        Costs of each true class by predicted class: the class of least expected cost is said, not the most
        probable one. The tree stays the same.
    names : mapping of str to str
        What each plugin is called in pipeline files, by kind; for the record of results.
    packages : mapping of str to str
        The package that each came from, with its version, by kind.
    """

    splitter: Splitter
    criterion: Criterion
    pruner: Pruner
    ensemble: Ensemble | None = None
    limits: Limits = field(default_factory=Limits)
    laplace: bool = False
    cost_matrix: Costs | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    discretizer: Discretizer | None = None
    soft_thresholds: bool = False

    @property
    def plugins(self) -> dict[str, Plugin]:
        """The plugins by kind."""
        found: dict[str, Plugin] = {
            "splitter": self.splitter,
            "criterion": self.criterion,
            "pruner": self.pruner,
        }
        if self.ensemble is not None:
            found["ensemble"] = self.ensemble
        if self.discretizer is not None:
            found["discretizer"] = self.discretizer
        return found

    @property
    def releases_gil(self) -> bool:
        """Whether fitting is done without Python's global lock."""
        return all(plugin.releases_gil for plugin in self.plugins.values())

    @cached_property
    def _spec(self) -> dict[str, Any]:
        return (
            {
                kind: {
                    "name": self.names.get(kind, type(plugin).__name__),
                    "meaning": plugin.meaning,
                    "parameters": plugin.parameters(),
                    "package": self.packages.get(kind, type(plugin).__module__.partition(".")[0]),
                    **({"code": found} if (found := code(type(plugin))) else {}),
                }
                for kind, plugin in self.plugins.items()
            }
            | {"limits": asdict(self.limits), "laplace": self.laplace, "versions": self._versions}
            | ({} if self.cost_matrix is None else {"cost_matrix": [list(row) for row in self.cost_matrix]})
            | ({"soft_thresholds": True} if self.soft_thresholds else {})
        )

    @property
    def _versions(self) -> dict[str, str]:
        """Versions of all distributions that have a part in the result, those of third-party plugins too."""
        found = {"treeforge": version("treeforge"), "numpy": np.__version__}
        for kind, plugin in self.plugins.items():
            package = type(plugin).__module__.partition(".")[0]
            for entry in registry.entries(kind):
                if entry.point.module.partition(".")[0] == package:
                    found[entry.package] = entry.version
        return dict(sorted(found.items()))

    def spec(self) -> dict[str, Any]:
        """Everything that decides what is fitted, resolved, as plain JSON values."""
        return dict(self._spec)

    def prepare(self, dataset: Dataset) -> None:
        """Do what is done once a data set, whatever is fitted to it: no fold's time should contain it."""
        table = encode(dataset)
        if self.discretizer is not None:  # the splitter sees the cells of each fold, not this table
            return
        with _inputs_named(dataset):
            prepare(table, self.splitter.kernel(table) or splitter_kernel(self.splitter, table))

    def fit(
        self, dataset: Dataset, sample: Sample | None = None, *, seed: int = 1, n_threads: int = 1
    ) -> Model:
        """Train on a sample (all rows without one), on ``n_threads`` threads: the model is the same for any number.

        Raises DataError when there is no case to learn from.
        """
        table = encode(dataset)
        sample = Sample.whole(table.n_rows) if sample is None else sample
        cuts = None if self.discretizer is None else find_cuts(table, sample, self.discretizer)
        if cuts is not None:
            table = discretized(table, cuts)
        if self.cost_matrix is not None:
            check_costs(self.cost_matrix, table.n_classes)
        with _inputs_named(dataset):
            builder = Builder(self, table, n_threads=n_threads if self.ensemble is None else 1)
        if self.ensemble is None:
            fitted: Any = TreeModel(builder.tree(sample, seed), self.laplace)
        else:
            fitted = self.ensemble.build(builder, table, sample, seed, n_threads)
            if self.laplace:
                if isinstance(fitted, RuleModel):
                    raise ParameterError(
                        "laplace smooths the leaves of trees, and rules have none: leave it out"
                    )
                fitted = replace(fitted, laplace=True)
        if cuts is not None:
            fitted = restored(fitted, cuts)
        if self.soft_thresholds:
            fitted = softened(fitted, encode(dataset), sample)
        return Model(dataset.schema, fitted, {"seed": seed, **self.spec()})


@contextmanager
def _inputs_named(dataset: Dataset) -> Iterator[None]:
    """An error about an input of the dataset's table says the attribute's name."""
    try:
        yield
    except InputError as wrong:
        raise wrong.named([a.name for a in dataset.schema.inputs], dataset.source or None) from None


class Builder(TreeBuilder):
    """Grows and prunes trees of one table with a learner's plugins."""

    def __init__(
        self, learner: Learner, table: Table, limits: Limits | None = None, n_threads: int = 1
    ) -> None:
        if table.n_classes == 0:
            raise DataError("there is nothing to learn: the class attribute has no category")
        self.learner = learner
        self.pruner, self.splitter = learner.pruner, learner.splitter
        self.table = table
        self.limits = learner.limits if limits is None else limits
        self.n_threads = n_threads  # inside one tree; an ensemble's threads each have trees of their own
        self._criterion = learner.criterion.kernel(table) or criterion_kernel(learner.criterion)
        splitter = learner.splitter.kernel(table) or splitter_kernel(learner.splitter, table)
        self._splitter = guarded(splitter) if GUARDED else splitter

    def grow(self, sample: Sample, seed: int, held: NDArray[np.int32] | None = None) -> Tree:
        """One tree, not pruned."""
        weights = sample.weights
        if weights is None and sample.copies is None and self.table.weights is not None:
            weights = self.table.weights[sample.rows]
        if weights is not None and (weights == 1.0).all():
            weights = None
        limits = self.limits
        return grow(
            self.table,
            self._splitter,
            self._criterion,
            sample.rows,
            weights,
            sample.copies,
            held,
            min_branch=limits.min_branch,
            min_split=limits.min_split,
            max_depth=limits.max_depth,
            max_attributes=limits.max_attributes,
            seed=seed,
            metadata=self.learner.splitter.metadata(),
            leaves=self.learner.pruner.needs_leaves,
            n_threads=self.n_threads,
        )

    def tree(self, sample: Sample, seed: int, grow: Grow | None = None) -> Tree:
        grow_one = self.grow if grow is None else grow
        whole: list[Tree] = []  # the tree of all cases, once it is grown: most pruners ask for no other

        def note(part: Sample, seed_: int, held: NDArray[np.int32] | None) -> Tree:
            is_whole = part is sample and seed_ == seed and held is None
            if is_whole and whole:
                return whole[0]
            tree = grow_one(part, seed_, held)
            if is_whole:
                whole.append(tree)
            return tree

        def first(sample: Sample, seed: int, held: NDArray[np.int32] | None = None) -> Tree:
            return note(sample, seed, held)

        def second(sample: Sample, seed: int, held: NDArray[np.int32] | None = None) -> Tree:
            return self.splitter.second_look(note(sample, seed, held), self.table, sample)

        tree = self.pruner.build(first, self.table, sample, seed)
        if self.splitter.wants_second_look(tree, self.table, sample):
            tree = self.pruner.build(second, self.table, sample, seed)
        return tree

    def with_limits(self, **limits: Any) -> Builder:
        return Builder(self.learner, self.table, replace(self.limits, **limits), self.n_threads)
