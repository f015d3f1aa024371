"""Sums of fractions in J48's order: where two classes tie, their last bit says which is predicted (c45.md 12)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from j48_words import OPTIONS
from random_data import random_dataset
from treeforge_c45 import C45Splitter, _order

from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Dataset, Sample, read_dataset
from treeforge.learn.build import learner
from treeforge.learn.encode import encode
from treeforge.learn.learner import Builder

Case = tuple[int, float]  # row, weight

#: number of a random data set, options, row -> the probabilities that Weka 3.9.7 gives it, to the last bit
WEKA = [
    (608, "-U -O", 9, "0x1.0000000000000p-1 0x1.0000000000001p-1"),
    (
        313,
        "-U",
        4,
        "0x1.0690690690690p-3 0x1.a41a41a41a41ap-4 0x1.a41a41a41a41ap-6 0x1.6f96f96f96f97p-3 0x1.a41a41a41a41ap-6 "
        "0x1.6f96f96f96f97p-3 0x1.3b13b13b13b15p-4 0x1.a41a41a41a41bp-4 0x1.3b13b13b13b12p-4 0x0.0p+0 "
        "0x1.a41a41a41a419p-5 0x1.a41a41a41a41dp-5",
    ),
    (
        585,
        "-R -N 5 -Q 7 -M 1 -B",
        15,
        "0x1.0000000000001p-1 0x1.0000000000001p-1 0x0p+0 0x0p+0 0x0p+0 0x0p+0",
    ),
]


@pytest.mark.parametrize(("number", "options", "row", "told"), WEKA)
def test_a_tie_has_wekas_bits(number: int, options: str, row: int, told: str) -> None:
    data = random_dataset(number)
    seed = 7 if "-Q 7" in options else 1
    found = learner(OPTIONS[options]).fit(data, seed=seed).predict_proba(data)[row]
    assert [p.hex() for p in found.tolist()] == [float.fromhex(word).hex() for word in told.split()]


class Plain:
    """The same sums in plain Python, from the specification: of all nodes."""

    def __init__(self, tree: Tree, data: Dataset) -> None:
        self.tree, self.labels = tree, data.class_codes.tolist()
        self.columns = [data.columns[i].tolist() for i in data.schema.input_indices]
        self.numeric = [data.schema.attributes[i].is_numeric for i in data.schema.input_indices]
        self.sums: dict[int, list[float]] = {}
        weights = [1.0] * data.n_rows if data.weights is None else data.weights.tolist()
        cases = [(row, w) for row, w in enumerate(weights) if self.labels[row] >= 0 and w > 0]
        self.visit(0, cases)

    def visit(self, node: int, cases: list[Case]) -> None:
        tree = self.tree
        if tree.attribute[node] < 0:
            self.sums[node] = self.by_class(cases)
            return
        for input, numeric in enumerate(self.numeric):
            if numeric:
                keys = [self.columns[input][row] for row, _ in cases]
                at = quicksorted([math.inf if math.isnan(k) else k for k in keys])
                cases = [cases[i] for i in at]
            if input == tree.attribute[node]:
                known = [case for case in cases if self.branch(node, case[0]) is not None]
        n = int(tree.n_branches[node])
        of_branch, total = [0.0] * n, 0.0
        for row, w in known:
            of_branch[self.branch(node, row)] += w
            total += w
        if self.numeric[tree.attribute[node]]:
            total = of_branch[0] + of_branch[1]
        shares = [w / total if total >= 1e-6 else 1 / n for w in of_branch]
        unknown = [case for case in cases if self.branch(node, case[0]) is None]
        for _, w in unknown:
            of_branch = [d + share * w for d, share in zip(of_branch, shares, strict=True)]
            total += w
        self.sums[node] = self.by_class(known + unknown)
        for b in range(n):
            part = of_branch[b] / total
            down = [
                (row, w if self.branch(node, row) == b else w * part)
                for row, w in cases
                if self.branch(node, row) == b or (self.branch(node, row) is None and part > 1e-6)
            ]
            self.visit(int(tree.first_child[node]) + b, down)

    def by_class(self, cases: list[Case]) -> list[float]:
        sums = [0.0] * self.tree.n_classes
        for row, w in cases:
            sums[self.labels[row]] += w
        return sums

    def branch(self, node: int, row: int) -> Any:
        value = self.columns[self.tree.attribute[node]][row]
        cells = self.tree.branch_of[self.tree.cell_start[node] : self.tree.cell_start[node + 1]]
        if self.numeric[self.tree.attribute[node]]:
            cut = self.tree.cuts[self.tree.cut_start[node]]
            return None if math.isnan(value) else int(cells[int(value > cut)])
        return None if value < 0 else int(cells[value])


def quicksorted(keys: list[float]) -> list[int]:
    """Positions by key as c45.md 12.6 sorts them."""
    at = list(range(len(keys)))

    def exchange(i: int, j: int) -> None:
        at[i], at[j] = at[j], at[i]

    def put_in_order(i: int, j: int) -> None:
        if keys[at[i]] > keys[at[j]]:
            exchange(i, j)

    def sort(left: int, right: int) -> None:
        if right <= left:
            return
        if right - left == 1:
            put_in_order(left, right)
            return
        middle = (left + right) // 2
        for pair in ((left, middle), (left, right), (middle, right)):
            put_in_order(*pair)
        if right - left == 2:
            return
        exchange(middle, right - 1)
        pivot, i, j = keys[at[right - 1]], left, right - 1
        while True:
            i = next(k for k in range(i + 1, right) if keys[at[k]] >= pivot)
            j = next(k for k in range(j - 1, left - 1, -1) if keys[at[k]] <= pivot)
            if i >= j:
                break
            exchange(i, j)
        exchange(i, right - 1)
        sort(left, i - 1)
        sort(i + 1, right)

    sort(0, len(keys) - 1)
    return at


def grown(data: Dataset) -> tuple[Table, Tree, Tree]:
    """The table, the tree as it was grown, and with the sums that decide."""
    table, sample = encode(data), Sample.whole(data.n_rows)
    builder = Builder(learner({"pruner": "none", "min_branch": 1}), table)
    tree = builder.grow(sample, 1)
    return table, tree, C45Splitter().second_look(tree, table, sample)


def ties(tree: Tree) -> list[int]:
    """Leaves where the two heaviest classes weigh the same; not of 0.125 and the like, which look exact."""
    found = []
    for node in np.flatnonzero(tree.attribute < 0).tolist():
        first, second = np.sort(tree.distribution[node])[:-3:-1]
        if second > 0 and first - second < 1e-9 * first and (first % 1 == 0 or 1024 * first % 1):
            found.append(node)
    return found


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 100_000))
def test_sums_that_decide_are_those_of_the_specification(number: int) -> None:
    data = random_dataset(number, most_rows=50)
    _, tree, settled = grown(data)
    assert np.allclose(settled.distribution, tree.distribution, rtol=1e-9, atol=1e-12)
    assert np.array_equal(settled.attribute, tree.attribute)
    plain = Plain(tree, data).sums
    for node in ties(tree):
        assert settled.distribution[node].tolist() == plain[node]


def test_sums_change_where_they_decide() -> None:
    """Some bits do differ, or the tests here would see nothing."""
    changed = 0
    for number in range(300):
        data = random_dataset(number, most_rows=50)
        table, tree, settled = grown(data)
        changed += settled.distribution.tobytes() != tree.distribution.tobytes()
        if not _order.decides(tree, table, data.n_rows):
            assert settled is tree
    assert changed >= 10


def test_a_tree_of_whole_cases_is_left_alone(shared: Path) -> None:
    data = read_dataset(shared / "datasets" / "diabetes.arff")
    table, tree, settled = grown(data)
    assert settled is tree
    assert not _order.decides(tree, table, data.n_rows)


def test_training_leaves_and_metadata_stay() -> None:
    data = random_dataset(608)
    table, sample = encode(data), Sample.whole(data.n_rows)
    builder = Builder(learner({"splitter": {"c45": {"binary": True}}}), table)
    tree = builder.grow(sample, 1)
    settled = C45Splitter(binary=True).second_look(tree, table, sample)
    assert settled is not tree
    assert settled.training_leaves is tree.training_leaves
    assert settled.metadata == {"binary": True}


def test_large_tables_keep_the_order_of_training() -> None:
    """To sort them as J48 does would cost what growing does."""
    data = random_dataset(608)
    table, tree, _ = grown(data)
    assert _order.decides(tree, table, data.n_rows)
    assert not _order.decides(tree, table, 10**6)
