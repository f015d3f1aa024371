"""A mapping from YAML or the command line -> a checked dataclass."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from treeforge.errors import ParameterError, PluginError, nearest

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """What is known of one parameter: enough for help, for a check and for a form.

    Parameters
    ----------
    name : str
    type : str
        As declared: ``float``, ``int | None``, ``'a' | 'b'``.
    default : Any
        ``dataclasses.MISSING`` when a value has to be given.
    doc : str
        From the ``Parameters`` section of the plugin's docstring; empty when it says nothing.
    """

    name: str
    type: str
    default: Any
    doc: str = ""

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING


@dataclasses.dataclass(frozen=True)
class Problem:
    """A parameter that does not fit: by its name (``unknown``), by its value, or because it is missing (no name)."""

    name: str
    message: str
    unknown: bool = False


def make(cls: type[T], parameters: Mapping[str, Any], owner: str) -> T:
    """An instance of a dataclass from named parameters, each checked against its declared type.

    ``owner`` names the plugin in messages. Raises ParameterError for an unknown name, a value of another
    type, or one that the plugin itself refuses; PluginError when it fails otherwise.
    """
    for problem in problems(cls, parameters, owner):
        raise ParameterError(problem.message)
    hints = type_hints(cls)
    values = {name: _fitting(hints[name], value) for name, value in parameters.items()}
    try:
        return cls(**values)
    except ParameterError as wrong:
        raise ParameterError(f"{owner}: {wrong.message}") from None
    except (ValueError, TypeError) as wrong:
        raise ParameterError(f"{owner}: {wrong}") from None
    except Exception as fault:
        raise PluginError(f"{owner} cannot be made: {type(fault).__name__}: {fault}") from fault


def problems(cls: type[Any], parameters: Mapping[str, Any], owner: str) -> Iterator[Problem]:
    """Each parameter that is wrong by name or type, or is missing."""
    fields = {f.name: f for f in _fields(cls)}
    hints = type_hints(cls)
    for name, value in parameters.items():
        if name not in fields:
            known = ", ".join(fields) or "none"
            message = f"{owner} has no parameter '{name}'{nearest(name, fields)} (parameters: {known})"
            yield Problem(name, message, unknown=True)
        elif message := _mismatch(hints[name], value):
            yield Problem(name, f"{owner}.{name}: {message}")
    for parameter in fields.values():
        missing = parameter.default is parameter.default_factory is dataclasses.MISSING
        if missing and parameter.name not in parameters:
            kind = _words(hints[parameter.name])
            yield Problem("", f"{owner} needs the parameter '{parameter.name}' ({kind})")


def check(hint: Any, value: Any, what: str) -> Any:
    """The value, if it has the declared type. Text never becomes a number, nor a number a truth value.

    Examples
    --------
    >>> check(int, 1e3, "trees"), check(float, 2, "alpha")
    (1000, 2.0)
    >>> check(bool, "off", "pruning")
    Traceback (most recent call last):
    treeforge.errors.ParameterError: pruning: true or false is expected, not the text 'off'
    """
    if message := _mismatch(hint, value):
        raise ParameterError(f"{what}: {message}")
    return _fitting(hint, value)


def describe(cls: type[Any]) -> list[Parameter]:
    """The parameters of a dataclass in declared order, with what its docstring says of each."""
    hints, docs = type_hints(cls), _documented(cls)
    found = []
    for f in _fields(cls):
        default = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
        found.append(Parameter(f.name, _words(hints[f.name]), default, docs.get(f.name, "")))
    return found


def schema(cls: type[Any]) -> dict[str, Any]:
    """JSON Schema of the mapping that makes an instance of a dataclass."""
    hints = type_hints(cls)
    properties, required = {}, []
    for parameter in describe(cls):
        entry = type_schema(hints[parameter.name])
        if parameter.doc:
            entry["description"] = parameter.doc
        if parameter.required:
            required.append(parameter.name)
        else:
            entry["default"] = (
                list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
            )
        properties[parameter.name] = entry
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def type_schema(hint: Any) -> dict[str, Any]:
    """JSON Schema of one type."""
    found: dict[str, Any] = _adapter(hint).json_schema()
    return found


@cache
def _adapter(hint: Any) -> Any:
    from pydantic import ConfigDict, TypeAdapter  # half a second of start-up that `--help` need not pay

    return TypeAdapter(hint, config=ConfigDict(strict=True))


def _fields(cls: type[Any]) -> list[dataclasses.Field[Any]]:
    return [f for f in dataclasses.fields(cls) if f.init]


def type_hints(cls: type[Any]) -> dict[str, Any]:
    """The declared type of each parameter, inherited ones included; PluginError when one cannot be read."""
    try:
        return typing.get_type_hints(cls)
    except NameError as wrong:
        raise PluginError(f"the types of {cls.__name__}'s parameters cannot be read: {wrong}") from None


def _fitting(hint: Any, value: Any) -> Any:
    """The value in the form that the type asks for: YAML has no tuples, and writes 1e3 for a thousand."""
    return _adapter(hint).validate_python(_lenient(hint, value))


def _lenient(hint: Any, value: Any) -> Any:
    kinds = _kinds(hint)
    if isinstance(value, list) and tuple in kinds:
        return tuple(value)
    if isinstance(value, float) and value.is_integer() and int in kinds and float not in kinds:
        return int(value)
    return value


def _kinds(hint: Any) -> set[Any]:
    """The plain classes among the alternatives of a type."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return set().union(*(_kinds(part) for part in typing.get_args(hint)))
    return {typing.get_origin(hint) or hint}


def _mismatch(hint: Any, value: Any) -> str:
    """What is wrong with a value, in words; empty when it fits."""
    from pydantic import ValidationError

    if isinstance(value, float) and math.isnan(value):  # no parameter means anything by it, and JSON has none
        return f"{_words(hint)} is expected, not {value}"
    try:
        _fitting(hint, value)
    except ValidationError:
        return f"{_words(hint)} is expected, not {_shown(value)}"
    return ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return f"the text '{value[:60]}'"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else repr(value)


_WORDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    type(None): "nothing",
}


def _words(hint: Any) -> str:
    """A type as a sentence about YAML would name it."""
    if hint in _WORDS:
        return _WORDS[hint]
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_words(part) for part in parts)
    if origin is typing.Literal:
        return "one of " + ", ".join(str(part) for part in parts)
    if origin is typing.Annotated:
        return _words(parts[0])
    if origin in (tuple, list):
        inner = sorted({_words(part) for part in parts if part is not Ellipsis})
        return f"a list of {' and '.join(_PLURALS.get(word, word) for word in inner)}" if inner else "a list"
    if origin is dict or hint is dict:
        return "a mapping"
    return "a list" if hint in (tuple, list) else getattr(hint, "__name__", str(hint))


_PLURALS = {
    "a whole number": "whole numbers",
    "a number": "numbers",
    "text": "texts",
    "true or false": "truth values",
}


def _documented(cls: type[Any]) -> dict[str, str]:
    """Name -> text, from the numpydoc section ``Parameters`` of a class and of its bases."""
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        for name, text in _section(base.__doc__ or "").items():
            # a line without a word, or "See Base.", says less than the base does
            if not docs.get(name) or not (text == "" or text.startswith("See ")):
                docs[name] = text
    return docs


def without_parameters(docstring: str) -> str:
    """A docstring without its ``Parameters`` section, which ``describe`` gives in parts.

    Examples
    --------
    >>> without_parameters("What it is.\\n\\nParameters\\n----------\\na : int\\n\\nNotes\\n-----\\nMore.")
    'What it is.\\n\\nNotes\\n-----\\nMore.'
    """
    lines = docstring.splitlines()
    kept, inside = [], False
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and lines[number + 1].startswith("---"):
            inside = line.strip() == "Parameters"
        if not inside:
            kept.append(line)
    return "\n".join(kept).rstrip()


def _section(docstring: str) -> dict[str, str]:
    import inspect

    lines = inspect.cleandoc(docstring).splitlines()
    docs: dict[str, list[str]] = {}
    names: list[str] = []
    inside = False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if following.startswith("---"):  # a section's title
            inside, names = line.strip() == "Parameters", []
        elif inside and line and not line[0].isspace() and not line.startswith("---"):
            names = [name.strip() for name in line.partition(":")[0].split(",")]
            docs.update({name: [] for name in names})
        elif inside and names and line.strip():
            for name in names:
                docs[name].append(line.strip())
    return {name: " ".join(text) for name, text in docs.items()}
