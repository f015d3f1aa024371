"""Values as text, a column at a time: what every writer starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

_WHOLE = 1e15  # up to here a whole number is written without an exponent


def number_text(value: float) -> str:
    """The shortest text that is this number again; whole numbers without a point.

    Examples
    --------
    >>> [number_text(v) for v in (3.0, 0.1, -0.0, 1e300)]
    ['3', '0.1', '-0.0', '1e+300']
    """
    text = repr(value)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def number_texts(values: NDArray[np.float64], unknown: str, infinity: str = "inf") -> list[str]:
    """``number_text`` of each value; ``unknown`` for NaN."""
    negative_zero = np.signbit(values) & (values == 0)
    if (np.abs(values) < _WHOLE).all() and (np.rint(values) == values).all() and not negative_zero.any():
        return list(map(str, values.astype(np.int64).tolist()))
    texts = [number_text(value) if value == value else unknown for value in values.tolist()]
    return [text.replace("inf", infinity) for text in texts] if np.isinf(values).any() else texts


def date_texts(values: NDArray[np.float64], unknown: str, write: Callable[[float], str]) -> list[str]:
    """The dates in words; ``unknown`` for NaN."""
    return [write(value) if value == value else unknown for value in values.tolist()]


def category_texts(codes: NDArray[np.int32], words: Sequence[str], unknown: str) -> list[str]:
    """The word of each code; ``unknown`` for -1."""
    known_and_unknown = [*words, unknown]  # -1 is the last of them
    return [known_and_unknown[code] for code in codes.tolist()]


def string_texts(values: NDArray[np.object_], unknown: str, write: Callable[[str], str] = str) -> list[str]:
    """The texts; ``unknown`` for None."""
    return [unknown if value is None else write(value) for value in values.tolist()]
