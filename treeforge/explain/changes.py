"""What would change the answer: the least that a case would have to be different in.

First each attribute alone: every value that some test of the model tells apart is tried. Where no single
attribute does it, a single tree is asked for the leaves of another class that need the fewest attributes
changed. Each change is tried on the model before it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treeforge.core.model import SoftTreeModel, TreeModel
from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Attribute, Dataset
from treeforge.explain.answer import Answer
from treeforge.export.conditions import Condition, conditions, words
from treeforge.export.flat import proportions
from treeforge.export.nodes import number_of
from treeforge.export.numbers import shortest
from treeforge.export.subject import Subject

#: How many changes are shown.
SHOWN = 5
#: How many leaves are tried when no attribute alone changes the answer.
TRIED = 50


@dataclass(frozen=True)
class Change:
    """A change of the case that changes the answer.

    Parameters
    ----------
    conditions : tuple of str
        What would have to hold: ``petalwidth > 1.7``.
    predicted : str
        What the model would say then.
    probability : float
        Of that class.
    """

    conditions: tuple[str, ...]
    predicted: str
    probability: float


def changes(found: Subject, case: Dataset, predict: Answer) -> tuple[Change, ...]:
    """Changes of a case of one row, smallest first."""
    (now,) = predict.codes(predict.proba(case))
    single = _one_attribute(found, case, predict, now)
    if not single and isinstance(found.fitted, TreeModel | SoftTreeModel):
        single = _other_leaves(found, case, predict, now)
    return tuple(single[:SHOWN])


def _one_attribute(found: Subject, case: Dataset, predict: Answer, now: int) -> list[Change]:
    """For each attribute the nearest value at which the model says something else."""
    tried: list[tuple[int, float, str, float]] = []  # place, value, in words, distance
    for place, attribute in enumerate(found.inputs):
        value = case.columns[found.schema.input_indices[place]][0].item()
        tried += [(place, *candidate) for candidate in _candidates(found, place, attribute, value)]
    if not tried:
        return []
    answers = predict.proba(_variants(found, case, [{place: value} for place, value, _, _ in tried]))
    best: dict[tuple[int, int], tuple[float, Change]] = {}  # (attribute, class) -> nearest
    for (place, _, text, distance), row, code in zip(tried, answers, predict.codes(answers), strict=True):
        if code not in (-1, now) and distance < best.get((place, code), (np.inf,))[0]:
            best[place, code] = distance, Change((text,), found.classes[code], float(row[code]))
    return [change for _, change in sorted(best.values(), key=lambda pair: (pair[0], -pair[1].probability))]


def _candidates(
    found: Subject, place: int, attribute: Attribute, value: float
) -> list[tuple[float, str, float]]:
    """Other values of an attribute, one for each cell of the model's tests: (value, in words, distance)."""
    tested, cuts = _tests_of(found, place)
    if not tested:
        return []
    if attribute.is_nominal:
        others = (code for code in range(len(attribute.categories)) if code != value)
        return [(code, words(Condition(place, (code,)), attribute), 1.0) for code in others]
    number = number_of(attribute, shortest)
    spread = max(cuts[-1][0] - cuts[0][0], abs(cuts[0][0]), 1e-300)
    found_values = []
    for cut, closed in cuts:
        below, above = (np.nextafter(cut, -np.inf), cut) if closed else (cut, np.nextafter(cut, np.inf))
        here = 0.0 if np.isnan(value) else abs(value - cut) / spread
        # a known value can only come from the other side; an unknown one may become either
        if np.isnan(value) or value > below:
            found_values.append(
                (float(below), f"{attribute.name} {'<' if closed else '<='} {number(cut)}", here)
            )
        if np.isnan(value) or value < above:
            found_values.append(
                (float(above), f"{attribute.name} {'>=' if closed else '>'} {number(cut)}", here)
            )
    return found_values


def _tests_of(found: Subject, place: int) -> tuple[bool, list[tuple[float, bool]]]:
    """Whether the model tests an attribute, and its cuts of it, ascending, with the side that they belong to."""
    edges: set[tuple[float, bool]] = set()
    tested = False
    for tests in (found.fitted.rules,) if isinstance(found.fitted, RuleModel) else found.trees:
        for test in np.flatnonzero(tests.attribute == place).tolist():
            tested, closed = True, bool(tests.closed_left[test])
            for ends in (tests.cuts, *(found.bounds or ())):
                edges |= {
                    (end, closed) for end in ends[tests.cut_start[test] : tests.cut_start[test + 1]].tolist()
                }
    return tested, sorted(edges)


def _other_leaves(found: Subject, case: Dataset, predict: Answer, now: int) -> list[Change]:
    """The leaves of another class that ask for the fewest attributes to be different."""
    tree = found.tree
    values = [case.columns[place][0].item() for place in found.schema.input_indices]
    missed = _missed(tree, found, values)
    says = np.array(predict.codes(proportions(tree, found.laplace)))
    leaves = np.flatnonzero((tree.attribute < 0) & (tree.empty == 0) & (says != now) & (says >= 0))
    nearest = sorted(leaves.tolist(), key=lambda leaf: (missed[leaf], -tree.weight[leaf]))[:TRIED]
    trials: list[dict[int, float]] = []
    texts: list[tuple[str, ...]] = []
    for leaf in nearest:
        wanted = _wanted(tree, found, leaf)
        picked = {place: _pick(parts, values[place]) for place, parts in wanted.items()}
        changed = {place: v for place, v in picked.items() if v is not None and v != values[place]}
        if None not in picked.values() and changed:
            trials.append(changed)
            texts.append(
                tuple(
                    words(condition, found.inputs[place], number_of(found.inputs[place], shortest))
                    for place in changed
                    for condition in wanted[place]
                    if not _meets(condition, values[place])
                )
            )
    if not trials:
        return []
    answers = predict.proba(_variants(found, case, trials))
    good = [
        (len(trial), Change(text, found.classes[code], float(row[code])))
        for trial, text, row, code in zip(trials, texts, answers, predict.codes(answers), strict=True)
        if code not in (-1, now)
    ]
    return [change for _, change in sorted(good, key=lambda pair: (pair[0], -pair[1].probability))]


def _missed(tree: Tree, found: Subject, values: list[Any]) -> list[int]:
    """For each node, how many tests above it the case does not pass that way."""
    missed = [0] * tree.n_nodes
    for node in range(tree.n_nodes):
        if tree.attribute[node] < 0:
            continue
        place = int(tree.attribute[node])
        for branch, condition in enumerate(conditions(tree, node, found.inputs[place])):
            missed[int(tree.first_child[node]) + branch] = missed[node] + (
                not _meets(condition, values[place])
            )
    return missed


def _meets(condition: Condition, value: float) -> bool:
    return bool(value == value and condition.holds(value))


def _wanted(tree: Tree, found: Subject, leaf: int) -> dict[int, list[Condition]]:
    """The conditions on the path to a leaf, by attribute."""
    wanted: dict[int, list[Condition]] = {}
    node = leaf
    while node:
        parent = int(tree.parent[node])
        place = int(tree.attribute[parent])
        branch = node - int(tree.first_child[parent])
        wanted.setdefault(place, []).append(conditions(tree, parent, found.inputs[place])[branch])
        node = parent
    return wanted


def _pick(parts: list[Condition], value: float) -> float | None:
    """A value that meets all conditions: the present one if it does, or one next to an edge of theirs."""
    if parts[0].categories is not None:
        candidates: list[float] = [value, *parts[0].categories]
    else:
        edges = sorted(
            {end for part in parts for interval in part.intervals for end in interval if np.isfinite(end)}
        )
        candidates = [value]
        candidates += [
            float(x) for e in edges for x in (np.nextafter(e, -np.inf), e, np.nextafter(e, np.inf))
        ]
        candidates.sort(key=lambda x: 0.0 if x != x else abs(x - value) if value == value else abs(x))
    return next((x for x in candidates if all(_meets(part, x) for part in parts)), None)


def _variants(found: Subject, case: Dataset, trials: list[dict[int, float]]) -> Dataset:
    """The case once for each trial, with that trial's values in the place of its own."""
    columns = [np.repeat(column, len(trials)) for column in case.columns]
    for row, trial in enumerate(trials):
        for place, value in trial.items():
            columns[found.schema.input_indices[place]][row] = value
    weights = None if case.weights is None else np.repeat(case.weights, len(trials))
    return replace(case, columns=tuple(columns), weights=weights)
