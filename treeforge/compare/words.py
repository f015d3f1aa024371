"""Numbers and verdicts in words: what a report prints about a verdict is made here or by its test."""

from __future__ import annotations

from treeforge.compare.comparison import Estimate
from treeforge.compare.corrections import TITLES


def show(value: float | None, digits: int = 4) -> str:
    """A number for reading: up to ``digits`` significant digits, whole numbers as such.

    Examples
    --------
    >>> show(0.123456), show(1234567.0), show(-0.00001234), show(None)
    ('0.1235', '1234567', '-1.234e-05', 'undefined')
    """
    if value is None:
        return "undefined"
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def show_p(p: float | None) -> str:
    """A p-value: two significant digits below 0.01, three decimals above; never rounded to 0.

    Examples
    --------
    >>> show_p(0.21875), show_p(0.000045), show_p(1.0), show_p(0.0498)
    ('0.219', '4.5e-05', '1', '0.0498')
    """
    if p is None:
        return "undefined"
    if p >= 0.9995:
        return "1"
    return f"{p:.3g}" if p >= 0.01 else f"{p:.2g}"


def claim(winner: str, loser: str, metric: str, larger_is_better: bool | None) -> str:
    """The finding itself."""
    if larger_is_better is None:
        return f"{winner} has a higher {metric} than {loser}"
    higher = "higher" if larger_is_better else "lower"
    return f"{winner} is better than {loser} ({higher} {metric})"


def counts(
    wins: int, ties: int, losses: int, left: str, larger_is_better: bool | None, unit: str = "data sets"
) -> str:
    """Win/tie/loss of left."""
    word = "higher" if larger_is_better is None else "better"
    worse = "lower" if larger_is_better is None else "worse"
    equal = f", equal on {ties}" if ties else ""
    return f"{left} is {word} on {wins} of {wins + ties + losses} {unit}, {worse} on {losses}{equal}"


def interval(estimate: Estimate) -> str:
    """``"0.012 (95 % interval 0.004 to 0.02)"``."""
    level = f"{estimate.level * 100:g} %"
    if estimate.low is None or estimate.high is None:
        return f"{show(estimate.value)} (too few for a {level} interval)"
    return f"{show(estimate.value)} ({level} interval {show(estimate.low)} to {show(estimate.high)})"


def adjusted_words(correction: str, adjusted: float | None) -> str:
    """``", Holm-adjusted p = 0.03"``, or nothing without a correction."""
    return "" if correction == "none" else f", {TITLES[correction]}-adjusted p = {show_p(adjusted)}"
