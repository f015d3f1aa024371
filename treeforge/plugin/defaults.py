"""Whether a plugin's defaults are what its parameters declare."""

from __future__ import annotations

from functools import cache
from typing import Any

from treeforge.errors import ParameterError
from treeforge.plugin.parameters import check, describe, type_hints


@cache
def lying_default(cls: type[Any]) -> str:
    """The first parameter whose default is of another type than it declares; empty if there is none.

    Whatever a default factory raises comes through.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Parts:
    ...     parts: int = "two"
    >>> lying_default(Parts)
    "the default does not fit its own type: parts: a whole number is expected, not the text 'two'"
    """
    hints = type_hints(cls)
    for parameter in describe(cls):
        if parameter.required:
            continue
        default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
        try:
            check(hints[parameter.name], default, parameter.name)
        except ParameterError as wrong:
            return f"the default does not fit its own type: {wrong.message}"
    return ""
