"""Columns as pointers: what a table accepts, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from treeforge.core.table import Table
from treeforge.data import Sample

LABELS = np.array([0, 1, -1], dtype=np.int32)


def test_numbers_and_codes_keep_their_values() -> None:
    table = Table([np.array([1.5, np.nan, -2]), np.array([0, -1, 2], dtype=np.int32)], [0, 3], LABELS, 2)
    assert (table.n_rows, table.n_inputs, table.n_classes) == (3, 2, 2)
    np.testing.assert_array_equal(table.columns[0], [1.5, np.nan, -2])
    np.testing.assert_array_equal(table.columns[1], [0, -1, 2])


def test_contiguous_columns_are_not_copied() -> None:
    column = np.arange(3.0)
    assert np.shares_memory(Table([column], [0], LABELS, 2).columns[0], column)


def test_read_only_strided_and_integer_columns_are_taken() -> None:
    column = np.arange(6.0)
    column.flags.writeable = False
    table = Table([column[::2], np.arange(3)], [0, 0], LABELS, 2)
    np.testing.assert_array_equal(table.columns[0], [0, 2, 4])
    assert table.columns[1].dtype == np.float64


def test_weights_of_a_sample_come_before_those_of_the_table() -> None:
    table = Table([np.arange(3.0)], [0], LABELS, 2, np.array([1.0, 2, 3]))
    assert table.weights_of(Sample(np.array([2, 0]))).tolist() == [3, 1]
    assert table.weights_of(Sample(np.array([2, 0]), np.array([0.5, 0.5]))).tolist() == [0.5, 0.5]
    bare = Table([np.arange(3.0)], [0], LABELS, 2)
    assert bare.weights_of(Sample(np.array([2, 0]))).tolist() == [1, 1]


def test_rows_without_classes_can_be_predicted_only() -> None:
    table = Table([np.arange(3.0)], [0], None, 2)
    assert table.classes.tolist() == [-1, -1, -1]


@pytest.mark.parametrize(
    ("columns", "categories", "classes", "weights", "message"),
    [
        ([np.arange(3.0)], [0, 0], LABELS, None, "1 columns, but 2 numbers of categories"),
        ([np.arange(2.0)], [0], LABELS, None, "column 0 has 2 rows, not 3"),
        ([np.array([0, 1, 2], np.int32)], [2], LABELS, None, "a code of 2, declared are 2"),
        ([np.arange(3.0)], [0], LABELS + 2, None, "a class code of 3 where 2"),
        ([np.arange(3.0)], [0], LABELS, np.ones(2), "3 rows, but 2 weights"),
    ],
)
def test_what_does_not_fit_together_is_refused(columns, categories, classes, weights, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        Table(columns, categories, classes, 2, weights)
