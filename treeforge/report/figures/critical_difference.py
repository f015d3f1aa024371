"""Mean ranks on an axis, with a bar for each group of which no two differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from treeforge.compare import bars
from treeforge.report.drawing import SLIM, SMALL, Drawing, text_width
from treeforge.report.scale import Scale


def critical_difference(
    ranks: Mapping[str, float],
    groups: Sequence[tuple[str, ...]],
    width: float = 640.0,
    distance: float | None = None,
) -> Drawing:
    """Mean ranks on an axis, best on the left; a bar joins algorithms of which no two differ significantly.

    Every group is a bar at a height of its own where ranges touch, with a dot for each member: a bar may pass the
    rank of an algorithm that does not belong to it (case S08). Names stand on both sides of the axis; in a slim
    picture all stand on the right, worst first, so that no line crosses a name.

    Parameters
    ----------
    ranks : mapping
        Mean rank by algorithm.
    groups : sequence of tuple of str
        As ``Comparison.groups`` has them.
    distance : float, optional
        The critical difference itself, for tests that have one: drawn above the axis to its scale.
    """
    order = sorted(ranks, key=lambda a: ranks[a])
    best, worst = 1.0, float(max(len(order), 2))
    number = text_width("00.00", SMALL) + 8
    slim = width < SLIM
    if slim:
        left, right = [], order[::-1]
        scale = Scale(best, worst, 10, width * 0.6)
    else:
        half = math.ceil(len(order) / 2)
        left, right = order[:half], order[half:][::-1]
        columns = [
            min(width * 0.28, max((text_width(a) for a in names), default=0.0)) + number + 14
            for names in (left, right)
        ]
        scale = Scale(best, worst, columns[0], width - columns[1])
    laid = bars(groups, ranks, gap=14 * (worst - best) / (scale.stop - scale.start))
    axis, step, row = 30.0 if distance is None else 58.0, 12.0, 21.0
    first = axis + 34 + step * (1 + max((bar.level for bar in laid), default=-1))
    said = "; ".join(" = ".join(bar.members) for bar in laid)
    drawing = Drawing(
        width,
        first + row * max(len(left), len(right)) - 8,
        "Critical-difference diagram",
        "Mean ranks, 1 is best: "
        + ", ".join(f"{a} {ranks[a]:.2f}" for a in order)
        + (f". No difference found within: {said}." if said else ". All differ."),
    )
    drawing.line((scale.start, axis), (scale.stop, axis))
    for tick in range(1, int(worst) + 1, math.ceil(18 * (worst - best) / (scale.stop - scale.start))):
        drawing.line((scale(tick), axis - 5), (scale(tick), axis))
        drawing.label(scale(tick), axis - 9, f"{tick}", "middle", "tick")
    if distance is not None:
        start, stop = scale.start, min(scale(best + distance), width - 4)
        drawing.line((start, 19), (start, 25), (start, 22), (stop, 22), (stop, 19), (stop, 25))
        drawing.label(start, 13, f"critical difference {distance:.2f}", style="tick")
    for i, name in enumerate(left):
        x, y, end = scale(ranks[name]), first + row * i, scale.start - 10
        drawing.line((x, axis), (x, y), (end, y), style="leader")
        drawing.label(end - 4, y + 4, f"{ranks[name]:.2f}", "end", "tick")
        drawing.label(end - number, y + 4, name, "end", room=width * 0.28)
    for i, name in enumerate(right):
        x, y = scale(ranks[name]), first + row * i
        end = x + 10 if slim else scale.stop + 10
        drawing.line((x, axis), (x, y), (end, y), style="leader")
        drawing.label(end + 4, y + 4, f"{ranks[name]:.2f}", "start", "tick")
        drawing.label(end + number, y + 4, name, "start", room=width - end - number if slim else width * 0.28)
    for bar in laid:
        y = axis + 18 + step * bar.level
        drawing.line((scale(bar.start), y), (scale(bar.stop), y), style="bar")
        drawing.dots([(scale(ranks[m]), y) for m in bar.members], "member", 9)
    return drawing
