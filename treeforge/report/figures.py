"""The figures of a report, one function each: numbers in, a ``Drawing`` out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from treeforge.compare import bars
from treeforge.report.drawing import FONT, SMALL, Drawing, Label, Path, text_width
from treeforge.report.scale import Scale, around, tick_text

#: More folds than this are shown as a box, fewer as single dots.
MOST_DOTS = 30
#: Below this width a diagram is laid out for a phone.
SLIM = 400.0
#: More points than this, in a slim or a wide picture, get numbers, with the names below.
MOST_NAMES_SLIM, MOST_NAMES = 7, 12


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
    _name_points(drawing, [(name, *point) for name, point in zip(names, points, strict=True)], points, x, y)
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


def _name_points(
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


@dataclass(frozen=True)
class Tally:
    """Wins, ties and losses of an algorithm against the reference."""

    name: str
    wins: int
    ties: int
    losses: int
    mark: str = ""


def win_tie_loss(rows: Sequence[Tally], reference: str, width: float = 640.0) -> Drawing:
    """Bars of data sets won, tied and lost against one algorithm; ▲ ▼ mark significant differences."""
    told = "; ".join(f"{r.name} {r.wins}/{r.ties}/{r.losses}" for r in rows)
    drawn = [
        Bar(r.name, (r.wins, r.ties, r.losses), (str(r.wins), str(r.ties), str(r.losses)), r.mark)
        for r in rows
    ]
    return _three_parts(
        drawn, ("wins", "ties", "losses"), f"Wins, ties and losses against {reference}", f"{told}.", width
    )


def posterior(
    rows: Sequence[tuple[str, float, float, float]], reference: str, width: float = 640.0
) -> Drawing:
    """Bars of the probabilities that an algorithm is better than the reference, practically equal, or worse."""
    told = "; ".join(f"{name} {better:.3f}/{equal:.3f}/{worse:.3f}" for name, better, equal, worse in rows)
    drawn = [Bar(name, parts, tuple(f"{part:.2f}" for part in parts)) for name, *parts in rows]
    words = ("better", "practically equal", "worse")
    return _three_parts(drawn, words, f"Posterior probabilities against {reference}", f"{told}.", width)


@dataclass(frozen=True)
class Bar:
    """A bar of three parts with their texts."""

    name: str
    parts: Sequence[float]
    texts: Sequence[str]
    mark: str = ""


def _three_parts(rows: Sequence[Bar], words: Sequence[str], title: str, text: str, width: float) -> Drawing:
    column = (
        min(width * 0.34, max((text_width(r.name) + text_width(" ▲") + 2 for r in rows), default=0.0)) + 10
    )
    most = max((sum(r.parts) for r in rows), default=1) or 1
    drawing = Drawing(width, 30.0 + 24 * len(rows), title, text)
    styles = ("wins", "ties", "losses")
    x = column
    for style, word in zip(styles, words, strict=True):
        drawing.box(x, 6, 11, 11, style)
        drawing.label(x + 16, 16, word, style="tick")
        x += 16 + text_width(word, SMALL) + 14
    unit = (width - column - 4) / most
    for i, row in enumerate(rows):
        y = 28 + 24.0 * i
        mark = {"better": " ▲", "worse": " ▼", "": ""}[row.mark]
        drawing.label(
            column - 10 - text_width(mark), y + 14, row.name, "end", room=column - 10 - text_width(mark)
        )
        if mark:
            drawing.label(column - 10, y + 14, mark.strip(), "end", row.mark)
        x = column
        for style, part, shown in zip(styles, row.parts, row.texts, strict=True):
            if part:
                drawing.box(x, y, max(part * unit - 1, 1), 18, style)
                if part * unit > text_width(shown) + 2:
                    drawing.label(x + (part * unit - 1) / 2, y + 13.5, shown, "middle", f"on-{style}")
                x += part * unit
    return drawing


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
