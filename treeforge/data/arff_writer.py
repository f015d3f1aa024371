"""Write ARFF so that what is read again is the same, bit for bit; Weka reads the same too."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import TracebackType
from typing import IO

from treeforge.data._arff.tokens import needs_quotes
from treeforge.data.cells import category_texts, date_texts, number_text, number_texts, string_texts
from treeforge.data.dataset import Dataset
from treeforge.data.dates import DEFAULT_FORMAT, date_format
from treeforge.data.schema import Attribute, Schema
from treeforge.data.stream import Target
from treeforge.errors import DataError

_ROWS = 1 << 14  # as text at a time
_ESCAPES = {"\\": "\\\\", "'": "\\'", '"': '\\"', "%": "\\%", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TABLE = str.maketrans(_ESCAPES)


def quoted(text: str) -> str:
    """A name or value as ARFF has it: in quotes where it needs them, escaped as Weka does.

    Examples
    --------
    >>> print(quoted("plain"), quoted("it's 5 %"), quoted("?"))
    plain 'it\\'s 5 \\%' '?'
    """
    return f"'{text.translate(_TABLE)}'" if needs_quotes(text.encode()) else text


class ArffWriter:
    """An ARFF file that grows block by block. It appears under its name when it is complete.

    Parameters
    ----------
    path : path, or a binary stream
        Compressed with gzip when it ends in ``.gz``.
    schema : Schema
        The class attribute is not marked in the file: readers take the last one.
    remarks : iterable of str
        Lines of a comment at the head of the file.
    """

    def __init__(
        self, path: str | os.PathLike[str] | IO[bytes], schema: Schema, remarks: Iterable[str] = ()
    ) -> None:
        self._schema = schema
        self._words = [[quoted(c) for c in attribute.categories] for attribute in schema.attributes]
        self._target = Target(path)
        self._write([f"% {line}\n" for remark in remarks for line in remark.splitlines() or [""]])
        self._write([f"@relation {quoted(schema.relation)}\n\n"])
        self._write(f"@attribute {quoted(a.name)} {_type(a)}\n" for a in schema.attributes)
        self._write(["\n@data\n"])

    def write(self, dataset: Dataset) -> None:
        """Append the rows of a dataset of this schema."""
        if dataset.schema.attributes != self._schema.attributes:
            raise DataError("the rows have another schema than the file", file=self._target.name)
        for start in range(0, dataset.n_rows, _ROWS):
            rows = slice(start, start + _ROWS)
            columns = [self._cells(dataset, i, rows) for i in range(len(dataset.columns))]
            lines: Iterable[str] = map(",".join, zip(*columns, strict=True))
            if dataset.weights is not None:
                weights = dataset.weights[rows].tolist()
                lines = (
                    line if weight == 1.0 else f"{line},{{{number_text(weight)}}}"
                    for line, weight in zip(lines, weights, strict=True)
                )
            self._write(["\n".join(lines), "\n"])

    def close(self) -> None:
        """Complete the file."""
        self._target.close()

    def __enter__(self) -> ArffWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if fault is None:
            self.close()
        else:
            self._target.discard()

    def _write(self, lines: Iterable[str]) -> None:
        self._target.write("".join(lines).encode())

    def _cells(self, dataset: Dataset, i: int, rows: slice) -> list[str]:
        attribute, column = self._schema.attributes[i], dataset.columns[i][rows]
        if attribute.is_nominal:
            return category_texts(column, self._words[i], "?")
        if attribute.kind == "string":
            return string_texts(column, "?", quoted)
        if attribute.kind == "numeric":
            return number_texts(column, "?", "Infinity")
        words = date_format(attribute.date_format or DEFAULT_FORMAT)
        lost = next((v for v in column.tolist() if v == v and not words.can_hold(v)), None)
        if lost is not None:
            raise DataError(
                f"the date {number_text(lost)} of '{attribute.name}' cannot be written as {words.pattern} "
                "without a loss",
                file=self._target.name,
            )
        return date_texts(column, "?", lambda value: quoted(words.format(value)))


def write_arff(
    dataset: Dataset, path: str | os.PathLike[str] | IO[bytes], remarks: Iterable[str] = ()
) -> None:
    """Write a dataset; reading the file gives the same values, names and weights.

    Parameters are those of ``ArffWriter``.

    Raises
    ------
    DataError
        When a date does not fit its format.
    """
    with ArffWriter(path, dataset.schema, remarks) as writer:
        writer.write(dataset)


def _type(attribute: Attribute) -> str:
    if attribute.is_nominal:
        return "{" + ",".join(map(quoted, attribute.categories)) + "}"
    if attribute.kind == "date":
        return f"date {quoted(attribute.date_format or DEFAULT_FORMAT)}"
    return attribute.kind
