"""The data sets of the benchmarks: from the shared folder, or made by our own generators.

The shared folder is where ``TREEFORGE_SHARED`` says, else beside the checkout; what is absent is None.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treeforge.data import ArffWriter, Dataset, Sample, read_arff
from treeforge.plugin import registry

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("TREEFORGE_SHARED", HERE.parent.parent / "shared"))
#: where files for other programs are written
FOLDER = Path(tempfile.mkdtemp(prefix="bench-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
FILES = {
    "letter": "letter.arff.gz",
    "waveform": "waveform-5000.arff.gz",
    "adult": "adult.arff.gz",
    "madelon": "madelon.arff.gz",
    "covertype": "covertype.arff.gz",
    "covertype100k": "covertype-100k.arff.gz",
    "vote": "vote.arff",
}
#: ten small sets, of numbers, categories and both, with and without unknown values
SUITE = (
    "iris",
    "glass",
    "vote",
    "credit-a",
    "diabetes",
    "ionosphere",
    "labor",
    "zoo",
    "breast-cancer",
    "heart-cleveland",
)


@cache
def load(name: str) -> Dataset | None:
    """A data set by name; ``quest:ROWS`` is Agrawal's function 2. None: its file is not there."""
    if name.startswith("quest:"):
        return quest(int(float(name.partition(":")[2])))
    path = SHARED / "datasets" / FILES.get(name, f"{name}.arff")
    return read_arff(path) if path.exists() else None


def quest(rows: int) -> Dataset:
    """Agrawal, Imielinski and Swami's people, function 2, perturbed by 5 %: 6 numbers, 3 categories."""
    blocks = list(registry.load("source", "agrawal")(rows=rows, function=2).blocks(7))
    columns = tuple(np.concatenate(parts) for parts in zip(*(b.columns for b in blocks), strict=True))
    return Dataset(blocks[0].schema, columns)


def fresh(dataset: Dataset) -> Dataset:
    """The same data set as one never seen before: its columns are ranked and coded again."""
    return replace(dataset)


def first_rows(dataset: Dataset, n_rows: int) -> Dataset:
    """What is left of a data set for a short run."""
    return (
        dataset
        if dataset.n_rows <= n_rows
        else replace(dataset, columns=tuple(c[:n_rows] for c in dataset.columns))
    )


def unknown_as_category(dataset: Dataset) -> Dataset:
    """The same, with "unknown" as one more category of nominal inputs: no case is shared out."""
    attributes, columns = [], []
    for attribute, column in zip(dataset.schema.attributes, dataset.columns, strict=True):
        if column.dtype == np.int32 and (column < 0).any():
            column = np.where(column < 0, len(attribute.categories), column).astype(np.int32)
            attribute = replace(attribute, categories=(*attribute.categories, "unknown"))
        attributes.append(attribute)
        columns.append(column)
    schema = replace(dataset.schema, attributes=tuple(attributes))
    return replace(dataset, schema=schema, columns=tuple(columns))


def matrix(dataset: Dataset) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """What scikit-learn takes: categories as codes, unknown as NaN; cases without a class left out."""
    columns = [dataset.columns[i] for i in dataset.schema.input_indices]
    numbers = [np.where(c < 0, np.nan, c) if c.dtype == np.int32 else c for c in columns]
    known = dataset.class_codes >= 0
    return np.column_stack(numbers)[known], dataset.class_codes[known]


def arff(dataset: Dataset) -> Path:
    """The data set as a file, written once."""
    path = FOLDER / f"{id(dataset)}.arff"
    if not path.exists():
        with ArffWriter(path, dataset.schema) as writer:
            writer.write(dataset)
    return path


def folds(n_rows: int, n_folds: int = 10) -> list[tuple[Sample, NDArray[np.int32]]]:
    """Training and test rows of a shuffled cross-validation."""
    order = np.random.default_rng(1).permutation(n_rows).astype(np.int32)
    parts = np.array_split(order, n_folds)
    return [
        (Sample(np.sort(np.concatenate(parts[:k] + parts[k + 1 :]))), np.sort(parts[k]))
        for k in range(n_folds)
    ]
