"""Dataset -> core Table: the only bridge between the two."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from treeforge.core.encode import MOST_LABELS
from treeforge.core.table import Table
from treeforge.data import Dataset
from treeforge.errors import DataError

_tables: WeakKeyDictionary[Dataset, Table] = WeakKeyDictionary()


def encode(dataset: Dataset) -> Table:
    """The dataset's inputs, classes and weights as a table. Made once a dataset: folds and algorithms share it."""
    table = _tables.get(dataset)
    if table is None:
        unusable = [a.name for a in dataset.schema.inputs if not (a.is_nominal or a.is_numeric)]
        if unusable:
            raise DataError(
                f"attribute '{unusable[0]}' is text, which no tree can test: "
                "drop it (--drop, or drop: in a pipeline), or make it nominal",
                file=dataset.source or None,
            )
        for a in dataset.schema.attributes:
            if len(a.categories) > MOST_LABELS and a.is_nominal:
                raise DataError(
                    f"attribute '{a.name}' declares {len(a.categories)} categories; at most {MOST_LABELS} "
                    "can be told apart: drop it, or declare it numeric",
                    file=dataset.source or None,
                )
        table = Table(
            [dataset.columns[i] for i in dataset.schema.input_indices],
            [len(a.categories) for a in dataset.schema.inputs],
            dataset.class_codes,
            len(dataset.schema.classes),
            dataset.weights,
        )
        _tables[dataset] = table
    return table
