"""The table of a metric in LaTeX: data sets by algorithms, in as many parts as the page needs."""

from __future__ import annotations

from collections.abc import Sequence

from treeforge.report.data import ReportData
from treeforge.report.latex_blocks import arrow, heading, longtable, short_name
from treeforge.report.layout import Cell, Row, result_table
from treeforge.report.scores import MetricTable
from treeforge.report.tex import escape, length

#: In cm.
TEXT_WIDTH = 16.6


def results(data: ReportData, table: MetricTable) -> list[str]:
    """The subsection of a metric: its table, which may stand in several, and the legend."""
    shown = result_table(data, table)
    direction = f" ({escape(shown.direction)})" if shown.direction else ""
    parts = [rf"\subsection{{{escape(shown.title)}{direction}}}", r"\begingroup\small"]
    rows = (*shown.rows, *shown.footer)
    names = min(24, max((length(r.name) for r in rows), default=8)) * 0.17 + 0.3
    for columns in _chunks(rows, shown.algorithms, names):
        header = ["Data set", *(heading(shown.algorithms[i]) for i in columns)]
        spec = f">{{\\raggedright\\arraybackslash}}p{{{names:.1f}cm}}" + "r" * len(columns)
        parts.append(
            longtable(
                spec,
                header,
                [[short_name(r.name), *(_cell(r.cells[i]) for i in columns)] for r in shown.rows],
                [[short_name(r.name), *(_cell(r.cells[i]) for i in columns)] for r in shown.footer],
            )
        )
    parts.append(r"\endgroup")
    legend = [line for line in shown.legend if not line.startswith(("Bold", "Small"))]
    notes = [f"({i}) {note}." for i, note in enumerate(shown.notes, 1)]
    parts.append(
        r"{\footnotesize " + escape(" ".join(["Bold: best of its row.", *legend, *notes])) + r"\par}"
    )
    return parts


def _chunks(rows: Sequence[Row], algorithms: Sequence[str], names: float) -> list[list[int]]:
    """Columns that fit beside each other; a table of many algorithms becomes several.

    Widths are in cm: a character of ``small`` text takes about 0.17, one of a standard deviation 0.13.
    """
    found: list[list[int]] = [[]]
    used = names
    for i, algorithm in enumerate(algorithms):
        cells = [
            len(c.text) * 0.17
            + (len(c.spread) * 0.13 + 0.4 if c.spread else 0)
            + 0.3 * len(c.notes)
            + 0.3 * bool(c.mark)
            for c in (row.cells[i] for row in rows)
        ]
        width = max([min(length(algorithm) * 0.19, 2.0), *cells]) + 0.42
        if found[-1] and used + width > TEXT_WIDTH:
            found.append([])
            used = names
        found[-1].append(i)
        used += width
    return found


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.best:
        text = rf"\textbf{{{text}}}"
    if cell.spread:
        text += rf"\tfsd{{{escape(cell.spread)}}}"
    if cell.mark:
        text += r"\," + arrow(cell.mark)
    return text + "".join(rf"\textsuperscript{{({n})}}" for n in cell.notes)
