"""``treeforge importance``, and the out-of-bag estimate that ``fit`` prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeforge.cli import main

DATA = Path(__file__).parents[2] / "arff_data"
IRIS = str(DATA / "iris.arff")
FOREST = ["--ensemble", "random_forest", "--set", "ensemble.trees=9"]


@pytest.fixture
def model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = str(tmp_path / "m.json")
    assert main(["fit", IRIS, *FOREST, "--set", "ensemble.permutation_importance=true", "-o", path]) == 0
    capsys.readouterr()
    return path


def test_table_begins_with_the_attribute_that_counts_most(model, capsys) -> None:
    assert main(["importance", model, IRIS, "--repeats", "3"]) == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    assert heading.split() == ["attribute", "impurity", "out", "of", "bag", "permutation", "+-"]
    values = [float(row.split()[3]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert {row.split()[0] for row in rows[:2]} == {"petallength", "petalwidth"}


def test_without_data_there_is_what_the_model_itself_says(tmp_path, capsys) -> None:
    path = str(tmp_path / "tree.json")
    assert main(["fit", IRIS, "-o", path]) == 0
    capsys.readouterr()
    assert main(["importance", path]) == 0
    heading, first, *_ = capsys.readouterr().out.splitlines()
    assert heading.split() == ["attribute", "impurity"]
    assert first.startswith("petalwidth ")


def test_json_has_every_measure_of_every_attribute(model, capsys) -> None:
    assert main(["importance", model, IRIS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["sepallength", "sepalwidth", "petallength", "petalwidth"]
    assert all(list(each) == ["impurity", "out_of_bag", "permutation", "sd"] for each in found.values())
    assert sum(each["impurity"] for each in found.values()) == pytest.approx(1)


def test_data_of_other_attributes_are_refused_in_a_line(model, capsys) -> None:
    assert main(["importance", model, str(DATA / "labor.arff")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "attribute 'sepallength' is missing" in line


def test_fit_tells_the_out_of_bag_estimate_that_was_asked_for(capsys) -> None:
    asked = ["fit", IRIS, *FOREST, "--set", "ensemble.out_of_bag=true"]
    assert main(asked) == 0
    *_, blank, last = capsys.readouterr().out.splitlines()
    assert blank == ""
    assert main([*asked, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    left = facts["out_of_bag_without_vote"]
    assert left > 0
    assert last == (
        f"out-of-bag error: {facts['out_of_bag_error']:.4f} ({150 - left} cases; {left} are in every bag)"
    )
    assert main(["fit", IRIS, *FOREST, "--json"]) == 0
    assert "out_of_bag" not in capsys.readouterr().out


def test_fit_says_when_there_is_no_estimate(tmp_path, capsys) -> None:
    one = tmp_path / "one.arff"
    one.write_text("@relation one\n@attribute x numeric\n@attribute c {a, b}\n@data\n1, a\n")
    assert main(["fit", str(one), *FOREST, "--set", "ensemble.out_of_bag=true"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "out-of-bag error: not available, as every tree trained on every case"
