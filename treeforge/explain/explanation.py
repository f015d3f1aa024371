"""The explanation of one case, as plain data; ``words`` and ``picture`` show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Dataset
from treeforge.data.matching import match
from treeforge.errors import DataError
from treeforge.explain.answer import Answer
from treeforge.explain.changes import Change, changes
from treeforge.explain.rules import RuleExplanation, explain_rules
from treeforge.explain.values import known, value_words
from treeforge.export.conditions import conditions, words
from treeforge.export.flat import proportions
from treeforge.export.nodes import number_of
from treeforge.export.numbers import shortest, weka_weight
from treeforge.export.subject import Subject, errors, subject


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
class Explanation:
    """Why a model answers as it does for one case.

    Parameters
    ----------
    row : int
        Place of the case in its data, from 0.
    classes : tuple of str
    probabilities : tuple of float
    predicted : str or None
        None when the model cannot say.
    paths : tuple of Path
        Largest share first; of several trees, the paths of the first come first.
    trees : tuple of int
        For each path the tree that it belongs to, from 1.
    n_trees : int
    changes : tuple of Change
        What would change the answer, smallest changes first.
    expected_costs : tuple of float, or None
        Of saying each class, where the model has a cost matrix: the least is said.
    """

    row: int
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]
    predicted: str | None
    paths: tuple[Path, ...]
    trees: tuple[int, ...]
    n_trees: int
    changes: tuple[Change, ...]
    expected_costs: tuple[float, ...] | None
    model: Subject = field(repr=False, compare=False)
    shares: dict[int, float] = field(repr=False, compare=False)  # of the first tree: node -> part of the case

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "row": self.row,
            "predicted": self.predicted,
            "probabilities": dict(zip(self.classes, self.probabilities, strict=True)),
            "expected_costs": None
            if self.expected_costs is None
            else dict(zip(self.classes, self.expected_costs, strict=True)),
            "trees": self.n_trees,
            "paths": [
                {"tree": tree, **asdict(path)} for tree, path in zip(self.trees, self.paths, strict=True)
            ],
            "changes": [asdict(change) for change in self.changes],
        }

    def to_text(self) -> str:
        from treeforge.explain.words import to_text

        return to_text(self)

    def to_svg(self) -> str:
        from treeforge.explain.picture import to_svg

        return to_svg(self)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_svg()


def explain(
    model: Any, dataset: Dataset, row: int = 0, *, max_trees: int = 3
) -> Explanation | RuleExplanation:
    """Explain what a model says about one row of a dataset.

    Parameters
    ----------
    model : Model
    dataset : Dataset
        Attributes are matched by name.
    row : int
        From 0.
    max_trees : int
        How many trees of an ensemble are shown path by path.
    """
    found = subject(model)
    if not 0 <= row < dataset.n_rows:
        raise DataError(f"there is no row {row}; rows are counted from 0 to {dataset.n_rows - 1}")
    case = match(dataset.take(np.array([row])), found.schema)
    predict = Answer(model.predict_proba, found.algorithm.get("cost_matrix"))
    if isinstance(found.fitted, RuleModel):
        return explain_rules(found, found.fitted, case, row, predict)
    probabilities = model.predict_proba(case)
    paths, trees = [], []
    for number, tree in enumerate(found.trees[:max_trees], 1):
        for path in paths_of(tree, found, case, predict):
            paths.append(path)
            trees.append(number)
    return Explanation(
        row=row,
        classes=found.classes,
        probabilities=tuple(probabilities[0].tolist()),
        predicted=predict.label(probabilities[0], found.classes),
        paths=tuple(paths),
        trees=tuple(trees),
        n_trees=len(found.trees),
        changes=changes(found, case, predict),
        expected_costs=predict.expected_costs(probabilities[0]),
        model=found,
        shares=_shares(found.trees[0], found, case),
    )


def paths_of(tree: Tree, found: Subject, case: Dataset, predict: Answer) -> list[Path]:
    """All paths of a case through one tree, largest share first."""
    answers, weight, wrong = proportions(tree, found.laplace), tree.weight.tolist(), errors(tree).tolist()
    ended = []
    for node, share, steps in _walk(tree, found, case):
        if tree.attribute[node] < 0:
            source = (
                int(tree.parent[node]) if tree.empty[node] and node else node
            )  # an empty leaf asks the node above
            cases = weka_weight(weight[source]) + (
                f"/{weka_weight(wrong[source])}" if wrong[source] > 1e-6 else ""
            )
            row = answers[source]
            ended.append(
                Path(steps, share, source, predict.label(row, found.classes), cases, tuple(row.tolist()))
            )
    return sorted(ended, key=lambda path: -path.share)


def _shares(tree: Tree, found: Subject, case: Dataset) -> dict[int, float]:
    return {node: share for node, share, _ in _walk(tree, found, case)}


def _walk(tree: Tree, found: Subject, case: Dataset) -> Iterator[tuple[int, float, tuple[Step, ...]]]:
    """Every node that a part of the case comes to, with the part and the steps so far; branches in order."""
    inputs = found.inputs
    values = [case.columns[place][0].item() for place in found.schema.input_indices]
    waiting: list[tuple[int, float, tuple[Step, ...]]] = [(0, 1.0, ())]
    while waiting:
        node, share, steps = waiting.pop()
        yield node, share, steps
        if tree.attribute[node] < 0:
            continue
        place = int(tree.attribute[node])
        attribute, value = inputs[place], values[place]
        below, first = conditions(tree, node, attribute, found.bounds), int(tree.first_child[node])
        parts = [condition.part(value) if known(attribute, value) else 0.0 for condition in below]
        shown = value_words(attribute, value) if any(parts) else None
        if shown is None:
            here = slice(first, first + len(below))
            parts = np.where(tree.empty[here], 0.0, tree.share[here]).tolist()
        for branch, part in reversed(list(enumerate(parts))):
            if part > 0:
                text = words(below[branch], attribute, number_of(attribute, shortest))
                step = Step(node, attribute.name, shown, text, part)
                waiting.append((first + branch, share * part, (*steps, step)))
