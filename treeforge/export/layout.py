"""Where the nodes of a tree stand in a picture: a row for each leaf, a column for each level, from left to right.

Lengths are pixels of 1/96 inch. Rows never meet and text is never turned, so 3 leaves and 300 read alike: a large tree
is a long picture.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from treeforge.export.conditions import one_line
from treeforge.export.nodes import Node

ROW = 24  # height of a leaf's row
FONT = 13
SMALL = 11  # font of the cases
TOP = 24  # height of the legend
BAR = 46  # width of a leaf's bar
GAP = 8  # between things that stand side by side
_LEGEND = 8  # as many classes as there are colours
_THICKEST = 20.0
_CURVE = 44  # width of the strip in which branches bend
_LONGEST = 36  # characters of a name; the rest is in the tooltip


@dataclass
class Place:
    """Where a node stands: left edge, middle height, how thick its branch is, where its text ends."""

    node: Node
    x: float = 0.0
    y: float = 0.0
    end: float = 0.0
    thick: float = 0.0
    bundle: float = 0.0  # thickness of all its branches together
    slot: float = 0.0  # where its branch leaves the parent: height above or below the parent's middle
    first: float = 0.0  # heights of its first and last child
    last: float = 0.0

    @property
    def words_end(self) -> float:
        """Right edge of the branch's words, which stand before the node's own."""
        return self.x - GAP

    def curve(self, above: Place) -> tuple[tuple[float, float], ...]:
        """The branch from the node above, to the left of its own words: start, bend, two handles, end."""
        start, stop = above.end + 4, self.x - 15 - text_width(short(self.node.short), FONT)
        bend = stop - _CURVE + 10
        middle, y0 = (bend + stop) / 2, above.y + self.slot
        return (start, y0), (bend, y0), (middle, y0), (middle, self.y), (stop, self.y)

    def bar(self) -> Iterator[tuple[int, float, float]]:
        """The classes of a leaf's training cases, side by side, its own first: class, left edge, width."""
        node, x = self.node, self.x
        if node.weight < 1e-6:
            return
        for code in sorted(range(len(node.distribution)), key=lambda c: (c != node.class_code, c)):
            width = BAR * node.distribution[code] / node.weight
            if width > 0:
                yield code, x, width
                x += width


@dataclass(frozen=True)
class Layout:
    """All places by number of the node, the legend, and the size of the picture."""

    places: dict[int, Place]
    legend: list[tuple[float, str]]  # left edge and name of each class; empty where there are too many
    width: float
    height: float


def layout(
    items: Sequence[Node], classes: Sequence[str], thickness: Mapping[int, float] | None = None
) -> Layout:
    """Places of nodes that come each after its parent; ``thickness`` as of ``svg.drawing``."""
    places = _placed(items, thickness)
    legend, x = [], 12.0
    for name in classes if len(classes) <= _LEGEND else ():
        legend.append((x, short(one_line(name))))
        x += 34 + text_width(legend[-1][1], FONT)
    width = max(x if legend else 0.0, *(place.end for place in places.values())) + 12
    n_leaves = sum(place.node.is_leaf for place in places.values())
    return Layout(places, legend, width, TOP + (n_leaves + 1) * ROW)


def _placed(items: Sequence[Node], thickness: Mapping[int, float] | None) -> dict[int, Place]:
    """Columns as wide as their longest texts; leaves one below the other; a test in the middle of its branches."""
    placed = {node.number: Place(node) for node in items}
    total = max(items[0].weight, 1e-300)
    parts = thickness or {node.number: node.weight / total for node in items}
    before: dict[int, float] = {}  # level -> widest branch text
    widths: dict[int, float] = {}
    for place in placed.values():
        node = place.node
        before[node.level] = max(
            before.get(node.level, 0.0), text_width(short(node.short), FONT) + 14 * bool(node.short)
        )
        widths[node.level] = max(widths.get(node.level, 0.0), _own_width(node))
        place.thick = max(1.0, _THICKEST * parts[node.number])
    lefts = {0: 12.0}
    for level in range(1, len(before)):
        lefts[level] = lefts[level - 1] + before[level - 1] + widths[level - 1] + _CURVE
    row = 0
    for place in placed.values():
        node = place.node
        place.x = lefts[node.level]
        place.end = place.x + before[node.level] + _own_width(node)
        if node.is_leaf:
            row += 1
            place.y = TOP + row * ROW
    for place in reversed(placed.values()):  # children come after their parent
        if not place.node.is_leaf:
            place.y = (place.first + place.last) / 2
        if place.node.parent >= 0:
            above = placed[place.node.parent]
            above.first = place.y
            above.last = above.last or place.y
            above.bundle += place.thick
    left: dict[int, float] = {}  # thickness of the branches that have left a node so far, top down
    for place in placed.values():
        place.x += before[place.node.level]  # where its own text starts; the branch text stands before it
        if place.node.parent >= 0:
            above = placed[place.node.parent]
            gone = left.get(place.node.parent, 0.0)
            left[place.node.parent] = gone + place.thick
            squeezed = min(1.0, ROW / above.bundle)  # many thin branches leave on top of one another
            place.slot = (gone + place.thick / 2 - above.bundle / 2) * squeezed
    return placed


def _own_width(node: Node) -> float:
    if node.is_leaf:
        return BAR + GAP + text_width(short(node.title), FONT) + GAP + text_width(f"({node.cases})", SMALL)
    return text_width(short(node.title), FONT) * 1.08 + 4  # in bold


def short(text: str) -> str:
    """A name, cut where it is too long for a picture."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def text_width(text: str, size: float) -> float:
    """Width of a text, estimated: wide and narrow letters by kind."""
    units = 0.0
    for char in text:
        if unicodedata.east_asian_width(char) in "WF":
            units += 1.1
        elif char in "il.,:;|!'()[]{}/ ftjI":
            units += 0.40
        elif char.isupper() or char in "mwMW%@<>=+—…":
            units += 0.86
        else:
            units += 0.64
    return units * size
