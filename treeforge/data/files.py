"""One door for data files of every form: the ending of the name says which."""

from __future__ import annotations

import os
from collections.abc import Callable

from treeforge.data.arff import read_arff
from treeforge.data.dataset import Dataset
from treeforge.errors import DataError

ENDINGS = (".arff", ".arff.gz")


def read_dataset(path: str | os.PathLike[str], class_attribute: str | None = None) -> Dataset:
    """Read a data file; the class is the last attribute unless another is named.

    Parameters
    ----------
    path : path
        ``.arff`` or ``.arff.gz``.
    class_attribute : str, optional
    """
    name = os.fspath(path).lower()
    readers: dict[str, Callable[[], Dataset]] = {
        ".arff": lambda: read_arff(path, class_attribute=class_attribute),
    }
    for ending, read in readers.items():
        if name.endswith((ending, ending + ".gz")):
            return read()
    raise DataError(f"a data file ends in {', '.join(ENDINGS)}", file=os.fspath(path))
