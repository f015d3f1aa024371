"""What is written and read again is the same, bit for bit."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import assert_same, datasets

from treeforge.data import ArffWriter, Attribute, Dataset, Schema, read_arff, write_arff
from treeforge.errors import DataError

pytestmark = pytest.mark.filterwarnings("error")


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


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    dataset = Dataset(Schema((Attribute("a"),), 0, "r"), (np.zeros(1),))
    with ArffWriter(tmp_path / "a.arff", dataset.schema) as writer:
        writer.write(dataset)
        assert not (tmp_path / "a.arff").exists()
    assert (tmp_path / "a.arff").exists()


def test_a_stream_is_written_to_and_left_open() -> None:
    stream = io.BytesIO()
    write_arff(Dataset(Schema((Attribute("a"),), 0, "r"), (np.array([1.5, np.nan, -0.0]),)), stream)
    assert stream.getvalue() == b"@relation r\n\n@attribute a numeric\n\n@data\n1.5\n?\n-0.0\n"
