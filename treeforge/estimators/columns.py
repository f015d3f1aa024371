"""Matrices and frames -> columns: which are numbers, which are categories, what is unknown.

Numbers (of any width, nullable ones too) and truth values are numeric; texts are nominal with their categories
in sorted order; pandas categories and polars' Enum keep their own order; points in time are dates. None, NaN, NA
and NaT are unknown. Nothing is guessed from what a text looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute
from treeforge.errors import DataError


@dataclass(frozen=True, eq=False)
class Column:
    """One column: float64 numbers (NaN unknown), or texts (None unknown).

    Parameters
    ----------
    name : str
    kind : {'numeric', 'nominal', 'date'}
    values : ndarray
        float64; of a nominal column the codes into ``categories``, int32, -1 unknown.
    categories : tuple of str
    """

    name: str
    kind: str
    values: NDArray[Any]
    categories: tuple[str, ...] = ()

    def attribute(self) -> Attribute:
        """What the column is, for a schema."""
        return Attribute(self.name, self.kind, self.categories)  # type: ignore[arg-type]

    def as_attribute(self, wanted: Attribute) -> NDArray[Any]:
        """The values in the terms of a trained attribute; categories it does not know are unknown."""
        if wanted.is_nominal:
            if self.kind == "nominal":
                if self.categories == wanted.categories:
                    return self.values
                codes = np.array([*(wanted.code(c) for c in self.categories), -1], dtype=np.int32)
                matched: NDArray[np.int32] = codes[self.values]
                return matched
            if np.isnan(self.values).all():  # a column of unknowns has no kind of its own
                return np.full(len(self.values), -1, dtype=np.int32)
            raise DataError(f"column '{wanted.name}' was nominal in training, but holds numbers here")
        if self.kind == "nominal":
            if (self.values < 0).all():
                return np.full(len(self.values), np.nan)
            raise DataError(f"column '{wanted.name}' was numeric in training, but holds texts here")
        return self.values


def columns_of(table: Any) -> list[Column]:
    """The columns of a data frame (pandas, polars), or of an array of objects or texts."""
    if _module(table) == "polars":
        return [_polars(str(name), table.get_column(name)) for name in table.columns]
    if _module(table) == "pandas":
        return [_pandas(str(name), table.iloc[:, place]) for place, name in enumerate(table.columns)]
    return [_objects(f"x{place}", table[:, place], place) for place in range(table.shape[1])]


def is_frame(table: Any) -> bool:
    """Whether this is a data frame whose columns have kinds of their own."""
    return _module(table) in ("pandas", "polars") and hasattr(table, "columns")


def _module(thing: Any) -> str:
    return type(thing).__module__.partition(".")[0]


def _pandas(name: str, series: Any) -> Column:
    import pandas as pd

    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        codes = np.asarray(series.cat.codes, dtype=np.int32)
        return _nominal(name, codes, [str(category) for category in kind.categories])
    if pd.api.types.is_datetime64_any_dtype(kind):
        moments = (
            series.dt.tz_convert("UTC").dt.tz_localize(None)
            if getattr(kind, "tz", None) is not None
            else series
        )
        milliseconds = moments.to_numpy().astype("datetime64[ms]")
        return Column(name, "date", np.where(np.isnat(milliseconds), np.nan, milliseconds.astype(np.float64)))
    if pd.api.types.is_numeric_dtype(kind):  # truth values are numbers too, as in scikit-learn
        if getattr(kind, "kind", "f") == "c":
            raise ValueError(f"Complex data not supported: column '{name}'")
        return Column(name, "numeric", _finite(name, series.to_numpy(dtype=np.float64, na_value=np.nan)))
    if isinstance(kind, pd.StringDtype):
        codes, categories = pd.factorize(series, sort=True)
        return _nominal(name, codes.astype(np.int32), [str(c) for c in categories])
    if kind == np.object_:
        values = series.to_numpy(dtype=object, copy=True)
        values[pd.isna(values)] = None
        return _objects(name, values, name)
    raise TypeError(f"column '{name}' holds {kind}: argument must be a string or a number")


def _polars(name: str, series: Any) -> Column:
    import polars as pl

    kind = series.dtype
    if kind.is_numeric() or kind == pl.Boolean or kind == pl.Null:
        return Column(name, "numeric", _finite(name, series.cast(pl.Float64).fill_null(np.nan).to_numpy()))
    if kind.is_temporal():
        if kind not in (pl.Date, pl.Datetime):
            raise TypeError(f"column '{name}' holds {kind}: argument must be a string or a number")
        epoch = series.cast(pl.Datetime("ms")).cast(pl.Int64).cast(pl.Float64)
        return Column(name, "date", epoch.fill_null(np.nan).to_numpy().copy())
    if kind == pl.Enum:
        return _texts(name, series.cast(pl.String).to_list(), kind.categories.to_list())
    if kind in (pl.String, pl.Categorical):  # polars' categorical has no order of its own
        return _texts(name, series.cast(pl.String).to_list())
    raise TypeError(f"column '{name}' holds {kind}: argument must be a string or a number")


def _objects(name: str, values: NDArray[Any], place: Any) -> Column:
    """A column of Python objects: all numbers, or all texts; None and NaN are unknown."""
    listed = values.tolist()
    known = [v for v in listed if not (v is None or (isinstance(v, float) and v != v))]
    kinds = set(map(type, known))
    if kinds <= {str, np.str_}:
        if not known:
            return Column(name, "numeric", np.full(len(listed), np.nan))
        return _texts(name, [v if isinstance(v, str) else None for v in listed])
    if all(issubclass(kind, int | float | np.number | np.bool_) for kind in kinds):
        good = (float(v) if isinstance(v, int | float | np.number | np.bool_) else np.nan for v in listed)
        return Column(name, "numeric", _finite(name, np.fromiter(good, np.float64, len(listed))))
    odd = next(
        k
        for k in sorted(kinds, key=str)
        if not issubclass(k, str | int | float | np.number | np.bool_) or len(kinds) > 1
    )
    if kinds & {str, np.str_}:
        raise TypeError(
            f"column {place!r} holds texts and {odd.__name__}s: argument must be a string column or a number column"
        )
    raise TypeError(f"column {place!r} holds a {odd.__name__}: argument must be a string or a number")


def _texts(name: str, texts: Sequence[str | None], categories: list[str] | None = None) -> Column:
    if categories is None:
        categories = sorted({text for text in texts if text is not None})
    code_of = {category: code for code, category in enumerate(categories)}
    codes = np.fromiter((-1 if t is None else code_of[t] for t in texts), np.int32, len(texts))
    return _nominal(name, codes, categories)


def _nominal(name: str, codes: NDArray[np.int32], categories: list[str]) -> Column:
    if len(set(categories)) != len(categories):
        raise DataError(f"column '{name}' has two categories that are the same as text")
    return Column(name, "nominal", codes, tuple(categories))


def _finite(name: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    if np.isinf(values).any():
        raise ValueError(
            f"Input X contains infinity or a value too large for dtype('float64'): column '{name}'"
        )
    return values
