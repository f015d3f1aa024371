"""A model as rules in words, each with what it covers: its own rules, or one for each leaf of its tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.rule_model import RuleModel
from treeforge.core.rules import CellTest, both, branch_tests
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Dataset, Sample
from treeforge.data.matching import match
from treeforge.errors import DataError, ModelError
from treeforge.export.conditions import Condition, words
from treeforge.export.nodes import number_of
from treeforge.export.numbers import shortest
from treeforge.export.rule_list import Measured, Rule, RuleList
from treeforge.export.subject import Subject, subject

Array = NDArray[np.float64]


def to_rules(model: Any, data: Dataset | None = None, schema: Any = None) -> RuleList:
    """A model as rules, with the coverage, confidence and lift of each.

    Rules of a model of rules are its own, in the order in which they are asked. Those of a single tree are one for
    each leaf, its tests of one attribute joined; a case with an unknown value goes down a tree in parts, and is
    counted in parts.

    Parameters
    ----------
    model : Model, estimator, TreeModel, RuleModel or Tree
    data : Dataset, optional
        Cases to measure the rules on besides the training cases, such as held-out ones.
    schema : Schema, optional
        Needed for a model that does not bring its own.

    Examples
    --------
    >>> from treeforge import C45Classifier
    >>> tree = C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], ["low", "low", "high", "high"])
    >>> [(rule.texts, rule.said, rule.training.lift) for rule in to_rules(tree)]
    [(('x0 <= 2',), 'low', 2.0), (('x0 > 2',), 'high', 2.0)]
    """
    found = subject(model, schema)
    held = None if data is None else _Held.of(data, found)
    if isinstance(found.fitted, RuleModel):
        return _of_rules(found, found.fitted, held)
    if found.bounds is not None:
        raise ModelError("rules cannot say what soft thresholds do: a number near one goes both ways")
    return _of_tree(found, found.tree, held)


@dataclass(frozen=True)
class _Held:
    """Data to measure on, in the model's terms."""

    name: str
    table: Table
    weights: Array

    @staticmethod
    def of(data: Dataset, found: Subject) -> _Held:
        matched = match(data, found.schema)
        table = Table(
            [matched.columns[i] for i in matched.schema.input_indices],
            [len(a.categories) for a in found.inputs],
            matched.class_codes,
            len(found.classes),
            matched.weights,
        )
        if not (table.classes >= 0).any():
            raise DataError(
                f"no row has a class of the model ({', '.join(found.classes[:5])} ...): "
                "nothing can be said about confidence and lift",
                file=data.source or None,
            )
        return _Held(data.name, table, table.weights_of(Sample.whole(table.n_rows)))


def _of_rules(found: Subject, model: RuleModel, held: _Held | None) -> RuleList:
    training = _measured(model.classes, model.covered, model.decided)
    on_data: Sequence[Measured | None] = [None] * (model.n_rules + 1)
    if held is not None:
        counted = model.rules.count(held.table, held.table.classes, held.weights, len(found.classes))
        on_data = _measured(model.classes, *counted)
    rules = tuple(
        _rule(place, model.rules.tests(place), said, found, error, training[place], on_data[place])
        for place, (said, error) in enumerate(
            zip(model.rules.classes.tolist(), model.error.tolist(), strict=True)
        )
    )
    otherwise = training[-1], on_data[-1]
    return RuleList(rules, found.classes[model.default], otherwise, found, held.name if held else "")


def _of_tree(found: Subject, tree: Tree, held: _Held | None) -> RuleList:
    leaves, tests = zip(*_leaves(tree, [a.is_nominal for a in found.inputs]), strict=True)
    picked = list(leaves)
    said = tree.majority[picked]
    training = _measured(said, tree.distribution[picked], tree.distribution[picked])
    on_data: Sequence[Measured | None] = [None] * len(picked)
    if held is not None:
        reached = tree.reach(held.table, Sample.whole(held.table.n_rows))[picked]
        on_data = _measured(said, reached, reached)
    rules = tuple(
        _rule(place, of_leaf, code, found, None, training[place], on_data[place])
        for place, (of_leaf, code) in enumerate(zip(tests, said.tolist(), strict=True))
    )
    return RuleList(rules, None, None, found, held.name if held else "")


def _measured(said: NDArray[np.int32], covered: Array, decided: Array) -> list[Measured]:
    """For each rule, and for the default behind them, what the class weights of its cases come to."""
    covered = np.concatenate([covered, decided[len(covered) :]])  # the default covers what it decides
    total = decided.sum(axis=0)
    return [
        Measured(
            float(all_.sum()), float(all_[code]), float(first.sum()), float(first[code]),
            float(total.sum()), float(total[code]),
        )
        for code, all_, first in zip(said.tolist(), covered, decided, strict=True)
    ]  # fmt: skip


def _rule(
    place: int,
    tests: list[CellTest],
    said: int,
    found: Subject,
    error: float | None,
    training: Measured,
    data: Measured | None,
) -> Rule:
    conditions = tuple(condition_of(test) for test in tests)
    texts = tuple(
        words(c, found.inputs[c.attribute], number_of(found.inputs[c.attribute], shortest))
        for c in conditions
    )
    return Rule(place + 1, conditions, texts, found.classes[said], error, training, data)


def condition_of(test: CellTest) -> Condition:
    """A test as a condition that has words."""
    if test.cuts is None:
        admitted = tuple(code for code, inside in enumerate(test.admitted) if inside)
        others = tuple(code for code, inside in enumerate(test.admitted) if not inside)
        return Condition(test.attribute, admitted, others=others)
    edges = (-np.inf, *test.cuts, np.inf)
    intervals: list[tuple[float, float]] = []
    for cell, inside in enumerate(test.admitted):
        if inside:
            joined = cell > 0 and test.admitted[cell - 1]
            low = intervals.pop()[0] if joined else edges[cell]
            intervals.append((low, edges[cell + 1]))
    return Condition(test.attribute, None, tuple(intervals), test.closed_left)


def _leaves(tree: Tree, nominal: list[bool]) -> Iterator[tuple[int, list[CellTest]]]:
    """Every leaf with the tests on the path to it, those of one attribute joined; depth first in branch order."""
    attribute, first_child = tree.attribute.tolist(), tree.first_child.tolist()
    waiting: list[tuple[int, dict[tuple[int, bool], CellTest]]] = [(0, {})]
    while waiting:
        node, path = waiting.pop()
        if attribute[node] < 0:
            yield node, list(path.values())
            continue
        below = branch_tests(tree, node, nominal[attribute[node]])
        for branch in range(len(below) - 1, -1, -1):
            test = below[branch]
            key = test.attribute, test.closed_left
            joined = both(path[key], test) if key in path else test
            waiting.append((first_child[node] + branch, {**path, key: joined}))
