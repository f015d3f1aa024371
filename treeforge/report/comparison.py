"""One comparison on a terminal: means and ranks, a line a pair, what was found in words; plain when not a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treeforge.compare import Comparison, Verdict
from treeforge.compare.words import show, show_p

if TYPE_CHECKING:
    from rich.console import Console

#: so many sentences are read
READABLE = 12

Grid = tuple[list[str], list[list[str]]]


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print it; tables with rules and weight on a terminal, aligned text elsewhere."""
    from rich.text import Text

    fancy = console.is_terminal and not console.is_dumb_terminal
    for number, part in enumerate(parts(comparison)):
        if number:
            console.file.write("\n") if not fancy else console.print()
        if isinstance(part, tuple):
            _print_grid(part, console, fancy)
        elif fancy:
            console.print(Text(printable(part), style="bold" if number == 0 else ""))
        else:
            console.file.write(printable(part) + "\n")


def parts(comparison: Comparison) -> list[str | Grid]:
    """Paragraphs and grids in reading order."""
    found: list[str | Grid] = [f"{comparison.metric}: {comparison.title}", comparison.summary]
    if comparison.mean_ranks:
        found.append(rank_grid(comparison))
    if comparison.verdicts:
        found.append(pair_grid(comparison))
    if comparison.groups:
        sets = "; ".join(", ".join(group) for group in comparison.groups)
        found.append(f"No difference found within: {sets}.")
    told = [v for v in comparison.verdicts if v.significant or v.better or v.probabilities or v.zeros == v.n]
    sentences = [v.sentence for v in told[:READABLE] if v.sentence != comparison.summary]
    said = [*comparison.notes, *comparison.warnings]
    if (
        not any(v.minimum_adjusted_p is not None for v in comparison.verdicts)
        or len(comparison.verdicts) <= READABLE
    ):
        said += dict.fromkeys(w for v in comparison.verdicts for w in v.warnings if w not in sentences)
    if any(v.significant is False for v in comparison.verdicts):
        said.append("No difference found is not the same as equal.")
    found += ["\n".join(sentences)] if sentences else []
    found += ["\n".join(f"Note: {text}" for text in said)] if said else []
    return found


def rank_grid(comparison: Comparison) -> Grid:
    """Algorithms from best to worst mean rank, over the data sets where all have a score."""
    n = len(comparison.datasets)
    order = sorted(comparison.mean_ranks, key=lambda name: comparison.mean_ranks[name])
    rows = [[name, show(comparison.means.get(name)), f"{comparison.mean_ranks[name]:.3f}"] for name in order]
    return [f"over {n} data set{'s' if n != 1 else ''}", f"mean {comparison.metric}", "mean rank"], rows


def pair_grid(comparison: Comparison) -> Grid:
    """A line a verdict."""
    verdicts = comparison.verdicts
    bayesian = any(v.probabilities for v in verdicts)
    header = ["data set"] if any(v.dataset for v in verdicts) else []
    header += ["left", "right", "n", "win/tie/loss", "left - right"]
    header += ["P(left)", "P(equal)", "P(right)"] if bayesian else ["effect", "p", "adjusted p"]
    return [*header, "found"], [_row(v, comparison, header, bayesian) for v in verdicts]


def _row(v: Verdict, comparison: Comparison, header: Sequence[str], bayesian: bool) -> list[str]:
    row = [v.dataset or ""] if header[0] == "data set" else []
    row += [v.left, v.right, str(v.n), f"{v.wins}/{v.ties}/{v.losses}", _size(v)]
    if bayesian:
        odds = v.probabilities
        row += [f"{odds.left:.3f}", f"{odds.equal:.3f}", f"{odds.right:.3f}"] if odds else ["", "", ""]
    else:
        effect = "" if v.effect is None else f"{v.effect.value:+.2f} {v.effect.words}".rstrip()
        row += [effect, show_p(v.p), show_p(v.adjusted_p)]
    return [*row, _finding(v, comparison)]


def _size(v: Verdict) -> str:
    e = v.estimate
    if e is None:
        return ""
    ends = "" if e.low is None or e.high is None else f" [{show(e.low, 3)}, {show(e.high, 3)}]"
    return f"{show(e.value, 3)}{ends}"


def _finding(v: Verdict, comparison: Comparison) -> str:
    if v.better:
        return f"{v.better} better"
    if v.significant:
        return "different"
    if v.probabilities and v.probabilities.equal >= comparison.parameters.get("threshold", 1):
        return "practically equal"
    if v.significant is None and v.probabilities is None:
        return "not tested"
    return "no difference found" if v.probabilities is None else "undecided"


def _print_grid(grid: Grid, console: Console, fancy: bool) -> None:
    header, rows = grid
    if fancy:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in header:
            table.add_column(Text(printable(name)), overflow="fold")
        for row in rows:
            strong = "bold" if row[-1].endswith((" better", "different")) else ""
            table.add_row(*(Text(printable(cell), style=strong) for cell in row))
        console.print(table)
        return
    lines = [[printable(cell) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    for line in lines:
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        console.file.write(text.rstrip() + "\n")


def printable(text: str) -> str:
    """Names come from files: a control character must not reach the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
