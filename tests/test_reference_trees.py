"""Weka's own results on the shared data sets: every tree, branch for branch, every cross-validation, case for case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from j48_words import OPTIONS, tree_lines

from treeforge.data import Dataset, read_dataset
from treeforge.experiment.cell import run_cell
from treeforge.experiment.experiment import Experiment, Task
from treeforge.experiment.folds import CrossValidation
from treeforge.export.text import to_text
from treeforge.learn.build import learner

#: option sets of the reference -> J48's words
NAMES = {"default": "", "U": "-U", "C0.1-M5": "-C 0.1 -M 5", "S": "-S", "R": "-R", "B": "-B", "J": "-J"}
FEW_ROWS = 2500


@cache
def read(path: Path) -> Dataset:
    return read_dataset(path)


def wanted(
    shared: Path, few: bool, part: str | None = None
) -> Iterator[tuple[Path, str, str, dict[str, Any]]]:
    """(file, data set, option set, what Weka said) of the small data sets, or of the large ones."""
    reference = json.loads((shared / "reference" / "weka-j48.json").read_text())["datasets"]
    for path in sorted((shared / "datasets").glob("*.arff*")):
        name = path.name.split(".arff")[0]
        if name in reference and (reference[name]["rows"] <= FEW_ROWS) is few:
            for option, truth in reference[name].get("J48", {}).items():
                if part is None or part in truth:
                    yield path, name, option, truth


def tree_difference(shared: Path, path: Path, name: str, option: str, truth: dict[str, Any]) -> str | None:
    """What is not as in Weka's tree."""
    data = read(path)
    model = learner(OPTIONS[NAMES[option]]).fit(data)
    measures = model.measures()
    if (measures["leaves"], measures["size"]) != (truth["leaves"], truth["size"]):
        return f"{name} {option}: {measures}, Weka {truth['leaves']} leaves, size {truth['size']}"
    text = shared / "reference" / "trees" / f"{name}.{option}.txt"
    if text.exists() and tree_lines(to_text(model)) != tree_lines(text.read_text()):
        return f"{name} {option}: the printed trees differ"
    weights = np.ones(data.n_rows) if data.weights is None else data.weights
    confusion = np.zeros((len(data.schema.classes),) * 2)
    known = data.class_codes >= 0
    np.add.at(
        confusion, (data.class_codes[known], model.predict_proba(data).argmax(axis=1)[known]), weights[known]
    )
    if not np.allclose(confusion, truth["train"]["confusion"], rtol=0, atol=1e-6):
        return f"{name} {option}: confusion on the training cases differs"
    return None


def fold_difference(path: Path, name: str, option: str, truth: dict[str, Any]) -> str | None:
    """What is not as in Weka's ten-fold cross-validation."""
    task = Task(name, read(path))
    scheme = CrossValidation(10, folds_like="weka")
    experiment = Experiment((task,), {"it": learner(OPTIONS[NAMES[option]])}, scheme, seed=1)
    confusion = np.sum([run_cell(cell).confusion for cell in experiment.cells], axis=0)
    if not np.allclose(confusion, truth["cv"]["confusion"], rtol=0, atol=1e-6):
        return f"{name} {option}: cross-validation differs"
    return None


def test_small_trees_are_wekas(shared: Path) -> None:
    jobs = list(wanted(shared, few=True))
    found = [tree_difference(shared, *job) for job in jobs]
    assert len(found) >= 448
    assert not [text for text in found if text]


@pytest.mark.slow
def test_large_trees_are_wekas(shared: Path) -> None:
    found = [tree_difference(shared, *job) for job in wanted(shared, few=False)]
    assert len(found) >= 150
    assert not [text for text in found if text]


@pytest.mark.slow
def test_cross_validations_are_wekas(shared: Path) -> None:
    jobs = list(wanted(shared, few=True, part="cv"))
    found = [fold_difference(*job) for job in jobs]
    assert len(found) >= 100
    assert not [text for text in found if text]


@pytest.mark.slow
def test_cross_validations_of_large_data_are_wekas(shared: Path) -> None:
    # a cross-validation that would have taken Weka minutes has no figures
    jobs = [job for job in wanted(shared, few=False, part="cv") if job[-1]["cv"] is not None]
    found = [fold_difference(*job) for job in jobs]
    assert found
    assert not [text for text in found if text]
