"""Numbers and verdicts in words: what a report prints about a verdict is made here or by its test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treeforge.compare.comparison import Estimate, Verdict
from treeforge.compare.corrections import TITLES
from treeforge.compare.table import listing


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


def no_difference(left: str, right: str, metric: str) -> str:
    """Its absence, which is no proof of equality."""
    return f"No difference in {metric} between {left} and {right} was found, which does not show that they are equal"


def not_compared(verdicts: Sequence[Verdict], scoreless: Mapping[str, str]) -> str:
    """Which comparisons came to nothing, and why; empty when none did.

    Parameters
    ----------
    verdicts : sequence of Verdict
    scoreless : mapping
        Algorithm without any score -> what is to be said of it: ``{"A": "has no results"}``.
    """
    open_ = [v for v in verdicts if not v.tested]
    if not open_:
        return ""
    named = {name for v in open_ for name in (v.left, v.right)}
    reasons = [f"{name} {why}" for name, why in scoreless.items() if name in named]
    others = [f"{v.left} and {v.right}" for v in open_ if not {v.left, v.right} & scoreless.keys()]
    if others:
        reasons.append(f"{listing(dict.fromkeys(others))} have too few results in common")
    if len(open_) == len(verdicts):
        return f"Nothing could be compared: {'; '.join(reasons)}."
    return f"{len(open_)} of {len(verdicts)} comparisons could not be made: {'; '.join(reasons)}."


def tally_of(verdict: Verdict, name: str, larger_is_better: bool | None, unit: str = "data sets") -> str:
    """Win/tie/loss as one of the two algorithms sees it."""
    wins, losses = verdict.wins, verdict.losses
    if name == verdict.right:
        wins, losses = losses, wins
    ahead, behind = ("higher", "lower") if larger_is_better is None else ("better", "worse")
    equal = f", equal on {verdict.ties}" if verdict.ties else ""
    total = wins + verdict.ties + losses
    return f"{name} is {ahead} on {wins} of {total} {unit}, {behind} on {losses}{equal}"


def interval(estimate: Estimate) -> str:
    """``"0.012 (95 % interval 0.004 to 0.02)"``."""
    level = f"{estimate.level * 100:g} %"
    if estimate.low is None or estimate.high is None:
        return f"{show(estimate.value)} (too few for a {level} interval)"
    return f"{show(estimate.value)} ({level} interval {show(estimate.low)} to {show(estimate.high)})"


def adjusted_words(correction: str, adjusted: float | None) -> str:
    """``", Holm-adjusted p = 0.03"``, or nothing without a correction."""
    return "" if correction == "none" else f", {TITLES[correction]}-adjusted p = {show_p(adjusted)}"
