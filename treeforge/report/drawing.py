"""A picture as shapes and text, drawn once and written as SVG or TikZ.

Coordinates are CSS pixels from the top left corner. A style is a word or two: ``axis``, ``bar``, ``series s3``; what
it looks like is said in ``templates/style.css`` for SVG, where it follows the page's theme, and in ``tikz.py``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

#: Size of text in figures; labels and ticks.
FONT = 12.0
SMALL = 11.0
#: Below this width a diagram is laid out for a phone.
SLIM = 400.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Path:
    """A line through points."""

    points: tuple[Point, ...]
    style: str


@dataclass(frozen=True)
class Dots:
    """Round dots of one size."""

    points: tuple[Point, ...]
    style: str
    size: float = 5.0


@dataclass(frozen=True)
class Marker:
    """One point of a series: the shape tells series apart without colour."""

    x: float
    y: float
    series: int
    size: float = 5.0


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    style: str


@dataclass(frozen=True)
class Label:
    """Text on a baseline; ``full`` is the whole text where it had to be cut."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = "label"
    full: str = ""

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom: about what the text covers."""
        size = SMALL if self.style == "tick" else FONT
        width = text_width(self.text, size)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, self.y - size * 0.8, left + width, self.y + size * 0.25


Shape = Path | Dots | Marker | Box | Label


@dataclass
class Drawing:
    """Shapes in the order in which they are painted; ``title`` and ``text`` say in words what is to be seen."""

    width: float
    height: float
    title: str
    text: str
    shapes: list[Shape] = field(default_factory=list)

    def line(self, *points: Point, style: str = "axis") -> None:
        self.shapes.append(Path(points, style))

    def dots(self, points: Sequence[Point], style: str, size: float = 5.0) -> None:
        self.shapes.append(Dots(tuple(points), style, size))

    def marker(self, x: float, y: float, series: int, size: float = 5.0) -> None:
        self.shapes.append(Marker(x, y, series, size))

    def box(self, x: float, y: float, width: float, height: float, style: str) -> None:
        self.shapes.append(Box(x, y, width, height, style))

    def label(
        self, x: float, y: float, text: str, anchor: str = "start", style: str = "label", room: float = 0.0
    ) -> None:
        """Text; cut in the middle where it is wider than ``room``."""
        shown = shorten(text, room, SMALL if style == "tick" else FONT) if room else text
        self.shapes.append(Label(x, y, shown, anchor, style, text if shown != text else ""))

    @property
    def labels(self) -> list[Label]:
        """All text in the picture."""
        return [shape for shape in self.shapes if isinstance(shape, Label)]


_NARROW = frozenset("iljtfrI.,:;'|!()[] /\\-")
_WIDE = frozenset("mwMWQ@%#&…")
_MIDDLE = frozenset("<>^~=+−")


def text_width(text: str, size: float = FONT) -> float:
    """An upper estimate of the width in the sans-serif fonts that readers have; DejaVu Sans is the widest of them."""
    units = 0.0
    for c in text:
        if c in _NARROW:
            units += 0.41
        elif c in _WIDE:
            units += 0.98
        elif unicodedata.east_asian_width(c) in "WF":
            units += 1.25
        elif unicodedata.combining(c):
            continue
        else:
            units += 0.84 if c in _MIDDLE else 0.75 if c.isupper() else 0.64
    return units * size


def shorten(text: str, room: float, size: float = FONT) -> str:
    """The text, or its beginning and its end: names of a family often differ at the end."""
    if len(text) < 3 or text_width(text, size) <= room + 0.01:
        return text
    for keep in range(len(text) - 1, 1, -1):
        head, tail = keep - keep // 3, keep // 3
        short = text[:head].rstrip() + "…" + text[len(text) - tail :].lstrip()
        if text_width(short, size) <= room:
            return short
    return text[:1] + "…"


def _n(value: float) -> str:
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def svg(drawing: Drawing, identity: str, css: str = "") -> str:
    """An ``<svg>`` element; ``identity`` makes its ids unique on a page, ``css`` is a class of the element."""
    parts = [
        f'<svg class="figure {css}" viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}" '
        f'width="{_n(drawing.width)}" height="{_n(drawing.height)}" role="img" '
        f'aria-labelledby="{identity}-t {identity}-d" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{identity}-t">{escape(drawing.title)}</title>'
        f'<desc id="{identity}-d">{escape(drawing.text)}</desc>'
    ]
    parts += [_svg_shape(shape) for shape in drawing.shapes]
    return "".join(parts) + "</svg>"


def _svg_shape(shape: Shape) -> str:
    if isinstance(shape, Path):
        points = "L".join(f"{_n(x)} {_n(y)}" for x, y in shape.points)
        return f'<path class="{shape.style}" d="M{points}"/>'
    if isinstance(shape, Dots):  # round caps of lines without length: a third of the bytes of circles
        points = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in shape.points)
        return f'<path class="dots {shape.style}" stroke-width="{_n(shape.size)}" d="{points}"/>'
    if isinstance(shape, Marker):
        outline = "L".join(f"{_n(x)} {_n(y)}" for x, y in marker_outline(shape))
        if not outline:
            place = f'cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.size)}"'
            return f'<circle class="marker s{shape.series % 8}" {place}/>'
        return f'<path class="marker s{shape.series % 8}" d="M{outline}Z"/>'
    if isinstance(shape, Box):
        return (
            f'<rect class="{shape.style}" x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" '
            f'height="{_n(shape.height)}"/>'
        )
    title = f"<title>{escape(shape.full)}</title>" if shape.full else ""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    return f'<text class="{shape.style}" x="{_n(shape.x)}" y="{_n(shape.y)}"{anchor}>{escape(shape.text)}{title}</text>'


def marker_outline(marker: Marker) -> list[Point]:
    """The corners of a series' shape; none is a circle."""
    x, y, r = marker.x, marker.y, marker.size
    s = r * 0.9
    shapes: list[list[Point]] = [
        [],
        [(x - s, y - s), (x + s, y - s), (x + s, y + s), (x - s, y + s)],
        [(x, y - r * 1.2), (x + r * 1.1, y + r * 0.8), (x - r * 1.1, y + r * 0.8)],
        [(x, y - r * 1.3), (x + r * 1.3, y), (x, y + r * 1.3), (x - r * 1.3, y)],
        [(x, y + r * 1.2), (x + r * 1.1, y - r * 0.8), (x - r * 1.1, y - r * 0.8)],
    ]
    return shapes[marker.series % len(shapes)]
