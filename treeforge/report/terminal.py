"""A run's end on a terminal: the primary metric's table and verdicts; plain lines when not a terminal."""

from __future__ import annotations

import sys
from io import StringIO
from typing import TYPE_CHECKING

from treeforge.report import words
from treeforge.report.data import ReportData
from treeforge.report.layout import Cell, ResultTable, result_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MARKS = {"better": "▲", "worse": "▼", "": ""}
PLAIN = str.maketrans({"▲": "+", "▼": "-", "−": "-", "±": "+-", "\u202f": " ", "–": "-"})


def show(data: ReportData, console: Console | None = None) -> None:
    """Print the report's first table, in colour where the console is a terminal and NO_COLOR is not set."""
    if console is None:
        from rich.console import Console as _Console

        # a log is no terminal, even where FORCE_COLOR is set
        console = _Console(highlight=False, force_terminal=None if sys.stdout.isatty() else False)
    if console.is_terminal and not console.is_dumb_terminal:
        _rich(data, console)
        return
    text = render(data)
    try:
        console.file.write(text)
    except UnicodeEncodeError:
        encoding = getattr(console.file, "encoding", None) or "ascii"
        console.file.write(text.translate(PLAIN).encode(encoding, "replace").decode(encoding))


def render(data: ReportData) -> str:
    """Plain text: no colour, no escape sequence, no line that is cut at a terminal's width."""
    text = StringIO()
    for sentence in words.summary(data):
        text.write(_one_line(sentence) + "\n")
    table = data.primary
    if table is not None:
        shown = result_table(data, table)
        text.write(f"\n{_heading(shown)}\n")
        lines = _lines(shown)
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        for i, line in enumerate(lines):
            cells = [
                line[0].ljust(widths[0]),
                *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)),
            ]
            text.write("  ".join(cells).rstrip() + "\n")
            if i in (0, len(shown.rows)) and i < len(lines) - 1:
                text.write("-" * (sum(widths) + 2 * (len(widths) - 1)) + "\n")
        for n, note in enumerate(shown.notes, 1):
            text.write(f"({n}) {note}\n")
        for line_ in _legend(shown):
            text.write(_one_line(line_) + "\n")
    return text.getvalue()


def _legend(shown: ResultTable) -> list[str]:
    return [line for line in shown.legend if not line.startswith("Bold")]


def _heading(shown: ResultTable) -> str:
    return shown.title + (f", {shown.direction}" if shown.direction else "")


def _one_line(text: str) -> str:
    """Names come from files: a control character must not reach the terminal."""
    return "".join(c if c.isprintable() else " " for c in text)


def _lines(shown: ResultTable) -> list[list[str]]:
    lines = [["", *map(_one_line, shown.algorithms)]]
    for row in (*shown.rows, *shown.footer):
        lines.append([_one_line(row.name), *(_plain(c) for c in row.cells)])
    return lines


def _plain(cell: Cell) -> str:
    star = "*" if cell.best else ""
    return star + cell.text + MARKS[cell.mark] + "".join(f" ({n})" for n in cell.notes)


def _rich(data: ReportData, console: Console) -> None:
    from rich.text import Text

    console.print(Text(_one_line(" ".join(words.summary(data)))))
    table = data.primary
    if table is None:
        return
    shown = result_table(data, table)
    console.print()
    console.print(_rich_table(shown))
    for n, note in enumerate(shown.notes, 1):
        console.print(Text(f"({n}) {note}", style="dim"))
    for line in _legend(shown):
        console.print(Text(_one_line(line), style="dim"))


def _rich_table(shown: ResultTable) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    grid = Table(title=Text(_heading(shown)), box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    grid.add_column("")
    for algorithm in shown.algorithms:
        grid.add_column(Text(_one_line(algorithm)), justify="right", overflow="fold")
    for i, row in enumerate((*shown.rows, *shown.footer)):
        cells = []
        for cell in row.cells:
            text = Text(cell.text, style="bold" if cell.best else "")
            text.append(MARKS[cell.mark], style="green" if cell.mark == "better" else "red")
            text.append("".join(f" ({n})" for n in cell.notes), style="dim")
            cells.append(text)
        last = i == len(shown.rows) - 1 and bool(shown.footer)
        grid.add_row(Text(_one_line(row.name)), *cells, end_section=last)
    return grid
