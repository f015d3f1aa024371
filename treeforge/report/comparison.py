"""One comparison on a terminal: means and ranks, a line a pair, what was found in words; plain when not a terminal."""

from __future__ import annotations

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
    """A line a verdict. Win, tie and loss are left's; the difference is left minus right."""
    verdicts = comparison.verdicts
    level = next((v.estimate.level for v in verdicts if v.estimate), 0.95)
    header = ["data set"] if any(v.dataset for v in verdicts) else []
    header += ["left", "right", "w/t/l", "difference", f"{100 * level:g} % interval"]
    bayesian = any(v.probabilities for v in verdicts)
    header += ["P(left)", "P(equal)", "P(right)"] if bayesian else ["effect", "p", "adjusted p"]
    header += ["better"]
    rows = [
        dict(zip(header, _row(v, comparison, header[0] == "data set", bayesian), strict=True))
        for v in verdicts
    ]
    filled = [name for name in header if any(row[name] for row in rows)]
    return filled, [[row[name] for name in filled] for row in rows]


def _row(v: Verdict, comparison: Comparison, on_datasets: bool, bayesian: bool) -> list[str]:
    row = [v.dataset or ""] if on_datasets else []
    e = v.estimate
    ends = "" if e is None or e.low is None or e.high is None else f"{show(e.low, 3)} to {show(e.high, 3)}"
    row += [v.left, v.right, f"{v.wins}/{v.ties}/{v.losses}", "" if e is None else show(e.value, 3), ends]
    if bayesian:
        odds = v.probabilities
        row += [f"{odds.left:.3f}", f"{odds.equal:.3f}", f"{odds.right:.3f}"] if odds else ["", "", ""]
    else:
        effect = "" if v.effect is None else f"{v.effect.value:+.2f} {v.effect.words}".rstrip()
        row += [effect, show_p(v.p), show_p(v.adjusted_p)]
    return [*row, _better(v, comparison)]


def _better(v: Verdict, comparison: Comparison) -> str:
    if v.better:
        return v.better
    if v.significant:
        return "different"
    if v.probabilities:
        equal = v.probabilities.equal >= comparison.parameters.get("threshold", 1)
        return "practically equal" if equal else "undecided"
    return "not tested" if v.significant is None else "none found"


def _print_grid(grid: Grid, console: Console, fancy: bool) -> None:
    header, rows = grid
    lines = [[printable(cell) for cell in line] for line in (header, *rows)]
    if fancy:
        lines = _narrowed(lines, console.width)
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    if fancy:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        for name in lines[0]:
            table.add_column(Text(name), overflow="fold")
        for row in lines[1:]:
            found = row[-1] in row[:-1] or row[-1] == "different"
            table.add_row(*(Text(cell, style="bold" if found else "") for cell in row))
        console.print(table)
        return
    for line in lines:
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        console.file.write(text.rstrip() + "\n")


def _narrowed(lines: list[list[str]], width: int) -> list[list[str]]:
    """Without the columns that a narrow terminal can best spare; all of them are in the plain text and in JSON."""
    spare = [name for name in lines[0] if name in ("p", "effect") or name.endswith("interval")]
    for name in sorted(spare, key=lambda n: n != "p"):
        if sum(max(map(len, column)) + 3 for column in zip(*lines, strict=True)) <= width:
            break
        place = lines[0].index(name)
        lines = [line[:place] + line[place + 1 :] for line in lines]
    return lines


def printable(text: str) -> str:
    """Names come from files: a control character must not reach the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
