"""Text to number, as Java reads it: what Weka takes for a number is one."""

from __future__ import annotations

import re

# What java.lang.Double.valueOf takes, NaN aside.
_DECIMAL = re.compile(r"([+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|Infinity))[fFdD]?")
_HEXADECIMAL = re.compile(r"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[fFdD]?")
_BLANKS = "".join(map(chr, range(33)))  # what Java trims


def parse_number(text: str) -> float:
    """What Java's Double.valueOf makes of a text; its NaN is an unknown value."""
    text = text.strip(_BLANKS)
    if text.lstrip("+-") == "NaN" and len(text) <= 4:
        return float("nan")
    if found := _DECIMAL.fullmatch(text):
        return float(found[1])
    if found := _HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(found[1])
        except OverflowError:
            return float("-inf" if text.startswith("-") else "inf")
    raise ValueError
