"""Arrow tables, and the data frames that become them: pandas, polars.

Numbers are numeric; texts, dictionaries (pandas categories) and truth values nominal; points in time dates. A
dictionary keeps the order of its categories, other texts stand in the order in which they first appear. Null and
NaN are unknown.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data.dataset import Dataset
from treeforge.data.dates import DEFAULT_FORMAT
from treeforge.data.schema import Attribute, Schema
from treeforge.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_OURS = b"treeforge"  # key of our schema in the metadata of a table
_WEIGHT = "(weight)"
_EXACT = 2**53  # up to here every whole number is a double


def from_frame(frame: Any, class_attribute: str | None = None, name: str = "") -> Dataset:
    """A dataset from a pandas or polars data frame, or an Arrow table.

    Parameters
    ----------
    frame : data frame
        The index of a pandas frame is left out.
    class_attribute : str, optional
        By default the last column.
    name : str
    """
    import pyarrow as pa

    if hasattr(frame, "to_arrow"):
        frame = frame.to_arrow()
    elif not isinstance(frame, pa.Table):
        frame = frame.set_axis([str(column) for column in frame.columns], axis=1)
        try:
            frame = pa.Table.from_pandas(frame, preserve_index=False)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as fault:
            raise DataError(f"a column holds values of several types: {fault.args[-1]}") from None
    return from_arrow(frame, class_attribute, name)


def to_frame(dataset: Dataset) -> pd.DataFrame:
    """A pandas frame: categories for nominal attributes, points in time for dates, NaN and None for unknown."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        if attribute.is_nominal:
            columns[attribute.name] = pd.Categorical.from_codes(
                column, pd.Index(attribute.categories, dtype="str")
            )
        elif attribute.kind == "date":
            columns[attribute.name] = pd.Series(_moments(column))
        else:
            columns[attribute.name] = column.copy()
    return pd.DataFrame(columns)


def from_arrow(table: Any, class_attribute: str | None = None, name: str = "", source: str = "") -> Dataset:
    """A dataset from an Arrow table; one that ``to_arrow`` made gets its schema and weights back."""
    ours = json.loads((table.schema.metadata or {}).get(_OURS, b"{}"))
    declared = {entry["name"]: entry for entry in ours.get("attributes", [])}
    attributes, columns = [], []
    weights = None
    for field, chunks in zip(table.schema, table.columns, strict=True):
        if ours.get("weight") == field.name:
            weights = np.asarray(chunks, dtype=np.float64)
            continue
        try:
            attribute, column = _column(field.name, chunks.combine_chunks(), declared.get(field.name, {}))
        except DataError as fault:
            raise DataError(fault.message, file=source or None) from None
        attributes.append(attribute)
        columns.append(column)
    if not attributes:
        raise DataError("the table has no column", file=source or None)
    schema = Schema(tuple(attributes), len(attributes) - 1, ours.get("relation", name))
    if class_attribute is None:
        class_attribute = ours.get("class")
    try:
        schema = schema if class_attribute is None else schema.with_class(class_attribute)
    except DataError as fault:
        raise DataError(fault.message, file=source or None) from None
    return Dataset(schema, tuple(columns), weights, name, source)


def to_arrow(dataset: Dataset) -> Any:
    """An Arrow table that ``from_arrow`` makes the same dataset of."""
    import pyarrow as pa

    names, arrays = [], []
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        names.append(attribute.name)
        if attribute.is_nominal:
            texts = pa.array(attribute.categories, pa.string())
            arrays.append(pa.DictionaryArray.from_arrays(pa.array(column, mask=column < 0), texts))
        elif attribute.kind == "date":
            arrays.append(pa.array(_moments(column), pa.timestamp("ms", "UTC")))
        elif attribute.is_numeric:
            arrays.append(pa.array(column, mask=np.isnan(column)))
        else:
            arrays.append(pa.array(column.tolist(), pa.string()))
    schema = dataset.schema
    entries = [
        {"name": a.name, "kind": a.kind, "categories": a.categories, "format": a.date_format}
        for a in schema.attributes
    ]
    ours: dict[str, Any] = {"relation": schema.relation, "attributes": entries}
    if schema.class_index is not None:
        ours["class"] = schema.class_attribute.name
    if dataset.weights is not None:
        ours["weight"] = _WEIGHT + "'" * sum(a.name.startswith(_WEIGHT) for a in schema.attributes)
        names.append(ours["weight"])
        arrays.append(pa.array(dataset.weights))
    return pa.table(arrays, names=names, metadata={_OURS: json.dumps(ours).encode()})


def nominal(
    name: str, texts: Any, categories: list[str] | None = None
) -> tuple[Attribute, NDArray[np.int32]]:
    """An attribute and its codes from an Arrow array of texts or of a dictionary of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(texts.type):
        texts = texts.dictionary_encode()
    found = texts.dictionary.cast(pa.string()).to_pylist()
    codes = pc.fill_null(texts.indices.cast(pa.int32()), -1).to_numpy(zero_copy_only=False)
    declared = {category: code for code, category in enumerate(categories or [])}
    for category in found:
        declared.setdefault(category, len(declared))
    places = np.array([*(declared[category] for category in found), -1], dtype=np.int32)
    recoded: NDArray[np.int32] = places[codes]  # -1 takes the last
    return Attribute(name, "nominal", tuple(declared)), recoded


def _column(name: str, array: Any, declared: dict[str, Any]) -> tuple[Attribute, NDArray[Any]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if declared.get("kind") == "string":
        texts = np.empty(len(array), dtype=object)
        texts[:] = array.to_pylist()
        return Attribute(name, "string"), texts
    if pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return nominal(name, array, declared.get("categories"))
    if str(kind) == "string_view":
        return nominal(name, array.cast(pa.string()), declared.get("categories"))
    if pa.types.is_null(kind):
        return Attribute(name), np.full(len(array), np.nan)
    if pa.types.is_boolean(kind):
        texts = pc.if_else(array, "True", "False")
        return nominal(name, texts, ["False", "True"])
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        attribute = Attribute(name, "date", date_format=declared.get("format") or DEFAULT_FORMAT)
        return attribute, _milliseconds(array)
    if pa.types.is_integer(kind):
        extremes = pc.min_max(array)
        if len(array) > array.null_count and (
            extremes["max"].as_py() > _EXACT or extremes["min"].as_py() < -_EXACT
        ):
            raise DataError(f"column '{name}' has whole numbers that a double cannot hold: make them texts")
        return Attribute(name), _floats(array.cast(pa.float64()))
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Attribute(name), _floats(array.cast(pa.float64()))
    raise DataError(f"column '{name}' is {kind}: neither number, text, truth value nor point in time")


def _milliseconds(array: Any) -> NDArray[np.float64]:
    """Points in time, of whatever unit, since 1970 UTC; NaN where null."""
    import pyarrow as pa

    if pa.types.is_date(array.type):
        array = array.cast(pa.timestamp("ms"))
    per_millisecond = {"s": 0.001, "ms": 1, "us": 1000, "ns": 1000_000}[array.type.unit]
    numbers = array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    whole, rest = np.divmod(numbers, per_millisecond) if per_millisecond >= 1 else (numbers * 1000, 0)
    values: NDArray[np.float64] = whole + rest / per_millisecond
    values[np.asarray(array.is_null())] = np.nan
    return values


def _floats(array: Any) -> NDArray[np.float64]:
    return np.array(array.to_numpy(zero_copy_only=False), dtype=np.float64)


def _moments(column: NDArray[np.float64]) -> NDArray[np.datetime64]:
    """Milliseconds as points in time; NaN as none."""
    moments = np.full(len(column), np.datetime64("NaT"), dtype="datetime64[ms]")
    known = ~np.isnan(column)
    moments[known] = column[known].astype(np.int64).astype("datetime64[ms]")
    return moments
