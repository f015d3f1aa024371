"""A run in a notebook's cell: what was found, and the table of the first metric."""

from __future__ import annotations

from treeforge.report import words
from treeforge.report.data import ReportData
from treeforge.report.html import environment
from treeforge.report.layout import result_table


def render(data: ReportData) -> str:
    """A fragment of a page; no script, all text escaped by the template."""
    return (
        environment()
        .get_template("notebook.html.j2")
        .render(
            summary=words.summary(data),
            table=result_table(data, data.primary) if data.primary is not None else None,
        )
    )
