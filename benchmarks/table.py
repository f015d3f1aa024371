"""The lines of the tables that the benchmarks print."""

from __future__ import annotations

HEAD = "| what | ours | peer | ratio | must | aim | met |\n|---|---|---|---:|---:|---:|---|"


def row(what: str, value: float, other: str, reference: float, must: float = 0, aim: float = 0) -> None:
    """A line of the table: how many times as fast as another; 0 is no goal."""
    ratio = reference / value
    met = "" if not must else "aim" if aim and ratio >= aim else "yes" if ratio >= must else "no"
    figures = f"{in_words(value)} | {other} {in_words(reference)} | {ratio:.2f}"
    print(f"| {what} | {figures} | {_goal(must)} | {_goal(aim)} | {met} |", flush=True)


def bound(what: str, value: float, unit: str, most: float) -> None:
    """A line of the table: a figure that is not to be above another."""
    print(
        f"| {what} | {value:.3g} {unit} | | | <= {most:g} | | {'yes' if value <= most else 'no'} |",
        flush=True,
    )


def in_words(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def _goal(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio else ""
