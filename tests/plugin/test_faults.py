"""Plugins of others that fail at work: one line that names them, on the command line and in a run's results."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_packages import SPLITTER, Install

from treeforge.cli import main
from treeforge.data import write_arff
from treeforge.plugin.checks import tables
from treeforge.plugin.faults import in_words

RAISES = (
    SPLITTER.format(name="One")
    + """
    def propose(self, node, attribute):
        raise ZeroDivisionError("mine,\\nand nobody else's")
"""
)
CANNOT_BE_MADE = (
    SPLITTER.format(name="One")
    + """
    def __post_init__(self):
        raise KeyError("oops")
"""
)
LINE = "package pack_a: ZeroDivisionError: mine, and nobody else's (pack_a, line 17)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "toy.arff"
    write_arff(tables.mixed(40), path)
    return path


def test_splitter_that_raises_is_blamed_by_the_command_line(install: Install, file: Path, capsys) -> None:
    install("pack_a", RAISES, splitters=["one = pack_a:One"])
    assert main(["fit", str(file), "--splitter", "one"]) == 1
    assert capsys.readouterr().err == f"{LINE} ('treeforge --traceback ...' shows where)\n"
    assert main(["fit", str(file), "--splitter", "c45"]) == 0


def test_run_has_the_reason_and_goes_on_with_the_others(install: Install, file: Path, tmp_path: Path) -> None:
    install("pack_a", RAISES, splitters=["one = pack_a:One"])
    (tmp_path / "p.yaml").write_text(
        f"treeforge: 1\nname: q\ndatasets: [{file}]\nreport: [csv]\nmetrics: [accuracy]\n"
        "algorithms: {Good: {splitter: c45}, Bad: {splitter: one}}\nevaluation: {cross_validation: {folds: 2}}\n"
    )
    assert main(["run", str(tmp_path / "p.yaml"), "--out", str(tmp_path / "run"), "--quiet"]) == 1
    rows = (tmp_path / "run" / "results.csv").read_text().splitlines()[1:]
    assert [row.split(",")[4] for row in rows] == ["ok", "ok", "failed", "failed"]
    assert LINE in rows[2]


def test_plugin_that_cannot_be_made_says_so(install: Install, file: Path, capsys) -> None:
    install("pack_a", CANNOT_BE_MADE, splitters=["one = pack_a:One"])
    assert main(["fit", str(file), "--splitter", "one"]) == 1
    assert capsys.readouterr().err == "one cannot be made: KeyError: 'oops'\n"


def test_fault_of_nobody_elses_is_told_as_it_is() -> None:
    with pytest.raises(LookupError) as caught:
        raise LookupError("ours")
    assert in_words(caught.value) == "LookupError: ours"
