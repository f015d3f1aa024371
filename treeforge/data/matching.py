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
    """The column as the schema wants it. Files without declared kinds may take 1, 2, 3 for numbers where the model
    has categories, or the other way round: that is no other type while every category is a number's text."""
    if found.kind == wanted.kind:
        return _recoded(found, column, wanted) if wanted.is_nominal else column
    if _all_unknown(found, column):  # nothing in it that could be of another type
        return np.full(len(column), -1, np.int32) if wanted.is_nominal else np.full(len(column), np.nan)
    if wanted.is_nominal and found.kind == "string":
        return np.array([-1 if text is None else wanted.code(text) for text in column], dtype=np.int32)
    if wanted.is_nominal and found.kind == "numeric":
        numbers = _numbers(wanted.categories)
        if not np.isnan(numbers).any():
            code_of = {number: code for code, number in enumerate(numbers.tolist())}
            return np.array([code_of.get(value, -1) for value in column.tolist()], dtype=np.int32)
    if wanted.kind == "numeric" and found.is_nominal:
        numbers = _numbers(found.categories)
        if not np.isnan(numbers[np.unique(column[column >= 0])]).any():
            values: NDArray[np.float64] = np.append(numbers, np.nan)[column]  # -1 takes the last
            return values
    raise DataError(
        f"attribute '{wanted.name}' is {found.kind} here, but {wanted.kind} in the model",
        file=dataset.source or None,
    )


def _recoded(found: Attribute, column: NDArray[Any], wanted: Attribute) -> NDArray[np.int32]:
    if found.categories == wanted.categories:
        return column
    codes = np.array([*(wanted.code(c) for c in found.categories), -1], dtype=np.int32)
    matched: NDArray[np.int32] = codes[column]  # the code of unknown, -1, takes the last
    return matched


def _all_unknown(found: Attribute, column: NDArray[Any]) -> bool:
    if found.is_nominal:
        return bool((column < 0).all())
    if found.is_numeric:
        return bool(np.isnan(column).all())
    return all(text is None for text in column)


def _numbers(categories: tuple[str, ...]) -> NDArray[np.float64]:
    """The numbers that categories are the texts of; NaN where one is no number's."""

    def number(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            return np.nan

    return np.array([number(text) for text in categories], dtype=np.float64)
