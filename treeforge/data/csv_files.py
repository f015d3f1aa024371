"""CSV with a line of names; nothing is guessed from single values.

A column is numeric when all its known values are numbers, otherwise nominal with its categories in the order in
which they first appear (as Weka's loader has them). Unknown is an empty field, ``?`` or ``NA`` (as R writes it) without
quotes, and whatever word is declared. A class column of whole numbers is nominal. Rows of another length are refused.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import slips
from treeforge.data.arrow import nominal
from treeforge.data.cells import category_texts, date_texts, number_text, number_texts, string_texts
from treeforge.data.dataset import Dataset
from treeforge.data.dates import DEFAULT_FORMAT, date_format
from treeforge.data.schema import Attribute, Schema
from treeforge.data.stream import NOT_UTF8, Target, open_bytes, plain_name
from treeforge.errors import DataError, nearest

_UNKNOWN = ("", "?", "NA")
_SPECIAL = frozenset(',;\t"\r\n')
_ROWS = 1 << 14  # as text at a time
_DELIMITERS = ",;\t"
_HEAD = 1 << 20  # a line of names is not longer


def read_csv(
    path: str | os.PathLike[str],
    *,
    class_attribute: str | None = None,
    unknown: Sequence[str] = (),
    decimal: str = ".",
    encoding: str | None = None,
) -> Dataset:
    """Read a CSV file, plain or gzip-compressed.

    Parameters
    ----------
    path : path
        Commas, semicolons or tabs part the fields: whichever is most frequent in the line of names.
    class_attribute : str, optional
        By default the last column.
    unknown : sequence of str
        Words that mean unknown, in quotes or not, besides an empty field, ``?`` and ``NA``.
    decimal : {'.', ','}
        What parts a number's decimals.
    encoding : str, optional
        By default UTF-8, or what a byte order mark says.

    Warns
    -----
    DataWarning
        Where a column may not be what was meant: numbers but for a few words, a category that looks like a gap.
    """
    source = os.fspath(path)
    if decimal not in (".", ","):
        raise DataError(f"decimal is '.' or ',', not '{decimal}'", file=source)
    with open_bytes(path, encoding) as stream:
        text = stream.read()
    names, delimiter = _names(text, source)
    if class_attribute is not None and class_attribute not in names:
        raise DataError(
            f"no column is called '{class_attribute}'{nearest(class_attribute, names)} "
            f"(there are: {', '.join(names)})",
            file=source,
        )
    if text.count(b'"') % 2:
        raise DataError("a quote is never closed", file=source)
    table = _parse(text, names, delimiter, source)
    class_name = names[-1] if class_attribute is None else class_attribute
    words = [unknown] if isinstance(unknown, str) else list(unknown)
    found = [
        _column(name, _without(chunks.combine_chunks(), words), name == class_name, decimal)
        for name, chunks in zip(names, table.columns, strict=True)
    ]
    odd = [slips.slip(attribute, column, decimal) for attribute, column in found]
    slips.warn((slip for slip in odd if slip is not None), source, len(found[0][1]))
    schema = Schema(tuple(a for a, _ in found), names.index(class_name), plain_name(path))
    return Dataset(schema, tuple(column for _, column in found), name=plain_name(path), source=source)


def write_csv(dataset: Dataset, path: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write a line of names and the rows. Kinds, the order of categories and weights are lost: CSV has none.

    Raises
    ------
    DataError
        When the dataset has case weights.
    """
    if dataset.weights is not None:
        raise DataError("CSV has no case weights: write ARFF or Parquet, or drop the weights")
    target = Target(path)
    try:
        delimiter = "\t" if target.name.lower().endswith((".tsv", ".tsv.gz")) else ","
        names = [_quoted(attribute.name) for attribute in dataset.schema.attributes]
        words = [[_quoted(c) for c in attribute.categories] for attribute in dataset.schema.attributes]
        target.write((delimiter.join(names) + "\n").encode())
        for start in range(0, dataset.n_rows, _ROWS):
            rows = slice(start, start + _ROWS)
            cells = [_cells(dataset, i, rows, words[i]) for i in range(len(names))]
            lines = map(delimiter.join, zip(*cells, strict=True))
            target.write(("\n".join(lines) + "\n").encode())
    except BaseException:
        target.discard()
        raise
    target.close()


def whole_numbers_as_nominal(
    attribute: Attribute, column: NDArray[np.float64]
) -> tuple[Attribute, NDArray[Any]]:
    """A class column of whole numbers as categories in ascending order; another column as it is."""
    known = ~np.isnan(column)
    values, codes = np.unique(column[known], return_inverse=True)
    if not np.array_equal(values, np.rint(values)) or not np.isfinite(values).all():
        return attribute, column
    coded = np.full(len(column), -1, dtype=np.int32)
    coded[known] = codes
    return Attribute(attribute.name, "nominal", tuple(map(number_text, values.tolist()))), coded


def _names(text: bytes, source: str) -> tuple[list[str], str]:
    """The names of the columns, and what parts them."""
    if len(text) <= _HEAD:
        _check_utf8(text, source)
    head = text[:_HEAD].decode(errors="ignore")  # the end may part a letter
    lines = io.StringIO(head, newline="")
    delimiter = max(_DELIMITERS, key=re.sub(r'"[^"]*"', "", head).split("\n", 1)[0].count)
    try:
        names = next(csv.reader(lines, delimiter=delimiter, strict=True), [])
    except csv.Error as fault:
        raise DataError(f"the names of the columns cannot be read: {fault}", file=source, line=1) from None
    if not names:
        raise DataError("a line with the names of the columns was expected", file=source, line=1)
    for place, name in enumerate(names):
        if name in names[:place]:
            raise DataError(f"two columns are called '{name}'", file=source, line=1)
    return names, delimiter


def _check_utf8(text: bytes, source: str) -> None:
    """Raise DataError, with the line, where the bytes are not UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError as fault:
        line = text.count(b"\n", 0, fault.start) + 1
        raise DataError(NOT_UTF8, file=source, line=line) from None


def _parse(text: bytes, names: list[str], delimiter: str, source: str) -> Any:
    """An Arrow table of texts; null is unknown."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    wrong: list[Any] = []

    def note(row: Any) -> str:
        wrong.append(row)
        return "error"

    try:
        return arrow_csv.read_csv(
            pa.BufferReader(text),
            read_options=arrow_csv.ReadOptions(use_threads=False),  # threads lose the numbers of rows
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, invalid_row_handler=note
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=list(_UNKNOWN),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as fault:
        if wrong:
            row = wrong[0]
            found = (
                f"{row.actual_columns} fields were found, {row.expected_columns} expected: {row.text[:60]}"
            )
            raise DataError(found, file=source, line=row.number) from None
        _check_utf8(text, source)
        raise DataError(str(fault), file=source) from None


def _column(name: str, texts: Any, is_class: bool, decimal: str) -> tuple[Attribute, NDArray[Any]]:
    numbers = _numbers(texts, decimal)
    if numbers is None:
        return nominal(name, texts)
    column = np.array(numbers.to_numpy(zero_copy_only=False), dtype=np.float64)
    if is_class and texts.null_count == len(texts):  # nothing that could be a number
        return nominal(name, texts)
    if is_class:
        return whole_numbers_as_nominal(Attribute(name), column)
    return Attribute(name), column


def _numbers(texts: Any, decimal: str) -> Any:
    """The column as numbers; None where a known value is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.utf8_trim_whitespace(texts)
    if decimal == ",":
        if pc.any(pc.match_substring(texts, ".")).as_py():
            return None  # 1.234 may be a thousand and more: no number here
        texts = pc.replace_substring(texts, ",", ".")
    try:
        return texts.cast(pa.float64())
    except pa.ArrowInvalid:
        return None


def _without(texts: Any, words: list[str]) -> Any:
    """Without the words that mean unknown, and without the blank of a delimiter ", ": one before every known value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(texts) > texts.null_count and pc.all(pc.starts_with(texts, " ")).as_py():
        texts = pc.utf8_ltrim_whitespace(texts)
        words = [*_UNKNOWN, *words]
    if words:
        texts = pc.if_else(pc.is_in(texts, value_set=pa.array(words, pa.string())), None, texts)
    return texts


def _quoted(text: str) -> str:
    if text not in _UNKNOWN and text.strip() == text and not _SPECIAL.intersection(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _cells(dataset: Dataset, i: int, rows: slice, words: list[str]) -> list[str]:
    attribute, column = dataset.schema.attributes[i], dataset.columns[i][rows]
    if attribute.is_nominal:
        return category_texts(column, words, "?")
    if attribute.kind == "date":
        write = date_format(attribute.date_format or DEFAULT_FORMAT).format
        return date_texts(column, "?", lambda value: _quoted(write(value)))
    if attribute.is_numeric:
        return number_texts(column, "?")
    return string_texts(column, "?", _quoted)
