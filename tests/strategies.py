"""Hypothesis strategies: datasets with everything that a file can hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from treeforge.data import Attribute, Dataset, Schema

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.text(
    " '\"\\%{},?@\t\n\r\x00a1;|:.", max_size=8
)
FORMATS = (
    "yyyy-MM-dd'T'HH:mm:ss.SSS",
    "dd.MM.yyyy HH:mm:ss,SSS",
    "yyyyMMddHHmmssSSS",
    "EEE MMM d HH:mm:ss.SSS z yyyy",
)
_FIRST, _LAST = -62135769600000, 253402300799999  # years 1 to 9999


moments = st.integers(_FIRST, _LAST)


@st.composite
def datasets(
    draw: st.DrawFn,
    kinds: tuple[str, ...] = ("numeric", "nominal", "string", "date"),
    weighted: bool = True,
    words: st.SearchStrategy[str] = texts,
    dates: st.SearchStrategy[Any] = moments,
) -> Dataset:
    """Any dataset: names and categories with hostile characters, extreme numbers, unknowns, weights, no rows."""
    n_rows = draw(st.integers(0, 6))
    names = draw(st.lists(words, min_size=1, max_size=5, unique=True))
    attributes, columns = [], []

    def column(values: st.SearchStrategy[Any], dtype: Any) -> None:
        found = np.empty(n_rows, dtype=dtype)
        found[:] = draw(st.lists(values, min_size=n_rows, max_size=n_rows))
        columns.append(found)

    for name in names:
        kind = draw(st.sampled_from(kinds))
        if kind == "nominal":
            categories = draw(st.lists(words, max_size=6, unique=True))
            attributes.append(Attribute(name, "nominal", tuple(categories)))
            column(st.integers(-1, len(categories) - 1), np.int32)
        elif kind == "string":
            attributes.append(Attribute(name, "string"))
            column(st.none() | words, object)
        elif kind == "date":
            attributes.append(Attribute(name, "date", date_format=draw(st.sampled_from(FORMATS))))
            column(dates | st.just(math.nan), np.float64)
        else:
            attributes.append(Attribute(name))
            column(st.floats() | st.integers(-(2**60), 2**60), np.float64)
    weights = None
    if weighted and draw(st.booleans()):
        weights = np.array(draw(st.lists(st.floats(0, 1e300), min_size=n_rows, max_size=n_rows)))
    schema = Schema(tuple(attributes), len(attributes) - 1, draw(words))
    return Dataset(schema, tuple(columns), weights)


def assert_same_columns(before: Dataset, after: Dataset) -> None:
    """Values and weights are the same, bit for bit but for the bits of NaN."""
    assert after.n_rows == before.n_rows
    for one, other in zip(before.columns, after.columns, strict=True):
        assert one.dtype == other.dtype
        if one.dtype == np.float64:
            np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
            one, other = np.nan_to_num(one, nan=0.0), np.nan_to_num(other, nan=0.0)
            np.testing.assert_array_equal(np.signbit(one), np.signbit(other))
        np.testing.assert_array_equal(one, other)
    ones = np.ones(before.n_rows)
    weights = [ones if d.weights is None else d.weights for d in (before, after)]
    np.testing.assert_array_equal(*weights)


def assert_same(before: Dataset, after: Dataset) -> None:
    """The same schema and the same columns."""
    assert after.schema == before.schema
    assert_same_columns(before, after)


@st.composite
def training_sets(draw: st.DrawFn, most_rows: int = 30) -> Dataset:
    """What a tree can be grown on: ties, close values, unknowns, constant columns, weights of 0, one class only."""
    n_rows = draw(st.integers(1, most_rows))
    n_classes = draw(st.integers(2, 4))

    def cells(values: st.SearchStrategy[Any], dtype: Any) -> Any:
        return np.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)), dtype=dtype)

    attributes, columns = [], []
    for i in range(draw(st.integers(1, 4))):
        unknown = draw(st.booleans())
        if draw(st.booleans()):
            n = draw(st.sampled_from([1, 2, 3, 5, 300]))
            attributes.append(Attribute(f"x{i}", "nominal", tuple(f"v{k}" for k in range(n))))
            columns.append(cells(st.integers(-1 if unknown else 0, draw(st.integers(0, n - 1))), np.int32))
            continue
        step = draw(st.sampled_from([1.0, 0.1, 9e-6, 1.1e-5, 1e15]))
        value: st.SearchStrategy[float] = st.integers(-8, draw(st.integers(-8, 8))).map(
            lambda k, s=step: k * s
        )
        attributes.append(Attribute(f"x{i}"))
        columns.append(cells(value | st.just(math.nan) if unknown else value, np.float64))
    attributes.append(Attribute("class", "nominal", tuple(f"c{k}" for k in range(n_classes))))
    columns.append(
        cells(st.integers(draw(st.sampled_from([0, 0, -1])), draw(st.integers(0, n_classes - 1))), np.int32)
    )
    weight = draw(st.sampled_from([None, (1.0, 2.0), (0.0, 1.0), (0.1, 0.3, 0.5, 2.5)]))
    weights = None if weight is None else cells(st.sampled_from(weight), np.float64)
    return Dataset(Schema(tuple(attributes), len(attributes) - 1), tuple(columns), weights)
