"""A run replaces nothing that is the user's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from treeforge.cli import main
from treeforge.errors import ResultError
from treeforge.pipeline.folder import NAMES, claim

PIPELINE = """\
datasets: {generate: agrawal, function: 2, rows: 60}
algorithms: {C4.5: c45}
evaluation: {cross_validation: {folds: 2}}
metrics: accuracy
report: html
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.yaml").write_text(PIPELINE)
    return tmp_path / "mine"


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_the_users_own_is_kept_and_the_run_refused(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()
    (folder / name).write_text("mine")
    assert main(["run", "p.yaml", "--out", "mine"]) == 1
    said = f"mine: '{name}' in this folder would be replaced, and no run of TreeForge has written it: name another"
    assert capsys.readouterr().err.startswith(said)
    assert [path.name for path in folder.iterdir()] == [name]
    assert (folder / name).read_text() == "mine"


def test_other_files_do_not_matter(folder: Path) -> None:
    (folder / "cells").mkdir(parents=True)  # of a biologist
    (folder / "cells" / "mouse.csv").write_text("mine")
    (folder / "notes.txt").write_text("mine")
    assert main(["run", "p.yaml", "--out", "mine", "--quiet"]) == 0
    assert main(["run", "p.yaml", "--out", "mine", "--quiet"]) == 0
    assert (folder / "cells" / "mouse.csv").read_text() == "mine"


def test_the_folder_of_a_run_is_known_by_what_is_left_of_it(folder: Path, tmp_path: Path) -> None:
    assert main(["run", "p.yaml", "--out", "mine", "--quiet"]) == 0
    lost_in_a_copy: list[tuple[str, ...]] = [(), (".lock",), (".lock", "run.json"), (".lock", "cells")]
    for n, lost in enumerate(lost_in_a_copy):
        copy = tmp_path / f"copy{n}"
        shutil.copytree(folder, copy)
        for name in lost:
            shutil.rmtree(copy / name) if name == "cells" else (copy / name).unlink()
        claim(copy)
    (copy / "run.json").write_text("[1, 2")
    with pytest.raises(
        ResultError, match=r"'results\.csv' and 'run\.json' and 'trees\.json'.*has written them"
    ):
        claim(copy)
