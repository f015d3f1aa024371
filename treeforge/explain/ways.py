"""The ways of a case down a tree: one, or where a value is unknown or a threshold soft, several by parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from treeforge.core.tree import Tree
from treeforge.data import Attribute, Dataset
from treeforge.explain.answer import Answer
from treeforge.explain.values import known, value_words
from treeforge.export.conditions import Condition, conditions, words
from treeforge.export.flat import proportions
from treeforge.export.nodes import number_of
from treeforge.export.numbers import shortest, weka_weight
from treeforge.export.subject import Subject, errors


@dataclass(frozen=True)
class Step:
    """One test on a path.

    Parameters
    ----------
    node : int
        The node whose test it is.
    attribute : str
    value : str or None
        The case's value in words; None when it is unknown.
    condition : str
        The branch taken: ``humidity <= 75``.
    share : float
        The part of the case that takes it: 1 where the value is known, and not between soft bounds.
    """

    node: int
    attribute: str
    value: str | None
    condition: str
    share: float


@dataclass(frozen=True)
class Path:
    """One way that the case, or a part of it, goes down a tree.

    Parameters
    ----------
    steps : tuple of Step
    share : float
        The part of the case that ends here.
    node : int
        Where it ends: a leaf, or the node above a branch that no training case took.
    predicted : str or None
        What the model would say of a case that ends there with all of it.
    cases : str
        The training cases there, as J48 prints them: ``48.0/1.0``.
    distribution : tuple of float
        Proportions of the classes there.
    """

    steps: tuple[Step, ...]
    share: float
    node: int
    predicted: str | None
    cases: str
    distribution: tuple[float, ...]


@dataclass(frozen=True)
class Reached:
    """A node that a part of the case comes to.

    Parameters
    ----------
    share : float
        The part of the case.
    step : Step or None
        The test above it; None at the root.
    """

    share: float
    step: Step | None


def ways(tree: Tree, found: Subject, case: Dataset) -> dict[int, Reached]:
    """Every node that a part of the case comes to, depth first, branches in order."""
    values = [case.columns[place][0].item() for place in found.schema.input_indices]
    reached: dict[int, Reached] = {}
    waiting: list[tuple[int, Reached]] = [(0, Reached(1.0, None))]
    while waiting:
        node, here = waiting.pop()
        reached[node] = here
        if tree.attribute[node] < 0:
            continue
        place, first = int(tree.attribute[node]), int(tree.first_child[node])
        attribute, value = found.inputs[place], values[place]
        below = conditions(tree, node, attribute, found.bounds)
        parts, shown = _parts(tree, node, below, attribute, value)
        for branch, part in reversed(list(enumerate(parts))):
            if part > 0:
                text = words(below[branch], attribute, number_of(attribute, shortest))
                step = Step(node, attribute.name, shown, text, part)
                waiting.append((first + branch, Reached(here.share * part, step)))
    return reached


def _parts(
    tree: Tree, node: int, below: list[Condition], attribute: Attribute, value: float
) -> tuple[list[float], str | None]:
    """The part of a case that takes each branch, and its value in words: None where the test does not know it."""
    parts = [condition.part(value) if known(attribute, value) else 0.0 for condition in below]
    if any(parts):
        return parts, value_words(attribute, value)
    here = slice(int(tree.first_child[node]), int(tree.first_child[node]) + len(below))
    return np.where(tree.empty[here], 0.0, tree.share[here]).tolist(), None


def paths_of(tree: Tree, found: Subject, reached: Mapping[int, Reached], predict: Answer) -> list[Path]:
    """The paths among the nodes that a case reaches, largest share first."""
    answers, weight, wrong = proportions(tree, found.laplace), tree.weight.tolist(), errors(tree).tolist()
    ended = []
    for node, here in reached.items():
        if tree.attribute[node] >= 0:
            continue
        source = (
            int(tree.parent[node]) if tree.empty[node] and node else node
        )  # an empty leaf asks the node above
        cases = weka_weight(weight[source]) + (
            f"/{weka_weight(wrong[source])}" if wrong[source] > 1e-6 else ""
        )
        said = predict.label(answers[source], found.classes)
        ended.append(
            Path(_steps(here, reached), here.share, source, said, cases, tuple(answers[source].tolist()))
        )
    return sorted(ended, key=lambda path: -path.share)


def _steps(here: Reached, reached: Mapping[int, Reached]) -> tuple[Step, ...]:
    """The tests on the way to a node, from the root."""
    steps = []
    while here.step is not None:
        steps.append(here.step)
        here = reached[here.step.node]
    return tuple(reversed(steps))
