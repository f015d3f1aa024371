"""Means by the level of one factor, a line for each choice of the others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from treeforge.report.drawing import FONT, Drawing, text_width
from treeforge.report.scale import around, tick_text


def interaction(
    levels: Sequence[str],
    lines: Sequence[tuple[str, Mapping[str, float]]],
    y_label: str,
    width: float = 480.0,
) -> Drawing:
    """Means by the level of one factor, a line for each choice of the others; crossing lines are an interaction."""
    values = [v for _, means in lines for v in means.values()]
    names = max((text_width(name) for name, _ in lines), default=0.0)
    column = min(width * 0.34, names) + 16
    height = 240.0
    right = width - column
    step = (right - 60) / max(len(levels) - 1, 1)
    places = {
        level: 60 + step * i + (step * 0.5 if len(levels) == 1 else 0) for i, level in enumerate(levels)
    }
    y = around(values, height - 40, 28, margin=0.1)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{lv} {m:.4g}" for lv, m in means.items()) for name, means in lines
    )
    drawing = Drawing(width, height, f"{y_label} by level", f"{told}.")
    drawing.label(2, 14, y_label, style="tick")
    for tick in y.ticks(5):
        drawing.line((46, y(tick)), (right + 4, y(tick)), style="grid")
        drawing.label(42, y(tick) + 4, tick_text(tick), "end", "tick")
    for level, x in places.items():
        drawing.label(x, height - 16, level, "middle", room=max(step - 6, 60))
    ends: list[tuple[float, str, int]] = []
    for i, (name, means) in enumerate(lines):
        points = [(places[level], y(means[level])) for level in levels if level in means]
        if len(points) > 1:
            drawing.line(*points, style=f"series s{i % 8}")
        for px, py in points:
            drawing.marker(px, py, i, 4.5)
        if points:
            ends.append((points[-1][1], name, i))
    floor = -math.inf
    for py, name, i in sorted(ends):  # names at the lines' right ends, pushed apart
        floor = max(floor + FONT + 3, py + 4)
        drawing.label(right + 10, floor, name, style=f"label t{i % 8}", room=column - 12)
    drawing.height = max(drawing.height, floor + 8)
    return drawing
