"""Names beside the points of a picture, where nothing is in the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from treeforge.report.drawing import Drawing, Label, Path
from treeforge.report.scale import Scale


def name_points(
    drawing: Drawing,
    named: Sequence[tuple[str, float, float]],
    points: Sequence[tuple[float, float]],
    x: Scale,
    y: Scale,
) -> None:
    """Labels beside their points where nothing is in the way, else further off with a line to the point."""
    taken = [(px - 6, py - 6, px + 6, py + 6) for px, py in points]
    for path in (shape for shape in drawing.shapes if isinstance(shape, Path) and shape.style == "front"):
        taken += [(px - 1, py - 1, px + 1, py + 1) for px, py in _along(path.points)]
    names: list[tuple[float, float, float, float]] = []
    for name, px, py in named:
        best: tuple[float, Label, bool] | None = None
        for radius in (9.0, 18.0, 30.0, 44.0, 60.0):
            for dx, dy in (
                (1, 0),
                (-1, 0),
                (0, -1),
                (0, 1),
                (0.8, -0.8),
                (0.8, 0.8),
                (-0.8, -0.8),
                (-0.8, 0.8),
            ):
                anchor = "middle" if dx == 0 else "start" if dx > 0 else "end"
                label = Label(px + dx * radius, py + dy * radius * 1.2 + 4, name, anchor)
                left, top, right, bottom = label.extent
                outside = left < x.start + 1 or right > drawing.width - 2 or top < 18 or bottom > y.start - 1
                clash = sum(_common((left, top, right, bottom), other) for other in taken) + outside * 1e6
                if radius > 10:  # its line to the point must not run through another name
                    line = _along([(px, py), _nearest(label, px, py)])
                    clash += sum(a < x < c and b < y < d for x, y in line for a, b, c, d in names)
                if best is None or clash < best[0]:
                    best = (clash, label, radius > 10)
            if best is not None and best[0] == 0:
                break
        assert best is not None
        _, label, far = best
        if far:
            near = _nearest(label, px, py)
            drawing.line((px, py), near, style="leader")
            taken += [(x - 1, y - 1, x + 1, y + 1) for x, y in _along([(px, py), near])]
        drawing.shapes.append(label)
        taken.append(label.extent)
        names.append(label.extent)


def _nearest(label: Label, x: float, y: float) -> tuple[float, float]:
    """The place on a label's edge that a line from a point ends at."""
    left, top, right, bottom = label.extent
    return min(max(x, left), right), min(max(y, top), bottom)


def _along(points: Sequence[tuple[float, float]], step: float = 3.0) -> list[tuple[float, float]]:
    """Points on a line, close enough that no text slips between."""
    found = []
    for (x0, y0), (x1, y1) in pairwise(points):
        count = max(1, round(math.hypot(x1 - x0, y1 - y0) / step))
        found += [(x0 + (x1 - x0) * i / count, y0 + (y1 - y0) * i / count) for i in range(count + 1)]
    return found


def _common(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """The area that two rectangles share."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
