"""The compiled C4.5 against the one in plain Python: the same tests, class weights, probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from c45_reference import Node, Options, Reference
from hypothesis import given, settings
from hypothesis import strategies as st
from random_data import random_dataset
from strategies import training_sets

from treeforge.core.tree import Tree
from treeforge.data import Attribute, Dataset, Schema
from treeforge.learn.build import learner


def words(o: Options) -> dict[str, Any]:
    """The options in the words of a pipeline."""
    pruner: dict[str, Any] = {
        "error_based": {"confidence": o.confidence, "subtree_raising": o.raising, "collapse": o.collapse}
    }
    if o.unpruned:
        pruner = {"none": {"collapse": o.collapse}}
    if o.reduced_error:
        pruner = {"reduced_error": {"folds": o.folds}}
    splitter = {
        "grouping": o.grouping,
        "binary": o.binary,
        "mdl_correction": o.mdl,
        "actual_value": not o.midpoint,
    }
    return {
        "splitter": {"c45": splitter},
        "pruner": pruner,
        "min_branch": o.min_branch,
        "laplace": o.laplace,
    }


OPTIONS = [
    Options(),
    Options(unpruned=True),
    Options(confidence=0.1, min_branch=5),
    Options(raising=False),
    Options(binary=True),
    Options(collapse=False),
    Options(mdl=False),
    Options(midpoint=True, min_branch=1),
    Options(laplace=True, confidence=0.8),
    Options(unpruned=True, collapse=False, min_branch=1),
    Options(confidence=0.01, min_branch=1, binary=True),
    Options(min_branch=0.3),
    Options(grouping=True),
    Options(grouping=True, min_branch=1, unpruned=True),
    Options(reduced_error=True, collapse=False),
    Options(reduced_error=True, folds=5, seed=7, min_branch=1, binary=True),
]


def differences(tree: Tree, reference: Reference) -> list[str]:
    """Where the trees differ; walked with a stack."""
    found = []
    waiting: list[tuple[int, Node, list[float]]] = [(0, reference.root, reference.root.counts)]
    while waiting:
        at, node, counts = waiting.pop()
        if not np.allclose(tree.distribution[at], counts, rtol=1e-9, atol=1e-9):
            found.append(f"node {at}: class weights {tree.distribution[at].tolist()}, expected {counts}")
        if bool(tree.empty[at]) != node.empty:
            found.append(f"node {at}: empty {bool(tree.empty[at])}, expected {node.empty}")
        test = node.test
        if (tree.attribute[at] < 0) != (test is None) or (test and test.attribute != tree.attribute[at]):
            found.append(f"node {at}: tests {tree.attribute[at]}, expected {test}")
            continue
        if test is None:
            continue
        cuts = tree.cuts[tree.cut_start[at] : tree.cut_start[at + 1]].tolist()
        cells = tree.branch_of[tree.cell_start[at] : tree.cell_start[at + 1]].tolist()
        if cuts != ([] if test.cut is None else [test.cut]):
            found.append(f"node {at}: cuts {cuts}, expected {test.cut}")
        if test.label is not None and cells != [int(k != test.label) for k in range(len(cells))]:
            found.append(f"node {at}: cells {cells}, expected {test.label} against the rest")
        if test.groups is not None and cells != list(test.groups):
            found.append(f"node {at}: cells {cells}, expected {test.groups}")
        first = tree.first_child[at]
        waiting += [(first + b, child, node.table[b]) for b, child in enumerate(node.children)]
    return found


def check(data: Dataset, options: Options) -> None:
    reference = Reference(data, options)
    model = learner(words(options)).fit(data, seed=options.seed)
    assert not differences(model.fitted.tree, reference)
    expected = [reference.probabilities(row) for row in range(data.n_rows)]
    np.testing.assert_allclose(model.predict_proba(data), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "options",
    OPTIONS,
    ids=lambda o: "-".join(f"{k}={v}" for k, v in vars(o).items() if v != getattr(Options(), k)) or "default",
)
def test_random_data_gives_the_same_tree(options: Options) -> None:
    for number in range(10_000 + 100 * OPTIONS.index(options), 10_000 + 100 * OPTIONS.index(options) + 12):
        check(random_dataset(number, most_rows=60), options)


@settings(deadline=None, max_examples=60)
@given(training_sets(), st.sampled_from(OPTIONS))
def test_any_data_gives_the_same_tree(data: Dataset, options: Options) -> None:
    check(data, options)


@pytest.mark.slow
@settings(deadline=None, max_examples=3000)
@given(training_sets(), st.sampled_from(OPTIONS))
def test_any_data_gives_the_same_tree_at_length(data: Dataset, options: Options) -> None:
    check(data, options)


def noisy(number: int, n_rows: int, n_classes: int, unknown: float) -> Dataset:
    """Classes that no tree predicts well: pruning raises and moves long lists of cases, and again what was moved."""
    rng = np.random.default_rng(number)
    numbers = [np.round(rng.normal(size=n_rows), 1) for _ in range(3)]
    codes = rng.integers(0, 4, n_rows).astype(np.int32)
    classes = (2 * (numbers[0] > 0) + (codes > 1) + (numbers[1] > 1)).astype(np.int32) % n_classes
    strange = rng.random(n_rows) < 0.3
    classes[strange] = rng.integers(0, n_classes, strange.sum())
    for column in (numbers[0], codes):
        column[rng.random(n_rows) < unknown] = -1 if column.dtype == np.int32 else np.nan
    attributes = [Attribute(f"x{i}") for i in range(3)] + [Attribute("c", "nominal", ("p", "q", "r", "s"))]
    labels = Attribute("class", "nominal", tuple(f"k{c}" for c in range(n_classes)))
    return Dataset(Schema((*attributes, labels), 4), (*numbers, codes, classes))


@pytest.mark.parametrize("unknown", [0.0, 0.05])
@pytest.mark.parametrize(("number", "n_classes"), [(1, 2), (2, 3), (3, 6)])
@pytest.mark.parametrize(
    "options", [Options(), Options(confidence=0.6, collapse=False, min_branch=1)], ids=["default", "loose"]
)
def test_long_lists_are_raised_as_case_by_case(
    number: int, n_classes: int, unknown: float, options: Options
) -> None:
    check(noisy(number, 3000, n_classes, unknown), options)
