"""What is written and read again is the same, bit for bit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treeforge.data import ArffWriter, Attribute, Dataset, Schema, read_arff, write_arff
from treeforge.errors import DataError

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.text(
    " '\"\\%{},?@\t\n\r\x00a1", max_size=8
)
FORMATS = (
    "yyyy-MM-dd'T'HH:mm:ss.SSS",
    "dd.MM.yyyy HH:mm:ss,SSS",
    "yyyyMMddHHmmssSSS",
    "EEE MMM d HH:mm:ss.SSS z yyyy",
)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Any dataset that ARFF can hold."""
    n_rows = draw(st.integers(0, 6))
    names = draw(st.lists(texts, min_size=1, max_size=5, unique=True))
    attributes, columns = [], []

    def column(values: st.SearchStrategy[object], dtype: object) -> None:
        columns.append(np.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)), dtype=dtype))

    for name in names:
        kind = draw(st.sampled_from(["numeric", "nominal", "string", "date"]))
        if kind == "nominal":
            categories = draw(st.lists(texts, max_size=6, unique=True))
            attributes.append(Attribute(name, "nominal", tuple(categories)))
            column(st.integers(-1, len(categories) - 1), np.int32)
        elif kind == "string":
            attributes.append(Attribute(name, "string"))
            column(st.none() | texts, object)
        elif kind == "date":
            attributes.append(Attribute(name, "date", date_format=draw(st.sampled_from(FORMATS))))
            column(st.integers(-12219292800000, 253402300799999) | st.just(math.nan), np.float64)
        else:
            attributes.append(Attribute(name))
            column(st.floats() | st.integers(-(2**60), 2**60), np.float64)
    weights = draw(st.none() | st.lists(st.floats(0, 1e300), min_size=n_rows, max_size=n_rows))
    schema = Schema(tuple(attributes), len(attributes) - 1, draw(texts))
    return Dataset(schema, tuple(columns), None if weights is None else np.array(weights))


def assert_same(written: Dataset, read: Dataset) -> None:
    assert read.schema == written.schema
    assert read.n_rows == written.n_rows
    for before, after in zip(written.columns, read.columns, strict=True):
        if before.dtype == np.float64:
            assert np.array_equal(np.isnan(before), np.isnan(after))
            before, after = np.nan_to_num(before, nan=0.0), np.nan_to_num(after, nan=0.0)
            np.testing.assert_array_equal(np.signbit(before), np.signbit(after))
        np.testing.assert_array_equal(before, after)
    ones = np.ones(written.n_rows)
    before, after = (ones if d.weights is None else d.weights for d in (written, read))
    np.testing.assert_array_equal(before, after)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(dataset=datasets(), compressed=st.booleans())
def test_write_and_read_gives_the_same_dataset(tmp_path: Path, dataset: Dataset, compressed: bool) -> None:
    path = tmp_path / ("any.arff.gz" if compressed else "any.arff")
    write_arff(dataset, path, remarks=["made up", "two\nlines"])
    assert_same(dataset, read_arff(path))


def test_the_shared_round_trip_case_is_written_and_read_again(shared: Path, tmp_path: Path) -> None:
    dataset = read_arff(shared / "cases" / "A15_round_trip.arff")
    write_arff(dataset, tmp_path / "again.arff")
    assert_same(dataset, read_arff(tmp_path / "again.arff"))


def test_a_date_that_its_format_cannot_hold_is_refused_and_no_file_is_left(tmp_path: Path) -> None:
    schema = Schema((Attribute("day", "date", date_format="yyyy-MM-dd"),), 0, "days")
    with pytest.raises(DataError, match="without a loss"):
        write_arff(Dataset(schema, (np.array([1.0]),)), tmp_path / "days.arff")
    assert not list(tmp_path.iterdir())


def test_rows_of_another_schema_are_refused(tmp_path: Path) -> None:
    one, other = (Dataset(Schema((Attribute(name),), 0), (np.zeros(1),)) for name in "ab")
    with (
        ArffWriter(tmp_path / "a.arff", one.schema) as writer,
        pytest.raises(DataError, match="another schema"),
    ):
        writer.write(other)
