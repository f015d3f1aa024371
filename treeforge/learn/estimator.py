"""An outside estimator, such as scikit-learn's tree, in the place of a learner of ours.

Outside estimators take one matrix of numbers, so the table is turned into one, always in the same way:

- a numeric (or date) attribute is one column; its unknown values become the median of the known training
  values (0 where there is none);
- a nominal attribute is one column of 0 and 1 for each declared category; an unknown value is 0 in all of them;
- cases of unknown class and cases of weight 0 do not train.
"""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import packages_distributions
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Dataset, Sample, Schema
from treeforge.errors import DataError, ParameterError, PluginError, nearest
from treeforge.plugin.code import code_of_module, owner

Matrix = NDArray[np.float64]

_matrices: WeakKeyDictionary[Dataset, Matrix] = WeakKeyDictionary()


@dataclass(frozen=True)
class EstimatorLearner:
    """Fits an estimator of the scikit-learn kind; the same face as a Learner.

    Parameters
    ----------
    estimator : str
        Dotted name of the class: ``sklearn.tree.DecisionTreeClassifier``.
    parameters : mapping
        What it is created with. ``random_state`` follows from the seed unless it is given.

    Examples
    --------
    >>> learner = EstimatorLearner("sklearn.tree.DecisionTreeClassifier", {"max_depth": 2})
    >>> learner.spec()["parameters"]["max_depth"]
    2
    """

    estimator: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    releases_gil = False

    def __post_init__(self) -> None:
        known = list(self._defaults)
        for name in self.parameters:
            if name.partition("__")[0] not in known:
                raise ParameterError(
                    f"{self.estimator} has no parameter '{name}'{nearest(name, known)} "
                    f"(parameters: {', '.join(known)})"
                )

    @cached_property
    def _class(self) -> type[Any]:
        module, dot, name = self.estimator.rpartition(".")
        if not dot:
            raise PluginError(
                f"estimator '{self.estimator}': a dotted name is expected, such as sklearn.tree.X"
            )
        try:
            found: type[Any] = getattr(importlib.import_module(module), name)
        except AttributeError:
            names = [n for n in dir(importlib.import_module(module)) if n[:1].isupper()]
            raise PluginError(
                f"estimator '{self.estimator}': {module} has no '{name}'{nearest(name, names)}"
            ) from None
        except (Exception, SystemExit) as fault:
            reason = f"{type(fault).__name__}: {fault}".splitlines()[0]
            raise PluginError(f"estimator '{self.estimator}' cannot be loaded: {reason}") from fault
        for method in ("fit", "predict", "get_params"):
            if not (isinstance(found, type) and hasattr(found, method)):
                raise PluginError(
                    f"estimator '{self.estimator}' is no classifier class: it has no '{method}'"
                )
        return found

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """Parameters of the class by name; those without a default are None."""
        named = inspect.signature(self._class).parameters.values()
        open_ended = any(p.kind is p.VAR_KEYWORD for p in named)  # what it takes, only an instance can say
        found = self._class().get_params(deep=False) if open_ended else {}
        for p in named:
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                found.setdefault(p.name, None if p.default is p.empty else p.default)
        return found

    def create(self, seed: int) -> Any:
        """A new estimator, seeded."""
        values = dict(self.parameters)
        if "random_state" in self._defaults:
            values.setdefault("random_state", seed % 2**32)
        own = {name: value for name, value in values.items() if "__" not in name}
        inner = {name: value for name, value in values.items() if "__" in name}
        made = self._class(**own)
        return made.set_params(**inner) if inner else made

    def prepare(self, dataset: Dataset) -> None:
        """Do what is done once a data set, and load the estimator: no fold's time should contain it."""
        self.spec()
        encode(dataset)

    def fit(
        self, dataset: Dataset, sample: Sample | None = None, *, seed: int = 1, n_threads: int = 1
    ) -> EstimatorModel:
        """Train on a sample (all rows without one)."""
        sample = Sample.whole(dataset.n_rows) if sample is None else sample
        matrix = encode(dataset)[sample.rows]
        codes = dataset.class_codes[sample.rows]
        weights = sample.weights if sample.copies is None else sample.copies.astype(np.float64)
        if weights is None and dataset.weights is not None:
            weights = dataset.weights[sample.rows]
        usable = codes >= 0 if weights is None else (codes >= 0) & (weights > 0)
        if not usable.any():
            raise DataError("no training case has a class and a weight", file=dataset.source or None)
        fill = _fill(matrix[usable], dataset.schema)
        matrix = _imputed(matrix[usable], fill)
        # classes that this sample lacks: outside estimators want those that are there, numbered without gaps
        present, target = np.unique(codes[usable], return_inverse=True)
        made = self.create(seed)
        if weights is None or (weights[usable] == 1).all():
            made.fit(matrix, target)
        elif "sample_weight" in inspect.signature(made.fit).parameters:
            made.fit(matrix, target, sample_weight=weights[usable])
        else:
            raise DataError(f"{self.estimator} takes no case weights", file=dataset.source or None)
        return EstimatorModel(
            dataset.schema, made, fill, present.astype(np.int64), self.spec() | {"seed": seed}
        )

    def spec(self) -> dict[str, Any]:
        """What this is, in full: resolved parameters and the version of the package."""
        modules = (self.estimator.rpartition(".")[0], self._class.__module__)
        parameters = {**self._defaults, **self.parameters}
        return {
            "estimator": self.estimator,
            "parameters": {name: _plain(value) for name, value in sorted(parameters.items())},
            "encoding": "nominal one-hot; unknown numbers median of the training cases",
            "versions": {module.partition(".")[0]: _version(module) for module in modules},
            **({"code": found} if (found := self._code) else {}),
        }

    @property
    def _code(self) -> str:
        """Which code the class stands for, where no version says it."""
        return code_of_module(self._class.__module__, _distributions(self._class.__module__))


@dataclass(frozen=True, eq=False)
class EstimatorModel:
    """A fitted outside estimator, with what is needed to turn a table into its matrix."""

    schema: Schema
    fitted: Any
    fill: Matrix  # what stands for an unknown value, [n_columns]
    present: NDArray[np.int64]  # class code of each of the estimator's own classes
    algorithm: dict[str, Any]

    def predict_proba(
        self, dataset: Dataset, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> Matrix:
        """Class probabilities, [n, n_classes] in declared order; a class that did not train has 0."""
        matrix = encode(dataset)
        matrix = _imputed(matrix if rows is None else matrix[rows], self.fill)
        answer = np.zeros((len(matrix), len(self.schema.classes)))
        if not len(matrix):
            return answer
        if hasattr(self.fitted, "predict_proba"):
            answer[:, self.present] = self.fitted.predict_proba(matrix)
        else:
            answer[np.arange(len(matrix)), self.present[self.fitted.predict(matrix)]] = 1.0
        return answer

    def measures(self) -> dict[str, float]:
        """Leaves, size, depth and bytes of a tree; sums (and the greatest depth) for a forest; else nothing."""
        trees = [self.fitted] if hasattr(self.fitted, "tree_") else _members(self.fitted)
        if not trees:
            return {}
        counts: dict[str, float] = {
            "leaves": sum(int(t.tree_.n_leaves) for t in trees),
            "size": sum(int(t.tree_.node_count) for t in trees),
            "depth": max(int(t.tree_.max_depth) for t in trees),
            "model_bytes": sum(_bytes(t.tree_) for t in trees),
        }
        return counts if trees == [self.fitted] else counts | {"trees": len(trees)}


def encode(dataset: Dataset) -> Matrix:
    """The inputs as a matrix, NaN where a number is unknown; made once a data set."""
    matrix = _matrices.get(dataset)
    if matrix is None:
        columns: list[Matrix] = []
        for place in dataset.schema.input_indices:
            attribute, column = dataset.schema.attributes[place], dataset.columns[place]
            if attribute.is_numeric:
                columns.append(column[:, None])
            elif attribute.is_nominal:
                columns.append((column[:, None] == np.arange(len(attribute.categories))).astype(np.float64))
            else:
                raise DataError(
                    f"attribute '{attribute.name}' is text, which no estimator can take: drop it",
                    file=dataset.source or None,
                )
        matrix = np.hstack(columns) if columns else np.empty((dataset.n_rows, 0))
        _matrices[dataset] = matrix
    return matrix


def _fill(matrix: Matrix, schema: Schema) -> Matrix:
    """What stands for an unknown value in each column; 0 in those of nominal attributes."""
    fill: list[float] = []
    for attribute in schema.inputs:
        if attribute.is_numeric:
            column = matrix[:, len(fill)]
            known = column[~np.isnan(column)]
            fill.append(float(np.median(known)) if known.size else 0.0)
        else:
            fill.extend([0.0] * len(attribute.categories))
    return np.array(fill)


def _imputed(matrix: Matrix, fill: Matrix) -> Matrix:
    unknown = np.isnan(matrix)
    return np.where(unknown, fill, matrix) if unknown.any() else matrix


def _members(fitted: Any) -> list[Any]:
    members = np.ravel(np.asarray(getattr(fitted, "estimators_", ()), dtype=object)).tolist()
    return members if members and all(hasattr(m, "tree_") for m in members) else []


def _bytes(tree: Any) -> int:
    """Bytes of a scikit-learn tree's arrays."""
    state = tree.__getstate__()
    return sum(int(value.nbytes) for value in state.values() if isinstance(value, np.ndarray))


def _plain(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError):
        return repr(value)


@cache
def _version(module: str) -> str:
    """Version of the distribution that a module came from, or else what its package says of itself."""
    found = owner(module, _distributions(module))
    if found is not None:
        return found.version
    return str(getattr(importlib.import_module(module.partition(".")[0]), "__version__", "?"))


def _distributions(module: str) -> tuple[str, ...]:
    """The distributions that share the top-level name of a module."""
    return tuple(dict.fromkeys(_packages().get(module.partition(".")[0], ())))


@cache
def _packages() -> Mapping[str, list[str]]:
    """The distributions of each top-level name; a search through all that are installed, so made once."""
    return packages_distributions()
