"""YAML text -> nodes that remember their line and column: PyYAML's safe loader with the scalars of YAML 1.2.

PyYAML resolves scalars as YAML 1.1 has them (``no`` is false, ``1e-3`` is text, the last of two equal keys
wins). Here the core schema of YAML 1.2 decides, a key that stands twice is a fault, aliases cannot blow a
small file up, and no tag makes an object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from treeforge.errors import PipelineError, TreeForgeError

#: a document of more values than this, aliases spelled out, is refused ("billion laughs")
MAX_VALUES = 100_000
#: collections within collections
MAX_DEPTH = 64


@dataclass(frozen=True)
class Place:
    """Where something stands; line and column count from 1."""

    file: str
    line: int
    column: int

    def error(self, message: str) -> PipelineError:
        """An error that begins with this place; one that stands in no file says only where it came from."""
        if not self.line:
            return PipelineError(message, file=self.file)
        return PipelineError(message, file=self.file, line=self.line, column=self.column)


@dataclass
class Faults:
    """Every fault found so far: a file is read to its end, and all of them are told at once."""

    found: list[TreeForgeError] = field(default_factory=list)

    def add(self, place: Place, message: str) -> None:
        self.keep(place.error(message))

    def keep(self, error: TreeForgeError) -> None:
        """Add an error that knows its place, once."""
        if str(error) not in {str(known) for known in self.found}:
            self.found.append(error)

    def stop(self) -> None:
        """Raise when there is any fault."""
        if self.found:
            first = self.found[0].file  # the pipeline's own faults before those of data files
            ordered = sorted(self.found, key=lambda e: (e.file != first, e.line or 0, e.column or 0))
            raise PipelineError("\n".join(map(str, ordered)), errors=tuple(ordered))


@dataclass(frozen=True, eq=False)
class Node:
    """A value with its place.

    Parameters
    ----------
    value : None, bool, int, float, str, list of Node, or dict of str to Node
    place : Place
    keys : dict of str to Place
        Where each key of a mapping stands.
    written : str
        A scalar as it is written: ``-99.00``, whose value is -99.0. Empty where it stands in no text.
    """

    value: Any
    place: Place
    keys: dict[str, Place] = field(default_factory=dict)
    written: str = ""

    @property
    def kind(self) -> str:
        """What it is, in words for messages."""
        return _KINDS[type(self.value)]

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, dict)

    def items(self) -> Iterator[tuple[str, Node]]:
        """Keys and values of a mapping."""
        return iter(self.value.items())

    def plain(self) -> Any:
        """The value without places: numbers, text, lists and dicts."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


_KINDS: Mapping[type, str] = {
    dict: "a mapping",
    list: "a list",
    str: "text",
    bool: "a truth value",
    int: "a whole number",
    float: "a number",
    type(None): "nothing",
}


class CoreLoader(yaml.SafeLoader):
    """PyYAML's safe loader with the implicit types of YAML 1.2's core schema, and no others."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


def _resolver(kind: str, pattern: str, first: str) -> None:
    CoreLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{kind}",
        re.compile(rf"(?:{pattern})\Z"),
        [*first, ""] if kind == "null" else list(first),
    )


_resolver("null", r"null|Null|NULL|~|", "nN~")
_resolver("bool", r"true|True|TRUE|false|False|FALSE", "tTfF")
_resolver("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789")
_resolver(
    "float",
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    "-+.0123456789",
)


def read(text: str, file: str, faults: Faults) -> Node | None:
    """The document of a text; None when it is no YAML at all. Faults are added, not raised.

    Examples
    --------
    >>> faults = Faults()
    >>> read("alpha: 1e-3\\nclass: no\\n", "a.yaml", faults).plain()
    {'alpha': 0.001, 'class': 'no'}
    """
    try:
        return _Reader(text, file, faults).document()
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
        context = f"{wrong.context}: " if wrong.context and not wrong.context.startswith("while") else ""
        faults.add(place, f"this is no YAML: {context}{wrong.problem}")
    except yaml.reader.ReaderError as wrong:
        line = text.count("\n", 0, wrong.position) + 1
        column = wrong.position - (text.rfind("\n", 0, wrong.position) + 1) + 1
        faults.add(
            Place(file, line, column),
            f"this is no YAML: the character {wrong.character!r} may not stand here",
        )
    except PipelineError as wrong:
        faults.add(Place(file, wrong.line or 1, wrong.column or 1), wrong.message)
    return None


class _Reader:
    """Builds nodes from PyYAML's events; a stack of open collections instead of recursion."""

    def __init__(self, text: str, file: str, faults: Faults) -> None:
        self.file = file
        self.faults = faults
        self.loader: Any = CoreLoader(text)
        self.anchors: dict[str, tuple[Node, int]] = {}  # node and how many values it stands for
        self.n_values = 0

    def document(self) -> Node | None:
        try:
            self._next()  # start of stream
            if self.loader.check_event(yaml.StreamEndEvent):
                raise Place(self.file, 1, 1).error("the file is empty")
            self._next()  # start of document
            node = self._value()
            self._next()  # its end
            if not self.loader.check_event(yaml.StreamEndEvent):
                raise self._place(self.loader.peek_event()).error(
                    "a second document begins; a pipeline is one document"
                )
            return node
        finally:
            self.loader.dispose()

    def _next(self) -> Any:
        return self.loader.get_event()

    def _place(self, event: Any) -> Place:
        return Place(self.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _value(self) -> Node:
        """One value and all that is in it."""
        open_: list[_Open] = []
        while True:
            event = self._next()
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                if len(open_) >= MAX_DEPTH:
                    raise self._place(event).error(f"more than {MAX_DEPTH} collections within one another")
                kind = dict if isinstance(event, yaml.MappingStartEvent) else list
                self._check_tag(event, "map" if kind is dict else "seq")
                open_.append(_Open(Node(kind(), self._place(event)), event.anchor, self.n_values))
                continue
            if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                closed = open_.pop()
                node = closed.node
                if closed.anchor:
                    self.anchors[closed.anchor] = node, self.n_values - closed.first + 1
                self._count(1, node.place)
            elif isinstance(event, yaml.AliasEvent):
                if event.anchor not in self.anchors:
                    inside = any(o.anchor == event.anchor for o in open_)
                    what = "stands inside what it names" if inside else "names nothing above it"
                    raise self._place(event).error(f"the alias '*{event.anchor}' {what}")
                node, size = self.anchors[event.anchor]
                self._count(size, self._place(event))
            else:
                node = self._scalar(event)
                if event.anchor:
                    self.anchors[event.anchor] = node, 1
                self._count(1, node.place)
            if not open_:
                return node
            open_[-1].add(node, self._written(event, node), self.faults)

    def _count(self, size: int, place: Place) -> None:
        self.n_values += size
        if self.n_values > MAX_VALUES:
            raise place.error(f"more than {MAX_VALUES:,} values once the aliases are spelled out")

    @staticmethod
    def _written(event: Any, node: Node) -> str | None:
        """A scalar as it is written, which is what it is as a key; None for a collection."""
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        return node.value if isinstance(node.value, str) else None

    def _check_tag(self, event: Any, plain: str) -> None:
        if event.tag not in (None, "!", f"tag:yaml.org,2002:{plain}"):
            raise self._place(event).error(f"the tag '{event.tag}' means nothing here")

    def _scalar(self, event: Any) -> Node:
        tag = event.tag
        if tag is None or tag == "!":
            tag = self.loader.resolve(yaml.ScalarNode, event.value, event.implicit)
        place = self._place(event)
        kind = tag.removeprefix("tag:yaml.org,2002:")
        text = event.value
        try:
            return Node(_SCALARS[kind](text), place, written=text)
        except (KeyError, ValueError, OverflowError):
            raise place.error(
                f"'{text[:40]}' is no {kind}"
                if kind in _SCALARS
                else f"the tag '{event.tag}' means nothing here"
            ) from None


@dataclass
class _Open:
    """A collection whose end has not come yet; of a mapping, the key that waits for its value."""

    node: Node
    anchor: str | None
    first: int
    key: str | None = None
    skip: bool = False
    waiting: bool = False

    def add(self, node: Node, written: str | None, faults: Faults) -> None:
        target = self.node.value
        if isinstance(target, list):
            target.append(node)
        elif self.waiting:
            self.waiting = False
            if self.key is not None and not self.skip:
                target[self.key] = node
        else:
            self.waiting = True
            self.key, self.skip = written, False
            if written is None:
                faults.add(node.place, f"a key is text, not {node.kind}")
            elif written in self.node.keys:
                self.skip = True
                first = self.node.keys[written].line
                faults.add(
                    node.place,
                    f"the key '{written}' stands twice: in line {first} and in line {node.place.line}",
                )
            else:
                self.node.keys[written] = node.place


def _integer(text: str) -> int:
    if text.startswith("0o"):
        return int(text[2:], 8)
    if text.startswith("0x"):
        return int(text[2:], 16)
    return int(text, 10)


def _number(text: str) -> float:
    lower = text.lower()
    if lower.endswith((".inf", ".nan")):
        return float(lower.replace(".", ""))
    return float(text)


def _null(text: str) -> None:
    if text not in ("", "~", "null", "Null", "NULL"):
        raise ValueError(text)


def _truth(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


_SCALARS: dict[str, Callable[[str], Any]] = {
    "null": _null,
    "bool": _truth,
    "int": _integer,
    "float": _number,
    "str": str,
}
