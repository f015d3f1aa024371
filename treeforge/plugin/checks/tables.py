"""Small data sets, and the ways in which they are turned about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute, Dataset, Schema

CLASSES = ("red", "green", "blue")
COLOURS = ("a", "b", "c", "d")


def mixed(n: int = 240, *, unknown: float = 0.0, seed: int = 5, n_classes: int = 3) -> Dataset:
    """Numbers with few and with many values, two nominal attributes, and classes that depend on both."""
    draw = np.random.RandomState(seed)
    few = draw.randint(0, 20, n).astype(np.float64)
    many = draw.normal(size=n)
    noise = draw.normal(size=n) * 100
    colour = draw.randint(0, 4, n).astype(np.int32)
    side = draw.randint(0, 2, n).astype(np.int32)
    score = (few > 9).astype(int) + (many > 0.3) * (colour < 2) + (draw.uniform(size=n) < 0.1)
    codes = (score % n_classes).astype(np.int32)
    columns: list[NDArray[Any]] = [few, colour, many, side, noise]
    if unknown:
        for column in columns:
            column[draw.uniform(size=n) < unknown] = np.nan if column.dtype == np.float64 else -1
    return dataset(columns, codes, (0, 4, 0, 2, 0), n_classes)


def dataset(
    columns: list[NDArray[Any]],
    codes: NDArray[np.int32],
    n_categories: tuple[int, ...],
    n_classes: int,
    weights: NDArray[np.float64] | None = None,
) -> Dataset:
    """A data set from columns and class codes; 0 categories mark a number."""
    attributes = [
        Attribute(f"x{i}", "nominal", tuple(f"v{c}" for c in range(k))) if k else Attribute(f"x{i}")
        for i, k in enumerate(n_categories)
    ]
    classes = Attribute("class", "nominal", tuple(f"c{c}" for c in range(n_classes)))
    schema = Schema((*attributes, classes), len(attributes))
    return Dataset(schema, (*columns, np.asarray(codes, dtype=np.int32)), weights, "toy")


def weighted(data: Dataset, weights: NDArray[np.float64]) -> Dataset:
    """The same rows with other weights."""
    return replace(data, weights=weights)


def permuted(data: Dataset, seed: int = 3) -> Dataset:
    """The same rows in another order."""
    return data.take(np.random.RandomState(seed).permutation(data.n_rows))


def doubled(data: Dataset) -> Dataset:
    """Each row twice."""
    return data.take(np.repeat(np.arange(data.n_rows), 2))


def relabelled(data: Dataset, place: int, order: NDArray[np.int64]) -> Dataset:
    """Category ``order[k]`` of an attribute becomes category k: its names in another order, its codes with them."""
    attribute = data.schema.attributes[place]
    attributes = list(data.schema.attributes)
    attributes[place] = replace(attribute, categories=tuple(attribute.categories[k] for k in order))
    to = np.append(np.argsort(order), -1).astype(np.int32)
    columns = list(data.columns)
    columns[place] = to[columns[place]]
    schema = Schema(tuple(attributes), data.schema.class_index)
    return replace(data, schema=schema, columns=tuple(columns))


def with_column(data: Dataset, place: int, column: NDArray[Any]) -> Dataset:
    """Another column in the place of one."""
    columns = list(data.columns)
    columns[place] = column
    return replace(data, columns=tuple(columns))
