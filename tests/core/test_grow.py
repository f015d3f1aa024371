"""The growth loop: class weights, shares, limits, order of ties; on tables small enough to do by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import training_sets

from treeforge.core.grow import grow
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Dataset, Sample
from treeforge.errors import PluginError
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder

GROWN = {"pruner": {"none": {"collapse": False}}, "splitter": {"c45": {"mdl_correction": False}}}


def table_of(columns: Sequence[Any], classes: Sequence[int], n_categories: Sequence[int] = ()) -> Table:
    made = [
        np.array(column, dtype=np.int32 if n else np.float64)
        for column, n in zip(columns, n_categories or [0] * len(columns), strict=True)
    ]
    return Table(
        made, list(n_categories) or [0] * len(columns), np.array(classes, np.int32), max(classes) + 1
    )


def grown(table: Table, sample: Sample | None = None, seed: int = 1, **words: Any) -> Tree:
    builder = Builder(learner({**GROWN, "min_branch": 1, **words}), table)  # type: ignore[arg-type]
    return builder.tree(Sample.whole(table.n_rows) if sample is None else sample, seed)


def test_one_cut_parts_two_classes() -> None:
    tree = grown(table_of([[1, 2, 3, 4]], [0, 0, 1, 1]))
    assert tree.attribute.tolist() == [0, -1, -1]
    assert tree.cuts.tolist() == [2]
    assert tree.distribution.tolist() == [[2, 2], [2, 0], [0, 2]]
    assert tree.parent.tolist() == [-1, 0, 0]
    assert tree.share.tolist() == [1, 0.5, 0.5]


def test_midpoint_is_kept_where_it_is_wanted() -> None:
    tree = grown(table_of([[1, 2, 3, 4]], [0, 0, 1, 1]), splitter={"c45": {"actual_value": False}})
    assert tree.cuts.tolist() == [2.5]


def test_category_without_cases_becomes_an_empty_leaf() -> None:
    tree = grown(table_of([[0, 0, 2, 2]], [0, 0, 1, 1], [3]))
    assert tree.weight.tolist() == [4, 2, 0, 2]
    assert tree.empty.tolist() == [0, 0, 1, 0]
    assert tree.majority.tolist() == [0, 0, 0, 1]  # an empty leaf stands for its parent's class


def test_case_of_unknown_value_goes_down_every_branch() -> None:
    tree = grown(table_of([[1, 1, 1, 2, np.nan]], [0, 0, 0, 1, 1]))
    assert tree.distribution.tolist() == [[3, 2], [3, 0.75], [0, 1.25]]
    assert tree.share.tolist() == [1, 0.75, 0.25]


def test_branch_without_a_share_gets_nothing_of_an_unknown_value() -> None:
    tree = grown(table_of([[0, 0, 2, 2, -1]], [0, 0, 1, 1, 1], [3]))
    assert tree.weight.tolist() == [5, 2.5, 0, 2.5]


def test_equal_inputs_are_decided_by_their_order() -> None:
    column = [1, 2, 3, 4]
    assert grown(table_of([column, column], [0, 0, 1, 1])).attribute[0] == 0


def test_row_without_a_class_does_not_train_but_its_value_can_be_a_threshold() -> None:
    table = table_of([[1, 2, 2.4, 3, 4]], [0, 0, -1, 1, 1])
    tree = grown(table)
    assert tree.weight[0] == 4
    assert tree.cuts.tolist() == [2.4]


def test_values_outside_the_sample_are_no_thresholds() -> None:
    table = table_of([[1, 2, 2.4, 3, 4]], [0, 0, 0, 1, 1])
    assert grown(table, Sample(np.array([0, 1, 3, 4]))).cuts.tolist() == [2]


def test_rows_of_weight_zero_stay_away() -> None:
    table = table_of([[1, 2, 2.4, 3, 4]], [0, 0, 1, 1, 1])
    tree = grown(table, Sample.whole(5), 1)
    tree = grown(table, Sample(np.arange(5), np.array([1.0, 1, 0, 1, 1])))
    assert tree.weight.tolist() == [4, 2, 2]
    assert tree.cuts.tolist() == [2]


def test_a_copy_counts_as_another_case() -> None:
    table = table_of([[1, 2, 3, 4], [0, 1, 0, 1]], [0, 0, 1, 1], [0, 2])
    copied = grown(table, Sample(np.arange(4), copies=np.array([2, 0, 1, 3])))
    spelled = table_of([[1, 1, 3, 4, 4, 4], [0, 0, 0, 1, 1, 1]], [0, 0, 1, 1, 1, 1], [0, 2])
    assert copied.distribution.tolist() == grown(spelled).distribution.tolist()


def test_whole_weights_and_copies_give_the_same_class_weights() -> None:
    rng = np.random.default_rng(5)
    table = table_of([rng.integers(0, 9, 60), rng.normal(size=60)], rng.integers(0, 3, 60).tolist())
    counts = rng.integers(0, 3, 60)
    copied = grown(table, Sample(np.arange(60), copies=counts), min_branch=2)
    assert copied.weight[0] == counts.sum()


def test_branches_are_as_heavy_as_they_must_be() -> None:
    table = table_of([list(range(20))], [0] * 3 + [1] * 17)
    assert grown(table, min_branch=3).n_leaves == 2
    assert grown(table, min_branch=5).weight[1:].min() >= 5


def test_light_nodes_and_deep_nodes_are_leaves() -> None:
    table = table_of([list(range(16))], [0, 1] * 8)
    assert grown(table, min_split=17).n_nodes == 1
    for depth in range(4):
        assert grown(table, max_depth=depth).depth == depth


def test_inputs_drawn_at_random_depend_on_the_seed_alone() -> None:
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=80) for _ in range(10)]
    table = table_of(columns, rng.integers(0, 2, 80).tolist())
    trees = [grown(table, seed=seed, max_attributes=2) for seed in (1, 1, 2, 3, 4)]
    assert trees[0].attribute.tolist() == trees[1].attribute.tolist()
    assert len({tuple(tree.attribute.tolist()) for tree in trees}) > 1


def test_drawing_goes_on_until_an_input_can_be_split() -> None:
    columns = [[0.0] * 6] * 9 + [[1.0, 2, 3, 4, 5, 6]]
    table = table_of(columns, [0, 0, 0, 1, 1, 1])
    for seed in range(10):
        assert grown(table, seed=seed, max_attributes=1).attribute[0] == 9


@pytest.mark.parametrize(
    ("numbers", "classes", "leaves"),
    [
        ([1, 2, 3, 4], [0, 0, 1, 1], [1, 1, 2, 2]),
        ([1, 2, np.nan, 3, 4], [0, 0, 0, 1, 1], [1, 1, 0, 2, 2]),
        ([1, 2, np.nan, 3], [1, 1, 1, 1], [0, 0, 0, 0]),
        ([1, 2, 5, 3, 4], [0, 0, -1, 1, 1], [1, 1, -1, 2, 2]),
    ],
    ids=["known", "unknown ends at the test", "only a leaf", "without a class"],
)
def test_leaf_of_each_training_row_is_told(
    numbers: list[float], classes: list[int], leaves: list[int]
) -> None:
    builder = Builder(learner({**GROWN, "min_branch": 1}), table_of([numbers], classes))  # type: ignore[arg-type]
    tree = grow(
        builder.table,
        builder._splitter,
        builder._criterion,
        np.arange(len(numbers)),
        min_branch=1.0,
        leaves=True,
    )
    assert tree.training_leaves is not None
    assert tree.training_leaves.tolist() == leaves


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"weights": [1.0]}, "4 rows, but 1 weights"),
        ({"weights": [1.0, np.nan, 1.0, 1.0]}, "a weight must be a finite number"),
        ({"weights": [1.0, np.inf, 1.0, 1.0]}, "a weight must be a finite number"),
        ({"copies": [1, 1]}, "copies must be 4 counts, one a row, none below 0"),
        ({"copies": [3, -1, 1, 1]}, "copies must be 4 counts, one a row, none below 0"),
        ({"n_threads": 0}, "n_threads must be at least 1, not 0"),
    ],
)
def test_samples_that_make_no_sense_are_refused(words: dict[str, Any], told: str) -> None:
    table = table_of([[1, 2, 3, 4]], [0, 0, 1, 1])
    plain = learner({})
    with pytest.raises(ValueError, match=re.escape(told)):
        grow(
            table,
            plain.splitter.kernel(table),
            plain.criterion.kernel(table),
            np.arange(4, dtype=np.int32),
            **words,
        )


def test_kernels_of_another_kind_are_refused() -> None:
    builder = Builder(learner(GROWN), table_of([[1, 2]], [0, 1]))  # type: ignore[arg-type]
    with pytest.raises(PluginError, match="make_splitter"):
        grow(builder.table, builder._criterion, builder._criterion, np.arange(2))
    with pytest.raises(PluginError, match="make_criterion"):
        grow(builder.table, builder._splitter, builder._splitter, np.arange(2))


@settings(deadline=None, max_examples=60)
@given(training_sets())
def test_class_weights_of_branches_add_up(data: Dataset) -> None:
    tree = learner({**GROWN, "min_branch": 1}).fit(data).fitted.tree
    for node in np.flatnonzero(tree.attribute >= 0):
        first = tree.first_child[node]
        below = tree.distribution[first : first + tree.n_branches[node]]
        np.testing.assert_allclose(below.sum(axis=0), tree.distribution[node], atol=1e-9)
        assert (tree.parent[first : first + tree.n_branches[node]] == node).all()
        assert first > node


@pytest.mark.parametrize("n_values", [200, 3000])  # coded in bytes, and listed
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intervals", [2, 3, 8, 9, 10, 17, 150])
def test_case_comes_to_the_branch_of_its_interval(intervals: int, weighted: bool, n_values: int) -> None:
    rng = np.random.default_rng(intervals)
    values = rng.integers(0, n_values, 6000).astype(float)
    table = table_of([values], rng.integers(0, 2, 6000).tolist())
    sample = Sample(np.arange(6000, dtype=np.int32), rng.uniform(0.5, 2, 6000) if weighted else None)
    splitter = {"equal_width": {"bins": intervals}}
    tree = grown(table, sample, splitter=splitter, criterion="information_gain", max_depth=1)
    branch = np.searchsorted(tree.cuts, values)
    assert len(tree.cuts) == intervals - 1
    weights = np.ones(6000) if sample.weights is None else sample.weights
    for child in range(intervals):
        here = np.bincount(table.classes[branch == child], weights[branch == child], 2)
        np.testing.assert_allclose(tree.distribution[1 + child], here, rtol=1e-12)


@pytest.mark.parametrize("binary", [True, False])
def test_an_input_of_one_category_cannot_be_split(binary: bool) -> None:
    table = table_of([[0] * 9], [0] * 8 + [1], [1])
    assert grown(table, splitter={"c45": {"binary": binary}}).attribute.tolist() == [-1]
