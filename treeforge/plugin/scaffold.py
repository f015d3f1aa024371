"""``treeforge plugins new``: a package that installs, meets its contract and has continuous integration at once."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from treeforge.errors import PluginError
from treeforge.plugin import registry

LANGUAGES = ("python", "cython", "c", "numba")
#: languages in which a kind can be written
NATIVE_KINDS = ("splitter",)

#: template -> path in the package
_COMMON = {
    "common/README.md.j2": "README.md",
    "common/gitignore.j2": ".gitignore",
    "common/ci.yml.j2": ".github/workflows/ci.yml",
    "common/test_contract.py.j2": "tests/test_contract.py",
    "common/pipeline.yaml.j2": "pipeline.yaml",
    "common/pyproject.toml.j2": "pyproject.toml",
}
_LANGUAGE: dict[str, dict[str, str]] = {
    "python": {"python/{kind}.py.j2": "src/{package}/__init__.py"},
    "cython": {
        "cython/{kind}.py.j2": "src/{package}/__init__.py",
        "cython/_kernel.pyx.j2": "src/{package}/_kernel.pyx",
        "cython/setup.py.j2": "setup.py",
        "common/MANIFEST.in.j2": "MANIFEST.in",
    },
    "c": {
        "c/{kind}.py.j2": "src/{package}/__init__.py",
        "c/_kernel.c.j2": "src/{package}/_kernel.c",
        "c/setup.py.j2": "setup.py",
        "common/MANIFEST.in.j2": "MANIFEST.in",
    },
    "numba": {"numba/{kind}.py.j2": "src/{package}/__init__.py"},
}

#: what a compiler needs of TreeForge: an isolated build does not see the installed one, so it gets a copy
_DECLARATIONS = {
    "cython": ("__init__.py", "core/__init__.py", "core/kernel.pxd"),
    "c": ("core/kernel.h", "core/kernel_inline.h"),
}


def new(
    name: str, kind: str = "splitter", language: str = "python", folder: Path | str = ".", *, root: str = ""
) -> list[Path]:
    """Write a package for a plugin of this name into a new folder; the files that were written.

    Parameters
    ----------
    name : str
        What pipeline files will call it: a word in snake case.
    kind : str
    language : {'python', 'cython', 'c', 'numba'}
        All but Python are for splitters.
    folder : path
        Where the package's own folder is made.
    root : str
        What that is called; ``treeforge-NAME`` when nothing is given.
    """
    _check(name, kind, language)
    words = _words(name, kind, language)
    home = Path(folder) / (root or words["distribution"])
    if home.exists() and any(home.iterdir()):
        raise PluginError("the folder exists and is not empty", file=str(home))
    written = []
    contents = {
        place.format(**words): _render(template.format(**words), words)
        for template, place in {**_COMMON, **_LANGUAGE[language]}.items()
    }
    for declared in _DECLARATIONS.get(language, ()):
        text = "" if declared.endswith(".py") else _read("treeforge", declared)
        contents[f"include/treeforge/{declared}"] = text
    for place, text in contents.items():
        path = home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _check(name: str, kind: str, language: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise PluginError(f"'{name}' is no name for a plugin: small letters, digits and '_' make one")
    taken = [entry.package for entry in registry.entries(kind) if entry.name == name]
    if taken:
        raise PluginError(f"the {kind} '{name}' exists already, in package {taken[0]}")
    if language != "python" and kind not in NATIVE_KINDS:
        raise PluginError(
            f"a {kind} is written in Python here; {', '.join(NATIVE_KINDS)} can be in {language}"
        )


def _words(name: str, kind: str, language: str) -> dict[str, Any]:
    """What the templates are filled with."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    return {
        "name": name,
        "kind": kind,
        "language": language,
        "title": name.replace("_", " ").capitalize(),
        "package": f"treeforge_{name}",
        "distribution": f"treeforge-{name.replace('_', '-')}",
        "cls": camel + kind.capitalize(),
        "group": registry.KINDS[kind][0],
        "version": version("treeforge"),
        "native": {"cython": "_kernel.pyx", "c": "_kernel.c"}.get(language, ""),
    }


def _render(template: str, words: Mapping[str, Any]) -> str:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: _read("treeforge.plugin", f"templates/{name}")),
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(words)


def _read(package: str, path: str) -> str:
    """A file of an installed package."""
    return files(package).joinpath(*path.split("/")).read_text(encoding="utf-8")
