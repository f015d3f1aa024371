"""Which code a class stands for, where no version says it: results are kept by it, so an edit makes them anew.

What comes from an index is what its version says. Whatever was installed from a folder (``pip install -e``,
``pip install ./folder``), or only lies on the path, may be another thing tomorrow under the same version, and is
told apart by a hash of its modules: Python's and compiled ones. The file of the imported module decides, not its
name: a checkout may stand before an installed release, and packages from several places may share a namespace.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from treeforge.plugin import registry

_MODULES = (".py", ".so", ".pyd", ".dylib")
#: TreeForge's own version stands in every result
OURS = "treeforge"


def code(cls: type[Any]) -> str:
    """``code_of_module`` of a plugin's class."""
    return code_of_module(cls.__module__, _announcing(cls.__module__.partition(".")[0]))


@cache
def code_of_module(module: str, packages: tuple[str, ...]) -> str:
    """``sha256:...`` of the package that an imported module belongs to; empty where its version stands for it.

    Empty, too, where there is no file: what a notebook defines is not told apart.

    Parameters
    ----------
    module : str
    packages : tuple of str
        The distributions that may have brought it.
    """
    if OURS in packages or module.partition(".")[0] == OURS:
        return ""
    found = owner(module, packages)
    if found is not None and _from_index(found):
        return ""
    digest = hashlib.sha256()
    files = sorted(_files(module))
    for name, path in files:
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return f"sha256:{digest.hexdigest()}" if files else ""


@cache
def _announcing(top: str) -> tuple[str, ...]:
    """The distributions that announce plugins of a top-level module: of a namespace there may be several."""
    entries = [entry for kind in registry.KINDS for entry in registry.entries(kind)]
    return tuple(
        dict.fromkeys(entry.package for entry in entries if entry.point.module.partition(".")[0] == top)
    )


def owner(module: str, packages: tuple[str, ...]) -> Distribution | None:
    """The distribution, of some, that brought the file of an imported module; None where none of them did."""
    file: str | None = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return None
    for package in packages:
        try:
            found = distribution(package)
        except PackageNotFoundError:
            continue
        if _brought(found, Path(os.path.abspath(file))):
            return found
    return None


def _brought(found: Distribution, file: Path) -> bool:
    """Whether a file is one that a distribution installed, or lies in the folder that it is used from."""
    if note := found.read_text("direct_url.json"):
        url = urlsplit(json.loads(note)["url"])
        folder = Path(url2pathname(url.path)).resolve()
        if url.scheme == "file" and file.resolve().is_relative_to(folder):
            return True
    site = Path(os.path.abspath(str(found.locate_file(""))))
    # as they are spelled, or else as they are: an installed file may be a link, and so may the folder
    for path, base in ((file, site), (file.resolve(), site.resolve())):
        if path.is_relative_to(base):
            record = found.read_text("RECORD")
            installed = path.relative_to(base).as_posix()
            if record is None or any(row[:1] == [installed] for row in csv.reader(record.splitlines())):
                return True
    return False


def _from_index(found: Distribution) -> bool:
    """Whether a distribution was installed from an index: those from elsewhere have a note of it (PEP 610)."""
    return found.read_text("RECORD") is not None and found.read_text("direct_url.json") is None


def _files(module: str) -> Iterator[tuple[str, Path]]:
    """The modules of a package by their names in it; of a module that is no package, its own file."""
    parts = module.split(".")
    for n in range(1, len(parts) + 1):
        outermost = sys.modules.get(".".join(parts[:n]))
        file = getattr(outermost, "__file__", None)
        if file is None:  # a namespace, which several packages share; or no file at all: a notebook
            continue
        for folder in getattr(outermost, "__path__", ()):
            for path in Path(folder).rglob("*"):
                if path.suffix in _MODULES and path.is_file():
                    yield path.relative_to(folder).as_posix(), path
        if not hasattr(outermost, "__path__") and Path(file).is_file():
            yield Path(file).name, Path(file)
        return
