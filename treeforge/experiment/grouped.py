"""Cross-validation by groups of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Dataset, Schema
from treeforge.errors import DataError
from treeforge.experiment.dealing import from_folds, legacy_random
from treeforge.experiment.scheme import Scheme, at_least
from treeforge.experiment.split import Split, Splits


@dataclass(frozen=True)
class Grouped(Scheme):
    """Cross-validation in which rows of one group are never parted.

    Parameters
    ----------
    attribute : str
        Rows with the same value of it belong together; unknown is a value. Learners do not see it.
    folds, repeats : int
        Groups are dealt out by size, the largest first, each into the smallest fold; the seed orders equals.
    """

    name: ClassVar[str] = "grouped"
    attribute: str
    folds: int = 10
    repeats: int = 1

    def __post_init__(self) -> None:
        at_least(self.folds, 2, "folds")
        at_least(self.repeats, 1, "repeats")

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        group_of = self._groups(dataset)
        sizes = np.bincount(group_of)
        if len(sizes) < self.folds:
            raise DataError(
                f"'{dataset.name}' has {len(sizes)} groups by '{self.attribute}': "
                f"too few for {self.folds} folds",
                file=dataset.source or None,
            )
        generator = legacy_random(seed)
        found: list[Split] = []
        for repeat in range(self.repeats):
            shuffled = generator.permutation(len(sizes))
            fold_of_group = np.empty(len(sizes), dtype=np.int64)
            loads = np.zeros(self.folds, dtype=np.int64)
            for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
                smallest = int(loads.argmin())
                fold_of_group[group] = smallest
                loads[smallest] += sizes[group]
            found.extend(from_folds(fold_of_group[group_of], self.folds, repeat))
        return Splits(tuple(found))

    def inputs(self, dataset: Dataset) -> Dataset:
        schema, place = dataset.schema, self._place(dataset)
        keep = [i for i in range(len(dataset.columns)) if i != place]
        class_index = None if schema.class_index is None else keep.index(schema.class_index)
        return replace(
            dataset,
            schema=Schema(tuple(schema.attributes[i] for i in keep), class_index, schema.relation),
            columns=tuple(dataset.columns[i] for i in keep),
        )

    def _place(self, dataset: Dataset) -> int:
        names = dataset.schema.names
        if self.attribute not in names:
            raise DataError(
                f"'{dataset.name}' has no attribute '{self.attribute}' to group by; "
                f"there are: {', '.join(names)}",
                file=dataset.source or None,
            )
        if names[self.attribute] == dataset.schema.class_index:
            raise DataError(
                f"'{dataset.name}': '{self.attribute}' is the class and cannot group the rows",
                file=dataset.source or None,
            )
        return names[self.attribute]

    def _groups(self, dataset: Dataset) -> NDArray[np.int64]:
        column = dataset.columns[self._place(dataset)]
        if column.dtype == np.object_:
            seen: dict[Any, int] = {}
            return np.array([seen.setdefault(value, len(seen)) for value in column.tolist()], dtype=np.int64)
        return np.unique(column, return_inverse=True)[1].astype(np.int64)  # NaN equals NaN here
