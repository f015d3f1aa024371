"""Bars of three parts against a reference: wins, ties and losses, or probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeforge.report.drawing import SMALL, Drawing, text_width


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
