"""``matrix:`` a grid of choices, each point of which is an algorithm with its own name."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeforge.errors import nearest
from treeforge.pipeline.yaml import Faults, Node, Place

#: a grid of more points than this is a slip of the pen
MAX_POINTS = 10_000


@dataclass(frozen=True)
class Point:
    """One algorithm of the grid; ``factors`` says by which choices it came about."""

    place: Place
    name: str
    words: Node
    factors: Mapping[str, str]


def expand(node: Node, faults: Faults) -> list[Point]:
    """All points of the grid, the last factor running fastest, without those that ``exclude`` names."""
    if not node.is_mapping:
        faults.add(node.place, f"matrix: a mapping of keys to lists of choices is expected, not {node.kind}")
        return []
    factors = {key: choices for key, choices in node.items() if key != "exclude"}
    for key, choices in factors.items():
        if not isinstance(choices.value, list) or not choices.value:
            faults.add(choices.place, f"matrix: '{key}' needs a list of choices, not {choices.kind}")
            return []
    if not factors:
        faults.add(node.place, "matrix: no factor is given, for example splitter: [c45, msd]")
        return []
    sizes = [len(choices.value) for choices in factors.values()]
    if (n_points := _product(sizes)) > MAX_POINTS:
        faults.add(node.place, f"matrix: {n_points:,} points; at most {MAX_POINTS:,} are taken")
        return []
    excluded = _exclusions(node.value.get("exclude"), factors, faults)
    points = []
    for chosen in itertools.product(*(choices.value for choices in factors.values())):
        point = dict(zip(factors, chosen, strict=True))
        hit = [rule for rule in excluded if all(_is(point[key], value) for key, value in rule.items())]
        if not hit:
            labels = {key: label(choice) for key, choice in point.items()}
            words = Node(point, node.place, {key: node.keys[key] for key in point})
            points.append(Point(node.place, _name(labels), words, labels))
    if not points:
        faults.add(node.place, "matrix: every point is excluded")
    return points


def _product(sizes: list[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total


def _exclusions(node: Node | None, factors: Mapping[str, Node], faults: Faults) -> list[dict[str, Node]]:
    """The rules of ``exclude``; one that can hit nothing is a fault."""
    if node is None or node.value is None:
        return []
    rules = []
    for item in node.value if isinstance(node.value, list) else [node]:
        if not item.is_mapping or not item.value:
            faults.add(
                item.place, f"exclude: a mapping such as {{splitter: msd}} is expected, not {item.kind}"
            )
            continue
        good = True
        for key, value in item.items():
            if key not in factors:
                names = list(factors)
                faults.add(
                    item.keys[key],
                    f"exclude: '{key}' is no factor{nearest(key, names)} (factors: {', '.join(names)})",
                )
                good = False
            elif not any(_is(choice, value) for choice in factors[key].value):
                names = [label(choice) for choice in factors[key].value]
                faults.add(
                    value.place,
                    f"exclude: {key} has no choice '{label(value)}'{nearest(label(value), names)} "
                    f"(choices: {', '.join(names)})",
                )
                good = False
        if good:
            rules.append(dict(item.items()))
    return rules


def _is(choice: Node, wanted: Node) -> bool:
    """Whether a choice is the one meant; a plugin's bare name means it with any parameters."""
    mine, theirs = choice.plain(), wanted.plain()
    if type(mine) is type(theirs) and mine == theirs:
        return True
    return isinstance(theirs, str) and isinstance(mine, dict) and len(mine) == 1 and theirs in mine


def label(choice: Node) -> str:
    """A choice in short: ``amsd``, ``amsd(alpha=0.5)``, ``5``.

    Examples
    --------
    >>> from treeforge.pipeline.yaml import read
    >>> label(read("{amsd: {alpha: 0.5}}", "", Faults()))
    'amsd(alpha=0.5)'
    """
    value = choice.plain()
    if isinstance(value, dict) and len(value) == 1:
        ((name, parameters),) = value.items()
        if not parameters:
            return str(name)
        if isinstance(parameters, dict):
            return f"{name}({', '.join(f'{k}={_short(v)}' for k, v in parameters.items())})"
    return _short(value)


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _name(labels: Mapping[str, str]) -> str:
    """Plugins by their names alone, other keys with theirs: ``c45 error_based min_branch=5``."""
    plugins = ("splitter", "criterion", "pruner", "ensemble", "discretizer")
    return " ".join(text if key in plugins else f"{key}={text}" for key, text in labels.items())
