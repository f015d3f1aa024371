"""A dataset in the terms of another schema: attributes by name, categories by text.

A model counts attributes by place and categories by code. A file whose columns stand in another order, or
whose categories are declared otherwise, would be misread without a word; so it is matched first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data.dataset import Dataset
from treeforge.data.schema import Attribute, Schema
from treeforge.errors import DataError


def match(dataset: Dataset, schema: Schema) -> Dataset:
    """The same rows as columns of ``schema``.

    A category that the schema does not declare becomes unknown. The class may be absent: then it is unknown in
    all rows. Attributes that the schema does not have are left out.

    Raises
    ------
    DataError
        When an input of the schema is missing, or cannot be what the schema says.
    """
    if dataset.schema is schema or dataset.schema.attributes == schema.attributes:
        same_class = dataset.schema.class_index == schema.class_index
        return dataset if same_class else replace(dataset, schema=schema)
    names = dataset.schema.names
    missing = [a.name for a in schema.inputs if a.name not in names]
    if missing:
        there = ", ".join(names) if len(names) <= 20 else f"{', '.join(list(names)[:20])} ..."
        raise DataError(
            f"attribute '{missing[0]}' is missing, and the model was trained with it (there are: {there})",
            file=dataset.source or None,
        )
    columns: list[NDArray[Any]] = []
    for wanted in schema.attributes:
        if wanted.name in names:
            place = names[wanted.name]
            columns.append(_column(dataset, dataset.schema.attributes[place], dataset.columns[place], wanted))
        else:
            columns.append(np.full(dataset.n_rows, -1, dtype=np.int32))
    return replace(dataset, schema=schema, columns=tuple(columns))


def _column(dataset: Dataset, found: Attribute, column: NDArray[Any], wanted: Attribute) -> NDArray[Any]:
    if found.is_numeric and wanted.is_numeric:
        return column
    if wanted.is_nominal and found.is_nominal:
        if found.categories == wanted.categories:
            return column
        codes = np.array([*(wanted.code(c) for c in found.categories), -1], dtype=np.int32)
        matched: NDArray[np.int32] = codes[column]  # the code of unknown, -1, takes the last
        return matched
    if (
        wanted.is_nominal and found.is_numeric
    ):  # a file without a header of kinds: 1, 2, 3 are read as numbers
        known = ~np.isnan(column)
        out = np.full(len(column), -1, dtype=np.int32)
        out[known] = [wanted.code(repr(value).removesuffix(".0")) for value in column[known].tolist()]
        return out
    if wanted.is_nominal:
        return np.array([-1 if text is None else wanted.code(text) for text in column], dtype=np.int32)
    if not wanted.is_numeric:
        return np.array([None if text is None else str(text) for text in column], dtype=object)
    raise DataError(
        f"attribute '{wanted.name}' is {found.kind} here, but {wanted.kind} in the model",
        file=dataset.source or None,
    )
