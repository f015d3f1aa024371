"""A tree as a picture in SVG.

Branches are as thick as their part of the training cases, and leave a node side by side in that thickness;
leaves carry a bar of their classes. Colours only repeat what the text says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from treeforge.errors import ModelError
from treeforge.export.conditions import one_line
from treeforge.export.flat import single_tree
from treeforge.export.layout import BAR, GAP, Place, layout, short
from treeforge.export.nodes import Node, nodes
from treeforge.export.numbers import weka_weight
from treeforge.export.palette import colour

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
    drawn = layout(items, classes, thickness)
    placed, width, height = drawn.places, drawn.width, drawn.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tf-tree" role="img" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
        f"<title>{_text(one_line(name))}</title><desc>{_text(about)}</desc><style>{_STYLE}</style>",
        *_legend(drawn.legend),
    ]
    below = [p for p in placed.values() if p.node.parent >= 0]
    for place in sorted(below, key=lambda p: p.node.number not in muted):
        parts.append(_link(place, placed[place.node.parent], muted=place.node.number in muted))
    parts += [_drawn(p, classes, muted=p.node.number in muted) for p in placed.values()]
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _link(place: Place, above: Place, *, muted: bool) -> str:
    """A branch: from its slot at the end of the parent's text, bending, to the left of its own words."""
    (x0, y0), (bend, _), (x1, y1), (x2, y2), (x3, y3) = place.curve(above)
    looks = "tf-link tf-muted" if muted else "tf-link"
    return (
        f'<path class="{looks}" stroke="{colour(place.node.class_code)}" stroke-width="{place.thick:.1f}" '
        f'd="M{x0:.1f} {y0:.1f}H{bend:.1f}C{x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f} {x3:.1f} {y3:.1f}"/>'
    )


def _drawn(place: Place, classes: tuple[str, ...], *, muted: bool) -> str:
    """The words of a node; the full ones in its tooltip."""
    node, y = place.node, place.y + 4.5
    parts = [f"<g{_MUTED if muted else ''}><title>{_text(_tooltip(node, classes))}</title>"]
    if node.short:
        parts.append(
            f'<text class="tf-branch" text-anchor="end" x="{place.words_end:.1f}" y="{y:.1f}">'
            f"{_text(short(node.short))}</text>"
        )
    if not node.is_leaf:
        parts.append(f'<text class="tf-test" x="{place.x:.1f}" y="{y:.1f}">{_text(short(node.title))}</text>')
    else:
        parts += _bar(place)
        parts.append(
            f'<text x="{place.x + BAR + GAP:.1f}" y="{y:.1f}">{_text(short(node.title))} '
            f'<tspan class="tf-cases">({_text(node.cases)})</tspan></text>'
        )
    parts.append("</g>")
    return "".join(parts)


def _bar(place: Place) -> list[str]:
    """The classes of a leaf's training cases, side by side; an empty frame where there were none."""
    frame = f'y="{place.y - 6:.1f}" height="12"'
    parts = [
        f'<rect x="{x:.1f}" {frame} width="{width:.1f}" fill="{colour(code)}"/>'
        for code, x, width in place.bar()
    ]
    edge = colour(place.node.class_code)
    return parts or [f'<rect x="{place.x:.1f}" {frame} width="{BAR}" fill="none" stroke="{edge}"/>']


def _legend(names: Sequence[tuple[float, str]]) -> list[str]:
    """The colours of the classes, in a line above the tree."""
    parts = []
    for code, (x, label) in enumerate(names):
        parts.append(f'<rect x="{x:.1f}" y="10" width="12" height="12" fill="{colour(code)}"/>')
        parts.append(f'<text x="{x + 17:.1f}" y="20.5">{_text(label)}</text>')
    return parts


def _tooltip(node: Node, classes: tuple[str, ...]) -> str:
    lines = [node.branch] if node.branch else []
    lines.append(f"class {node.title}" if node.is_leaf else f"test of {node.title}")
    lines.append(f"{weka_weight(node.weight)} training cases")
    common = sorted(zip(node.distribution, classes, strict=True), key=lambda pair: -pair[0])[:5]
    lines += [f"{weka_weight(weight)} {one_line(name)}" for weight, name in common if weight > 0]
    return "\n".join(lines)


def _text(text: str) -> str:
    return escape(text, {'"': "&quot;"})
