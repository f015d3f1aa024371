"""No command writes over a file that it reads."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import fake_run as fake
import pytest

from treeforge.cli import main
from treeforge.data import read_dataset, write_dataset

WEATHER = Path(__file__).parents[2] / "arff_data" / "weather.arff"

#: a command -> the file that it would write over
COMMANDS = {
    "fit w.arff -o w.arff": "w.arff",
    "fit w.arff -o ./link.arff": "w.arff",
    "fit w.arff -o hard.arff": "w.arff",
    "fit c.data -o c.names": "c.names",
    "fit c.names -o c.data": "c.data",
    "show m.json --as svg -o m.json": "m.json",
    "show m.json --as onnx -o m.json": "m.json",
    "show m.json --as rules --training w.arff -o w.arff": "w.arff",
    "show m.json --as rules --data w.arff -o w.arff": "w.arff",
    "explain m.json w.arff -o m.json": "m.json",
    "explain m.json w.arff -o w.arff": "w.arff",
    "predict m.json w.arff -o m.json": "m.json",
    "predict m.json w.arff -o w.arff": "w.arff",
    "data convert w.arff w.arff --drop windy": "w.arff",
    "data convert c.data c.names": "c.names",
    "data convert c.names c.data": "c.data",
    "report run -o run/results.csv": "run/results.csv",
    "report run -o run/run.json": "run/run.json",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A data file with two more names, C4.5's files, a model and a run."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(WEATHER, "w.arff")
    os.symlink("w.arff", "link.arff")
    os.link("w.arff", "hard.arff")
    write_dataset(read_dataset("w.arff"), "c.names")
    assert main(["fit", "w.arff", "-o", "m.json"]) == 0
    fake.write_run(tmp_path / "run", fake.rows(["d", "e"], ["a", "b"], 3))
    capsys.readouterr()
    return tmp_path


@pytest.mark.parametrize("command", list(COMMANDS))
def test_an_input_is_refused_as_output(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    path = folder / COMMANDS[command]
    before = path.read_bytes()
    words = command.split()
    assert main(words) == 1
    said = capsys.readouterr()
    named, option = (Path(words[words.index("-o") + 1]), "-o") if "-o" in words else (words[3], "B")
    assert (said.out, said.err) == ("", f"{named} is read by this command: name another file for {option}\n")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        "fit w.arff -o old.json",
        "show m.json -o old.json",
        "explain m.json w.arff -o old.json",
        "predict m.json w.arff -o old.json",
        "predict m.json w.arff -o -",
        "data convert w.arff old.csv",
        "data convert c.data c.test",
        "report run -o run/report.html",
    ],
)
def test_any_other_file_is_written_over(folder: Path, command: str) -> None:
    old = [folder / "old.json", folder / "old.csv", folder / "run" / "report.html"]
    for path in old:
        path.write_text("old")
    assert main(command.split()) == 0
    for path in old:
        assert (path.read_text() == "old") != command.endswith(str(path.relative_to(folder)))
