"""What an evaluation scheme is, and what all of them check.

A scheme is a frozen dataclass; its fields are the options in YAML, its name there stands in ``SCHEMES``.
Splits depend on the data's classes (or groups), the scheme and the seed alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, ClassVar

import numpy as np

from treeforge.data import Dataset
from treeforge.errors import DataError, ParameterError
from treeforge.experiment.split import Splits


class Scheme(ABC):
    """How the rows of a data set are parted."""

    name: ClassVar[str]
    #: whether each data set brings test rows of its own
    needs_test: ClassVar[bool] = False

    @abstractmethod
    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        """The splits of a data set; DataError when it has too few rows for the scheme."""

    def inputs(self, dataset: Dataset) -> Dataset:
        """The data set that learners see."""
        return dataset

    def spec(self) -> dict[str, Any]:
        """The resolved options, as they are written into results."""
        return {"scheme": self.name, **asdict(self)}  # type: ignore[call-overload]


def rare_classes(dataset: Dataset, needed: int, parts: str = "folds") -> tuple[str, ...]:
    """A warning that names the classes of which not every fold can have a case."""
    codes = dataset.class_codes
    counts = np.bincount(codes[codes >= 0], minlength=len(dataset.schema.classes))
    rare = [
        f"'{name}' ({count})"
        for name, count in zip(dataset.schema.classes, counts.tolist(), strict=True)
        if 0 < count < needed
    ]
    if not rare:
        return ()
    return (
        f"'{dataset.name}': {_and(rare)} cannot stand in each of the {needed} {parts}, for want of cases",
    )


def _and(words: Iterable[str]) -> str:
    *most, last = words
    return f"class {last}" if not most else f"the classes {', '.join(most)} and {last}"


def check_rows(dataset: Dataset, needed: int) -> None:
    """Raise a DataError for a data set of fewer rows."""
    if dataset.n_rows < needed:
        raise DataError(
            f"'{dataset.name}' has {dataset.n_rows} rows: too few for {needed} folds"
            if needed > 1
            else f"'{dataset.name}' has no rows",
            file=dataset.source or None,
        )


def at_least(value: int, least: int, what: str) -> None:
    """Raise a ParameterError for a smaller value."""
    if value < least:
        raise ParameterError(f"{what} must be at least {least}, not {value}")
