"""The data sets of arff_data/ are what their script makes, and what the README says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np

from treeforge.data import read_arff

FOLDER = Path(__file__).resolve().parents[2] / "arff_data"


def test_the_script_makes_the_files_again(tmp_path: Path) -> None:
    runpy.run_path(str(FOLDER / "make.py"))["main"](tmp_path)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in FOLDER.glob("*.arff"))
    for name in made:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name


def test_the_readme_counts_right() -> None:
    lines = re.findall(
        r"^\| `(\S+)` \| (\d+) \| (\d+) / (\d+) \| (\d+) \| (\d+) \|",
        (FOLDER / "README.md").read_text(),
        re.MULTILINE,
    )
    assert len(lines) == len(list(FOLDER.glob("*.arff"))) >= 8
    for name, *counts in lines:
        dataset = read_arff(FOLDER / name)
        n_numeric = sum(attribute.is_numeric for attribute in dataset.schema.inputs)
        n_unknown = sum(
            int(np.isnan(column).sum() if column.dtype == np.float64 else (column < 0).sum())
            for column in dataset.columns
        )
        n_nominal = len(dataset.schema.inputs) - n_numeric
        found = [dataset.n_rows, n_numeric, n_nominal, len(dataset.schema.classes), n_unknown]
        assert list(map(int, counts)) == found, name
