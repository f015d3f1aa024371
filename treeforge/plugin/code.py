"""Which code a class stands for, where no version says it: results are kept by it, so an edit makes them anew.

What comes from an index is what its version says. Whatever was installed from a folder (``pip install -e``,
``pip install ./folder``), or only lies on the path, may be another thing tomorrow under the same version, and is
told apart by a hash of its modules: Python's and compiled ones.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from treeforge.plugin import registry

_MODULES = (".py", ".so", ".pyd", ".dylib")
#: TreeForge's own version stands in every result
OURS = "treeforge"


def code(cls: type[Any]) -> str:
    """``code_of_module`` of a plugin's class."""
    return code_of_module(cls.__module__, _announced_by(cls.__module__.partition(".")[0]))


@cache
def code_of_module(module: str, package: str) -> str:
    """``sha256:...`` of the package that an imported module belongs to; empty where its version stands for it.

    Parameters
    ----------
    module : str
    package : str
        The distribution that it came with; empty where there is none.
    """
    if package == OURS or module.partition(".")[0] == OURS or _from_index(package):
        return ""
    digest = hashlib.sha256()
    for name, path in sorted(_files(module)):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return f"sha256:{digest.hexdigest()}"


@cache
def _announced_by(top: str) -> str:
    """The distribution that announces plugins of a top-level module; empty where there is none."""
    for kind in registry.KINDS:
        for entry in registry.entries(kind):
            if entry.point.module.partition(".")[0] == top:
                return entry.package
    return ""


def _from_index(package: str) -> bool:
    """Whether a distribution was installed from an index: those from elsewhere have a note of it (PEP 610)."""
    if not package:
        return False
    try:
        found: Distribution = distribution(package)
    except PackageNotFoundError:
        return False
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
        if not hasattr(outermost, "__path__"):
            yield Path(file).name, Path(file)
        return
