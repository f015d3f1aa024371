"""The lines of the tables that the benchmarks print."""

from __future__ import annotations

HEAD = "| what | ours | peer | ratio | must | aim | met |\n|---|---|---|---:|---:|---:|---|"


def row(what: str, value: float, other: str, reference: float, must: float, aim: float) -> None:
    """A line of the table: how many times as fast as another; ``aim`` 0: nobody claims anything."""
    ratio = reference / value
    met = "aim" if ratio >= aim else "yes" if ratio >= must else "no"
    goals = f"{must:.3g} | {aim:.3g} | {met}" if aim else "| |"
    figures = f"{in_words(value)} | {other} {in_words(reference)} | {ratio:.2f}"
    print(f"| {what} | {figures} | {goals} |", flush=True)


def bound(what: str, value: float, unit: str, most: float) -> None:
    """A line of the table: a figure that is not to be above another."""
    print(
        f"| {what} | {value:.3g} {unit} | | | <= {most:g} | | {'yes' if value <= most else 'no'} |",
        flush=True,
    )


def in_words(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"
