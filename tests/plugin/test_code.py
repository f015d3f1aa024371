"""An edit of a plugin makes it another one, unless its version says what it is."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.metadata import version
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
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
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
    last = code(thing)
    for name in ("notes.txt", "deep/old.pyc", "_kernel.c"):
        (package / name).write_text("x")
        code_of_module.cache_clear()
    assert code(thing) == last
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


def metadata(site: Path, name: str, files: str, url: str = "", more: str = "") -> None:
    """What an installer notes of a distribution: its files, and where it came from if that is no index."""
    info = site / f"{name}-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "RECORD").write_text(files)
    (info / "entry_points.txt").write_text(more)
    if url:
        (info / "direct_url.json").write_text(f'{{"url": "{url}", "dir_info": {{"editable": true}}}}')


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A namespace of three: ``metrics`` and ``forests`` from an index, ``trees`` used from a folder."""
    site, folder = tmp_path / "site", tmp_path / "acme trees"
    for at, name in ((site, "forests"), (site, "metrics"), (folder, "trees")):
        (at / "acme" / name).mkdir(parents=True)
        (at / "acme" / name / "__init__.py").write_text(
            "from sklearn.tree import DecisionTreeClassifier\nclass Thing(DecisionTreeClassifier): ...\n"
        )
    for name in ("forests", "metrics"):
        points = f"[treeforge.metrics]\n{name} = acme.{name}:Thing\n"
        metadata(site, f"acme_{name}", f"acme/{name}/__init__.py,sha256=x,9\n", more=points)
    points = "[treeforge.splitters]\ntrees = acme.trees:Thing\n"
    metadata(site, "acme_trees", "acme_trees.pth,,\n", folder.as_uri(), points)
    for name in ("acme_forests", "acme_metrics", "acme_trees"):
        (site / f"{name}-1.2.dist-info" / "top_level.txt").write_text("acme\n")
    (site / "acme_trees-1.2.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: acme-trees\nVersion: 3.4\n"
    )
    for path in (folder, site):
        monkeypatch.syspath_prepend(str(path))
    for name in ("forests", "metrics", "trees"):
        importlib.import_module(f"acme.{name}")
    forget()
    yield folder
    for name in ("acme", "acme.forests", "acme.metrics", "acme.trees"):
        sys.modules.pop(name, None)
    forget()


def test_packages_from_several_places_may_share_a_namespace(acme: Path) -> None:
    things = {name: sys.modules[f"acme.{name}"].Thing for name in ("forests", "metrics", "trees")}
    assert code(things["forests"]) == code(things["metrics"]) == ""
    before = code(things["trees"])
    edited(acme / "acme" / "trees" / "__init__.py")
    assert "" != code(things["trees"]) != before


def test_an_outside_estimator_has_code_and_version_of_the_distribution_that_its_file_is_of(
    acme: Path,
) -> None:
    spec = learner({"estimator": "acme.trees.Thing"}).spec()
    assert spec["code"].startswith("sha256:")
    assert spec["versions"] == {"acme": "3.4"}
    spec = learner({"estimator": "acme.forests.Thing"}).spec()
    assert "code" not in spec
    assert spec["versions"] == {"acme": "1.2"}


def test_a_checkout_before_an_installed_release_is_not_what_the_release_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("site", "checkout"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "twice_there.py").write_text("class Thing: ...\n")
    metadata(tmp_path / "site", "twice_there", "twice_there.py,,\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    found = importlib.import_module("twice_there").Thing
    assert code_of_module(found.__module__, ("twice_there",)) == ""
    del sys.modules["twice_there"]
    code_of_module.cache_clear()
    monkeypatch.syspath_prepend(str(tmp_path / "checkout"))
    found = importlib.import_module("twice_there").Thing
    before = code_of_module(found.__module__, ("twice_there",))
    edited(tmp_path / "checkout" / "twice_there.py")
    assert "" != code_of_module(found.__module__, ("twice_there",)) != before
    del sys.modules["twice_there"]


@pytest.mark.parametrize("link", ["file", "folder"])
def test_an_installed_file_may_be_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str) -> None:
    site = tmp_path / "site"
    metadata(site, "linked_there", "linked_there.py,,\n")
    if link == "file":
        (tmp_path / "cached.py").write_text("class Thing: ...\n")
        (site / "linked_there.py").symlink_to(tmp_path / "cached.py")
    else:
        (site / "linked_there.py").write_text("class Thing: ...\n")
        (tmp_path / "other").symlink_to(site)
    monkeypatch.syspath_prepend(str(site))
    module = importlib.import_module("linked_there")
    if link == "folder":
        monkeypatch.setattr(module, "__file__", str(tmp_path / "other" / "linked_there.py"))
    assert code_of_module("linked_there", ("linked_there",)) == ""
    del sys.modules["linked_there"]


def test_what_has_no_file_is_not_told_apart() -> None:
    notebook = type("Thing", (), {"__module__": "nowhere_at_all"})
    assert code(notebook) == ""
    assert code_of_module("sys", ()) == ""


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
    spec = learner({"estimator": "own_tree.DecisionTreeClassifier"}).spec()  # it is sklearn's
    assert "code" not in spec
    assert spec["versions"] == {"own_tree": "?", "sklearn": version("scikit-learn")}
    sys.modules.pop("own_tree")
