"""An edit of a plugin makes it another one, unless its version says what it is."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from plugin_packages import SPLITTER, Install, forget

from treeforge.learn.build import learner
from treeforge.plugin import registry
from treeforge.plugin.code import code, code_of_module


def edited(path: Path, more: str = "\n# edited\n") -> None:
    path.write_bytes(path.read_bytes() + more.encode())
    code_of_module.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An imported package ``lies_about`` that no distribution brings."""
    folder = tmp_path / "lies_about"
    (folder / "deep").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "deep" / "__init__.py").write_text("class Thing: ...\n")
    (folder / "_kernel.cpython-311.so").write_bytes(b"\x7fELF")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importlib.import_module("lies_about.deep")
    forget()
    yield folder
    for name in ("lies_about", "lies_about.deep"):
        sys.modules.pop(name, None)
    forget()


def test_every_module_of_a_package_counts_and_nothing_else_does(package: Path) -> None:
    thing = sys.modules["lies_about.deep"].Thing
    seen = {code(thing)}
    assert next(iter(seen)).startswith("sha256:")
    for name in ("__init__.py", "deep/__init__.py", "_kernel.cpython-311.so", "new.py"):
        (package / name).touch()
        edited(package / name)
        seen.add(code(thing))
    assert len(seen) == 5
    for name in ("notes.txt", "deep/old.pyc", "_kernel.c"):
        (package / name).write_text("x")
        code_of_module.cache_clear()
    assert code(thing) in seen
    (package / "new.py").rename(package / "newer.py")
    code_of_module.cache_clear()
    assert code(thing) not in seen


def test_what_came_from_an_index_is_what_its_version_says(install: Install, tmp_path: Path) -> None:
    install("pack_a", SPLITTER.format(name="One"), splitters=["one = pack_a:One"])
    info = tmp_path / "site-packages" / "pack_a-1.2.dist-info"
    one = registry.load("splitter", "one")
    assert code(one)  # no RECORD: nobody knows where it came from
    (info / "RECORD").write_text("pack_a.py,,\n")
    forget()
    assert code(one) == ""
    (info / "direct_url.json").write_text('{"url": "file:///home/me/pack_a", "dir_info": {}}')
    forget()
    before = code(one)
    edited(tmp_path / "site-packages" / "pack_a.py")
    assert "" != code(one) != before


def test_ours_are_told_by_the_version_of_treeforge() -> None:
    for name in ("c45", "amsd"):
        assert code(registry.load("splitter", name)) == ""
    assert code(learner({}).limits.__class__) == ""


def test_a_namespace_that_packages_share_is_not_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "other"):
        (tmp_path / "shared_names" / name).mkdir(parents=True)
        (tmp_path / "shared_names" / name / "__init__.py").write_text("class Thing: ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    thing = importlib.import_module("shared_names.one").Thing
    before = code(thing)
    edited(tmp_path / "shared_names" / "other" / "__init__.py")
    assert code(thing) == before
    edited(tmp_path / "shared_names" / "one" / "__init__.py")
    assert code(thing) != before


def test_the_code_stands_in_the_specification(install: Install) -> None:
    install("pack_a", SPLITTER.format(name="One"), splitters=["one = pack_a:One"])
    spec = learner({"splitter": "one"}).spec()
    assert spec["splitter"]["code"].startswith("sha256:")
    assert spec["versions"]["pack_a"] == "1.2"
    assert "code" not in spec["pruner"]


def test_an_outside_estimator_has_code_where_no_version_tells_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_tree.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\nclass Mine(DecisionTreeClassifier): ...\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "code" in learner({"estimator": "own_tree.Mine"}).spec()
    assert "code" not in learner({"estimator": "own_tree.DecisionTreeClassifier"}).spec()  # it is sklearn's
    sys.modules.pop("own_tree")
