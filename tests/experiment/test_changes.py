"""Cells that are computed although there are results of their names: a line says why."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from plugin_packages import SPLITTER, Install, forget, install
from toys import Toy, experiment

from treeforge.cli import main
from treeforge.experiment.changes import reasons
from treeforge.experiment.runner import run
from treeforge.experiment.store import ResultStore

__all__ = ["install"]


def told(first, second, folder):
    """The lines of a run of the second experiment on the first one's folder."""
    for exp in (first, second):
        with ResultStore(folder) as store:
            events = list(run(exp, store))
    return [event.text for event in events if event.kind == "warning"]


def test_what_is_new_or_unchanged_needs_no_reason(tmp_path):
    exp = experiment()
    assert told(exp, exp, tmp_path) == []
    assert told(exp, experiment({"new": Toy(smoothing=9.0)}), tmp_path) == []


def test_changes_are_named_with_what_they_were_and_are(tmp_path):
    first = experiment({"a": Toy(), "b": Toy(seconds=0.01)})
    second = experiment({"a": Toy(smoothing=2.0), "b": Toy(smoothing=2.0, seconds=0.01)})
    assert told(first, second, tmp_path) == ["a, b: 20 cells are computed anew: smoothing was 1.0, is 2.0"]


def test_a_seed_changes_splits_and_seed(tmp_path):
    exp = experiment({"a": Toy()})
    (line,) = told(exp, replace(exp, seed=7), tmp_path)
    assert line == "a: 10 cells are computed anew: the splits have changed; seed was 1, is 7"


def test_many_changes_are_cut(tmp_path):
    exp = experiment({"a": Toy()})
    with ResultStore(tmp_path) as store:
        list(run(exp, store))
        results = [
            replace(
                result,
                data_hash="x",
                seed=9,
                versions={"treeforge": "0"},
                spec={"old": {"x": None, "y": "z" * 99}},
            )
            for result in store.results()
        ]
    (line,) = reasons(exp.cells[:1], results)
    assert line == (
        "a: 1 cell is computed anew: the data have changed; seed was 9, is 1; "
        f"treeforge was 0, is {exp.cells[0].identity['versions']['treeforge']}; and 4 more changes"
    )


PARTS = (
    SPLITTER.format(name="One")
    + """
    def propose(self, node, attribute):
        if node.is_numeric(attribute):
            yield [float(node.values(attribute).mean())]
"""
)
PIPELINE = """\
datasets: {generate: agrawal, function: 2, rows: 60}
algorithms: {mine: {splitter: one}, C4.5: c45}
evaluation: {cross_validation: {folds: 2}}
metrics: [accuracy, own]
report: [csv]
"""
METRIC = '''
from dataclasses import dataclass
from treeforge.plugin import Metric

@dataclass(frozen=True)
class Own(Metric):
    """Counts."""
    larger_is_better = True
    def value(self, facts):
        return float(facts["n_test"])
'''


def test_an_edit_of_a_plugin_computes_its_cells_anew(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install("pack_a", PARTS, splitters=["one = pack_a:One"])
    install("pack_m", METRIC, metrics=["own = pack_m:Own"])
    monkeypatch.chdir(tmp_path)
    Path("p.yaml").write_text(PIPELINE)

    def edit(package: str, old: str, new: str) -> None:
        module = tmp_path / "site-packages" / f"{package}.py"
        module.write_text(module.read_text().replace(old, new))
        del sys.modules[package]
        forget()

    def table() -> list[str]:
        return Path("runs/p/results.csv").read_text().splitlines()

    assert main(["run", "p.yaml"]) == 0
    first = table()
    capsys.readouterr()
    edit("pack_a", ".mean()", ".min()")
    assert main(["plan", "p.yaml"]) == 0
    said = "mine: 2 cells are computed anew: the code of one has changed\n"
    assert said in capsys.readouterr().out
    assert main(["run", "p.yaml"]) == 0
    assert said in capsys.readouterr().err
    assert table()[1:3] != first[1:3]
    assert table()[3:] == first[3:]
    edit("pack_m", 'facts["n_test"])', 'facts["n_test"] + 1)')
    assert main(["run", "p.yaml"]) == 0
    assert all(row.endswith(",31.0") for row in table()[1:])
