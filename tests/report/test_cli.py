"""``treeforge report``."""

from __future__ import annotations

from pathlib import Path

import fake_run as fake
import pytest

from treeforge.cli import main
from treeforge.report import FORMATS, write


@pytest.mark.parametrize("form", list(FORMATS))
def test_each_format_is_written_into_the_run_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    folder = fake.write_run(tmp_path / "run", fake.rows(["d", "e"], ["a", "b"], 3))
    assert main(["report", str(folder), "--format", form]) == 0
    path = Path(capsys.readouterr().out.strip())
    assert path == folder / f"report{FORMATS[form]}"
    before = path.read_bytes()
    assert before
    assert main(["report", str(folder), "--format", form]) == 0  # rendering again gives the same
    assert path.read_bytes() == before


def test_report_can_go_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = fake.write_run(tmp_path / "run", fake.rows(["d"], ["a", "b"], 3))
    assert main(["report", str(folder), "--format", "csv", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("dataset,algorithm,metric,mean")
    assert not (folder / "report.csv").exists()


def test_missing_folder_and_unwritable_place_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path / "nothing")]) == 1
    folder = fake.write_run(tmp_path / "run", fake.rows(["d"], ["a", "b"], 3))
    assert main(["report", str(folder), "-o", str(tmp_path / "no" / "where.html")]) == 1
    lines = capsys.readouterr().err.strip().split("\n")
    assert len(lines) == 2
    assert "there is no such folder" in lines[0]
    assert "cannot be written" in lines[1]


def test_nothing_half_written_is_left_behind(tmp_path: Path) -> None:
    folder = fake.write_run(tmp_path / "run", fake.rows(["d"], ["a", "b"], 3))
    write(folder, list(FORMATS))
    assert sorted(p.name for p in folder.iterdir()) == sorted(
        ["results.csv", "run.json", *(f"report{ending}" for ending in FORMATS.values())]
    )
