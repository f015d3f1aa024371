"""C4.5's files: ``NAME.names`` declares classes and attributes, ``NAME.data`` and ``NAME.test`` hold the cases.

Backslashes protect ``, : | . ?`` and themselves; ``|`` starts a comment; a full stop before a blank or the end of
a line ends an entry; runs of blanks count as one. What C5.0 added (labels, dates, formulas) is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data.cells import category_texts, number_texts
from treeforge.data.dataset import Dataset
from treeforge.data.numbers import parse_number
from treeforge.data.schema import Attribute, Schema
from treeforge.data.stream import NOT_UTF8, Target, open_bytes, plain_name
from treeforge.errors import DataError

_SPECIAL = re.compile(r"([\\,:|?.])")
#: a field, and what ends it: a comma, colon, or full stop before a blank or the end of the line, or that end
_FIELD = re.compile(r"((?:\\.|\.(?!\s|$)|[^\\,:|.\n])*)([,:]|\.(?=\s|$)|$)", re.MULTILINE)


def read_c45(
    path: str | os.PathLike[str], *, class_attribute: str | None = None, encoding: str | None = None
) -> Dataset:
    """Read the cases of a ``.data`` or ``.test`` file by the ``.names`` file beside it.

    Parameters
    ----------
    path : path
        ``.data``, ``.test``, or ``.names``, which means the ``.data`` beside it.
    class_attribute : str, optional
        By default the classes that the names file declares first.
    encoding : str, optional
        Of both files; by default UTF-8.
    """
    names_path, data_path = _beside(path, ".names"), Path(path)
    if data_path.suffix == ".names":
        data_path = data_path.with_suffix(".data")
    attributes, ignored, class_name = _read_names(names_path, encoding)
    columns: list[list[str | None]] = [[] for _ in range(len(attributes) + len(ignored))]
    places: list[int] = []
    for line, fields in _cases(data_path, encoding):
        if len(fields) != len(columns):
            raise DataError(
                f"{len(fields)} values were found, {len(columns)} expected", file=str(data_path), line=line
            )
        for column, field in zip(columns, fields, strict=True):
            column.append(None if field == "?" else _plain(field))
        places.append(line)
    kept = [column for place, column in enumerate(columns) if place not in ignored]
    found = [
        _values(attribute, column, places, str(data_path))
        for attribute, column in zip(attributes, kept, strict=True)
    ]
    schema = Schema(tuple(a for a, _ in found), None, plain_name(data_path))
    schema = schema.with_class(class_attribute or class_name)
    columns_found = tuple(column for _, column in found)
    return Dataset(schema, columns_found, name=plain_name(data_path), source=str(data_path))


def write_c45(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    """Write ``.names`` and the cases beside it; the class goes last.

    Parameters
    ----------
    dataset : Dataset
    path : path
        ``.names`` or ``.data``; with ``.test`` only the cases are written.

    Raises
    ------
    DataError
        For what these files cannot hold: weights, texts, dates, names with line ends or double blanks.
    """
    schema = dataset.schema
    if dataset.weights is not None:
        raise DataError("C4.5's files have no case weights: write ARFF or Parquet, or drop the weights")
    order = [*schema.input_indices, schema.names[schema.class_attribute.name]]
    attributes = [schema.attributes[i] for i in order]
    for attribute in attributes:
        if attribute.kind in ("date", "string"):
            raise DataError(f"C4.5's files have no {attribute.kind} attributes such as '{attribute.name}'")
    if not attributes[-1].is_nominal:
        raise DataError(f"the class '{attributes[-1].name}' is not nominal")
    cells = [
        category_texts(dataset.columns[i], [_written(c) for c in a.categories], "?")
        if a.is_nominal
        else number_texts(dataset.columns[i], "?", "Infinity")
        for i, a in zip(order, attributes, strict=True)
    ]
    lines = [",".join(row) + "\n" for row in zip(*cells, strict=True)]
    if Path(path).suffix != ".test":
        _write(_beside(path, ".names"), _declarations(attributes))
    _write(_beside(path, ".test" if Path(path).suffix == ".test" else ".data"), lines)


# ---------------------------------------------------------------------------------------------------- names


def _read_names(path: Path, encoding: str | None) -> tuple[list[Attribute], set[int], str]:
    """The attributes in the order of the fields, the places of fields to ignore, and the name of the class."""
    entries = list(_entries(path, encoding))
    if not entries:
        raise DataError("the classes were expected", file=str(path), line=1)
    line, heads = entries[0]
    if any(end == ":" for _, end in heads):
        raise DataError("the classes were expected first", file=str(path), line=line)
    classes = [_plain(text) for text, _ in heads]
    attributes: list[Attribute] = []
    ignored: set[int] = set()
    for place, (line, fields) in enumerate(entries[1:]):
        try:
            attribute = _declared(fields)
        except (DataError, ValueError) as fault:
            raise DataError(str(fault), file=str(path), line=line) from None
        if attribute is None:
            ignored.add(place)
        elif any(attribute.name == other.name for other in attributes):
            raise DataError(f"a second attribute is called '{attribute.name}'", file=str(path), line=line)
        else:
            attributes.append(attribute)
    named = next((a for a in attributes if len(classes) == 1 and a.name == classes[0]), None)
    if named is not None:  # C5.0's other way: the first entry names the attribute that is the class
        return attributes, ignored, named.name
    name = "class"
    while any(attribute.name == name for attribute in attributes):
        name += "_"
    try:
        attributes.append(Attribute(name, "nominal", tuple(classes)))
    except DataError as fault:
        raise DataError(fault.message, file=str(path), line=entries[0][0]) from None
    return attributes, ignored, name


def _declared(fields: list[tuple[str, str]]) -> Attribute | None:
    """``name: continuous``, ``name: a, b, c``, ``name: discrete N``; None for ``name: ignore``."""
    (name, end), *rest = fields
    if end != ":" or not rest:
        raise ValueError(f"'{name}: ...' was expected, an attribute with its kind")
    words = [_plain(text) for text, _ in rest]
    if any(end == ":" for _, end in rest[:-1]) or rest[0][0].startswith("="):
        raise ValueError(f"'{_plain(name)}' is defined by a formula, which only C5.0 knows")
    if len(words) > 1:
        return Attribute(_plain(name), "nominal", tuple(words))
    kind = words[0].lower()
    if not _is_keyword(kind):
        return Attribute(_plain(name), "nominal", (words[0],))
    if kind == "ignore":
        return None
    if kind == "continuous":
        return Attribute(_plain(name))
    if kind.startswith("discrete"):
        return Attribute(_plain(name), "nominal")  # categories are taken as they come
    raise ValueError(f"'{_plain(name)}' is of the kind '{kind}', which only C5.0 knows")


def _is_keyword(word: str) -> bool:
    """Whether a word behind a colon, alone, is a kind and no category."""
    return bool(
        re.fullmatch(r"(?i)continuous|ignore|discrete \d+|label|date|time|timestamp|\[ordered\]", word)
    )


def _declarations(attributes: list[Attribute]) -> list[str]:
    *inputs, last = attributes
    if not last.categories or (len(last.categories) == 1 and last.categories[0] in {a.name for a in inputs}):
        raise DataError(f"C4.5's files cannot declare the classes '{', '.join(last.categories)}'")
    lines = [", ".join(map(_written, last.categories)) + ".\n\n"]
    for attribute in inputs:
        words = ", ".join(map(_written, attribute.categories)) if attribute.is_nominal else "continuous"
        if attribute.is_nominal and (not words or _is_keyword(words)):
            raise DataError(f"C4.5's files cannot declare '{attribute.name}' with the categories '{words}'")
        lines.append(f"{_written(attribute.name)}: {words}.\n")
    return lines


# ----------------------------------------------------------------------------------------------------- data


def _values(
    attribute: Attribute, texts: list[str | None], places: list[int], path: str
) -> tuple[Attribute, NDArray[Any]]:
    if attribute.is_nominal and not attribute.categories:
        found = tuple(dict.fromkeys(text for text in texts if text is not None))
        attribute = Attribute(attribute.name, "nominal", found)
    column = np.full(len(texts), -1 if attribute.is_nominal else np.nan)
    for row, text in enumerate(texts):
        if text is None:
            continue
        if attribute.is_nominal:
            column[row] = attribute.code(text)
            wrong = column[row] < 0
        else:
            try:
                column[row], wrong = parse_number(text), False
            except ValueError:
                wrong = True
        if wrong:
            wanted = f"one of {', '.join(attribute.categories)}" if attribute.is_nominal else "a number"
            raise DataError(
                f"{wanted} was expected for '{attribute.name}', not '{text}'", file=path, line=places[row]
            )
    return attribute, column.astype(np.int32) if attribute.is_nominal else column


def _cases(path: Path, encoding: str | None) -> Iterator[tuple[int, list[str]]]:
    """Line and fields of each case."""
    for line, fields in _lines(path, encoding):
        if any(end == ":" for _, end in fields):
            raise DataError("a colon inside a value needs a backslash", file=str(path), line=line)
        yield line, [text for text, _ in fields]


def _entries(path: Path, encoding: str | None) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Line and fields of each entry of a names file: up to a full stop, or a line end that follows no comma."""
    entry: list[tuple[str, str]] = []
    first = 0
    for line, fields in _lines(path, encoding):
        for text, end in fields:
            first = first if entry else line
            entry.append((text, end))
            if end in (".", ""):
                yield first, entry
                entry = []
    if entry:
        yield first, entry


def _lines(path: Path, encoding: str | None) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Line number, and the fields with what ended each, of every line that has any."""
    with open_bytes(path, encoding) as stream:
        content = stream.read()
    try:
        text = content.decode()
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise DataError(NOT_UTF8, file=str(path), line=line) from None
    for number, raw in enumerate(re.split(r"\r\n?|\n", text), 1):
        line = re.sub(r"(?<!\\)((?:\\\\)*)\|.*", r"\1", raw).strip(" \t\f\v")
        if not line:
            continue
        fields = []
        start = 0
        while start < len(line):
            found = _FIELD.match(line, start)
            if found is None or found.end() == start:
                raise DataError(
                    f"cannot be read from here: '{line[start : start + 20]}'", file=str(path), line=number
                )
            fields.append((" ".join(found[1].split()), found[2]))
            start = found.end()
            while start < len(line) and line[start] in " \t":
                start += 1
        yield number, fields


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _written(text: str) -> str:
    if text != " ".join(text.split()) or not text:
        raise DataError(f"C4.5's files cannot hold the name or category {text!r}")
    return _SPECIAL.sub(r"\\\1", text)


def _beside(path: str | os.PathLike[str], ending: str) -> Path:
    return Path(path).with_suffix(ending)


def _write(path: Path, lines: list[str]) -> None:
    target = Target(path)
    try:
        target.write("".join(lines).encode())
    except BaseException:
        target.discard()
        raise
    target.close()
