"""What sections of a LaTeX report are put together from: names, tables, arrows, pictures."""

from __future__ import annotations

from collections.abc import Sequence

from treeforge.report import tikz
from treeforge.report.drawing import Drawing
from treeforge.report.tex import breakable, escape, length

#: Width of a full and of a half figure in CSS pixels; times ``tikz.UNIT`` that is A4 with margins of 2.2 cm.
WIDE, HALF, THIRD = 660.0, 330.0, 222.0


def longtable(
    columns: str, header: Sequence[str], rows: Sequence[Sequence[str]], last: Sequence[Sequence[str]] = ()
) -> str:
    """A longtable with booktabs' rules; cells are LaTeX already. An empty row is a gap."""

    def line(cells: Sequence[str]) -> str:
        if not cells:
            return r"\addlinespace"
        return " & ".join(f"{{{c}}}" for c in cells) + r" \\"

    body = [line(r) for r in rows]
    if last:
        body += [r"\midrule", *(line(r) for r in last)]
    return "\n".join(
        [
            rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
            r"\toprule",
            line(header),
            r"\midrule",
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *body,
            r"\end{longtable}",
        ]
    )


def short_name(text: str, most: int = 60) -> str:
    """A name in a table or heading: broken where it must be, cut where it is absurdly long."""
    return breakable(text if len(text) <= most else text[: most - 15] + "…" + text[-14:])


def heading(name: str) -> str:
    """A column's heading; a long one in several lines."""
    return rf"\tfhead{{2cm}}{{{short_name(name, 30)}}}" if length(name) > 12 else escape(name)


def arrow(kind: str) -> str:
    """The arrow of a significant difference."""
    return {"better": r"\tfbetter{}", "worse": r"\tfworse{}", "": ""}[kind]


def figure(drawing: Drawing | None, caption: str) -> list[str]:
    """A picture in the middle of the page, with what it shows below; nothing where there is none."""
    if drawing is None:
        return []
    return [
        "\\begin{center}\n"
        + tikz.picture(drawing)
        + "\n\n"
        + rf"{{\footnotesize {escape(caption)}}}"
        + "\n\\end{center}"
    ]


def side_by_side(drawings: Sequence[Drawing], captions: Sequence[str], share: float) -> str:
    """Small pictures in rows; ``share`` is the part of a line that one takes, with its caption above."""
    pages = [
        rf"\begin{{minipage}}[t]{{{share}\linewidth}}\centering{{\footnotesize\bfseries {short_name(c, 40)}}}\par"
        + "\n"
        + tikz.picture(d)
        + "\n\\end{minipage}"
        for d, c in zip(drawings, captions, strict=True)
    ]
    each = round(1 / share)
    lines = ["\\hfill\n".join(pages[i : i + each]) for i in range(0, len(pages), each)]
    return "\n\n".join(lines)
