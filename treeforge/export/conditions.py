"""The test of a node, branch by branch: which values go where, and the words for it.

A condition is one branch's share of the values. A numeric one is a union of intervals: neighbouring cells
that lead to the same branch are joined. A nominal one is a set of categories.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from treeforge.core.soft import part_below
from treeforge.core.tree import Tree
from treeforge.data import Attribute
from treeforge.export.numbers import shortest
from treeforge.export.subject import Bounds


@dataclass(frozen=True)
class Condition:
    """The values of one attribute that take one branch.

    Parameters
    ----------
    attribute : int
        Place among the inputs.
    categories : tuple of int, or None
        Codes, ascending; None for a numeric test.
    intervals : tuple of (low, high)
        Ascending and apart; empty for a nominal test.
    closed_left : bool
        True: ``low <= value < high``; False: ``low < value <= high``.
    others : tuple of int
        The categories of the same test that take another branch.
    soft : (lower, upper), or None
        Bounds of a soft threshold: a number between them takes this branch, and the other one, in part.
    """

    attribute: int
    categories: tuple[int, ...] | None = None
    intervals: tuple[tuple[float, float], ...] = ()
    closed_left: bool = False
    others: tuple[int, ...] = ()
    soft: tuple[float, float] | None = None

    @property
    def is_nominal(self) -> bool:
        return self.categories is not None

    def holds(self, value: float) -> bool:
        """Whether a known value (a code, or a number) takes this branch, or the most of it does."""
        if self.categories is not None:
            return int(value) in self.categories
        if self.closed_left:
            return any(low <= value < high or high == inf <= value for low, high in self.intervals)
        return any(low < value <= high or low == -inf >= value for low, high in self.intervals)

    def part(self, value: float) -> float:
        """The part of a case with a known value that takes this branch."""
        if self.soft is None:
            return float(self.holds(value))
        low, high = self.intervals[0]
        below = part_below(value, self.soft[0], high if low == -inf else low, self.soft[1], self.closed_left)
        return below if low == -inf else 1.0 - below


def conditions(tree: Tree, node: int, attribute: Attribute, bounds: Bounds | None = None) -> list[Condition]:
    """The condition of each branch of a node, in branch order. ``bounds`` are those of the tree's cuts, if soft."""
    place = int(tree.attribute[node])
    n_branches = int(tree.n_branches[node])
    branch_of = tree.branch_of[tree.cell_start[node] : tree.cell_start[node + 1]].tolist()
    if attribute.is_nominal:
        groups: list[list[int]] = [[] for _ in range(n_branches)]
        for code, branch in enumerate(branch_of):
            groups[branch].append(code)
        return [
            Condition(
                place, tuple(group), others=tuple(c for c in range(len(branch_of)) if c not in set(group))
            )
            for group in groups
        ]
    closed_left = bool(tree.closed_left[node])
    edges = [-inf, *tree.cuts[tree.cut_start[node] : tree.cut_start[node + 1]].tolist(), inf]
    intervals: list[list[tuple[float, float]]] = [[] for _ in range(n_branches)]
    previous = -1
    for cell, branch in enumerate(branch_of):
        low, high = edges[cell], edges[cell + 1]
        if branch == previous:
            low = intervals[branch].pop()[0]
        intervals[branch].append((low, high))
        previous = branch
    soft = None
    if bounds is not None:
        lower, upper = (float(bound[tree.cut_start[node]]) for bound in bounds)
        soft = (lower, upper) if lower < upper else None
    return [Condition(place, None, tuple(parts), closed_left, soft=soft) for parts in intervals]


def words(
    condition: Condition,
    attribute: Attribute,
    number: Callable[[float], str] = shortest,
    *,
    other: bool = False,
) -> str:
    """A condition as text: ``age <= 31.5``, ``colour = red``, ``colour in {red, blue}``, ``3 < age <= 5``.

    ``other`` writes the branch of all the rest as ``colour != red`` even where just one category is left,
    as J48 does with its option B. Bounds of a soft threshold follow it: ``age <= 31.5 [29, 33]``.
    """
    name = one_line(attribute.name)
    if condition.categories is not None:
        labels = [attribute.categories[code] for code in condition.categories]
        if len(condition.others) == 1 and (other or len(labels) > 1):
            return f"{name} != {one_line(attribute.categories[condition.others[0]])}"
        if len(labels) == 1:
            return f"{name} = {one_line(labels[0])}"
        return f"{name} in {{{', '.join(map(_listed, labels))}}}"
    if len(condition.intervals) != 1:
        return f"{name} in " + (
            " or ".join(_interval(part, condition.closed_left, number) for part in condition.intervals)
            or "{}"
        )
    low, high = condition.intervals[0]
    below, above = ("<", ">=") if condition.closed_left else ("<=", ">")
    if low == -inf and high == inf:
        return f"{name} in (-inf, inf)"
    if low == -inf:
        return f"{name} {below} {number(high)}{_bounds(condition, number)}"
    if high == inf:
        return f"{name} {above} {number(low)}{_bounds(condition, number)}"
    return f"{number(low)} {'<=' if condition.closed_left else '<'} {name} {below} {number(high)}"


def short_words(condition: Condition, attribute: Attribute, number: Callable[[float], str] = shortest) -> str:
    """A condition without the attribute's name, for a branch in a picture: ``<= 31.5``, ``red``, ``(3, 5]``."""
    if condition.categories is not None:
        labels = [attribute.categories[code] for code in condition.categories]
        if len(condition.others) == 1 and len(labels) > 1:
            return f"not {one_line(attribute.categories[condition.others[0]])}"
        return ", ".join(map(_listed, labels)) if len(labels) > 1 else one_line("".join(labels))
    if len(condition.intervals) == 1:
        low, high = condition.intervals[0]
        if low == -inf and high < inf:
            return f"{'<' if condition.closed_left else '<='} {number(high)}{_bounds(condition, number)}"
        if high == inf and low > -inf:
            return f"{'>=' if condition.closed_left else '>'} {number(low)}{_bounds(condition, number)}"
    return " or ".join(_interval(part, condition.closed_left, number) for part in condition.intervals)


def one_line(text: str) -> str:
    """A name on one line: control characters, line ends among them, are written as escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _listed(label: str) -> str:
    """A label in a list; quoted where it could be taken for two, or for the end."""
    label = one_line(label)
    return (
        json.dumps(label, ensure_ascii=False) if set(label) & set(',{}"') or label != label.strip() else label
    )


def _bounds(condition: Condition, number: Callable[[float], str]) -> str:
    """The bounds of a soft threshold, to be put behind it."""
    if condition.soft is None:
        return ""
    return f" [{number(condition.soft[0])}, {number(condition.soft[1])}]"


def _interval(part: tuple[float, float], closed_left: bool, number: Callable[[float], str]) -> str:
    low, high = part
    opening = "[" if closed_left and low != -inf else "("
    closing = "]" if not closed_left and high != inf else ")"
    start = "-inf" if low == -inf else number(low)
    return f"{opening}{start}, {'inf' if high == inf else number(high)}{closing}"
