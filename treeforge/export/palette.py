"""Colours of the classes, told apart by colour-blind readers too (Okabe and Ito 2008)."""

from __future__ import annotations

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#8C8C8C")


def colour(class_code: int) -> str:
    """Colour of a class. From the ninth class on they repeat: names stand beside them, always."""
    return _COLOURS[class_code % len(_COLOURS)]


def ink(background: str) -> str:
    """Black or white, whichever reads better on a colour (WCAG relative luminance)."""
    channels = [int(background[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#FFFFFF"
