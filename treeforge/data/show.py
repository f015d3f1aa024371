"""A dataset's whole content, as JSON or as a table of text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

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
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "rows": ['
    for start in range(0, dataset.n_rows, _ROWS):
        rows = zip(
            *(_cells(dataset, i, start, json_number, None) for i in range(len(attributes))), strict=True
        )
        text = ", ".join("[" + ", ".join(map(_json_cell, row)) + "]" for row in rows)
        yield ", " + text if start else text
    yield '], "weights": ['
    if dataset.weights is None:
        yield ", ".join(["1"] * dataset.n_rows)
    else:
        yield ", ".join(map(json_number, dataset.weights.tolist()))
    yield "]}\n"


def text_chunks(dataset: Dataset) -> Iterator[str]:
    """The rows with tabs between the cells, names above them; weights last, where there are any."""
    names = [attribute.name for attribute in dataset.schema.attributes]
    weighted = dataset.weights is not None
    yield "\t".join(_one_line(name) for name in [*names, *(["(weight)"] if weighted else [])]) + "\n"
    for start in range(0, dataset.n_rows, _ROWS):
        columns: list[list[Any]] = [_cells(dataset, i, start, plain_number, "?") for i in range(len(names))]
        if dataset.weights is not None:
            columns.append([plain_number(w) for w in dataset.weights[start : start + _ROWS].tolist()])
        for i, attribute in enumerate(dataset.schema.attributes):
            if attribute.date_format is not None:
                write = date_format(attribute.date_format).format
                columns[i] = [cell if cell == "?" else write(float(cell)) for cell in columns[i]]
        yield "".join("\t".join(map(_one_line, row)) + "\n" for row in zip(*columns, strict=True))


def plain_number(value: float) -> str:
    """The shortest text that is this number again; whole numbers without a point."""
    if value.is_integer() and abs(value) < 1e15 and (value or math.copysign(1, value) > 0):
        return str(int(value))
    return repr(value)


def json_number(value: float) -> str:
    """The same; JSON has no infinity, but every reader takes 1e999 for it."""
    return plain_number(value).replace("inf", "1e999")


def _declaration(attribute: Attribute) -> dict[str, Any]:
    found: dict[str, Any] = {"name": attribute.name, "type": attribute.kind}
    if attribute.is_nominal:
        found["values"] = attribute.categories
    if attribute.date_format is not None:
        found["format"] = attribute.date_format
    return found


class _Text(str):
    """A cell that JSON puts in quotes."""

    __slots__ = ()


def _cells(
    dataset: Dataset, i: int, start: int, number: Callable[[float], str], unknown: str | None
) -> list[Any]:
    attribute = dataset.schema.attributes[i]
    values = dataset.columns[i][start : start + _ROWS].tolist()
    if attribute.is_nominal:
        words = [*map(_Text, attribute.categories), unknown]  # the code -1 of an unknown is the last of them
        return [words[code] for code in values]
    if attribute.is_numeric:
        return [unknown if value != value else number(value) for value in values]
    return [unknown if value is None else _Text(value) for value in values]


def _json_cell(cell: str | None) -> str:
    if cell is None:
        return "null"
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, _Text) else cell


def _one_line(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
