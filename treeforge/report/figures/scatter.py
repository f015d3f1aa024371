"""Algorithms in the plane of two measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treeforge.report.drawing import SLIM, SMALL, Drawing, text_width
from treeforge.report.figures.point_names import name_points
from treeforge.report.scale import around, tick_text

#: More points than this, in a slim or a wide picture, get numbers, with the names below.
MOST_NAMES_SLIM, MOST_NAMES = 7, 12


@dataclass(frozen=True)
class Dot:
    """An algorithm in the plane."""

    name: str
    x: float
    y: float
    series: int


def scatter(
    dots: Sequence[Dot], x_label: str, y_label: str, *, log: bool, width: float = 420.0, y_up: bool = True
) -> Drawing:
    """Algorithms by two measures, named directly or by a key; a line joins those that no other beats in both.

    ``x`` is better to the left; ``y`` better at the top when ``y_up``.
    """
    height = min(320.0, width * 0.8)
    log = log and all(d.x > 0 for d in dots)
    x = around([d.x for d in dots], 52, width - 12, log=log, margin=0.12)
    y = around([d.y for d in dots], height - 44, 30, margin=0.12)
    told = ", ".join(f"{d.name} ({d.x:.4g}, {d.y:.4g})" for d in dots)
    drawing = Drawing(width, height, f"{y_label} against {x_label}", f"{told}.")
    for tick in y.ticks(5):
        drawing.line((x.start, y(tick)), (x.stop, y(tick)), style="grid")
        drawing.label(x.start - 6, y(tick) + 4, tick_text(tick), "end", "tick")
    for tick in x.ticks(5 if width > 380 else 4):
        drawing.line((x(tick), y.start), (x(tick), y.start + 4))
        drawing.label(x(tick), y.start + 17, tick_text(tick), "middle", "tick")
    drawing.line((x.start, y.start), (x.stop, y.start))
    drawing.label(2, 14, y_label, style="tick")
    drawing.label(x.stop, height - 8, x_label + (", log scale" if log else ""), "end", "tick")
    front = unbeaten(dots, y_up)
    corners = [(x(d.x), y(d.y)) for d in sorted(front, key=lambda d: (d.x, d.y if y_up else -d.y))]
    if len(corners) > 1:
        drawing.line(*corners, style="front")
    for d in dots:
        drawing.marker(x(d.x), y(d.y), d.series)
    names = [d.name for d in dots]
    if len(dots) > (MOST_NAMES_SLIM if width < SLIM else MOST_NAMES):
        _key(drawing, dots)
        names = [str(i + 1) for i in range(len(dots))]
    points = [(x(d.x), y(d.y)) for d in dots]
    name_points(drawing, [(name, *point) for name, point in zip(names, points, strict=True)], points, x, y)
    return drawing


def _key(drawing: Drawing, dots: Sequence[Dot]) -> None:
    """Numbers and names below the picture, in as many columns as fit."""
    each = max(text_width(d.name, SMALL) for d in dots) + 44
    columns = max(1, min(len(dots), int((drawing.width - 4) / each)))
    rows = math.ceil(len(dots) / columns)
    top = drawing.height + 6
    for i, d in enumerate(dots):
        x, y = 4 + (i // rows) * drawing.width / columns, top + 16 * (i % rows + 1)
        drawing.label(x + 14, y, str(i + 1), "end", "tick")
        drawing.marker(x + 25, y - 4, d.series, 4)
        drawing.label(x + 34, y, d.name, style="tick", room=drawing.width / columns - 40)
    drawing.height = top + 16 * rows + 6


def unbeaten(dots: Sequence[Dot], y_up: bool = True) -> list[Dot]:
    """The points for which no other is at least as good in both measures and better in one."""
    sign = 1 if y_up else -1
    return [
        d
        for d in dots
        if not any(o.x <= d.x and sign * o.y >= sign * d.y and (o.x, o.y) != (d.x, d.y) for o in dots)
    ]
