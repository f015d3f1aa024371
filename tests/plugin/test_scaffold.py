"""``treeforge plugins new``: what it writes is a plugin that meets its contract."""

from __future__ import annotations

import importlib
import sys
import tomllib
from pathlib import Path

import pytest
from plugin_packages import SPLITTER, Install

from treeforge.cli import main
from treeforge.errors import PluginError
from treeforge.pipeline.document import load
from treeforge.plugin import checks, registry
from treeforge.plugin.scaffold import new


@pytest.mark.parametrize("kind", list(registry.KINDS))
def test_new_plugin_in_python_meets_its_contract(kind: str, tmp_path: Path, monkeypatch) -> None:
    new("my_own", kind, folder=tmp_path)
    root = tmp_path / "treeforge-my-own"
    project = tomllib.loads((root / "pyproject.toml").read_text())
    ((name, place),) = project["project"]["entry-points"][registry.KINDS[kind][0]].items()
    assert name == "my_own"
    module, cls = place.split(":")
    monkeypatch.syspath_prepend(str(root / "src"))
    monkeypatch.delitem(sys.modules, module, raising=False)
    plugin = getattr(importlib.import_module(module), cls)()
    failed = [f"{o.check.name}: {o.message}" for o in checks.check(plugin) if o.status == "failed"]
    assert not failed
    compile((root / "tests/test_contract.py").read_text(), "test_contract.py", "exec")
    assert not load(root / "pipeline.yaml").faults.found
    assert (root / ".github/workflows/ci.yml").read_text().count("${{ matrix.") == 2


def test_command_says_what_it_wrote(tmp_path: Path, capsys) -> None:
    assert main(["plugins", "new", "my_own", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == f"next: cd {tmp_path}/treeforge-my-own && less README.md"
    assert all(Path(line).is_file() for line in out[:-1])
    assert main(["plugins", "new", "my_own", "--out", str(tmp_path)]) == 1
    assert "treeforge-my-own: the folder exists and is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "kind", "language", "message"),
    [
        ("My-Own", "splitter", "python", "'My-Own' is no name for a plugin"),
        ("class", "splitter", "python", "'class' is no name for a plugin"),
        ("c45", "splitter", "python", "the splitter 'c45' exists already, in package treeforge"),
        ("mine", "pruner", "cython", "a pruner is written in Python here; splitter can be in cython"),
    ],
)
def test_what_cannot_be_made_is_refused(
    tmp_path: Path, name: str, kind: str, language: str, message: str
) -> None:
    with pytest.raises(PluginError, match=message):
        new(name, kind, language, tmp_path)
    assert not list(tmp_path.iterdir())


def test_name_of_another_package_is_taken(install: Install, tmp_path: Path) -> None:
    install("pack_a", SPLITTER.format(name="One"), splitters=["one = pack_a:One"])
    with pytest.raises(PluginError, match="the splitter 'one' exists already, in package pack_a"):
        new("one", folder=tmp_path)


def test_readme_can_be_followed_where_no_index_has_treeforge(tmp_path: Path) -> None:
    new("my_own", folder=tmp_path)
    root = tmp_path / "treeforge-my-own"
    readme = (root / "README.md").read_text()
    first, second = [line for line in readme.splitlines() if "pip install" in line]
    assert "path/to/treeforge" in first
    assert second.endswith("pip install -e '.[test]'")
    assert "pypi.org" not in readme
    assert "    meaning = 1  #" in (root / "src/treeforge_my_own/__init__.py").read_text()
