"""Read ARFF as Weka reads it, and refuse what Weka would read with a loss.

The header is parsed here; rows are read by the scanner in ``_arff``, which hands back the few values that need
Python. What is refused names file, line and column.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from treeforge.data._arff.lines import Lines
from treeforge.data._arff.scanner import Scanner
from treeforge.data._arff.tokens import tokens
from treeforge.data.dataset import Dataset
from treeforge.data.dates import DEFAULT_FORMAT, DateFormat
from treeforge.data.numbers import parse_number
from treeforge.data.schema import Attribute, Schema
from treeforge.data.stream import open_bytes, plain_name
from treeforge.errors import DataError

Token = tuple[bytes, bool, int]  # as it stands in the file; whether it is quoted; at which byte of the line

_ALL = 1 << 62
_NUMERIC_TYPES = ("numeric", "real", "integer")
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|[0-7]{1,2}|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


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
        self._formats: dict[int, DateFormat] = {}
        self._at_end = False
        self._stream = open_bytes(path, encoding, remark=b"%")
        try:
            self._lines = Lines(self._stream)
            self._scanner = Scanner(self._lines, self._stream.n_bytes)
            self.schema = self._read_header(class_attribute)
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

    # ---------------------------------------------------------------------------------------------- header

    def _read_header(self, class_attribute: str | None) -> Schema:
        relation: str | None = None
        attributes: dict[str, Attribute] = {}
        outputs: list[str] = []
        keel = False
        while True:
            line, offset, keyword = self._line()
            if not line:
                continue
            if relation is None:
                if keyword != "@relation":
                    raise self._error(f"@relation was expected, not '{_shown(line[0])}'", offset)
                relation = self._name(line, "the relation")
                if len(line) > 2:
                    raise self._error("the line should end here: a name with blanks needs quotes", line[2][2])
            elif keyword == "@attribute":
                attribute = self._attribute(line, len(attributes))
                if attribute.name in attributes:
                    raise self._error(f"a second attribute is called '{attribute.name}'", line[1][2])
                attributes[attribute.name] = attribute
            elif keyword in ("@input", "@inputs", "@output", "@outputs"):
                keel = True
                if keyword.startswith("@output"):
                    outputs = [self._text(token) for token in line[1:]]
            elif keyword == "@data":
                break
            else:
                raise self._error(f"@attribute or @data was expected, not '{_shown(line[0])}'", offset)
        if not attributes:
            raise self._error("@attribute was expected: none is declared before @data", offset)
        if keel:
            self._scanner.treat_as_unknown(b"<null>")
        if len(line) > 1:
            self._lines.back_to(offset + len(line[0][0]))
        schema = Schema(tuple(attributes.values()), len(attributes) - 1, relation)
        if class_attribute is None and len(outputs) == 1 and outputs[0] in attributes:
            class_attribute = outputs[0]
        try:
            return schema if class_attribute is None else schema.with_class(class_attribute)
        except DataError as fault:
            raise DataError(fault.message, file=self._path) from None

    def _line(self) -> tuple[list[Token], int, str]:
        """The tokens of the next line, where the first of them stands, and that one as a keyword."""
        try:
            line = self._lines.line()
            found = [] if line is None else tokens(line)
        except ValueError as fault:
            raise self._error(_FAULTS[fault.args[0]], fault.args[1]) from None
        if line is None:
            raise self._error("the file ends here, without @data", 0)
        if not found:
            return [], 0, ""
        word, quoted, offset = found[0]
        return found, offset, "" if quoted else word.decode("utf-8", "replace").lower()

    def _name(self, line: list[Token], what: str) -> str:
        if len(line) < 2 or _is_brace(line[1]):
            raise self._error(f"a name of {what} was expected", line[1][2] if len(line) > 1 else line[0][2])
        return self._text(line[1])

    def _attribute(self, line: list[Token], place: int) -> Attribute:
        """Parse a declaration and announce the column to the scanner."""
        name = self._name(line, "the attribute")
        if len(line) < 3:
            raise self._error(f"attribute '{name}' has no type: {_TYPES} was expected", line[1][2])
        if _is_brace(line[2], b"{"):
            return self._nominal(name, line)
        # KEEL writes a range behind the type, with or without a blank before it: integer[0, 10]
        kind = self._text(line[2]).partition("[")[0].lower()
        if kind in _NUMERIC_TYPES or kind == "string":
            attribute = Attribute(name, "string" if kind == "string" else "numeric")
            self._attribute_weight(line, 3)
        elif kind == "date":
            pattern = DEFAULT_FORMAT
            if len(line) > 3 and not _is_brace(line[3]):
                pattern = self._text(line[3])
            try:
                self._formats[place] = DateFormat(pattern)
            except ValueError as fault:
                raise self._error(str(fault), line[3][2]) from None
            attribute = Attribute(name, "date", date_format=pattern)
        elif kind == "relational":
            raise self._error(
                "relational attributes are not supported: a tree tests single values", line[2][2]
            )
        else:
            raise self._error(
                f"{_TYPES} was expected as type of '{name}', not '{_shown(line[2])}'", line[2][2]
            )
        self._scanner.declare(attribute.kind)
        return attribute

    def _nominal(self, name: str, line: list[Token]) -> Attribute:
        categories: dict[str, None] = {}
        for token in line[3:]:
            if _is_brace(token, b"}"):
                break
            if _is_brace(token):
                raise self._error("a category with a brace needs quotes", token[2])
            category = self._text(token)
            if category in categories:
                raise self._error(f"attribute '{name}' declares the category '{category}' twice", token[2])
            categories[category] = None
        else:
            raise self._error(
                f"the list of categories of '{name}' is never closed: }} was expected", line[-1][2]
            )
        place = 3 + len(categories) + 1
        rest = line[place:]
        if rest and not _is_brace(rest[0], b"{"):
            raise self._error(
                f"the line should end behind the categories, not with '{_shown(rest[0])}'", rest[0][2]
            )
        self._attribute_weight(line, place)
        self._scanner.declare("nominal", [category.encode() for category in categories])
        return Attribute(name, "nominal", tuple(categories))

    def _attribute_weight(self, line: list[Token], place: int) -> None:
        """Weka allows the weight of an attribute in braces; no tree uses it, but it has to be one."""
        rest = line[place:]
        if rest and _is_brace(rest[0], b"{"):
            try:
                parse_number(self._text(rest[1]))
                if _is_brace(rest[2], b"}"):
                    return
            except (ValueError, IndexError):
                pass
            raise self._error("a weight in braces or the end of the line was expected", rest[0][2])

    # ---------------------------------------------------------------------------------------------- values

    def _text(self, token: Token) -> str:
        """A token of the header as text."""
        try:
            return _unquoted(token[0])
        except UnicodeDecodeError:
            raise self._error(_NOT_UTF8, token[2]) from None

    def _value(self, column: int, token: bytes, offset: int) -> float | int | str:
        """What the scanner has put aside: an unusual number, an escaped category, a date, a text."""
        attribute = self.schema.attributes[column]
        try:
            text = _unquoted(token)
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
            weight = parse_number(_unquoted(token))
        except ValueError:
            weight = -1.0
        if not 0 <= weight < float("inf"):
            raise self._row_error("no weight", offset, -1)
        return weight

    # ---------------------------------------------------------------------------------------------- errors

    def _error(self, message: str, offset: int) -> DataError:
        """An error at a byte of the current line of the header."""
        line, column = self._lines.place_in_line(offset)
        return DataError(message, file=self._path, line=line, column=column)

    def _row_error(self, fault: str, offset: int, column: int) -> DataError:
        """An error at a byte of the current block."""
        line, character = self._lines.place(offset)
        attribute = self.schema.attributes[column] if column >= 0 else None
        token = self._lines.token_at(offset)
        found = _shown((token, False, 0)) if token else "the end of the line"
        if token and token[:1] not in (b"'", b'"'):
            found = f"'{found}'"
        n = len(self.schema.attributes)
        message = _FAULTS[fault].format(found=found, n=n, last=n - 1, name=attribute and attribute.name)
        if attribute is not None and fault == "undeclared":
            message += f" (declared: {_some(attribute.categories)})"
        if attribute is not None and fault == "no number" and attribute.kind == "date":
            message = f"a date like {attribute.date_format} was expected for '{attribute.name}', not {found}"
        return DataError(message, file=self._path, line=line, column=character)


_TYPES = "numeric, real, integer, string, date or a list in braces"
_NOT_UTF8 = "this is not UTF-8: declare the encoding in the first line ('% coding: latin-1') or name it"
_FAULTS = {
    "unclosed": "the quote is never closed on this line",
    "glued": "a quote and a word without a delimiter between them: put the whole value in quotes",
    "short": "the row has less than {n} values: '{name}' is missing",
    "surplus": "the row should end here: it has {n} values, and {found} follows",
    "undeclared": "{found} is no category of '{name}'",
    "no number": "a number was expected for '{name}', not {found}",
    "no weight": "a weight, a number not below 0, was expected, not {found}",
    "no index": "an attribute's number and a blank were expected, not {found}",
    "far index": "attributes are numbered from 0 to {last}: there is no {found}",
    "index order": "the attributes' numbers have to ascend: {found} comes too late or twice",
    "omitted": "a sparse row cannot omit '{name}': a text has no zero, and no category is the first of none",
    "no brace": "a closing brace was expected, not {found}",
    "no value": "a value was expected for '{name}', not {found}",
    "not utf-8": _NOT_UTF8,
    "endless": "a line has no end within a gigabyte: this is no ARFF file",
}


def _is_brace(token: Token, which: bytes | None = None) -> bool:
    return not token[1] and (token[0] in (b"{", b"}") if which is None else token[0] == which)


def _shown(token: Token) -> str:
    """A token for a message: readable and short."""
    text = token[0].decode("utf-8", "replace")
    return text if len(text) <= 40 else text[:37] + "..."


def _some(categories: tuple[str, ...]) -> str:
    return ", ".join(categories[:8]) + (", ..." if len(categories) > 8 else "")


def _unquoted(token: bytes) -> str:
    """The text that a token means: outer quotes off, escapes resolved as Java's StreamTokenizer does."""
    if token[:1] in (b"'", b'"'):
        token = token[1:-1]
        if b"\\" in token:
            token = _ESCAPE.sub(lambda match: _unescaped(match[1]), token)
    return token.decode()


def _unescaped(code: bytes) -> bytes:
    if code.isdigit() and code < b"8":
        return chr(int(code, 8)).encode()
    return _ESCAPED.get(code, code)


def _weights(weights: dict[int, float], n_rows: int) -> NDArray[np.float64] | None:
    if all(weight == 1.0 for weight in weights.values()):
        return None
    full = np.ones(n_rows)
    full[list(weights)] = list(weights.values())
    return full
