"""A tree drawn with matplotlib, as the SVG is drawn: the same places, widths and colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treeforge.errors import ModelError
from treeforge.export.flat import single_tree
from treeforge.export.layout import BAR, FONT, GAP, SMALL, Layout, Place, layout, short
from treeforge.export.nodes import nodes
from treeforge.export.palette import colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: matplotlib draws no picture of more than 2^16 pixels a side.
MOST_LEAVES = 2000
_INCH = 96.0  # pixels of the layout
_INK, _BRANCH, _CASES = "#1b1b1b", "#555555", "#666666"


def plot(model: Any, schema: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw a tree; the package ``matplotlib`` is needed (``pip install 'treeforge[plot]'``).

    Parameters
    ----------
    ax : Axes, optional
        Where to draw: the picture is made to fit. Without it a figure is made in which the letters have the size that
        they have in the SVG.

    Returns
    -------
    Axes

    Raises
    ------
    ModelError
        Without the package; for several trees; for more than 2000 leaves.
    """
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ModelError(
            "trees are plotted by the package 'matplotlib', which is not installed: pip install 'treeforge[plot]'; "
            "to_svg needs no package"
        ) from None
    found = single_tree(model, schema, "a plot", soft=True)
    if found.tree.n_leaves > MOST_LEAVES:
        raise ModelError(
            f"the tree has {found.tree.n_leaves} leaves, and matplotlib draws {MOST_LEAVES} at most: use to_svg"
        )
    drawn = layout(list(nodes(found.tree, found.schema, found.bounds)), found.classes)
    if ax is None:
        figure = pyplot.figure(figsize=(drawn.width / _INCH, drawn.height / _INCH))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    _draw(ax, drawn)
    return ax


def _draw(ax: Axes, drawn: Layout) -> None:
    ax.set_xlim(0, drawn.width)
    ax.set_ylim(drawn.height, 0)
    ax.set_aspect("equal", anchor="NW")
    ax.set_axis_off()
    frame = ax.get_window_extent()
    dots = min(frame.width / drawn.width, frame.height / drawn.height)  # a pixel of the layout, in dots
    figure = ax.get_figure(root=True)
    assert figure is not None, "axes belong to a figure"
    point = dots * 72.0 / figure.dpi  # and in points
    for code, (x, label) in enumerate(drawn.legend):
        _rectangle(ax, x, 10.0, 12.0, colour(code))
        ax.text(x + 17, 16, label, fontsize=FONT * point, color=_INK, va="center")
    for place in drawn.places.values():
        if place.node.parent >= 0:
            _branch(ax, place, drawn.places[place.node.parent], point)
    for place in drawn.places.values():
        _words(ax, place, point)


def _branch(ax: Axes, place: Place, above: Place, point: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    codes = [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    ax.add_patch(
        PathPatch(
            Path(place.curve(above), codes),
            fill=False,
            edgecolor=colour(place.node.class_code),
            linewidth=place.thick * point,
            alpha=0.45,
            capstyle="butt",
        )
    )


def _words(ax: Axes, place: Place, point: float) -> None:
    node = place.node
    words: dict[str, Any] = {"va": "center", "fontsize": FONT * point, "parse_math": False}
    if node.short:
        ax.text(place.words_end, place.y, short(node.short), ha="right", color=_BRANCH, **words)
    if not node.is_leaf:
        ax.text(place.x, place.y, short(node.title), color=_INK, fontweight="bold", **words)
        return
    empty = True
    for code, x, width in place.bar():
        _rectangle(ax, x, place.y - 6, width, colour(code))
        empty = False
    if empty:
        _rectangle(ax, place.x, place.y - 6, BAR, "none", edge=colour(node.class_code))
    left = ax.text(place.x + BAR + GAP, place.y, short(node.title), color=_INK, **words)
    small = {**words, "fontsize": SMALL * point}
    ax.annotate(f" ({node.cases})", (1, 0.5), xycoords=left, color=_CASES, annotation_clip=False, **small)


def _rectangle(ax: Axes, x: float, y: float, width: float, face: str, edge: str = "none") -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((x, y), width, 12.0, facecolor=face, edgecolor=edge))
