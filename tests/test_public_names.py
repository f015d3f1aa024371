"""``__all__`` is what we promise: every name in it exists, and says what it is."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import treeforge

ROOMS = ["treeforge", *sorted(f"treeforge.{m.name}" for m in pkgutil.iter_modules(treeforge.__path__))]


@pytest.mark.parametrize("room", ROOMS)
def test_every_promised_name_exists_and_is_documented(room: str) -> None:
    module = importlib.import_module(room)
    assert (module.__doc__ or "").strip(), f"{room} does not say what it is"
    promised = list(getattr(module, "__all__", ()))
    assert len(promised) == len(set(promised))
    for name in promised:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert (value.__doc__ or "").strip(), f"{room}.{name} has no docstring"


def test_public_names_are_sorted_and_all_have_a_place() -> None:
    assert list(treeforge._PLACES) == treeforge.__all__ == sorted(treeforge.__all__)
    assert set(treeforge.__all__) < set(dir(treeforge))
    assert treeforge.__version__


def test_import_is_light() -> None:
    import subprocess
    import sys

    code = "import treeforge, sys; print(sorted({'numpy', 'sklearn', 'scipy', 'pandas', 'yaml'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
