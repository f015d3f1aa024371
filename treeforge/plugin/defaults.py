"""Whether a plugin's defaults are what its parameters declare."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from treeforge.errors import ParameterError
from treeforge.plugin.parameters import check, describe


@cache
def lying_default(cls: type[Any]) -> str:
    """The first parameter whose default is of another type than it declares; empty if there is none.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Parts:
    ...     parts: int = "two"
    >>> lying_default(Parts)
    "the default does not fit its own type: parts: a whole number is expected, not the text 'two'"
    """
    hints = inspect.get_annotations(cls, eval_str=True)
    for parameter in describe(cls):
        if parameter.required or parameter.name not in hints:
            continue
        default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
        try:
            check(hints[parameter.name], default, parameter.name)
        except ParameterError as wrong:
            return f"the default does not fit its own type: {wrong.message}"
    return ""
