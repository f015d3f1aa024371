"""From a tree's leaves to generalised rules: conditions dropped, doubles left out (c45.md 9.2 to 9.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import CellTest, Tree, leaf_rules
from treeforge_rules.cases import Cases
from treeforge_rules.estimate import Estimate
from treeforge_rules.generalise import generalise

#: A rule whose estimated error is above this matches nothing while rules are chosen and ordered.
HOPELESS = 0.7


@dataclass(frozen=True, eq=False)
class Candidate:
    """A generalised rule.

    Parameters
    ----------
    number : int
        In order of creation, from 1.
    tests : tuple of CellTest
    said : int
        Its class.
    error : float
        Estimated error rate.
    covered : ndarray of int64
        The cases that satisfy its tests, ascending.
    """

    number: int
    tests: tuple[CellTest, ...]
    said: int
    error: float
    covered: NDArray[np.int64]

    @property
    def matched(self) -> NDArray[np.int64]:
        """The cases that it matches: those it covers, or none."""
        return self.covered if self.error <= HOPELESS else self.covered[:0]


def candidates(tree: Tree, cases: Cases, estimate: Estimate) -> list[Candidate]:
    """The generalised rules of a tree, numbered in order of creation."""
    found: dict[Any, Candidate] = {}
    majority = tree.majority
    if tree.n_nodes == 1:
        return []
    for leaf, path in leaf_rules(tree, cases.nominal):
        if tree.weight[leaf] < 1:
            continue
        tests = [part for test in path for part in thresholds(test)]
        said = int(majority[leaf])
        made = generalise(tests, said, cases, estimate)
        if made is None:
            continue
        kept = listed([test if place in made.kept else None for place, test in enumerate(tests)])
        key = (said, tuple(map(_likeness, kept)))
        if key in found:  # the earlier one stays, with the larger estimate
            found[key] = replace(found[key], error=max(found[key].error, made.error))
        else:
            found[key] = Candidate(len(found) + 1, kept, said, made.error, made.covered)
    return list(found.values())


def thresholds(test: CellTest) -> Iterator[CellTest]:
    """An interval between two cuts as the two tests that a tree of binary splits would have; others as they are."""
    admitted = [cell for cell, inside in enumerate(test.admitted) if inside]
    if test.cuts is None or not admitted or admitted[-1] - admitted[0] + 1 != len(admitted):
        yield test
        return
    low, high = admitted[0], admitted[-1]
    if low > 0:
        yield CellTest(test.attribute, (test.cuts[low - 1],), (False, True), test.closed_left)
    if high < len(test.cuts):
        yield CellTest(test.attribute, (test.cuts[high],), (True, False), test.closed_left)


def listed(slots: list[CellTest | None]) -> tuple[CellTest, ...]:
    """The conditions in Release 8's order; None are the holes that removed ones left.

    What precedes what is no order, so the result depends on where the conditions stand: this is the procedure.
    """
    slots = list(slots)
    n_left = sum(test is not None for test in slots)
    for position in range(n_left):
        best = -1
        for slot in range(position, len(slots)):
            if slots[slot] is not None and (best < 0 or _precedes(slots[slot], slots[best])):
                best = slot
        slots[position], slots[best] = slots[best], slots[position]
    return tuple(test for test in slots[:n_left] if test is not None)


def _precedes(one: CellTest | None, other: CellTest | None) -> bool:
    assert one is not None
    assert other is not None
    if one.attribute < other.attribute or (one.is_nominal and not other.is_nominal):
        return True
    both_numeric = one.cuts is not None and other.cuts is not None
    return both_numeric and one.attribute == other.attribute and one.cuts < other.cuts  # type: ignore[operator]


def _likeness(test: CellTest) -> tuple[Any, ...]:
    """What two conditions must share to count as the same: the direction of a threshold is not among it."""
    if test.cuts is not None and len(test.cuts) == 1:
        return (test.attribute, test.cuts)
    return (test.attribute, test.cuts, test.admitted)
