"""A drawing as a TikZ picture: the same shapes as in SVG, with real text."""

from __future__ import annotations

from treeforge.report.drawing import SMALL, Box, Dots, Drawing, Label, Marker, Path, Shape, marker_outline
from treeforge.report.tex import escape

#: A CSS pixel in points: text of 12 px is 8 pt.
UNIT = 0.68

#: The series' colours (as in templates/style.css by light), and the others that styles need.
COLOURS = {
    "tfs0": "0072B2", "tfs1": "C45000", "tfs2": "00795A", "tfs3": "A34F86", "tfs4": "8A6A00", "tfs5": "6A51A3",
    "tfs6": "5B5B5B", "tfs7": "B23A48", "tfsoft": "565C64", "tfline": "D9DBD6", "tfwash": "F2F3EE",
    "tfgood": "0A5FA8", "tfbad": "A8460A", "tfties": "8D9299",
}  # fmt: skip

STYLES = {
    "axis": "tfsoft, line width=.5pt",
    "grid": "tfline, line width=.4pt",
    "leader": "tfsoft, line width=.4pt",
    "front": "tfsoft, line width=.5pt, dash pattern=on 2pt off 2pt",
    "bar": "line width=2.4pt, line cap=round",
    "member": "line cap=round",
    "mean": "line width=.9pt",
    "median": "line width=.9pt",
    "series": "line width=1pt",
    "whisker": "line width=.6pt",
    "quartiles": "fill=tfwash, line width=.6pt",
    "wins": "draw=none, fill=tfs0",
    "ties": "draw=none, fill=tfties",
    "losses": "draw=none, fill=tfs1",
    "label": "",
    "tick": "text=tfsoft",
    "note": "text=tfsoft, font=\\itshape",
    "on-wins": "text=white, font=\\bfseries",
    "on-losses": "text=white, font=\\bfseries",
    "on-ties": "text=black, font=\\bfseries",
    "better": "text=tfgood",
    "worse": "text=tfbad",
}

ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def preamble() -> str:
    """The colours that pictures use."""
    return "\n".join(rf"\definecolor{{{name}}}{{HTML}}{{{code}}}" for name, code in COLOURS.items())


def picture(drawing: Drawing) -> str:
    """A ``tikzpicture`` environment."""
    lines = [
        rf"\begin{{tikzpicture}}[x={UNIT}pt, y=-{UNIT}pt, inner sep=0pt, outer sep=0pt]",
        rf"  \path[use as bounding box] (0,0) rectangle ({_n(drawing.width)},{_n(drawing.height)});",
        *(f"  {_shape(shape)}" for shape in drawing.shapes),
        r"\end{tikzpicture}",
    ]
    return "\n".join(lines)


def _n(value: float) -> str:
    return f"{value:.1f}"


def _at(x: float, y: float) -> str:
    return f"({_n(x)},{_n(y)})"


def _style(words: str) -> str:
    found = []
    for word in words.split():
        if word in STYLES:
            found.append(STYLES[word])
        elif word[0] == "s":
            found.append(f"draw=tfs{word[1:]}")
        else:
            found.append(f"text=tfs{word[1:]}")
    return ", ".join(f for f in found if f)


def _shape(shape: Shape) -> str:
    if isinstance(shape, Path):
        return rf"\draw[{_style(shape.style)}] {' -- '.join(_at(*p) for p in shape.points)};"
    if isinstance(shape, Dots):
        fill = "black" if shape.style == "member" else f"tf{shape.style}"
        radius = shape.size * UNIT / 2
        circles = " ".join(f"{_at(*p)} circle[radius={radius:.2f}pt]" for p in shape.points)
        return rf"\fill[{fill}, fill opacity={1 if fill == 'black' else 0.75}] {circles};"
    if isinstance(shape, Marker):
        colour = f"tfs{shape.series % 8}"
        outline = " -- ".join(_at(*p) for p in marker_outline(shape))
        if not outline:
            return rf"\fill[{colour}] {_at(shape.x, shape.y)} circle[radius={shape.size * UNIT:.2f}pt];"
        return rf"\fill[{colour}] {outline} -- cycle;"
    if isinstance(shape, Box):
        corner = _at(shape.x + shape.width, shape.y + shape.height)
        return rf"\draw[{_style(shape.style)}] {_at(shape.x, shape.y)} rectangle {corner};"
    return _label(shape)


def _label(label: Label) -> str:
    size = (SMALL if label.style in ("tick", "note") else 12.0) * UNIT
    font = rf"\fontsize{{{size:.1f}}}{{{size * 1.2:.1f}}}\selectfont\sffamily"
    style = _style(label.style)
    extra = style.split("font=")
    if len(extra) == 2:
        style, font = extra[0].rstrip(", "), font + extra[1]
    words = ", ".join(w for w in (f"anchor={ANCHORS[label.anchor]}", style, f"font={font}") if w)
    return rf"\node[{words}] at {_at(label.x, label.y)} {{{escape(label.text)}}};"
