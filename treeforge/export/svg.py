"""A tree as a picture in SVG, drawn from left to right: a row for each leaf, a column for each level.

Rows never meet and text is never turned, so 3 leaves and 300 read alike: a large tree is a long picture.
Branches are as thick as their part of the training cases, and leave a node side by side in that thickness;
leaves carry a bar of their classes. Colours only repeat what the text says.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from treeforge.errors import ModelError
from treeforge.export.conditions import one_line
from treeforge.export.flat import single_tree
from treeforge.export.nodes import Node, nodes
from treeforge.export.numbers import weka_weight
from treeforge.export.palette import colour

_ROW = 24  # height of a leaf's row
_FONT = 13
_TOP = 24  # height of the legend
_LEGEND = 8  # as many classes as there are colours
_THICKEST = 20.0
_CURVE = 44  # width of the strip in which branches bend
_BAR = 46  # width of a leaf's bar
_LONGEST = 36  # characters of a name; the rest is in the tooltip

_MUTED = ' class="tf-muted"'
_STYLE = (
    ".tf-tree{background:#fff;font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;font-size:13px}"
    ".tf-tree text{fill:#1b1b1b;stroke:none}.tf-tree .tf-branch{fill:#555}.tf-tree .tf-test{font-weight:600}"
    ".tf-tree .tf-cases{fill:#666;font-size:11px}.tf-tree .tf-link{fill:none;stroke-opacity:.45}"
    ".tf-tree .tf-halo{stroke:#fff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}"
    ".tf-tree .tf-muted{opacity:.35}"
    "@media (prefers-color-scheme:dark){.tf-tree{background:#16181c}.tf-tree text{fill:#eee}"
    ".tf-tree .tf-branch{fill:#bbb}.tf-tree .tf-cases{fill:#aaa}.tf-tree .tf-halo{stroke:#16181c}"
    ".tf-tree .tf-link{stroke-opacity:.6}}"
)


@dataclass
class _Place:
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


def to_svg(model: Any, schema: Any = None, *, title: str = "", max_leaves: int | None = None) -> str:
    """The picture as text; it may stand in a file of its own or within a page.

    Parameters
    ----------
    title : str
        What screen readers call the picture.
    max_leaves : int, optional
        Refuse larger trees instead of drawing a picture that nobody would look at.
    """
    found = single_tree(model, schema, "SVG", soft=True)
    tree = found.tree
    if max_leaves is not None and tree.n_leaves > max_leaves:
        raise ModelError(
            f"the tree has {tree.n_leaves} leaves, more than the {max_leaves} that were to be drawn"
        )
    name = title or f"Decision tree for {found.schema.class_attribute.name}"
    about = (
        f"{tree.n_leaves} leaves, {tree.n_nodes} nodes, {weka_weight(float(tree.weight[0]))} training cases."
    )
    return drawing(list(nodes(tree, found.schema, found.bounds)), found.classes, name, about)


def drawing(
    items: Sequence[Node],
    classes: tuple[str, ...],
    name: str,
    about: str,
    *,
    thickness: Mapping[int, float] | None = None,
    muted: frozenset[int] = frozenset(),
) -> str:
    """A picture of nodes, each after its parent.

    Parameters
    ----------
    items : sequence of Node
        The first is the root; the parents of all others are among them.
    name, about : str
        What screen readers say of the picture.
    thickness : mapping of int to float, optional
        How thick the branch to a node is, 1 at most; unless given, its part of the root's training cases.
    muted : set of int
        Nodes that are drawn in the background.
    """
    placed = _placed(items, thickness)
    legend, legend_end = _legend(classes) if len(classes) <= _LEGEND else ([], 0.0)
    width = max(legend_end, *(p.end for p in placed.values())) + 12
    height = _TOP + (sum(p.node.is_leaf for p in placed.values()) + 1) * _ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tf-tree" role="img" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
        f"<title>{_text(one_line(name))}</title><desc>{_text(about)}</desc><style>{_STYLE}</style>",
        *legend,
    ]
    below = [p for p in placed.values() if p.node.parent >= 0]
    for place in sorted(below, key=lambda p: p.node.number not in muted):
        parts.append(_link(place, placed[place.node.parent], muted=place.node.number in muted))
    parts += [_drawn(p, classes, muted=p.node.number in muted) for p in placed.values()]
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _placed(items: Sequence[Node], thickness: Mapping[int, float] | None) -> dict[int, _Place]:
    """Columns as wide as their longest texts; leaves one below the other; a test in the middle of its branches."""
    placed = {node.number: _Place(node) for node in items}
    total = max(items[0].weight, 1e-300)
    parts = thickness or {node.number: node.weight / total for node in items}
    before: dict[int, float] = {}  # level -> widest branch text
    widths: dict[int, float] = {}
    for place in placed.values():
        node = place.node
        before[node.level] = max(
            before.get(node.level, 0.0), _width(_short(node.short), _FONT) + 14 * bool(node.short)
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
            place.y = _TOP + row * _ROW
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
            squeezed = min(1.0, _ROW / above.bundle)  # many thin branches leave on top of one another
            place.slot = (gone + place.thick / 2 - above.bundle / 2) * squeezed
    return placed


def _own_width(node: Node) -> float:
    if node.is_leaf:
        return _BAR + 8 + _width(_short(node.title), _FONT) + 8 + _width(f"({node.cases})", 11)
    return _width(_short(node.title), _FONT) * 1.08 + 4  # in bold


def _link(place: _Place, above: _Place, *, muted: bool) -> str:
    """A branch: from its slot at the end of the parent's text, bending, to the left of its own words."""
    node = place.node
    start, stop = above.end + 4, place.x - 15 - _width(_short(node.short), _FONT)
    bend = stop - _CURVE + 10
    y0, y1 = above.y + place.slot, place.y
    middle = (bend + stop) / 2
    looks = "tf-link tf-muted" if muted else "tf-link"
    return (
        f'<path class="{looks}" stroke="{colour(node.class_code)}" stroke-width="{place.thick:.1f}" '
        f'd="M{start:.1f} {y0:.1f}H{bend:.1f}C{middle:.1f} {y0:.1f} {middle:.1f} {y1:.1f} {stop:.1f} {y1:.1f}"/>'
    )


def _drawn(place: _Place, classes: tuple[str, ...], *, muted: bool) -> str:
    """The words of a node; the full ones in its tooltip."""
    node, y = place.node, place.y + 4.5
    parts = [f"<g{_MUTED if muted else ''}><title>{_text(_tooltip(node, classes))}</title>"]
    if node.short:
        parts.append(
            f'<text class="tf-branch" text-anchor="end" x="{place.x - 8:.1f}" y="{y:.1f}">'
            f"{_text(_short(node.short))}</text>"
        )
    if not node.is_leaf:
        parts.append(
            f'<text class="tf-test" x="{place.x:.1f}" y="{y:.1f}">{_text(_short(node.title))}</text>'
        )
    else:
        parts += _bar(place)
        parts.append(
            f'<text x="{place.x + _BAR + 8:.1f}" y="{y:.1f}">{_text(_short(node.title))} '
            f'<tspan class="tf-cases">({_text(node.cases)})</tspan></text>'
        )
    parts.append("</g>")
    return "".join(parts)


def _bar(place: _Place) -> list[str]:
    """The classes of a leaf's training cases, side by side; an empty frame where there were none."""
    node, x = place.node, place.x
    frame = f'y="{place.y - 6:.1f}" height="12"'
    if node.weight < 1e-6:
        return [f'<rect x="{x:.1f}" {frame} width="{_BAR}" fill="none" stroke="{colour(node.class_code)}"/>']
    parts = []
    order = sorted(range(len(node.distribution)), key=lambda c: (c != node.class_code, c))
    for code in order:
        width = _BAR * node.distribution[code] / node.weight
        if width > 0:
            parts.append(f'<rect x="{x:.1f}" {frame} width="{width:.1f}" fill="{colour(code)}"/>')
            x += width
    return parts


def _legend(classes: tuple[str, ...]) -> tuple[list[str], float]:
    """The colours of the classes, in a line above the tree, and where the line ends."""
    parts, x = [], 12.0
    for code, name in enumerate(classes):
        label = _short(one_line(name))
        parts.append(f'<rect x="{x:.1f}" y="10" width="12" height="12" fill="{colour(code)}"/>')
        parts.append(f'<text x="{x + 17:.1f}" y="20.5">{_text(label)}</text>')
        x += 34 + _width(label, _FONT)
    return parts, x


def _tooltip(node: Node, classes: tuple[str, ...]) -> str:
    lines = [node.branch] if node.branch else []
    lines.append(f"class {node.title}" if node.is_leaf else f"test of {node.title}")
    lines.append(f"{weka_weight(node.weight)} training cases")
    common = sorted(zip(node.distribution, classes, strict=True), key=lambda pair: -pair[0])[:5]
    lines += [f"{weka_weight(weight)} {one_line(name)}" for weight, name in common if weight > 0]
    return "\n".join(lines)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _width(text: str, size: float) -> float:
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


def _text(text: str) -> str:
    return escape(text, {'"': "&quot;"})
