"""The examples and the scaffolds: built outside the source tree, in a new environment, against the installed wheel."""

from __future__ import annotations

import csv
import filecmp
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from outside import ROOT, Place

EXAMPLES = {
    "python_splitter": "equal_parts",
    "cython_splitter": "random_cut_cython",
    "c_splitter": "random_cut_c",
    "numba_splitter": "random_cut_numba",
}


def test_examples_are_what_plugins_new_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "examples" / "make.py"), str(tmp_path)], check=True)
    for place in EXAMPLES:
        made, kept = tmp_path / place, ROOT / "examples" / place
        names = sorted(str(p.relative_to(made)) for p in made.rglob("*") if p.is_file())
        _, differ, missing = filecmp.cmpfiles(made, kept, names, shallow=False)
        assert not differ + missing, (
            f"{place}: {differ + missing}; 'python examples/make.py' writes them anew"
        )


@pytest.mark.parametrize("path", sorted((ROOT / "pipelines").rglob("*.yaml")), ids=lambda p: p.stem)
def test_every_pipeline_at_least_loads(path: Path) -> None:
    from treeforge.pipeline.document import load

    assert not load(path).faults.found


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_example_is_built_meets_its_contract_and_runs(place: Place, example: str) -> None:
    if example == "numba_splitter":
        pytest.importorskip("numba")
    name = EXAMPLES[example]
    shutil.copytree(ROOT / "examples" / example, place.folder / example)
    place.install(str(place.folder / example))
    assert name in place.treeforge("plugins", "list", "--kind", "splitter", "--check")
    assert "failed" not in place.treeforge("plugins", "check", name)
    place.treeforge("run", f"{example}/pipeline.yaml", "--out", f"runs/{example}", "--quiet")
    place.run(str(place.bin / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{example}/tests")


@pytest.mark.slow
def test_native_examples_grow_the_same_trees(place: Place) -> None:
    tables = {}
    for example, name in list(EXAMPLES.items())[1:]:
        path = place.folder / "runs" / example / "results.csv"
        if not path.exists():
            continue
        with path.open() as file:
            rows = [row for row in csv.DictReader(file) if row["algorithm"] == name]
        tables[name] = [(row["dataset"], row["fold"], row["accuracy"], row["leaves"]) for row in rows]
    assert len(tables) >= 2
    first = next(iter(tables.values()))
    assert len(first) == 10
    assert all(table == first for table in tables.values())


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "cython", "c"])
def test_new_package_installs_from_its_own_declarations(place: Place, language: str) -> None:
    place.treeforge("plugins", "new", f"made_{language}", "--language", language)
    root = place.folder / f"treeforge-made-{language}"
    if (root / "setup.py").exists():  # as in an isolated build, where the installed one is not in sight
        text = (root / "setup.py").read_text()
        (root / "setup.py").write_text(text.replace("import treeforge\n", "raise ImportError\n"))
    place.install(str(root))
    assert "failed" not in place.treeforge("plugins", "check", f"made_{language}")
    assert place.treeforge("plugins", "info", f"made_{language}").startswith(
        f"splitter made_{language}  (treeforge-"
    )
