"""An estimator in a model file: its class, parameters and classes, and back again."""

from __future__ import annotations

from typing import Any

import numpy as np

from treeforge.errors import ModelError
from treeforge.export.json import Document
from treeforge.export.values import plain
from treeforge.learn.model import Model

#: How class labels are kept: kind in the file -> type of the array.
_KINDS: dict[str, Any] = {"text": object, "whole": np.int64, "number": np.float64, "truth": np.bool_}


def to_document(estimator: Any) -> dict[str, Any]:
    """JSON values from which ``from_document`` makes the estimator again."""
    labels = estimator.classes_.tolist()
    kinds = {"b": "truth", "i": "whole", "u": "whole", "f": "number"}
    kind = kinds.get(estimator.classes_.dtype.kind, "text")
    if kind == "text" and not all(isinstance(label, str) for label in labels):
        raise ModelError("class labels that are neither texts nor numbers cannot be kept in a model file")
    parameters = estimator.get_params(deep=False)
    state = parameters.get("random_state")
    if state is not None and not isinstance(state, int | np.integer):
        parameters["random_state"] = (
            None  # a generator has moved on; the seed that was drawn is with the model
        )
    names = getattr(estimator, "feature_names_in_", None)
    return {
        "class": type(estimator).__name__,
        "parameters": plain(parameters, "parameters"),
        "labels": labels,
        "label_kind": kind,
        "names": None if names is None else [str(name) for name in names],
    }


def from_document(document: Document) -> Any:
    """The estimator that was saved; only classes of this package are ever made."""
    from treeforge import estimators

    found = document.estimator
    name, parameters = found.get("class"), found.get("parameters")
    labels, kind = found.get("labels"), found.get("label_kind")
    if name not in estimators.__all__ or not str(name).endswith("Classifier"):
        raise ModelError(f"the file holds an estimator '{name!s:.40}', which this version does not know")
    if not isinstance(parameters, dict) or not isinstance(labels, list) or kind not in _KINDS:
        raise ModelError("the estimator in the file is damaged")
    if len(labels) != len(document.schema.classes):
        raise ModelError(f"{len(labels)} labels for {len(document.schema.classes)} classes")
    try:
        made = getattr(estimators, name)(**parameters)
        made.classes_ = np.array(labels, dtype=_KINDS[kind])
    except (TypeError, ValueError, OverflowError) as wrong:
        raise ModelError(f"the estimator in the file cannot be made again: {wrong}") from None
    made.model_ = Model(document.schema, document.fitted, document.algorithm)
    made.n_features_in_ = len(document.schema.inputs)
    if isinstance(found.get("names"), list):
        made.feature_names_in_ = np.array(found["names"], dtype=object)
    made._set_trees()
    return made
