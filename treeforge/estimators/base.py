"""What all classifiers share: from scikit-learn's words to a learner's, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix, issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from treeforge.core.model import SoftTreeModel, TreeModel
from treeforge.core.rule_model import RuleModel
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Attribute, Dataset, Schema
from treeforge.data.matching import match
from treeforge.errors import DataError, ParameterError
from treeforge.estimators.columns import Column, columns_of, is_frame
from treeforge.estimators.paths import paths
from treeforge.explain import Explanation, RuleExplanation, explain
from treeforge.export.html import to_html
from treeforge.export.rules import RuleList, to_rules
from treeforge.export.subject import subject
from treeforge.learn.encode import encode
from treeforge.learn.importance import impurity_importance

ONE_TREE = (TreeModel, SoftTreeModel)


class BaseClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit and predict by a learner; a subclass says which in ``_learner``.

    Attributes
    ----------
    classes_ : ndarray
        The classes as they were given.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where X had names.
    model_ : Model
        The fitted model: what ``treeforge.to_text``, ``save`` and all exports take too.
    tree_ : Tree
        The tree; only of a single one.
    trees_ : tuple of Tree
        Empty where the model is a set of rules.
    """

    random_state: Any
    n_jobs: int | None
    class_weight: Any
    cost_matrix: Any

    def _learner(self) -> Any:
        raise NotImplementedError

    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Any:
        """Fit to a matrix or frame and its classes, or to a Dataset, which brings its own.

        Parameters
        ----------
        X : array-like, data frame or Dataset, [n_rows, n_attributes]
            None and NaN are unknown. Columns of text are nominal.
        y : array-like, [n_rows]
            Classes; left out with a Dataset.
        sample_weight : array-like, [n_rows], optional
        """
        if isinstance(X, Dataset):
            dataset = self._take_dataset(X, y, sample_weight)
        else:
            dataset = self._take_matrix(X, y, sample_weight)
        self._check_costs()
        seed = 1 if self.random_state is None else self._seed()
        self.model_ = self._learner().fit(dataset, seed=seed, n_threads=self._threads())
        self._set_trees()
        if not hasattr(self, "trees_"):
            self._commonest = int(np.bincount(dataset.class_codes[dataset.class_codes >= 0]).argmax())
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, or the one of least expected cost.

        A row that the model cannot say anything about gets the most frequent class of the training cases.
        """
        if self.cost_matrix is not None:
            probabilities = self.predict_proba(X)
            codes = (probabilities @ np.asarray(self.cost_matrix, dtype=np.float64)).argmin(axis=1)
            codes[~probabilities.any(axis=1)] = -1
        elif hasattr(self._fitted(), "predict_codes"):
            codes = self._fitted().predict_codes(self._source(X), n_threads=self._threads())
        else:
            codes = self.model_.decide(self.predict_proba(X))
        if len(codes) and codes.min() < 0:
            codes[codes < 0] = self._commonest
        predicted: NDArray[Any] = self.classes_[codes]
        return predicted

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; zeros where the model cannot say."""
        found: NDArray[np.float64] = self._fitted().predict_proba(self._source(X), n_threads=self._threads())
        return found

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The node where each row ends, [n_rows] or, of several trees, [n_rows, n_trees].

        With an unknown value a row follows the branch of the largest share. Of rules, the place of the one that
        decides; their number where none does.
        """
        check_is_fitted(self)
        table = self._table(X)
        if isinstance(self.model_.fitted, RuleModel):
            return self.model_.fitted.rules.first(table)
        ends = [tree.apply(table) for tree in self.trees_]
        return ends[0] if isinstance(self.model_.fitted, ONE_TREE) else np.column_stack(ends)

    def decision_path(self, X: Any) -> Any:
        """The nodes that each row comes to, as a sparse matrix, [n_rows, n_nodes].

        An entry is the part of the row that comes there: 1, or less below a test of an unknown value, or of a number
        near a soft threshold. Of several
        trees the matrices stand side by side, and the places where each begins are returned as well.
        """
        self._check_trees("decision_path")
        table = self._table(X)
        found = [paths(tree, table, subject(self.model_).bounds) for tree in self.trees_]
        if isinstance(self.model_.fitted, ONE_TREE):
            return found[0]
        from scipy.sparse import hstack

        return csr_matrix(hstack(found)), np.cumsum([0] + [tree.n_nodes for tree in self.trees_])

    def get_depth(self) -> int:
        """Tests on the longest path; of several trees the greatest."""
        self._check_trees("get_depth")
        return max(tree.depth for tree in self.trees_)

    def get_n_leaves(self) -> int:
        """Leaves, of all trees together."""
        self._check_trees("get_n_leaves")
        return sum(tree.n_leaves for tree in self.trees_)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The part of each attribute in the impurity that all tests take away; zeros when there is no test.

        See ``treeforge.impurity_importance``; ``treeforge.permutation_importance`` is often the better measure.
        """
        self._check_trees("feature_importances_")
        return impurity_importance(self)

    def explain(self, X: Any, row: int = 0) -> Explanation | RuleExplanation:
        """Why the model says what it says about one row, counted from 0."""
        check_is_fitted(self)
        return explain(self.model_, self._as_dataset(X), row)

    def to_rules(self, data: Dataset | None = None) -> RuleList:
        """The model as rules: its own, or one for each leaf of its tree; with ``data`` measured on that, too."""
        check_is_fitted(self)
        return to_rules(self.model_, data)

    def to_document(self) -> dict[str, Any]:
        """What a model file keeps of the estimator besides its model."""
        from treeforge.estimators.document import to_document

        return to_document(self)

    # what is fitted to

    def _take_dataset(self, data: Dataset, y: Any, sample_weight: Any) -> Dataset:
        if y is not None:
            raise DataError(
                "a Dataset brings its own classes: leave y out, or set another class in the Dataset"
            )
        if sample_weight is not None:
            raise DataError("a Dataset brings its own weights: leave sample_weight out")
        self.classes_ = np.array(data.schema.classes, dtype=object)
        self.n_features_in_ = len(data.schema.inputs)
        self.feature_names_in_ = np.array([a.name for a in data.schema.inputs], dtype=object)
        if self.class_weight is None:
            return data
        codes = data.class_codes
        names = self.classes_[np.maximum(codes, 0)]
        factors = np.where(codes >= 0, compute_sample_weight(self.class_weight, names), 1.0)
        weights = factors if data.weights is None else factors * data.weights
        return Dataset(data.schema, data.columns, weights, data.name, data.source)

    def _take_matrix(self, X: Any, y: Any, sample_weight: Any) -> Dataset:
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        columns = self._columns(X, reset=True)
        labels = column_or_1d(y, warn=True)
        n_rows = len(columns[0].values) if columns else 0
        if len(labels) != n_rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(labels)}]"
            )
        if labels.dtype.kind == "f" and not np.isfinite(labels).all():
            what = "NaN" if np.isnan(labels).any() else "infinity or a value too large for dtype('float64')"
            raise ValueError(f"Input y contains {what}.")
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(
                sample_weight, np.empty((n_rows, 1)), dtype=np.float64, ensure_non_negative=True
            )
            if not weights.any():
                raise ValueError("Sample weights are all zero: there is nothing to learn from")
        if self.class_weight is not None:
            factors = compute_sample_weight(self.class_weight, labels)
            weights = factors if weights is None else weights * factors
        names = {column.name for column in columns}
        target = str(getattr(y, "name", None) or "class")
        while target in names:
            target += "_"
        attributes = [column.attribute() for column in columns]
        attributes.append(Attribute(target, "nominal", tuple(_class_text(c) for c in self.classes_.tolist())))
        values = [*(column.values for column in columns), codes.astype(np.int32)]
        return Dataset(Schema(tuple(attributes), len(columns)), tuple(values), weights)

    def _columns(self, X: Any, *, reset: bool) -> list[Column]:
        """X as columns, after scikit-learn's checks of shape, number and names."""
        if issparse(X):
            raise TypeError(
                "Sparse data was passed, but dense data is required: use X.toarray() to convert it"
            )
        if is_frame(X):
            if X.shape[0] == 0 and reset:
                raise ValueError(
                    f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required."
                )
            if X.shape[1] == 0:
                raise ValueError(
                    f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required."
                )
            validate_data(self, X, reset=reset, skip_check_array=True)
            return columns_of(X)
        if not (isinstance(X, np.ndarray) and X.dtype.kind in "fiub"):
            array = X if isinstance(X, np.ndarray) else _array(X)
            if array.dtype.kind in "OUS" and array.ndim == 2 and array.size:
                validate_data(self, array, reset=reset, skip_check_array=True)
                found = columns_of(array.astype(object))
                return [
                    Column(self._name(place), c.kind, c.values, c.categories) for place, c in enumerate(found)
                ]
        matrix = validate_data(
            self,
            X,
            reset=reset,
            dtype=np.float64,
            ensure_all_finite="allow-nan",
            ensure_min_samples=int(reset),
        )
        return [
            Column(self._name(place), "numeric", np.ascontiguousarray(matrix[:, place]))
            for place in range(matrix.shape[1])
        ]

    def _name(self, place: int) -> str:
        names = getattr(self, "feature_names_in_", None)
        return str(names[place]) if names is not None else f"x{place}"

    # what is predicted

    def _as_dataset(self, X: Any) -> Dataset:
        schema = self.model_.schema
        if isinstance(X, Dataset):
            return match(X, schema)
        columns = self._columns(X, reset=False)
        values = [c.as_attribute(a) for c, a in zip(columns, schema.inputs, strict=True)]
        assert schema.class_index is not None
        n_rows = len(values[0]) if values else 0
        values.insert(schema.class_index, np.full(n_rows, -1, dtype=np.int32))
        return Dataset(schema, tuple(values))

    def _fitted(self) -> Any:
        if "model_" not in self.__dict__:
            check_is_fitted(self)  # says so, in scikit-learn's words
        return self.model_.fitted

    def _source(self, X: Any) -> Any:
        """What the trees read: a matrix of plain numbers as it is, anything else as a table."""
        if (
            type(X) is np.ndarray
            and X.dtype == np.float64
            and X.shape[1:] == (self.n_features_in_,)
            and self._all_numeric
            and not hasattr(self, "feature_names_in_")
        ):
            if not np.isfinite(X.sum()) and np.isinf(X).any():
                raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
            return np.ascontiguousarray(X)
        return self._table(X)

    def _table(self, X: Any) -> Table:
        return encode(self._as_dataset(X))

    # parameters

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _threads(self) -> int:
        if self.n_jobs is None:
            return 1
        if self.n_jobs == 0:
            raise ParameterError("n_jobs == 0 has no meaning; -1 means all processors")
        return self.n_jobs if self.n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + self.n_jobs)

    def _check_costs(self) -> None:
        if self.cost_matrix is None:
            return
        costs = np.asarray(self.cost_matrix, dtype=np.float64)
        n = len(self.classes_)
        if costs.shape != (n, n) or not np.isfinite(costs).all():
            raise ParameterError(
                f"cost_matrix: {n} x {n} finite numbers are expected, cost_matrix[i][j] being the cost of "
                f"saying class j where i is true, not {costs.shape}"
            )

    def _set_trees(self) -> None:
        fitted = self.model_.fitted
        for name in ("tree_", "trees_"):
            self.__dict__.pop(name, None)  # of an earlier fit with other parameters
        if isinstance(fitted, ONE_TREE):
            self.tree_ = fitted.tree
            self.trees_: tuple[Tree, ...] = (fitted.tree,)
        elif isinstance(fitted, RuleModel):
            self.trees_ = ()
        elif not hasattr(fitted, "trees"):  # VFDT's model predicts in a way of its own, and from tables
            self._all_numeric = False
            return
        else:
            self.trees_ = fitted.trees
        self._all_numeric = all(attribute.is_numeric for attribute in self.model_.schema.inputs)
        training = (
            fitted.decided
            if isinstance(fitted, RuleModel)
            else np.array([tree.distribution[0] for tree in self.trees_])
        )
        self._commonest = int(training.sum(axis=0).argmax())

    def _check_trees(self, name: str) -> None:
        check_is_fitted(self)
        if not getattr(self, "trees_", ()):
            raise AttributeError(
                f"{name} is of trees, and the model has none: {type(self.model_.fitted).__name__}"
            )

    # what is shown

    def _html_repr(self) -> str:
        """In a notebook: scikit-learn's box, and below it the fitted tree as an outline that folds, or the rules."""
        box: str = super()._html_repr()
        return box + to_html(self.model_) if hasattr(self, "trees_") else box

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        # texts are taken too, but the tag for them would promise objects of every kind
        return tags


def words_of(value: Any) -> Any:
    """A plugin's name, or name with parameters, as the learner's builder takes it."""
    return dict(value) if isinstance(value, Mapping) else value


def _array(X: Any) -> NDArray[Any]:
    try:
        return np.asarray(X)
    except ValueError:  # rows of different lengths: scikit-learn says so better
        return np.empty(0)


def _class_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)
