"""Cells that are computed although there are results of their names: a line says why."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from plugin_packages import SPLITTER, Install, forget, install
from toys import Toy, experiment

from treeforge.cli import main
from treeforge.experiment import changes
from treeforge.experiment.changes import _flat, reasons
from treeforge.experiment.result import Result
from treeforge.experiment.runner import run
from treeforge.experiment.store import ResultStore
from treeforge.plugin.registry import KINDS

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


ONE = {"name": "one", "meaning": 1, "parameters": {"parts": 2}, "package": "pack_a", "code": "sha256:aa"}
OTHER = {**ONE, "name": "two"}
MINE = {"estimator": "own_tree.Mine", "parameters": {}, "code": "sha256:aa", "versions": {"own_tree": "?"}}
SAME_CODE = {key: value for key, value in ONE.items() if key != "code"}


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ({"splitter": ONE}, {"splitter": ONE | {"code": "sha256:bb"}}, ["the code of one has changed"]),
        ({"splitter": SAME_CODE}, {"splitter": ONE}, ["the code of one was not told apart before"]),
        ({"splitter": ONE}, {"splitter": SAME_CODE}, ["the code of one is told by its version now"]),
        ({"splitter": ONE}, {"splitter": OTHER}, ["splitter.name was one, is two"]),
        (
            {"splitter": ONE},
            {"splitter": OTHER | {"code": "sha256:bb"}},
            ["splitter.name was one, is two"],
        ),
        (
            {"discretizer": SAME_CODE | {"parameters": {}}, "limits": {}},
            {"limits": {}},
            [
                "discretizer.meaning was 1, is nothing",
                "discretizer.name was one, is nothing",
                "discretizer.package was pack_a, is nothing",
            ],
        ),
        (MINE, MINE | {"code": "sha256:bb"}, ["the code of own_tree.Mine has changed"]),
        (
            MINE,
            {key: value for key, value in MINE.items() if key != "code"},
            ["the code of own_tree.Mine is told by its version now"],
        ),
        (
            {"splitter": ONE | {"parameters": {"code": 1}}},
            {"splitter": ONE | {"parameters": {"code": 2}}},
            ["splitter.parameters.code was 1, is 2"],
        ),
        (
            MINE | {"parameters": {"code": "a"}},
            MINE | {"parameters": {"code": "b"}},
            ["parameters.code was a, is b"],
        ),
        ({"versions": {"code": "1"}}, {"versions": {"code": "2"}}, ["code was 1, is 2"]),
    ],
)
def test_code_is_told_of_what_is_the_same_thing_before_and_now(before, now, words):
    assert told_of(before, now) == words


def test_any_part_may_come_or_go_or_be_another_thing():
    specs = [{}, {"limits": {}}, MINE, *({kind: part} for kind in KINDS for part in (ONE, OTHER, SAME_CODE))]
    for before in specs:
        for now in specs:
            words = told_of(before, now)
            assert not any("the code of" in line for line in words) or before.keys() == now.keys()
            assert bool(words) == (dict(_flat(before)) != dict(_flat(now)))


def told_of(before, now):
    """The changes between two specifications of the same cell."""
    (cell, *_) = experiment({"a": Toy()}).cells
    (line, *rest) = reasons(
        [replace(cell, spec=now)], [Result(**(cell.identity | {"spec": before}), status="ok")]
    ) or [""]
    assert not rest
    return line.removeprefix("a: 1 cell is computed anew: ").split("; ") if line else []


def test_a_specification_is_looked_at_once_however_many_cells_have_it(monkeypatch):
    looked = []
    monkeypatch.setattr(changes, "_flat", lambda spec, path="": looked.append(spec) or _flat(spec, path))
    exp = experiment({"a": Toy(), "b": Toy(smoothing=2.0)}, datasets=5, folds=10)
    results = [
        Result(**(cell.identity | {"spec": {**cell.spec, "seconds": 1.0}}), status="ok") for cell in exp.cells
    ]
    assert reasons(exp.cells, results) == ("a, b: 100 cells are computed anew: seconds was 1.0, is 0.0",)
    assert len(looked) == 4


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


def test_an_algorithm_may_become_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own_tree.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\nclass Mine(DecisionTreeClassifier): ...\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for words in ("{estimator: own_tree.Mine}", "c45", "{estimator: own_tree.Mine}"):
        Path("p.yaml").write_text(
            f"datasets: {{generate: agrawal, rows: 60}}\nalgorithms: {{A: {words}}}\n"
            "evaluation: {cross_validation: {folds: 2}}\nmetrics: [accuracy]\nreport: [csv]\n"
        )
        assert main(["plan", "p.yaml"]) == 0
        assert main(["run", "p.yaml"]) == 0
    said = capsys.readouterr()
    assert "A: 2 cells are computed anew: criterion" in said.err
    sys.modules.pop("own_tree")
