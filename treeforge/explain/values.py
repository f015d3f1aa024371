"""Values and answers in words."""

from __future__ import annotations

from collections.abc import Sequence

from treeforge.data import Attribute, Dataset
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


def unseen(given: Dataset, matched: Dataset) -> tuple[tuple[str, str], ...]:
    """Attribute and value of each input that a case has, but not in the model's terms; both are of one row."""
    found = []
    for attribute, place in zip(matched.schema.inputs, matched.schema.input_indices, strict=True):
        if not attribute.is_nominal or known(attribute, matched.columns[place][0]):
            continue
        here = given.schema.names[attribute.name]
        own, value = given.schema.attributes[here], given.columns[here][0]
        if own.kind == "string":
            if value is not None:
                found.append((attribute.name, one_line(value)))
        elif known(own, value):
            found.append((attribute.name, value_words(own, value)))
    return tuple(found)


def unseen_lines(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """What ``unseen`` found, a line each."""
    return [
        f"  '{value}' was never seen in training, so {one_line(name)} counts as unknown"
        for name, value in pairs
    ]
