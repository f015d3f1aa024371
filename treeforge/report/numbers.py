"""Numbers as text: the same digits in every format."""

from __future__ import annotations

#: Shares that papers print in per cent.
PER_CENT = frozenset({"accuracy", "error", "balanced_accuracy"})
#: Measures between -1 and 1, or close to it: three decimals.
UNIT = frozenset(
    {"macro_f1", "weighted_f1", "kappa", "mcc", "auc", "sensitivity", "specificity", "brier", "log_loss"}
)


def unit(metric: str) -> str:
    """What stands behind the metric's name in a heading."""
    return "%" if metric in PER_CENT else ""


def scaled(metric: str, number: float) -> float:
    """A number in the unit in which it is shown."""
    return number * 100 if metric in PER_CENT else number


def value(metric: str, number: float | None, *, decimals: int = 0) -> str:
    """A mean or a difference of a metric; ``decimals`` more than usual."""
    if number is None:
        return "undefined"
    if metric in PER_CENT:
        return fixed(number * 100, 2 + decimals)
    if metric in UNIT:
        return fixed(number, 3 + decimals)
    return short(number)


def spread(metric: str, number: float) -> str:
    """A standard deviation: the decimals of its mean, or two significant digits."""
    if metric in PER_CENT or metric in UNIT:
        return value(metric, number)
    return short(float(f"{number:.2g}"))


def signed(metric: str, number: float | None) -> str:
    """A difference, with its sign."""
    if number is None:
        return "undefined"
    text = value(metric, abs(number))
    if not text.strip("0."):
        return text
    return ("+" if number > 0 else "−") + text


def fixed(number: float, decimals: int) -> str:
    """Fixed decimals, with a true minus sign and no minus zero."""
    text = f"{number:.{decimals}f}"
    if text.startswith("-"):
        return "−" + text[1:] if text.strip("-0.") else text[1:]
    return text


def short(number: float) -> str:
    """Three or more significant digits, no exponent between a millionth and ten billion."""
    size = abs(number)
    if size == 0:
        return "0"
    if size >= 100:
        return fixed(number, 0) if size >= 1000 else fixed(number, 1)
    if size >= 10:
        return fixed(number, 1)
    if size >= 1:
        return fixed(number, 2)
    if size >= 1e-6:
        return f"{number:.3g}".replace("-", "−") if size >= 1e-4 else fixed(number, 7).rstrip("0")
    return f"{number:.2e}".replace("-", "−")


def count(number: int, word: str, plural: str = "") -> str:
    """``1 fold``, ``2 folds``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}".replace(",", "\u202f")


def join(names: list[str] | tuple[str, ...]) -> str:
    """Names as a sentence lists them."""
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]
