"""Read ARFF as Weka reads it, and refuse what Weka would read with a loss.

The scanner in ``_arff`` reads the rows and hands back the few values that need Python, which are finished here. What is
refused names file, line and column.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from treeforge.data._arff.faults import MESSAGES
from treeforge.data._arff.header import Header
from treeforge.data._arff.lines import Lines
from treeforge.data._arff.scanner import Scanner
from treeforge.data._arff.text import shown, unquoted
from treeforge.data.dataset import Dataset
from treeforge.data.numbers import parse_number
from treeforge.data.stream import open_bytes, plain_name
from treeforge.errors import DataError

_ALL = 1 << 62


def read_arff(
    path: str | os.PathLike[str], *, class_attribute: str | None = None, encoding: str | None = None
) -> Dataset:
    """Read an ARFF file, plain or gzip-compressed.

    Parameters
    ----------
    path : path
    class_attribute : str, optional
        Name of the class attribute. Without it: the one that a KEEL header calls its output, else the last.
    encoding : str, optional
        What the file is written in. Without it: the encoding that a byte order mark or a remark in the first
        two lines (``% coding: latin-1``) declares, else UTF-8.

    Raises
    ------
    DataError
        With line and column, when the file is not ARFF, or could only be read with a loss.
    """
    with ArffReader(path, class_attribute=class_attribute, encoding=encoding) as reader:
        return reader.read()


class ArffReader:
    """An ARFF file whose header has been read; its rows come in blocks that fit into memory.

    Parameters are those of ``read_arff``.

    Attributes
    ----------
    schema : Schema
    """

    def __init__(
        self, path: str | os.PathLike[str], *, class_attribute: str | None = None, encoding: str | None = None
    ) -> None:
        self._path = os.fspath(path)
        self._at_end = False
        self._stream = open_bytes(path, encoding, remark=b"%")
        try:
            self._lines = Lines(self._stream)
            self._scanner = Scanner(self._lines, self._stream.n_bytes)
            header = Header(self._path, self._lines, self._scanner)
            self.schema = header.read(class_attribute)
            self._formats = header.formats
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> ArffReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def read(self, n_rows: int | None = None) -> Dataset:
        """The next rows, at most ``n_rows``; all that are left by default."""
        weights: dict[int, float] = {}
        done = False
        while not done:
            done, aside, fault = self._scanner.read(_ALL if n_rows is None else n_rows)
            for row, column, token, offset in aside:
                if column < 0:
                    weights[row] = self._weight(token, offset)
                else:
                    self._scanner.put(row, column, self._value(column, token, offset))
            if fault is not None:
                raise self._row_error(*fault)
        n_found = self._scanner.n_rows
        self._at_end = n_rows is None or n_found < n_rows
        columns = tuple(self._scanner.take())
        return Dataset(
            self.schema, columns, _weights(weights, n_found), name=plain_name(self._path), source=self._path
        )

    def blocks(self, n_rows: int = 1 << 16) -> Iterator[Dataset]:
        """The rows in blocks: at least one, which may be empty."""
        yield self.read(n_rows)
        while not self._at_end:
            block = self.read(n_rows)
            if block.n_rows:
                yield block

    # ---------------------------------------------------------------------------------------------- values

    def _value(self, column: int, token: bytes, offset: int) -> float | int | str:
        """What the scanner has put aside: an unusual number, an escaped category, a date, a text."""
        attribute = self.schema.attributes[column]
        try:
            text = unquoted(token)
        except UnicodeDecodeError:
            raise self._row_error("not utf-8", offset, column) from None
        if attribute.kind == "string":
            return text
        try:
            if attribute.kind == "date":
                return self._formats[column].parse(text)
            if attribute.kind == "numeric":
                return parse_number(text)
        except ValueError:
            raise self._row_error("no number", offset, column) from None
        code = attribute.code(text)
        if code < 0:
            raise self._row_error("undeclared", offset, column)
        return code

    def _weight(self, token: bytes, offset: int) -> float:
        try:
            weight = parse_number(unquoted(token))
        except ValueError:
            weight = -1.0
        if not 0 <= weight < float("inf"):
            raise self._row_error("no weight", offset, -1)
        return weight

    # ---------------------------------------------------------------------------------------------- errors

    def _row_error(self, fault: str, offset: int, column: int) -> DataError:
        """An error at a byte of the current block."""
        line, character = self._lines.place(offset)
        attribute = self.schema.attributes[column] if column >= 0 else None
        token = self._lines.token_at(offset)
        found = shown(token) if token else "the end of the line"
        if token and token[:1] not in (b"'", b'"'):
            found = f"'{found}'"
        n = len(self.schema.attributes)
        message = MESSAGES[fault].format(found=found, n=n, last=n - 1, name=attribute and attribute.name)
        if attribute is not None and fault == "undeclared":
            message += f" (declared: {_some(attribute.categories)})"
        if attribute is not None and fault == "no number" and attribute.kind == "date":
            message = f"a date like {attribute.date_format} was expected for '{attribute.name}', not {found}"
        return DataError(message, file=self._path, line=line, column=character)


def _some(categories: tuple[str, ...]) -> str:
    return ", ".join(categories[:8]) + (", ..." if len(categories) > 8 else "")


def _weights(weights: dict[int, float], n_rows: int) -> NDArray[np.float64] | None:
    if all(weight == 1.0 for weight in weights.values()):
        return None
    full = np.ones(n_rows)
    full[list(weights)] = list(weights.values())
    return full
