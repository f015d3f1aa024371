"""``treeforge compare`` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treeforge.cli import main

TABLE = "data,A,B,C\n" + "".join(f"d{i},{0.8 + i / 100},{0.7},{0.69 + 0.02 * (i % 2)}\n" for i in range(12))


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "scores.csv"
    path.write_text(TABLE)
    return str(path)


def test_text_has_ranks_pairs_and_sentences(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", table, "--metric", "accuracy"]) == 0
    out = capsys.readouterr().out
    assert "accuracy: Wilcoxon signed-rank test, Holm correction" in out
    assert "A is better than B (higher accuracy)" in out
    assert "No difference found within: " in out
    assert "\x1b" not in out  # not a terminal


def test_json_is_one_object_a_line_and_nothing_else(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", table, "--test", "wilcoxon", "--test", "friedman", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["test"] for line in lines] == ["wilcoxon", "friedman"]
    first = json.loads(lines[0])
    assert {"left", "right", "p", "adjusted_p", "sentence", "wins"} <= set(first["verdicts"][0])


def test_options_reach_the_test(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--control", "B", "--correction", "hommel", "--alpha", "0.01", "--set", "zero_method=pratt"]
    assert main(["compare", table, "--json", *options]) == 0
    found = json.loads(capsys.readouterr().out)["parameters"]
    assert found == {"alpha": 0.01, "correction": "hommel", "control": "B", "zero_method": "pratt"}


def test_a_setting_can_be_for_one_of_several_tests(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    two = ["compare", table, "--test", "wilcoxon", "--test", "friedman", "--json"]
    assert main([*two, "--set", "friedman.posthoc=nemenyi"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "posthoc" not in lines[0]["parameters"]
    assert lines[1]["parameters"]["posthoc"] == "nemenyi"
    assert main([*two, "--set", "sign.zero_method=drop"]) == 2


def test_lower_is_better(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", table, "--lower-is-better", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdicts"][0]["better"] == "B"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--test", "wilcoxn"], "no test is called 'wilcoxn'; did you mean 'wilcoxon'?"),
        (["--control", "Z"], "the control 'Z' is none of the algorithms (A, B, C)"),
        (["--set", "rope=1"], "wilcoxon has no parameter 'rope'"),
        (["--test", "corrected_t"], ""),
    ],
)
def test_faults_are_one_line(
    table: str, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["compare", table, *options])
    out, err = capsys.readouterr()
    if message:
        assert (status, out) == (1, "")
        assert message in err
        assert err.count("\n") == 1
    else:  # a wide table has no folds: every verdict says so, and nothing breaks
        assert status == 0
        assert "fewer than two folds in common" in out


def test_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(tmp_path / "no.csv")]) == 1
    assert capsys.readouterr().err.endswith("no.csv: cannot be read: No such file or directory\n")


def test_setting_without_a_value_is_wrong_usage(table: str) -> None:
    assert main(["compare", table, "--set", "rope"]) == 2
