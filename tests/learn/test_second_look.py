"""Trees that a splitter looks at a second time: only where it wants to, whatever the pruner grows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from random_data import random_dataset
from treeforge_c45 import C45Splitter

from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.plugin import Pruner
from treeforge.plugin.checks.splitter import a_second_look_keeps_the_tests

DATA = random_dataset(3)


@dataclass(frozen=True)
class Doubting(C45Splitter):
    """Wants to see every tree twice, and notes what it is shown."""

    seen: list[tuple[int, float]] = field(default_factory=list, compare=False)
    spoilt: bool = False

    def wants_second_look(self, tree: Tree, table: Any, sample: Sample) -> bool:
        return True

    def second_look(self, tree: Tree, table: Any, sample: Sample) -> Tree:
        self.seen.append((len(sample.rows), float(tree.weight[0])))
        if not self.spoilt:
            return tree
        return Tree(**tree.arrays() | {"cuts": tree.cuts + 1, "distribution": tree.distribution * 2})


@dataclass(frozen=True)
class Folds(Pruner):
    """Grows a tree of each half in an order that changes, then that of all cases, one of them a second time."""

    calls: ClassVar[list[int]] = []

    def build(self, grow: Any, table: Any, sample: Sample, seed: int) -> Tree:
        self.calls.append(0)
        halves = [replace(sample, rows=sample.rows[k::2]) for k in range(2)]
        for half in halves if len(self.calls) % 2 else [*reversed(halves), halves[0]]:
            assert grow(half, seed).weight[0] == pytest.approx(len(half.rows))
        whole = grow(sample, seed)
        assert grow(sample, seed, np.array([], dtype=np.int32)).weight[0] == whole.weight[0]
        return self.prune(whole, table, sample)

    def prune(self, tree: Tree, table: Any, sample: Sample) -> Tree:
        return tree


def test_each_sample_gets_its_own_tree_however_often_and_in_whatever_order() -> None:
    splitter = Doubting()
    fitting = replace(learner({"pruner": "none"}), splitter=splitter, pruner=Folds())
    data = replace(
        DATA,
        weights=None,
        columns=tuple(
            np.maximum(c, 0) if i == DATA.schema.class_index else c for i, c in enumerate(DATA.columns)
        ),
    )
    fitting.fit(data)
    assert len(splitter.seen) >= 4
    assert all(weight == pytest.approx(n) for n, weight in splitter.seen)


def test_a_tree_that_nobody_doubts_is_made_once() -> None:
    grown: list[int] = []

    @dataclass(frozen=True)
    class Counting(Folds):
        def build(self, grow: Any, table: Any, sample: Sample, seed: int) -> Tree:
            grown.append(len(sample.rows))
            return self.prune(grow(sample, seed), table, sample)

    replace(learner({"splitter": "cart"}), pruner=Counting()).fit(DATA)
    assert grown == [DATA.n_rows]


def test_the_contract_sees_a_second_look_that_changes_tests() -> None:
    a_second_look_keeps_the_tests(C45Splitter())
    with pytest.raises(AssertionError, match="a second look"):
        a_second_look_keeps_the_tests(Doubting(spoilt=True))
