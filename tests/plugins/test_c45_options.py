"""Every option of J48 and of C4.5, in the words of the documentation's tables, does what it is for.

Leaves, sizes, thresholds and probabilities were observed in Weka 3.9.7 on the files of ``arff_data``.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from treeforge.cli import main
from treeforge.data import Attribute, Dataset, Schema, read_arff
from treeforge.export.text import to_text
from treeforge.learn.build import learner

ROOT = Path(__file__).parents[2]


def table(page: str, heading: str) -> dict[str, tuple[str, list[str]]]:
    """The table below a heading: option -> (words on the command line, ways to say it in a pipeline)."""
    text = (ROOT / "docs" / page).read_text().partition(f"{heading}\n")[2]
    lines = text[text.index("\n|") :].strip().split("\n\n")[0].splitlines()[2:]
    found = {}
    for line in lines:
        cells = [re.findall("`([^`]+)`", cell) for cell in line.strip("|").split(" | ")]
        found[(cells[0] or [line.split("|")[1].strip()])[0]] = (cells[-2][0], cells[-1])
    return found


OPTIONS = table("j48.md", "## Options")
BEYOND = table("j48.md", "## Beyond J48") | table("c45-options.md", "# C4.5's options beyond J48")

#: option -> (data, leaves and size without it, leaves and size with the words of the table)
SIZES = {
    "-C 0.25": ("labor", (3, 5), (2, 3)),
    "-M 2": ("labor", (3, 5), (4, 7)),
    "-U": ("labor", (3, 5), (13, 22)),
    "-S": ("labor", (3, 5), (2, 3)),
    "-R -N 3 -Q 1": ("labor", (3, 5), (5, 8)),
    "-B": ("labor", (3, 5), (7, 13)),
    "-J": ("labor", (3, 5), (5, 8)),
}


def fit(capsys: Any, data: str, words: str) -> dict[str, Any]:
    assert main(["fit", str(ROOT / "arff_data" / f"{data}.arff"), "--json", *shlex.split(words)]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def size(told: dict[str, Any]) -> tuple[int, int]:
    return told["leaves"], told["size"]


def test_no_option_is_forgotten_here() -> None:
    elsewhere = {"-O", "-doNotMakeSplitPointActualValue", "-A", "-x 10 -s 1"}
    assert set(OPTIONS) == SIZES.keys() | elsewhere
    assert {"-s", "-t 10 -w -i", "-p"} < set(BEYOND)


@pytest.mark.parametrize("option", SIZES)
def test_option_gives_a_tree_of_wekas_size(option: str, capsys: Any) -> None:
    data, without, with_it = SIZES[option]
    assert size(fit(capsys, data, "")) == without
    assert size(fit(capsys, data, OPTIONS[option][0])) == with_it


def test_no_collapsing_is_seen_where_nothing_is_pruned(capsys: Any) -> None:
    assert size(fit(capsys, "hepatitis", "--pruner none")) == (16, 31)
    assert size(fit(capsys, "hepatitis", f"--pruner none {OPTIONS['-O'][0]}")) == (30, 59)


def test_folds_and_seed_of_reduced_error_pruning(capsys: Any) -> None:
    words = "--pruner reduced_error --set pruner.folds=5 --seed 7"
    assert size(fit(capsys, "labor", words)) == (6, 10)
    assert size(fit(capsys, "hepatitis", words)) == (3, 5)


def test_thresholds_may_stay_midpoints(capsys: Any) -> None:
    found = fit(capsys, "iris", OPTIONS["-doNotMakeSplitPointActualValue"][0])["text"]
    assert re.findall(r"<= ([0-9.]+)", found) == ["0.8", "1.75", "4.95", "1.55"]
    assert re.findall(r"<= ([0-9.]+)", fit(capsys, "iris", "")["text"]) == ["0.6", "1.7", "4.9", "1.5"]


def test_laplace_smooths_probabilities_and_leaves_the_tree_alone(tmp_path: Path, capsys: Any) -> None:
    """(50 + 1) / (50 + 3) for the leaf of 50 pure cases; 0.0606840444 for a case of labor that is shared out."""
    plain = fit(capsys, "iris", "")["text"]
    assert fit(capsys, "iris", OPTIONS["-A"][0])["text"] == plain
    for data, expected in (
        ("iris", [51 / 53, 1 / 53, 1 / 53]),
        ("labor", [0.06068404443388611, 0.9393159555661138]),
    ):
        read = read_arff(ROOT / "arff_data" / f"{data}.arff")
        found = learner({"laplace": True}).fit(read).predict_proba(read)[0]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("data", "correct", "cases"), [("iris", 144, 150), ("labor", 42, 57), ("vote", 419, 435)]
)
def test_cross_validation_is_wekas(data: str, correct: int, cases: int, capsys: Any) -> None:
    words = OPTIONS["-x 10 -s 1"][0].removeprefix("treeforge evaluate ")
    assert main(["evaluate", str(ROOT / "arff_data" / f"{data}.arff"), "--json", *shlex.split(words)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert np.trace(told["confusion"]) == correct
    assert np.sum(told["confusion"]) == cases


@pytest.mark.parametrize("option", [*SIZES, "-O", "-doNotMakeSplitPointActualValue", "-A", *BEYOND])
def test_words_of_a_pipeline_mean_the_same(option: str, capsys: Any) -> None:
    typed, ways = (OPTIONS | BEYOND)[option]
    read = read_arff(ROOT / "arff_data" / "labor.arff")
    told = fit(capsys, "labor", typed)
    assert to_text(learner(yaml.safe_load(ways[0])).fit(read)) == told["text"]


# ------------------------------------------------------------------ beyond J48


def coloured() -> Dataset:
    """Red and green are a, blue and grey b; black does not occur."""
    colours = ("red", "green", "blue", "grey", "black")
    schema = Schema((Attribute("colour", "nominal", colours), Attribute("class", "nominal", ("a", "b"))), 1)
    codes = np.repeat(np.arange(4, dtype=np.int32), [6, 5, 5, 4])
    return Dataset(schema, (codes, (codes >= 2).astype(np.int32)))


def test_categories_of_one_class_are_merged_into_a_group() -> None:
    """Merging red with green, and blue with grey, keeps the gain of 0.9928 bits; the split says less and less.

    In the end the ratio is 0.9928 bits of 0.9928: 1. Black joins the heavier group, red and green.
    """
    plain = learner({}).fit(coloured())
    grouped = learner({"splitter": {"c45": {"grouping": True}}}).fit(coloured())
    assert plain.measures()["leaves"] == 5
    assert to_text(grouped).splitlines() == [
        "colour in {red, green, black}: a (11.0)",
        "colour in {blue, grey}: b (9.0)",
    ]


def test_one_way_to_split_a_nominal_attribute_at_a_time(capsys: Any) -> None:
    data = str(ROOT / "arff_data" / "labor.arff")
    words = "--set splitter.grouping=true --set splitter.binary=true"
    assert main(["fit", data, *shlex.split(words)]) == 1
    assert "choose one" in capsys.readouterr().err


def test_depth_and_costs_leave_what_they_should(capsys: Any) -> None:
    free, flat = (fit(capsys, "hepatitis", words) for words in ("", BEYOND["most tests on a path"][0]))
    assert flat["depth"] <= 3 < free["depth"]
    costs = fit(capsys, "hepatitis", BEYOND["least expected cost instead of greatest probability"][0])
    assert costs["text"] == free["text"]
    said = [np.sum(told["confusion"], axis=0)[0] for told in (costs, free)]
    assert said[0] < said[1], "to say the first class where the second is true costs five times as much"


@pytest.mark.parametrize("option", BEYOND)
def test_what_goes_beyond_j48_is_off_unless_asked_for(option: str, capsys: Any) -> None:
    found = {}
    bare = "--pruner none --set pruner.collapse=false"
    for data, wekas in (("labor", (13, 22)), ("hepatitis", (30, 59))):
        plain = fit(capsys, data, bare)
        assert size(plain) == wekas
        changed = fit(capsys, data, f"{bare} {BEYOND[option][0]}")
        found[data] = (changed["text"], changed["confusion"]) != (plain["text"], plain["confusion"])
    assert any(found.values()), found
