"""The lines of the tables that the benchmarks print."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping

HEAD = "| what | ours | peer | ratio | must | aim | met |\n|---|---|---|---:|---:|---:|---|"


def print_parts(
    versions: str, parts: Mapping[str, Callable[[argparse.Namespace], None]], args: argparse.Namespace
) -> None:
    """The whole table, of the parts in ``args.only``, between the loads of the machine before and after."""
    print(f"{versions}; load {os.getloadavg()[0]:.1f}\n\n{HEAD}", flush=True)
    for part in args.only:
        parts[part](args)
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")


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
