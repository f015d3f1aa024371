"""A dataset's whole content, as JSON or as a table of text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from treeforge.data.cells import category_texts, date_texts, number_text, number_texts, string_texts
from treeforge.data.dataset import Dataset
from treeforge.data.dates import date_format
from treeforge.data.schema import Attribute

_ROWS = 4096  # a chunk


def json_chunks(dataset: Dataset) -> Iterator[str]:
    """One JSON object on one line, in pieces: relation, attributes, rows, weights.

    An unknown value is null, a date is milliseconds since 1970 UTC.
    """
    attributes = [_declaration(attribute) for attribute in dataset.schema.attributes]
    head = {"relation": dataset.schema.relation, "attributes": attributes}
    yield _json(head)[:-1] + ', "rows": ['
    for start in range(0, dataset.n_rows, _ROWS):
        columns = [_json_cells(dataset, i, slice(start, start + _ROWS)) for i in range(len(attributes))]
        text = ", ".join("[" + ", ".join(row) + "]" for row in zip(*columns, strict=True))
        yield ", " + text if start else text
    yield '], "weights": ['
    if dataset.weights is None:
        yield ", ".join(["1"] * dataset.n_rows)
    else:
        yield ", ".join(map(number_text, dataset.weights.tolist()))
    yield "]}\n"


def text_chunks(dataset: Dataset) -> Iterator[str]:
    """The rows with tabs between the cells, names above them; weights last, where there are any."""
    names = [attribute.name for attribute in dataset.schema.attributes]
    if dataset.weights is not None:
        names.append("(weight)")
    yield "\t".join(map(_one_line, names)) + "\n"
    for start in range(0, dataset.n_rows, _ROWS):
        rows = slice(start, start + _ROWS)
        columns = [_text_cells(dataset, i, rows) for i in range(len(dataset.columns))]
        if dataset.weights is not None:
            columns.append(number_texts(dataset.weights[rows], "?"))
        yield "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True))


def _declaration(attribute: Attribute) -> dict[str, Any]:
    found: dict[str, Any] = {"name": attribute.name, "type": attribute.kind}
    if attribute.is_nominal:
        found["values"] = attribute.categories
    if attribute.date_format is not None:
        found["format"] = attribute.date_format
    return found


def _json_cells(dataset: Dataset, i: int, rows: slice) -> list[str]:
    attribute, column = dataset.schema.attributes[i], dataset.columns[i][rows]
    if attribute.is_nominal:
        return category_texts(column, [_json(category) for category in attribute.categories], "null")
    if attribute.is_numeric:  # JSON has no infinity, but every reader takes 1e999 for it
        return number_texts(column, "null", "1e999")
    return string_texts(column, "null", _json)


def _text_cells(dataset: Dataset, i: int, rows: slice) -> list[str]:
    attribute, column = dataset.schema.attributes[i], dataset.columns[i][rows]
    if attribute.is_nominal:
        return category_texts(column, [_one_line(category) for category in attribute.categories], "?")
    if attribute.date_format is not None:
        return date_texts(column, "?", date_format(attribute.date_format).format)
    if attribute.is_numeric:
        return number_texts(column, "?")
    return string_texts(column, "?", _one_line)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _one_line(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
