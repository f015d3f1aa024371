"""Who may import whom: the table of the house, enforced on ``import`` and ``cimport`` lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: room -> rooms that it may import at all
ROOMS: dict[str, set[str]] = {
    "errors": set(),
    "data": {"errors"},
    "core": {"errors"},
    "compare": {"errors"},
    "plugin": {"core", "data", "errors"},
    "export": {"core", "data", "errors"},
    "learn": {"plugin", "core", "data", "errors"},
    "explain": {"learn", "core", "data", "export", "errors"},
    "model_files": {"learn", "export", "estimators", "errors"},
    "estimators": {"learn", "plugin", "core", "data", "export", "explain", "errors"},
    "experiment": {"learn", "plugin", "data", "errors"},
    "report": {"compare", "export", "experiment", "data", "errors"},
    "pipeline": {"report", "experiment", "compare", "export", "learn", "plugin", "core", "data", "errors"},
    "cli": {
        "pipeline", "plugin", "report", "compare", "experiment", "export", "explain", "learn", "model_files",
        "data", "errors"
    },
    "__main__": {"cli"},
}  # fmt: skip

#: (module or package, room): what it may import beyond the table, with the reason
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("treeforge.learn.model", "export"): "a model shows itself; no export knows of a learner",
    ("treeforge.plugin.checks", "learn"): "the checks put a plugin to work; nothing in its room imports them",
    ("treeforge.plugin.checks", "compare"): "a statistical test is checked on tables of scores",
}

#: what is only imported to be named in an annotation makes no dependency between rooms
TYPING_ONLY = "TYPE_CHECKING"


def sources() -> list[Path]:
    found = [
        p
        for root in ("treeforge", "plugins")
        for p in (ROOT / root).rglob("*")
        if p.suffix in (".py", ".pyx", ".pxd")
    ]
    return sorted(found)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a file imports while running."""
    if path.suffix == ".py":
        yield from _python_imports(path)
    else:
        yield from _cython_imports(path)


def _python_imports(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text())
    skipped = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and TYPING_ONLY in ast.dump(node.test)
        for child in node.body
        for inner in ast.walk(child)
    }
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


_FROM = re.compile(r"^\s*from\s+([\w.]+)\s+c?import\s+(.*)")
_IMPORT = re.compile(r"^\s*c?import\s+([\w.]+(?:\s*,\s*[\w.]+)*)")


def _cython_imports(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := _FROM.match(line):
            assert not found[1].startswith("."), f"{path}:{number}: imports are absolute"
            names = re.findall(r"\w+", found[2].partition("#")[0]) or ["*"]
            yield from ((number, f"{found[1]}.{name}") for name in names)
        elif found := _IMPORT.match(line):
            yield from ((number, name.strip()) for name in found[1].split(","))


def room_of(name: str) -> str:
    """``treeforge.core.tree`` -> ``core``."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def excepted(module: str, target: str) -> bool:
    return any(module.startswith(inside) and target == room for inside, room in EXCEPTIONS)


def wrong_in_treeforge(path: Path) -> Iterator[str]:
    module = module_of(path)
    room = room_of(module)
    where = path.relative_to(ROOT)
    for line, name in imports(path):
        if name.split(".")[0].startswith("treeforge_"):
            yield f"{where}:{line}: {room or 'treeforge'} imports the plugin {name}"
        if name.split(".")[0] != "treeforge":
            continue
        target = room_of(name)
        if room == "" or target in ("", room) or target not in ROOMS:
            continue  # treeforge/__init__.py is the public face: it passes on names of all rooms
        if room not in ROOMS:
            yield f"{where}:{line}: the room '{room}' has no line in the table of {Path(__file__).name}"
        elif target not in ROOMS[room] and not excepted(module, target):
            yield f"{where}:{line}: {room} may not import {target} ({name})"


def wrong_in_plugins(path: Path) -> Iterator[str]:
    """A plugin uses what a third party could: the plugin room, data, errors, and the kernel's declarations."""
    package = path.relative_to(ROOT / "plugins").parts[0]
    where = path.relative_to(ROOT)
    for line, name in imports(path):
        first = name.split(".")[0]
        if first.startswith("treeforge_") and first != package:
            yield f"{where}:{line}: a plugin imports another, {name}"
        if first != "treeforge" or name == "treeforge":
            continue
        allowed = ("treeforge.plugin", "treeforge.data", "treeforge.errors", "treeforge.compare")
        if path.suffix in (".pyx", ".pxd"):
            # splitters and criteria need the kernel alone; a compiled pruner reads trees and tables
            allowed += (
                "treeforge.core.kernel",
                "treeforge.core.tree",
                "treeforge.core.encode",
                "treeforge.core.table",
            )
        if not any(name == a or name.startswith(a + ".") for a in allowed):
            yield f"{where}:{line}: a plugin imports {name}; it may use {', '.join(allowed)}"


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_keep_to_the_table(path: Path) -> None:
    inside = path.relative_to(ROOT).parts[0]
    wrong = list(wrong_in_treeforge(path) if inside == "treeforge" else wrong_in_plugins(path))
    assert not wrong, "\n".join(wrong)


def test_no_two_declaration_files_cimport_from_each_other() -> None:
    edges = {
        module_of(path): {
            name.rpartition(".")[0]
            if not (ROOT / Path(*name.split("."))).with_suffix(".pxd").exists()
            else name
            for _, name in imports(path)
            if name.startswith("treeforge.")
        }
        for path in sources()
        if path.suffix == ".pxd"
    }
    for module, targets in edges.items():
        for target in targets:
            assert module not in edges.get(target, ()), f"{module} and {target} cimport from each other"


def test_table_itself_has_no_cycle() -> None:
    done: set[str] = set()
    left = dict(ROOMS)
    while left:
        free = [room for room, targets in left.items() if targets <= done]
        assert free, f"these rooms import one another: {sorted(left)}"
        done.update(free)
        for room in free:
            del left[room]
