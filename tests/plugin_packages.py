"""Packages with plugins, written into a folder and put on the path: what an installed one looks like."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from treeforge.learn import estimator
from treeforge.plugin import code, registry

Install = Callable[..., None]


def forget() -> None:
    """Look anew at what is installed, as a new process would."""
    registry.entries.cache_clear()
    code._announcing.cache_clear()
    code.code_of_module.cache_clear()
    estimator._packages.cache_clear()
    estimator._version.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Call with a package's name, its source, and ``group=["name = module:Class"]``."""
    site = tmp_path / "site-packages"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    before = set(sys.modules)

    def add(package: str, source: str, **groups: list[str]) -> None:
        (site / f"{package}.py").write_text(source)
        info = site / f"{package}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        lines = [f"[treeforge.{group}]\n" + "\n".join(points) for group, points in groups.items()]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        forget()

    forget()
    yield add
    forget()
    for name in set(sys.modules) - before:
        if str(site) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


SPLITTER = '''
from dataclasses import dataclass
from treeforge.plugin import Splitter

@dataclass(frozen=True)
class {name}(Splitter):
    """Splits somewhere.

    Parameters
    ----------
    parts : int
        How many parts.
    """
    parts: int = 2
'''
