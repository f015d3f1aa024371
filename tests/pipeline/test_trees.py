"""The trees that a run puts on paper for its report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeforge.pipeline import trees
from treeforge.pipeline.run import run
from treeforge.report import load

DATA = """@relation r
@attribute x numeric
@attribute class {a,b}
@data
""" + "".join(f"{i},{'a' if i < 20 else 'b'}\n" for i in range(40))

PIPELINE = """
treeforge: 1
datasets: [d.arff]
algorithms:
  C4.5: {splitter: c45}
  sklearn: {estimator: sklearn.tree.DecisionTreeClassifier}
evaluation: {cross_validation: {folds: 2}}
metrics: [accuracy]
report: [csv]
"""


def records(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "trees.json").read_text())["trees"]
    return found


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    (tmp_path / "d.arff").write_text(DATA)
    path = tmp_path / "p.yaml"
    path.write_text(PIPELINE)
    return path


def test_tree_of_all_rows_is_in_the_report_and_outside_estimators_have_none(pipeline: Path) -> None:
    run(pipeline, pipeline.parent / "run")
    (tree,) = load(pipeline.parent / "run").trees
    assert (tree.dataset, tree.algorithm, tree.leaves, tree.size) == ("d", "C4.5", 2, 3)
    assert tree.text.startswith("x <= 19: a (20.0)")
    assert tree.svg.startswith("<svg")


def test_trees_are_drawn_once_and_again_when_damaged(pipeline: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = pipeline.parent / "run"
    run(pipeline, folder)
    before = records(folder)
    calls: list[Any] = []
    draw = trees._draw
    monkeypatch.setattr(trees, "_draw", lambda *words: calls.append(words) or draw(*words))
    run(pipeline, folder)
    assert (calls, records(folder)) == ([], before)
    (folder / "trees.json").write_text('{"trees": [{"text"')
    run(pipeline, folder)
    assert (len(calls), records(folder)) == (1, before)


def test_large_trees_are_counted_and_large_data_left_out(
    pipeline: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "MOST_LEAVES", 1)
    monkeypatch.setattr(trees, "MOST_LEAVES_DRAWN", 1)
    run(pipeline, pipeline.parent / "run")
    (record,) = records(pipeline.parent / "run")
    assert record["leaves"] == 2
    assert "text" not in record
    assert "svg" not in record
    monkeypatch.setattr(trees, "MOST_VALUES", 39)
    run(pipeline, pipeline.parent / "run")
    assert records(pipeline.parent / "run") == []
