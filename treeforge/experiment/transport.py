"""Cells as bytes: datasets are named by their content, so that each goes to a worker once; the rest is pickled.

Pickles travel between processes of one run only; nothing of the kind is ever written to disk.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import pickle
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from treeforge.data import Dataset
from treeforge.errors import PluginError
from treeforge.experiment.cell import Cell


@cache
def _pickler() -> type[Any]:
    """A pickler that also takes lambdas, local classes and what a script defines, if one is installed."""
    base: Any = pickle
    # joblib, which scikit-learn needs, brought cloudpickle inside itself until it came to depend on it
    for module in ("cloudpickle", "joblib.externals.cloudpickle"):
        with contextlib.suppress(ImportError):
            base = importlib.import_module(module)
            break

    class CellPickler(base.Pickler):  # type: ignore[misc]
        """Puts a dataset's hash in the place of the dataset, and notes which ones there were."""

        datasets: dict[str, Dataset]

        def persistent_id(self, thing: Any) -> str | None:
            if isinstance(thing, Dataset):
                self.datasets[thing.content_hash] = thing
                return thing.content_hash
            return None

    return CellPickler


def pack(thing: Any) -> tuple[bytes, dict[str, Dataset]]:
    """Bytes, and the datasets that whoever unpacks them must have."""
    buffer = io.BytesIO()
    pickler = _pickler()(buffer, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.datasets = {}
    pickler.dump(thing)
    return buffer.getvalue(), pickler.datasets


def unpack(data: bytes, datasets: Mapping[str, Dataset] | Callable[[str], Dataset]) -> Any:
    """The opposite of ``pack``."""
    unpickler = pickle.Unpickler(io.BytesIO(data))
    unpickler.persistent_load = datasets if callable(datasets) else datasets.__getitem__  # type: ignore[method-assign]
    return unpickler.load()


def check_portable(cells: Iterable[Cell]) -> None:
    """PluginError that names a learner or metric which cannot be sent to another process."""
    seen: set[int] = set()
    for cell in cells:
        for what, thing in _parts(cell):
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            try:
                pack(thing)
            except Exception as fault:
                raise PluginError(
                    f"{what} cannot be sent to a worker process ({type(fault).__name__}: {fault}): "
                    "define it at the top of a module that can be imported, or run with one worker"
                ) from None


def _parts(cell: Cell) -> list[tuple[str, Any]]:
    return [
        (f"algorithm '{cell.algorithm}'", cell.learner),
        *((f"metric '{name}'", metric) for name, metric in cell.metrics.items()),
    ]
