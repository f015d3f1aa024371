"""Small fits under pytest-benchmark: ``pytest benchmarks/test_trees.py`` (the normal suite does not collect it)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))  # the suite imports by file, not by folder
from data import folds, fresh, load

from treeforge.data import Dataset
from treeforge.learn.build import learner

pytest.importorskip("pytest_benchmark")


def dataset(name: str) -> Dataset:
    found = load(name)
    if found is None:
        pytest.skip(f"{name} is in the shared folder, which is not there")
    return found


@pytest.mark.parametrize("pruner", ["none", "error_based"])
@pytest.mark.parametrize("name", ["vote", "letter", "waveform", "adult", "quest:1e5"])
def test_fit(benchmark: Any, name: str, pruner: str) -> None:
    data, fitting = dataset(name), learner({"pruner": pruner})
    model = benchmark(fitting.fit, data)
    assert model.measures()["leaves"] > 1


@pytest.mark.parametrize("name", ["letter", "waveform", "adult"])
def test_first_fit(benchmark: Any, name: str) -> None:
    """With ranking and coding the columns."""
    data, fitting = dataset(name), learner({"pruner": "none"})
    benchmark.pedantic(fitting.fit, setup=lambda: ((fresh(data),), {}), rounds=10)


@pytest.mark.parametrize("name", ["vote", "letter"])
def test_predict(benchmark: Any, name: str) -> None:
    data = dataset(name)
    model = learner({}).fit(data)
    assert benchmark(model.predict_proba, data).shape == (data.n_rows, len(data.schema.classes))


def test_fold(benchmark: Any) -> None:
    data, fitting = dataset("vote"), learner({})
    sample, test = folds(data.n_rows)[0]
    benchmark(lambda: fitting.fit(data, sample).predict_proba(data, test))
