"""The nodes of a tree in words: what pictures, pages and tables are drawn from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from treeforge.core.tree import Tree
from treeforge.data import Attribute, Schema
from treeforge.export.conditions import Condition, conditions, one_line, short_words, words
from treeforge.export.numbers import brief, date, shortest, weka_weight
from treeforge.export.subject import Bounds, errors


@dataclass(frozen=True)
class Node:
    """One node.

    Parameters
    ----------
    number, parent : int
        Places in the tree; -1 is the parent of the root.
    level : int
        Tests above it.
    condition : Condition or None
        The branch that leads here; None at the root.
    branch : str
        The same in words, with the attribute's name: ``humidity <= 75``; empty at the root. Dates in ISO 8601.
    short : str
        The same without the name, numbers to six digits: ``<= 75``.
    title : str
        The attribute tested here, or the class of a leaf.
    class_code : int
        The class that it stands for.
    weight, errors : float
        Weight of its training cases, and of those of another class.
    distribution : tuple of float
        Weight of each class.
    """

    number: int
    parent: int
    level: int
    is_leaf: bool
    condition: Condition | None
    branch: str
    short: str
    title: str
    class_code: int
    weight: float
    errors: float
    distribution: tuple[float, ...]

    @property
    def cases(self) -> str:
        """Weight and errors as J48 prints them: ``50.0`` or ``48.0/1.0``."""
        return weka_weight(self.weight) + (f"/{weka_weight(self.errors)}" if self.errors > 1e-6 else "")


def nodes(tree: Tree, schema: Schema, bounds: Bounds | None = None) -> Iterator[Node]:
    """All nodes, each after its parent and its parent's earlier branches, depth first.

    ``bounds`` are those of the tree's cuts where thresholds are soft.
    """
    inputs, classes = schema.inputs, schema.classes
    attribute, first_child = tree.attribute.tolist(), tree.first_child.tolist()
    majority, weight, wrong = tree.majority.tolist(), tree.weight.tolist(), errors(tree).tolist()
    waiting: list[tuple[int, int, int, Condition | None]] = [(0, -1, 0, None)]
    while waiting:
        number, parent, level, condition = waiting.pop()
        tested = attribute[number]
        above = None if condition is None else inputs[condition.attribute]
        yield Node(
            number=number,
            parent=parent,
            level=level,
            is_leaf=tested < 0,
            condition=condition,
            branch=""
            if condition is None or above is None
            else words(condition, above, number_of(above, shortest)),
            short=""
            if condition is None or above is None
            else short_words(condition, above, number_of(above)),
            title=one_line(classes[majority[number]] if tested < 0 else inputs[tested].name),
            class_code=majority[number],
            weight=weight[number],
            errors=wrong[number],
            distribution=tuple(tree.distribution[number].tolist()),
        )
        if tested >= 0:
            below = conditions(tree, number, inputs[tested], bounds)
            for branch in range(len(below) - 1, -1, -1):
                waiting.append((first_child[number] + branch, number, level + 1, below[branch]))


def number_of(attribute: Attribute, plain: Callable[[float], str] = brief) -> Callable[[float], str]:
    """How the numbers of an attribute are written: dates in ISO 8601."""
    return date if attribute.kind == "date" else plain
