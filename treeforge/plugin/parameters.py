"""A mapping from YAML or the command line -> a checked dataclass."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from treeforge.errors import ParameterError

T = TypeVar("T")


def nearest(name: str, names: list[str]) -> str:
    """``"; did you mean 'x'?"``, or nothing when no name is near."""
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else ""


def make(cls: type[T], parameters: Mapping[str, Any], owner: str) -> T:
    """An instance of a plugin's dataclass from named parameters, each checked against its type.

    ``owner`` names the plugin in messages. Raises ParameterError for an unknown name, a value of another
    type, or one that the plugin itself refuses.
    """
    fields = {f.name: f for f in dataclasses.fields(cls) if f.init}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    hints = _hints(cls)
    for name, value in parameters.items():
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise ParameterError(
                f"{owner} has no parameter '{name}'{nearest(name, list(fields))} (parameters: {known})"
            )
        values[name] = check(hints[name], value, f"{owner}.{name}")
    try:
        return cls(**values)
    except (ValueError, TypeError) as wrong:
        raise ParameterError(f"{owner}: {wrong}") from None


def check(hint: Any, value: Any, what: str) -> Any:
    """The value, if it has the declared type. Numbers are never made from text, nor truth values from numbers."""
    try:
        return TypeAdapter(hint, config=ConfigDict(strict=True)).validate_python(_lenient(hint, value))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        raise ParameterError(f"{what}: {first['msg'][:1].lower()}{first['msg'][1:]}, not {value!r}") from None


def _lenient(hint: Any, value: Any) -> Any:
    """YAML has no tuples: a list serves for one."""
    return tuple(value) if isinstance(value, list) and "tuple" in str(hint) else value


def _hints(cls: type[Any]) -> dict[str, Any]:
    import typing

    return typing.get_type_hints(cls)
