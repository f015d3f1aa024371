"""Inputs drawn at random: their columns are those that a loop without a draw keeps in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import training_sets

from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Dataset, Sample
from treeforge.learn.build import learner
from treeforge.learn.encode import encode
from treeforge.learn.learner import Builder

#: by information gain an input is as good as it is, whatever others are looked at
PLAIN = {"criterion": "information_gain", "min_branch": 1, "pruner": {"none": {"collapse": False}}}
SPLITTERS: list[Any] = [
    {"c45": {"mdl_correction": False}},
    {"c45": {"binary": True}},
    "amsd",
    "cart",
]


def table_with(unknown: float) -> Table:
    """Bytes, a list, a wide column; classes that depend on them, and noise."""
    rng, n = np.random.default_rng(4), 3000
    real, whole = rng.normal(size=n), rng.integers(0, 200, n).astype(np.float64)
    few, many = rng.integers(0, 5, n).astype(np.int32), rng.integers(0, 300, n).astype(np.int32)
    classes = (real + whole / 100 + (few == 2) + rng.normal(scale=0.7, size=n) > 1.5).astype(np.int32)
    classes[rng.random(n) < 0.05] = 2
    for column, missing in ((real, np.nan), (whole, np.nan), (few, -1), (many, -1)):
        column[rng.random(n) < unknown] = missing
    return Table([real, few, whole, many], [0, 5, 0, 300], classes, 3)


def twice(table: Table) -> Table:
    """Every column and, next to it, the same again."""
    columns = [column for column in table.columns for _ in range(2)]
    categories = [n for n in table.n_categories for _ in range(2)]
    return Table(columns, categories, table.classes, table.n_classes, table.weights)


def grown(table: Table, sample: Sample, splitter: Any, **words: Any) -> Tree:
    return Builder(learner({**PLAIN, "splitter": splitter, **words}), table).grow(sample, 5)


def assert_close(one: Tree, other: Tree) -> None:
    """The same but for the order in which weights were added."""
    for name, values in one.arrays().items():
        if name != "attribute":
            np.testing.assert_allclose(values, other.arrays()[name], rtol=1e-9, atol=1e-9, err_msg=name)


def assert_drawing_changes_nothing(table: Table, sample: Sample, splitter: Any) -> None:
    """Of doubled columns, all but one are drawn: one of each pair is always among them."""
    whole = grown(table, sample, splitter)
    drawn = grown(twice(table), sample, splitter, max_attributes=2 * table.n_inputs - 1)
    assert np.where(drawn.attribute < 0, -1, drawn.attribute // 2).tolist() == whole.attribute.tolist()
    if sample.copies is not None and np.isnan(table.columns[0]).any():
        assert_close(whole, drawn)  # copies are merged where cases are shared out
        return
    for name, values in whole.arrays().items():
        if name != "attribute":
            assert values.tobytes() == drawn.arrays()[name].tobytes(), name


@pytest.mark.parametrize("splitter", SPLITTERS, ids=["c45", "binary", "amsd", "cart"])
@given(dataset=training_sets())
@settings(deadline=None, max_examples=50)
def test_small_nodes_gather_what_others_keep_in_order(splitter: Any, dataset: Dataset) -> None:
    table = encode(dataset)
    assert_drawing_changes_nothing(table, Sample.whole(table.n_rows), splitter)


@pytest.mark.parametrize("unknown", [0.0, 0.05])
@pytest.mark.parametrize("splitter", SPLITTERS, ids=["c45", "binary", "amsd", "cart"])
def test_large_nodes_do_so_too_for_a_bootstrap(splitter: Any, unknown: float) -> None:
    table = table_with(unknown)
    copies = np.random.default_rng(6).poisson(1.0, table.n_rows).astype(np.int32)
    rows = np.flatnonzero(copies).astype(np.int32)
    assert_drawing_changes_nothing(table, Sample(rows, copies=copies[rows]), splitter)


def test_copies_of_a_row_weigh_as_much_as_so_many_rows() -> None:
    """Once cases are shared out, the copies of a row are one case; rows that are the same stay apart."""
    table = table_with(0.05)
    copies = np.random.default_rng(7).poisson(1.0, table.n_rows).astype(np.int32)
    rows = np.flatnonzero(copies).astype(np.int32)
    apart = np.repeat(rows, copies[rows])
    columns = [column[apart] for column in table.columns]
    spread = Table(columns, table.n_categories, table.classes[apart], table.n_classes)
    for splitter in SPLITTERS:
        merged = grown(table, Sample(rows, copies=copies[rows]), splitter, max_attributes=2)
        single = grown(spread, Sample.whole(spread.n_rows), splitter, max_attributes=2)
        assert merged.attribute.tolist() == single.attribute.tolist()
        assert_close(merged, single)
