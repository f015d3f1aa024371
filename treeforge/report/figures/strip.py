"""The folds of one data set, a row for each algorithm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treeforge.report.drawing import SMALL, Drawing, text_width
from treeforge.report.scale import Scale, around, tick_text

#: More folds than this are shown as a box, fewer as single dots.
MOST_DOTS = 30


@dataclass(frozen=True)
class StripRow:
    """One algorithm's folds on one data set; ``note`` stands where there are none."""

    name: str
    values: tuple[float, ...]
    mean: float | None
    quartiles: tuple[float, ...] = ()
    note: str = ""


def strip(title: str, rows: Sequence[StripRow], width: float = 300.0) -> Drawing:
    """Folds of one data set: a dot each and a line at the mean; of more than ``MOST_DOTS`` a box, a dot at the mean."""
    values = [v for row in rows for v in row.values]
    column = min(width * 0.36, max((text_width(r.name, SMALL) for r in rows), default=0.0)) + 8
    height = 20.0 * len(rows) + 24
    told = "; ".join(
        f"{r.name}: " + (f"mean {r.mean:.4g} of {len(r.values)}" if r.mean is not None else r.note)
        for r in rows
    )
    drawing = Drawing(width, height, title, f"{told}.")
    scale = around(values, column, width - 10) if values else Scale(0.0, 1.0, column, width - 10)
    bottom = height - 20
    if values:
        for tick in scale.ticks(4):
            drawing.line((scale(tick), 2), (scale(tick), bottom), style="grid")
            drawing.label(scale(tick), height - 6, tick_text(tick), "middle", "tick")
    for i, row in enumerate(rows):
        y = 12 + 20.0 * i
        drawing.label(column - 8, y + 4, row.name, "end", "tick", room=column - 8)
        if not row.values:
            drawing.label(column + 4, y + 4, row.note, style="note")
            continue
        if len(row.values) > MOST_DOTS:
            low, q1, q2, q3, high = (scale(v) for v in row.quartiles)
            drawing.line((low, y), (high, y), style=f"whisker s{i % 8}")
            drawing.box(q1, y - 5, max(q3 - q1, 1), 10, f"quartiles s{i % 8}")
            drawing.line((q2, y - 5), (q2, y + 5), style="median")
        else:
            drawing.dots(swarm([scale(v) for v in row.values], y), f"s{i % 8}", 5)
        if row.mean is not None and len(row.values) > MOST_DOTS:
            drawing.dots([(scale(row.mean), y)], "member", 5)
        elif row.mean is not None:
            drawing.line((scale(row.mean), y - 8), (scale(row.mean), y + 8), style="mean")
    return drawing


def swarm(places: Sequence[float], y: float, size: float = 4.0, levels: int = 5) -> list[tuple[float, float]]:
    """Dots on a line, moved up and down where they would hide one another."""
    last = [-math.inf] * levels
    offsets = [0.0, -1.0, 1.0, -2.0, 2.0]
    found = []
    for x in sorted(places):
        level = next(
            (i for i in range(levels) if x - last[i] >= size), min(range(levels), key=last.__getitem__)
        )
        last[level] = x
        found.append((x, y + offsets[level] * 3.2))
    return found
