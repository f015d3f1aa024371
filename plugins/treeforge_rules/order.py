"""The order of the classes, the default class, and the rules that do harm (c45.md 9.7 and 9.8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treeforge_rules.candidates import Candidate
from treeforge_rules.cases import Cases


def order(chosen: Sequence[Sequence[Candidate]], cases: Cases) -> tuple[list[Candidate], int]:
    """The rules in the order in which they are asked, and the default class.

    ``chosen`` has the rules of each class. The class whose rules match the least weight of open cases of other
    classes comes next, the first of equal ones; what its rules match is not open any more.
    """
    matched = [np.unique(np.concatenate([np.empty(0, np.int64), *(r.matched for r in of)])) for of in chosen]
    open_ = np.ones(cases.n, dtype=bool)
    waiting = [said for said, rules in enumerate(chosen) if rules]  # one without rules changes nothing
    placed: list[Candidate] = []
    while waiting:
        false = {
            said: float(cases.weights[rows[open_[rows] & (cases.classes[rows] != said)]].sum())
            for said, rows in ((said, matched[said]) for said in waiting)
        }
        said = min(waiting, key=lambda s: (false[s], s))
        waiting.remove(said)
        placed += sorted(chosen[said], key=lambda rule: (rule.error, rule.number))
        open_[matched[said]] = False
    left = np.bincount(cases.classes[open_], cases.weights[open_], cases.table.n_classes)
    default = max(range(cases.table.n_classes), key=lambda c: (left[c], cases.of_class[c], -c))
    return placed, default


def without_harmful(rules: Sequence[Candidate], default: int, cases: Cases) -> list[Candidate]:
    """The rules without those that decide more cases wrongly, and for the worse, than for the better.

    What a case would be told instead is the class of the next rule that matches it, or the default. The first
    harmful rule goes, and everything is counted anew.
    """
    said = np.array([*(rule.said for rule in rules), default])
    gone = len(rules)  # what stands for "no rule" in the lists below
    matching = _matching(rules, cases.n)
    harm = np.zeros(len(rules))  # weight of the cases for the worse, less that for the better

    def ask(row: int) -> tuple[int, int]:
        """The rule that decides a case, and the next one."""
        of_row = matching[row]
        return (of_row[0] if of_row else gone, of_row[1] if len(of_row) > 1 else gone)

    def count(row: int, sign: float) -> None:
        """Count a case for, or no longer for, the rule that decides it."""
        decides, instead = ask(row)
        if decides != gone and said[decides] != said[instead]:
            truth = cases.classes[row]
            harm[decides] += sign * weight[row] * (int(truth == said[instead]) - int(truth == said[decides]))

    weight = cases.weights.tolist()
    for row in range(cases.n):
        count(row, 1.0)
    kept = dict.fromkeys(range(len(rules)))
    while True:
        harmful = np.flatnonzero(harm > 0)
        if not len(harmful):
            return [rules[place] for place in kept]
        first = int(harmful[0])
        for row in rules[first].matched.tolist():
            concerned = first in ask(row)
            if concerned:
                count(row, -1.0)
            matching[row].remove(first)
            if concerned:
                count(row, 1.0)
        del kept[first]


def _matching(rules: Sequence[Candidate], n: int) -> list[list[int]]:
    """For each case the places of the rules that match it, ascending."""
    found: list[list[int]] = [[] for _ in range(n)]
    for place, rule in enumerate(rules):
        rows: NDArray[np.int64] = rule.matched
        for row in rows.tolist():
            found[row].append(place)
    return found
