"""The header of an ARFF file: its declarations into a schema."""

from __future__ import annotations

from treeforge.data._arff.faults import MESSAGES, NOT_UTF8_ARFF
from treeforge.data._arff.lines import Lines
from treeforge.data._arff.scanner import Scanner
from treeforge.data._arff.text import shown, unquoted
from treeforge.data._arff.tokens import tokens
from treeforge.data.dates import DEFAULT_FORMAT, DateFormat
from treeforge.data.numbers import parse_number
from treeforge.data.schema import Attribute, Schema
from treeforge.errors import DataError

Token = tuple[bytes, bool, int]  # as it stands in the file; whether it is quoted; at which byte of the line

_NUMERIC_TYPES = ("numeric", "real", "integer")
_TYPES = "numeric, real, integer, string, date or a list in braces"


class Header:
    """The declarations of a file, taken from its lines and announced to the scanner of its rows.

    Parameters
    ----------
    path : str
        What errors call the file.

    Attributes
    ----------
    formats : dict
        By the place of an attribute of dates, how they are written.
    """

    def __init__(self, path: str, lines: Lines, scanner: Scanner) -> None:
        self._path = path
        self._lines = lines
        self._scanner = scanner
        self.formats: dict[int, DateFormat] = {}

    def read(self, class_attribute: str | None) -> Schema:
        """Read up to the first row."""
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
                    raise self._error(f"@relation was expected, not '{shown(line[0][0])}'", offset)
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
                raise self._error(f"@attribute or @data was expected, not '{shown(line[0][0])}'", offset)
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
            raise self._error(MESSAGES[fault.args[0]], fault.args[1]) from None
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
                self.formats[place] = DateFormat(pattern)
            except ValueError as fault:
                raise self._error(str(fault), line[3][2]) from None
            attribute = Attribute(name, "date", date_format=pattern)
        elif kind == "relational":
            raise self._error(
                "relational attributes are not supported: a tree tests single values", line[2][2]
            )
        else:
            raise self._error(
                f"{_TYPES} was expected as type of '{name}', not '{shown(line[2][0])}'", line[2][2]
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
                f"the line should end behind the categories, not with '{shown(rest[0][0])}'", rest[0][2]
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

    def _text(self, token: Token) -> str:
        """A token of the header as text."""
        try:
            return unquoted(token[0])
        except UnicodeDecodeError:
            raise self._error(NOT_UTF8_ARFF, token[2]) from None

    def _error(self, message: str, offset: int) -> DataError:
        """An error at a byte of the current line of the header."""
        line, column = self._lines.place_in_line(offset)
        return DataError(message, file=self._path, line=line, column=column)


def _is_brace(token: Token, which: bytes | None = None) -> bool:
    return not token[1] and (token[0] in (b"{", b"}") if which is None else token[0] == which)
