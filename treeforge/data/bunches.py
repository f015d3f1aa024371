"""scikit-learn's data sets: the ones that it ships (``sklearn:iris``) and OpenML's by number (``openml:61``)."""

from __future__ import annotations

from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np

from treeforge.data.arrow import from_frame
from treeforge.data.csv_files import whole_numbers_as_nominal
from treeforge.data.dataset import Dataset
from treeforge.data.schema import Attribute, Schema
from treeforge.errors import DataError

_SHIPPED = ("breast_cancer", "digits", "iris", "wine")


def from_bunch(bunch: Any, name: str = "") -> Dataset:
    """A dataset from what scikit-learn's ``load_*`` and ``fetch_openml`` return.

    Parameters
    ----------
    bunch : Bunch
        With ``data`` and ``target``, a frame or an array; the target becomes the last attribute, and the class.
    name : str
    """
    if hasattr(bunch.data, "columns"):
        frame = bunch.data.copy()
        target = getattr(bunch.target, "name", None) or "class"
        frame[str(target)] = bunch.target
        dataset = from_frame(frame, str(target), name)
        place = dataset.schema.names[str(target)]
        attribute, column = dataset.schema.attributes[place], dataset.columns[place]
        if attribute.kind == "numeric":
            attribute, column = whole_numbers_as_nominal(attribute, column)
        attributes = [*dataset.schema.attributes[:place], attribute]
        return Dataset(Schema(tuple(attributes), place, name), (*dataset.columns[:place], column), None, name)
    values = np.asarray(bunch.data, dtype=np.float64)
    names = [
        str(n)
        for n in getattr(bunch, "feature_names", None) or [f"x{i}" for i in range(1, values.shape[1] + 1)]
    ]
    target = np.asarray(bunch.target)
    classes = getattr(bunch, "target_names", None)
    codes = target
    if classes is None or target.dtype.kind not in "iu":
        classes, codes = np.unique(target, return_inverse=True)
    attribute = Attribute("class", "nominal", tuple(map(str, classes)))
    schema = Schema((*map(Attribute, names), attribute), len(names), name)
    return Dataset(schema, (*values.T, codes.astype(np.int32)), None, name)


def read_sklearn(name: str) -> Dataset:
    """A data set that scikit-learn ships: breast_cancer, digits, iris or wine."""
    from sklearn import datasets

    if name not in _SHIPPED:
        raise DataError(
            f"scikit-learn has no data set '{name}' for classification; there are: {', '.join(_SHIPPED)}"
        )
    dataset = from_bunch(getattr(datasets, f"load_{name}")(), name)
    return Dataset(dataset.schema, dataset.columns, None, name, f"sklearn:{name}")


def read_openml(number: str) -> Dataset:
    """A data set of OpenML by its number; kept in scikit-learn's cache, so a second time needs no network."""
    from sklearn.datasets import fetch_openml

    if not number.isdigit():
        raise DataError(f"OpenML's data sets have numbers, such as openml:61, not '{number}'")
    try:
        bunch = fetch_openml(data_id=int(number), as_frame=True, parser="auto", n_retries=0)
    except HTTPError as fault:
        raise DataError(f"OpenML has no data set {number}, or refuses it: {fault}") from None
    except (URLError, OSError) as fault:
        raise DataError(
            f"OpenML's data set {number} is not in the cache, and www.openml.org cannot be reached: {fault}"
        ) from None
    except ValueError as fault:
        raise DataError(f"OpenML's data set {number} cannot be read: {fault}") from None
    if bunch.target is None:
        raise DataError(f"OpenML's data set {number} says of no single column that it is the class")
    name = str(bunch.details.get("name", number))
    dataset = from_bunch(bunch, name)
    return Dataset(dataset.schema, dataset.columns, None, name, f"openml:{number}")
