"""Parquet, with everything that a dataset has: what is written and read again is the same."""

from __future__ import annotations

import os
from pathlib import Path

from treeforge.data.arrow import from_arrow, to_arrow
from treeforge.data.dataset import Dataset
from treeforge.data.stream import plain_name
from treeforge.errors import DataError


def read_parquet(path: str | os.PathLike[str], *, class_attribute: str | None = None) -> Dataset:
    """Read a Parquet file; from a foreign one kinds are taken as in ``from_arrow``.

    Parameters
    ----------
    path : path
    class_attribute : str, optional
        By default the one it was written with, else the last column.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (OSError, pa.ArrowException) as fault:
        raise DataError(f"cannot be read as Parquet: {fault}", file=os.fspath(path)) from None
    return from_arrow(table, class_attribute, plain_name(path), os.fspath(path))


def write_parquet(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    """Write a dataset; the file appears when it is complete."""
    from pyarrow import parquet

    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        parquet.write_table(to_arrow(dataset), part)
        os.replace(part, target)
    except OSError as fault:
        raise DataError(fault.strerror or str(fault), file=os.fspath(path)) from None
    finally:
        part.unlink(missing_ok=True)
