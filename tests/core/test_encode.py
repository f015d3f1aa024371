"""Coded columns: bytes, wide columns and lists lead to the same trees; what is close, what is equal."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from treeforge.core.encode import any_encoded, encoded
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder


def table_of(values: NDArray[np.float64], classes: NDArray[np.int32]) -> Table:
    return Table([values], [0], classes, int(classes.max(initial=0)) + 1)


def grown(table: Table, rows: NDArray[np.int32] | None = None) -> Tree:
    words = {
        "pruner": {"none": {"collapse": False}},
        "splitter": {"c45": {"mdl_correction": False}},
        "min_branch": 1,
    }
    sample = Sample.whole(table.n_rows) if rows is None else Sample(rows)
    return Builder(learner(words), table).tree(sample, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n_values", "listed"), [(1, 0), (255, 0), (256, 1), (1000, 1)])
@pytest.mark.parametrize("scale", [1.0, 0.37])
def test_columns_of_many_values_are_kept_as_lists(n_values: int, listed: int, scale: float) -> None:
    """Whole numbers are ranked by counting, others are sorted: the same bounds for both."""
    values = np.arange(n_values) * scale
    assert encoded(table_of(values, np.zeros(n_values, np.int32))).n_listed == listed


@pytest.mark.parametrize(("n_values", "plain"), [(255, False), (256, True)])
@pytest.mark.parametrize("scale", [1.0, 0.37])
def test_nothing_is_ranked_for_a_kernel_that_needs_no_order(n_values: int, plain: bool, scale: float) -> None:
    """Few values are bytes for every kernel, and then both forms of a table grow the same tree."""
    rng = np.random.default_rng(2)
    values = rng.permutation(np.repeat(np.arange(n_values) * scale, 4))
    values[::9] = np.nan
    table = table_of(values, (np.nan_to_num(values) > 40 * scale).astype(np.int32))
    coded = encoded(table, plain=True)
    assert (coded.plain, coded.n_listed, table.encoded) == (True, 0, None)
    assert coded.has_unknown(0)
    assert any_encoded(table) is coded
    assert encoded(table).n_listed == plain
    assert any_encoded(table) is encoded(table)


@pytest.mark.parametrize("scale", [1.0, 0.37, -0.37, 1e300, 1e-300])
@pytest.mark.parametrize("n_values", [200, 300])
def test_every_value_ends_where_it_belongs(n_values: int, scale: float) -> None:
    """Alternating classes: the tree has to tell all values apart, whatever their size and order."""
    order = np.random.default_rng(1).permutation(n_values)
    values, classes = order * scale, (order % 2).astype(np.int32)
    if abs(scale) < 1e-5:
        values = values * 1e300  # no closer than 1e-5, or the splitter takes them as equal
    table = table_of(values, classes)
    np.testing.assert_array_equal(grown(table).predict_proba(table).argmax(axis=1), classes)


def test_unknown_values_are_noticed() -> None:
    columns = [
        np.array([1.0, np.nan]),
        np.array([1.0, 2.0]),
        np.array([0, -1], np.int32),
        np.array([0, 1], np.int32),
    ]
    coded = encoded(Table(columns, [0, 0, 2, 2], np.zeros(2, np.int32), 1))
    assert [coded.has_unknown(i) for i in range(4)] == [True, False, True, False]


def test_zero_and_minus_zero_are_one_value() -> None:
    values, classes = np.array([0.0, -0.0, 0.0, -0.0]), np.array([0, 1, 0, 1], np.int32)
    assert grown(table_of(values, classes)).n_nodes == 1


@pytest.mark.parametrize(
    "values",
    [
        [-0.0, -0.0, 5.0, 5.0],
        [-0.0, 0.0, 5.5, 5.5],
        [0.0, -0.0, 5.0, 5.0],
        [-0.0, 0.0, 1e9 / 7, 1e9 / 7],
        [0.0, -0.0, 1e9 / 7, 1e9 / 7],
    ],
)
def test_threshold_shows_the_first_of_two_zeros(values: list[float]) -> None:
    tree = grown(table_of(np.array(values), np.array([0, 0, 1, 1], np.int32)))
    assert np.signbit(tree.cuts[0]) == np.signbit(values[0])


def test_infinite_values_are_ends_of_the_range() -> None:
    values = np.array([-np.inf, -np.inf, 0, 0, np.inf, np.inf])
    classes = np.array([0, 0, 1, 1, 0, 0], np.int32)
    table = table_of(values, classes)
    np.testing.assert_array_equal(grown(table).predict_proba(table).argmax(axis=1), classes)


def test_columns_are_coded_once_for_all_threads() -> None:
    table = table_of(np.random.default_rng(0).normal(size=5000), np.zeros(5000, np.int32))
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(encoded(table))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 1


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(allow_infinity=False), min_size=1, max_size=40))
def test_any_numbers_can_be_coded(values: list[float]) -> None:
    column = np.array(values)
    classes = (np.arange(len(values)) % 2).astype(np.int32)
    table = table_of(column, classes)
    tree = grown(table)
    assert np.isfinite(tree.cuts).all()
    assert tree.weight[0] == len(values)


@given(
    st.lists(st.integers(-3000, 3000), min_size=1, max_size=400),
    st.sampled_from([1.0, 10.0, 100.0, 1000.0, 3.0, 1e4]),
    st.integers(0, 3),
)
@settings(deadline=None, max_examples=150)
def test_decimals_are_told_apart_as_they_are(whole: list[int], scale: float, unknown: int) -> None:
    """Decimals of up to three places are ranked by counting: no two of them are merged, none moves."""
    values = np.array(whole, dtype=np.float64) / scale
    classes = (np.unique(values, return_inverse=True)[1] % 2).astype(np.int32)
    values[:unknown] = np.nan
    known = ~np.isnan(values)
    table = table_of(values, classes)
    if not known.any():
        return
    tree = grown(table, np.flatnonzero(known).astype(np.int32))
    assert set(tree.arrays()["cuts"]) <= set(values[known])
    if scale < 1e4:  # closer than 1e-5 is equal to the splitter, nothing else is
        np.testing.assert_array_equal(tree.predict_proba(table).argmax(axis=1)[known], classes[known])
