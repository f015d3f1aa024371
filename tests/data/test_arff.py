"""ARFF as Weka reads it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from treeforge.data import read_arff
from treeforge.data.show import json_chunks
from treeforge.errors import DataError


def test_every_shared_case_reads_as_weka_reads_it(shared: Path) -> None:
    for truth_file in sorted((shared / "cases" / "expected").glob("*.json")):
        path = shared / "cases" / (truth_file.stem + ".arff")
        if not path.exists():
            continue
        truth = json.loads(truth_file.read_text())
        if "weka_error" in truth:
            with pytest.raises(DataError, match=path.name):
                read_arff(path)
        else:
            assert json.loads("".join(json_chunks(read_arff(path)))) == truth, path.name


def test_short_row_names_its_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "quarry.arff"
    path.write_text("@relation quarry\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n1,\n3,4\n")
    with pytest.raises(DataError) as caught:
        read_arff(path)
    assert str(caught.value) == f"{path}:6:3: the row has less than 2 values: 'b' is missing"


def test_class_is_the_last_attribute_unless_another_is_named(tmp_path: Path) -> None:
    path = tmp_path / "two.arff"
    path.write_text("@relation two\n@attribute a {x,y}\n@attribute b {u,v}\n@data\nx,v\n?,u\n")
    assert read_arff(path).schema.classes == ("u", "v")
    named = read_arff(path, class_attribute="a")
    np.testing.assert_array_equal(named.class_codes, [0, -1])
