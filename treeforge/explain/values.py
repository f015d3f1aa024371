"""Values and answers in words."""

from __future__ import annotations

from treeforge.data import Attribute
from treeforge.export.conditions import one_line
from treeforge.export.nodes import number_of
from treeforge.export.numbers import shortest


def known(attribute: Attribute, value: float) -> bool:
    """Whether a value, a number or a code, is one."""
    return bool(value >= 0) if attribute.is_nominal else value == value


def value_words(attribute: Attribute, value: float) -> str:
    """A known value in words."""
    if attribute.is_nominal:
        return one_line(attribute.categories[int(value)])
    return number_of(attribute, shortest)(value)
