"""Attributes and their ordered set: what a table's columns are called and may hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from treeforge.errors import DataError, nearest

Kind = Literal["numeric", "nominal", "date", "string"]


@dataclass(frozen=True)
class Attribute:
    """A named column and what it may hold.

    Parameters
    ----------
    name : str
    kind : {'numeric', 'nominal', 'date', 'string'}
        Dates are numbers: milliseconds since 1970-01-01T00:00:00 UTC.
    categories : tuple of str
        The declared categories of a nominal attribute, in declared order.
    date_format : str, optional
        The format of a date attribute, in the words of ``java.text.SimpleDateFormat``.

    Examples
    --------
    >>> Attribute("outlook", "nominal", ("sunny", "overcast", "rainy")).code("rainy")
    2
    """

    name: str
    kind: Kind = "numeric"
    categories: tuple[str, ...] = ()
    date_format: str | None = None
    _codes: dict[str, int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        codes = {category: code for code, category in enumerate(self.categories)}
        if len(codes) != len(self.categories):
            twice = next(c for i, c in enumerate(self.categories) if c in self.categories[:i])
            raise DataError(f"attribute '{self.name}' declares the category '{twice}' twice")
        object.__setattr__(self, "_codes", codes)

    @property
    def is_nominal(self) -> bool:
        return self.kind == "nominal"

    @property
    def is_numeric(self) -> bool:
        """Whether the column holds numbers; dates do."""
        return self.kind in ("numeric", "date")

    def code(self, category: str) -> int:
        """Place of a category in declared order, from 0; -1 when it is not declared."""
        return self._codes.get(category, -1)


@dataclass(frozen=True)
class Schema:
    """The attributes of a table in file order, and which of them is the class.

    Parameters
    ----------
    attributes : tuple of Attribute
    class_index : int or None
        Place of the class attribute, from 0.
    relation : str
        The name that an ARFF file gives itself.
    """

    attributes: tuple[Attribute, ...]
    class_index: int | None = None
    relation: str = ""

    @cached_property
    def names(self) -> dict[str, int]:
        """Place of each attribute by name."""
        return {attribute.name: place for place, attribute in enumerate(self.attributes)}

    @property
    def class_attribute(self) -> Attribute:
        """The class attribute; an error when none is set."""
        if self.class_index is None:
            raise DataError("no class attribute is set")
        return self.attributes[self.class_index]

    @property
    def classes(self) -> tuple[str, ...]:
        """The declared classes in declared order."""
        return self.class_attribute.categories

    @cached_property
    def input_indices(self) -> tuple[int, ...]:
        """Places of the attributes other than the class, in file order."""
        return tuple(i for i in range(len(self.attributes)) if i != self.class_index)

    @cached_property
    def inputs(self) -> tuple[Attribute, ...]:
        """The attributes other than the class, in file order: tree nodes count in these."""
        return tuple(self.attributes[i] for i in self.input_indices)

    def with_class(self, name: str) -> Schema:
        """The same attributes with another of them as the class."""
        if name not in self.names:
            near = nearest(name, self.names)
            raise DataError(f"no attribute is called '{name}'{near} (there are: {', '.join(self.names)})")
        return Schema(self.attributes, self.names[name], self.relation)
