"""A table in memory: columns, schema, class and case weights; immutable."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data.schema import Schema
from treeforge.errors import DataError, nearest


@dataclass(frozen=True, eq=False)
class Dataset:
    """Columns with their schema. Nothing in it changes once it is made.

    Parameters
    ----------
    schema : Schema
    columns : tuple of ndarray, one an attribute, each of shape [n_rows]
        float64 for numbers and dates (NaN is unknown), int32 codes for nominal attributes
        (-1 is unknown), object (str or None) for string attributes.
    weights : ndarray of float64, shape [n_rows], or None
        Case weights; None when all are 1.
    name : str
        What reports call it: the file name without its endings.
    source : str
        Where it came from: a path, or a short description.
    """

    schema: Schema
    columns: tuple[NDArray[Any], ...]
    weights: NDArray[np.float64] | None = None
    name: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if len(self.columns) != len(self.schema.attributes):
            raise DataError(
                f"{len(self.schema.attributes)} attributes are declared, {len(self.columns)} columns given"
            )
        lengths = {len(column) for column in self.columns}
        if self.weights is not None:
            lengths.add(len(self.weights))
        if len(lengths) > 1:
            raise DataError(f"columns (and weights) differ in length: {sorted(lengths)}")
        columns = []
        for attribute, column in zip(self.schema.attributes, self.columns, strict=True):
            kind = np.int32 if attribute.is_nominal else np.float64 if attribute.is_numeric else np.object_
            view = np.ascontiguousarray(column, dtype=kind).view()
            view.flags.writeable = False
            columns.append(view)
        object.__setattr__(self, "columns", tuple(columns))
        if self.weights is not None:
            weights = np.ascontiguousarray(self.weights, dtype=np.float64).view()
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise DataError("case weights must be finite and not negative")
            weights.flags.writeable = False
            object.__setattr__(self, "weights", weights)

    def __repr__(self) -> str:
        """Name, size and class; the values are in ``columns``."""
        schema = self.schema
        target = "none" if schema.class_index is None else repr(schema.class_attribute.name)
        weighted = ", weighted" if self.weights is not None else ""
        n = len(schema.attributes)
        return f"<Dataset {self.name!r}: {self.n_rows} rows, {n} attributes, class {target}{weighted}>"

    @property
    def n_rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def class_codes(self) -> NDArray[np.int32]:
        """Class of each row, [n_rows]; -1 where it is unknown."""
        if not self.schema.class_attribute.is_nominal:
            name = self.schema.class_attribute.name
            raise DataError(f"the class attribute '{name}' is not nominal", file=self.source or None)
        assert self.schema.class_index is not None
        codes: NDArray[np.int32] = self.columns[self.schema.class_index]
        return codes

    def with_class(self, name: str) -> Dataset:
        """The same columns with another class attribute."""
        return replace(self, schema=self.schema.with_class(name))

    def without(self, names: Iterable[str]) -> Dataset:
        """The same without some attributes; the class cannot be one of them."""
        dropped = set(names)
        for name in dropped:
            if name not in self.schema.names:
                near, there = nearest(name, self.schema.names), ", ".join(self.schema.names)
                raise DataError(
                    f"no attribute is called '{name}', so it cannot be dropped{near} (there are: {there})"
                )
        if self.schema.class_index is not None and self.schema.class_attribute.name in dropped:
            raise DataError(f"'{self.schema.class_attribute.name}' is the class and cannot be dropped")
        kept = [i for i, attribute in enumerate(self.schema.attributes) if attribute.name not in dropped]
        schema = Schema(
            tuple(self.schema.attributes[i] for i in kept),
            None if self.schema.class_index is None else kept.index(self.schema.class_index),
            self.schema.relation,
        )
        return replace(self, schema=schema, columns=tuple(self.columns[i] for i in kept))

    def take(self, rows: NDArray[Any]) -> Dataset:
        """A dataset of these rows, in this order."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, columns=tuple(column[rows] for column in self.columns), weights=weights)

    @staticmethod
    def concatenate(blocks: Iterable[Dataset]) -> Dataset:
        """The rows of all blocks, of one schema; name and source are those of the first."""
        parts = list(blocks)
        if not parts:
            raise DataError("the source gave no rows: not even an empty block")
        if any(part.schema != parts[0].schema for part in parts):
            raise DataError("the blocks differ in their attributes")
        if len(parts) == 1:
            return parts[0]
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate([np.ones(p.n_rows) if p.weights is None else p.weights for p in parts])
        columns = tuple(np.concatenate(column) for column in zip(*(p.columns for p in parts), strict=True))
        return replace(parts[0], columns=columns, weights=weights)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over schema, values and weights, in hexadecimal: the identity of the data in results."""
        digest = hashlib.sha256()
        attributes = [(a.name, a.kind, a.categories, a.date_format) for a in self.schema.attributes]
        digest.update(repr((attributes, self.schema.class_index)).encode())
        for column in self.columns:
            plain = (
                column
                if column.dtype != np.object_
                else np.frombuffer(repr(column.tolist()).encode(), np.uint8)
            )
            digest.update(np.ascontiguousarray(plain).tobytes())
        if self.weights is not None:
            digest.update(self.weights.tobytes())
        return digest.hexdigest()
