"""What is in a dataset, in a few numbers an attribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data.cells import date_texts
from treeforge.data.dataset import Dataset
from treeforge.data.dates import DEFAULT_FORMAT, date_format
from treeforge.data.schema import Attribute

_SHOWN = 6  # categories


@dataclass(frozen=True)
class AttributeSummary:
    """One attribute. Weights of cases are not counted: these are numbers of rows.

    Parameters
    ----------
    name, kind : str
    unknown : int
        Rows without a value.
    distinct : int
        Different values that occur.
    low, mean, high, deviation, skewness : float or None
        Of a numeric attribute with a known value; the last two need different ones. Deviation is that of a sample.
    counts : tuple of (str, int)
        Rows of each declared category of a nominal attribute.
    """

    name: str
    kind: str
    unknown: int
    distinct: int
    low: float | None = None
    mean: float | None = None
    high: float | None = None
    deviation: float | None = None
    skewness: float | None = None
    counts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Summary:
    """A dataset; see ``AttributeSummary``. ``weight`` is the sum of the case weights, None when all are 1."""

    name: str
    relation: str
    rows: int
    weight: float | None
    class_name: str | None
    attributes: tuple[AttributeSummary, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = asdict(self)
        for attribute in found["attributes"]:
            attribute["counts"] = dict(attribute["counts"])
        return found


def summarize(dataset: Dataset) -> Summary:
    """Count and measure every attribute."""
    schema = dataset.schema
    attributes = tuple(map(_attribute, schema.attributes, dataset.columns))
    weight = None if dataset.weights is None else float(dataset.weights.sum())
    class_name = None if schema.class_index is None else schema.class_attribute.name
    return Summary(dataset.name, schema.relation, dataset.n_rows, weight, class_name, attributes)


def _attribute(attribute: Attribute, column: NDArray[Any]) -> AttributeSummary:
    if attribute.is_nominal:
        numbers = np.bincount(column[column >= 0], minlength=len(attribute.categories)).tolist()
        counts = tuple(zip(attribute.categories, numbers, strict=True))
        unknown = len(column) - sum(numbers)
        return AttributeSummary(
            attribute.name, "nominal", unknown, sum(n > 0 for n in numbers), counts=counts
        )
    if not attribute.is_numeric:
        known = [text for text in column if text is not None]
        return AttributeSummary(attribute.name, "string", len(column) - len(known), len(set(known)))
    values = column[~np.isnan(column)]
    unknown, distinct = len(column) - len(values), len(np.unique(values))
    if not len(values):
        return AttributeSummary(attribute.name, attribute.kind, unknown, distinct)
    low, high = float(values.min()), float(values.max())
    deviation = skewness = mean = None
    if np.isfinite(values).all():
        scale = max(abs(low), abs(high)) or 1.0  # powers of huge values would overflow
        scaled = values / scale
        middle = scaled.mean()
        mean = float(middle * scale)
        if distinct > 1:
            spread = scaled.std()
            deviation = float(scaled.std(ddof=1) * scale)
            skewness = float((((scaled - middle) / spread) ** 3).mean()) if spread > 0 else None
    return AttributeSummary(
        attribute.name, attribute.kind, unknown, distinct, low, mean, high, deviation, skewness
    )


def summary_lines(dataset: Dataset) -> Iterator[str]:
    """The summary as lines of text."""
    summary = summarize(dataset)
    n_inputs = len(dataset.schema.inputs)
    kinds = [attribute.kind for attribute in dataset.schema.inputs]
    of_kinds = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    weight = "" if summary.weight is None else f" of total weight {summary.weight:.6g}"
    n_unknown = sum(attribute.unknown for attribute in summary.attributes)
    yield f"{summary.name}: {summary.rows} rows{weight}, {n_inputs} inputs ({of_kinds}), {n_unknown} unknown values"
    table = [
        ("", "attribute", "kind", "unknown", "distinct", "low", "mean", "high", "skewness", "categories")
    ]
    for place, (found, attribute) in enumerate(
        zip(summary.attributes, dataset.schema.attributes, strict=True)
    ):
        mark = "*" if place == dataset.schema.class_index else ""
        share = f"{found.unknown} ({found.unknown / summary.rows:.0%})" if found.unknown else "0"
        low, mean, high = _measures(found, attribute)
        skewness = "" if found.skewness is None else f"{found.skewness:.2f}"
        counts = "text: no tree can test it" if found.kind == "string" else _counts(found.counts)
        kind, distinct = found.kind, str(found.distinct)
        table.append((mark, _clipped(found.name), kind, share, distinct, low, mean, high, skewness, counts))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [
            cell.ljust(width) if place in (0, 1, 2, 9) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
    if summary.class_name is not None:
        yield "* the class"


def _measures(found: AttributeSummary, attribute: Attribute) -> list[str]:
    """Low, mean and high in words."""
    values = (found.low, found.mean, found.high)
    if attribute.kind == "date":
        write = date_format(attribute.date_format or DEFAULT_FORMAT).format
        return date_texts(np.array([np.nan if value is None else value for value in values]), "", write)
    return ["" if value is None else f"{value:.6g}" for value in values]


def _counts(counts: tuple[tuple[str, int], ...]) -> str:
    """The most frequent categories first; declared ones without a row are counted."""
    ordered = sorted((pair for pair in counts if pair[1]), key=lambda pair: -pair[1])
    text = ", ".join(f"{_clipped(category)} {n}" for category, n in ordered[:_SHOWN])
    if len(ordered) > _SHOWN:
        text += f", {len(ordered) - _SHOWN} more"
    n_empty = len(counts) - len(ordered)
    return text + (f" ({n_empty} declared, but in no row)" if n_empty else "")


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 32 else text[:29] + "..."
