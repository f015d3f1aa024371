"""Every example in a docstring of treeforge/ and plugins/ runs."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(
    ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")
    for base, name in ((ROOT, "treeforge"), (ROOT / "plugins", "."))
    for path in (base / name).rglob("*.py")
    if path.name != "__main__.py"
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_run(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name and not missing.name.startswith("treeforge"):
            pytest.skip(f"needs {missing.name}, which is not installed")
        raise
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert not doctest.testmod(module, optionflags=options).failed
