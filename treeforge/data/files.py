"""One door for data of every form: the ending of the name, or the word before a colon, says which."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from treeforge.data.dataset import Dataset
from treeforge.data.schema import Schema
from treeforge.errors import DataError

# ending -> module below treeforge.data, its reader, its writer; a module is imported when it is used
_FORMS = {
    ".arff": ("arff", "read_arff", "arff_writer", "write_arff"),
    ".arff.gz": ("arff", "read_arff", "arff_writer", "write_arff"),
    ".csv": ("csv_files", "read_csv", "csv_files", "write_csv"),
    ".csv.gz": ("csv_files", "read_csv", "csv_files", "write_csv"),
    ".tsv": ("csv_files", "read_csv", "csv_files", "write_csv"),
    ".tsv.gz": ("csv_files", "read_csv", "csv_files", "write_csv"),
    ".parquet": ("parquet", "read_parquet", "parquet", "write_parquet"),
    ".names": ("c45_files", "read_c45", "c45_files", "write_c45"),
    ".data": ("c45_files", "read_c45", "c45_files", "write_c45"),
    ".test": ("c45_files", "read_c45", "c45_files", "write_c45"),
}
#: reader -> what it can be told about the file
_TOLD = {
    "read_arff": ("encoding",),
    "read_c45": ("encoding",),
    "read_csv": ("unknown", "decimal", "encoding"),
}
#: why the others cannot be told
_KNOWN = {
    "unknown": "only CSV leaves open which words mean unknown",
    "decimal": "only CSV leaves open what parts a number's decimals",
    "encoding": "only text files leave their encoding open",
}
#: what the name of a data file may end in
ENDINGS = tuple(_FORMS)


def read_dataset(
    path: str | os.PathLike[str],
    class_attribute: str | None = None,
    *,
    unknown: Sequence[str] = (),
    decimal: str | None = None,
    encoding: str | None = None,
) -> Dataset:
    """Read data of any form.

    Parameters
    ----------
    path : path
        ``.arff``, ``.csv``, ``.tsv`` (these three also compressed, ``.gz``), ``.parquet``, or C4.5's ``.names``,
        ``.data`` and ``.test``; also ``sklearn:iris``, a data set that scikit-learn ships, and ``openml:61``, one
        of OpenML by number.
    class_attribute : str, optional
        By default the last attribute, unless the file says otherwise.
    unknown : sequence of str
        In CSV: words that mean unknown besides an empty field, ``?`` and ``NA``.
    decimal : {'.', ','}, optional
        In CSV: what parts a number's decimals; a point by default.
    encoding : str, optional
        What a text file is written in; by default UTF-8, unless the file says otherwise.

    Warns
    -----
    DataWarning
        Where a CSV column may not be what was meant.
    """
    name = os.fspath(path)
    told = {"unknown": unknown, "decimal": decimal, "encoding": encoding}
    told = {option: value for option, value in told.items() if value}
    shelf, _, title = name.partition(":")
    if shelf in ("sklearn", "openml"):
        _refuse(told, (), name)
        bunches = import_module("treeforge.data.bunches")
        dataset: Dataset = (bunches.read_sklearn if shelf == "sklearn" else bunches.read_openml)(title)
        return dataset if class_attribute is None else dataset.with_class(class_attribute)
    module, reader, _, _ = _form(name)
    _refuse(told, _TOLD.get(reader, ()), name)
    read: Callable[..., Dataset] = getattr(import_module(f"treeforge.data.{module}"), reader)
    return read(path, class_attribute=class_attribute, **told)


def _refuse(told: Iterable[str], known: Iterable[str], name: str) -> None:
    """Refuse what would have no effect."""
    for option in told:
        if option not in known:
            raise DataError(f"'{option}' cannot be said of this form of data: {_KNOWN[option]}", file=name)


def write_dataset(dataset: Dataset, path: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write a dataset in the form that the ending says; a stream gets ARFF. What the form cannot hold is refused."""
    is_path = isinstance(path, str | os.PathLike)
    _, _, module, writer = _form(os.fspath(path)) if is_path else _FORMS[".arff"]  # type: ignore[arg-type]
    write: Callable[[Dataset, Any], None] = getattr(import_module(f"treeforge.data.{module}"), writer)
    write(dataset, path)


def files_read(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """The files that ``read_dataset`` reads: the one that is named, and of C4.5's forms the other one, too."""
    return (Path(path), *_of_c45(path))


def files_written(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """The files that ``write_dataset`` writes; a ``.test`` file goes without its ``.names``."""
    return (Path(path),) if Path(path).suffix == ".test" else files_read(path)


def _of_c45(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Declarations and cases, where this is one of C4.5's files."""
    ending = Path(path).suffix
    if ending not in (".names", ".data", ".test"):
        return ()
    return (
        Path(path).with_suffix(".names"),
        Path(path).with_suffix(".test" if ending == ".test" else ".data"),
    )


def class_last(dataset: Dataset) -> Dataset:
    """The same with the class as the last column, where readers look for it."""
    schema = dataset.schema
    if schema.class_index in (None, len(schema.attributes) - 1):
        return dataset
    order = [*schema.input_indices, schema.class_index]
    attributes = tuple(schema.attributes[i] for i in order)
    return Dataset(
        Schema(attributes, len(order) - 1, schema.relation),
        tuple(dataset.columns[i] for i in order),
        dataset.weights,
        dataset.name,
        dataset.source,
    )


def _form(name: str) -> tuple[str, str, str, str]:
    for ending in sorted(_FORMS, key=len, reverse=True):
        if name.lower().endswith(ending):
            return _FORMS[ending]
    if os.path.isdir(name):
        raise DataError("this is a folder; files are wanted, as *.arff names them", file=name)
    raise DataError(f"a data file ends in one of {', '.join(ENDINGS)}", file=name)
