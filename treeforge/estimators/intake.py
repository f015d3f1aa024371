"""Matrices, frames and data sets as the learner takes them, after scikit-learn's checks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d, validate_data

from treeforge.core.model import TreeModel, VoteModel
from treeforge.core.predict import refuse_infinite
from treeforge.core.table import Table
from treeforge.data import Attribute, Dataset, Schema
from treeforge.data.matching import match
from treeforge.errors import DataError
from treeforge.estimators.columns import Column, columns_of, is_frame
from treeforge.learn.encode import encode


class Intake(BaseEstimator):  # type: ignore[misc]
    """What estimators do with X and y."""

    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    class_weight: Any
    model_: Any
    _all_numeric: bool

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

    def _source(self, X: Any) -> Any:
        """What the trees read: a matrix of plain numbers as it is, anything else as a table."""
        if (
            type(X) is np.ndarray
            and X.dtype == np.float64
            and X.shape[1:] == (self.n_features_in_,)
            and self._all_numeric
            and not hasattr(self, "feature_names_in_")
        ):
            matrix = np.ascontiguousarray(X)
            if not isinstance(self.model_.fitted, (TreeModel, VoteModel)):  # they look for themselves
                refuse_infinite(matrix)
            return matrix
        return self._table(X)

    def _table(self, X: Any) -> Table:
        return encode(self._as_dataset(X))


def _array(X: Any) -> NDArray[Any]:
    try:
        return np.asarray(X)
    except ValueError:  # rows of different lengths: scikit-learn says so better
        return np.empty(0)


def _class_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)
