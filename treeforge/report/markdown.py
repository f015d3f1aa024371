"""The report as Markdown (GitHub's tables), for a README, an issue or a notebook."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treeforge.compare import Comparison
from treeforge.compare.words import show_p
from treeforge.report import numbers, words
from treeforge.report.data import ReportData
from treeforge.report.layout import Cell, result_table
from treeforge.report.reproduce import facts
from treeforge.report.scores import MetricTable

MARKS = {"better": " ▲", "worse": " ▼", "": ""}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~&$#])")


def escape(text: str) -> str:
    """Text that no Markdown reader takes for markup, on one line."""
    return _SPECIAL.sub(r"\\\1", re.sub(r"\s+", " ", text))


def render(data: ReportData) -> str:
    """The whole report."""
    parts = [f"# {escape(data.name)}", escape(" ".join(words.summary(data)))]
    parts.append("\n".join(f"- {escape(str(warning))}" for warning in data.run.get("warnings") or ()))
    for i, table in enumerate(data.tables):
        parts.append(f"{'## Results' + chr(10) * 2 if i == 0 else ''}### {_table(data, table)}")
    if data.comparisons:
        parts.append("## Comparisons")
        parts += [_comparison(c) for c in data.comparisons]
    if data.factors:
        parts.append("## Factors")
        parts += _factors(data)
    if data.failures:
        rows = [
            [escape(f.dataset), escape(f.algorithm), ", ".join(f.folds), escape(f.reason)]
            for f in data.failures
        ]
        parts.append("## Failures\n\n" + grid(["Data set", "Algorithm", "Folds", "Reason"], rows, left=4))
    parts.append("## Methods")
    paragraphs = words.methods(data)
    sources = words.cited(paragraphs)
    parts += ["".join(_part(p, sources) for p in text) for text in paragraphs]
    parts.append("\n".join(f"{i}. {escape(source)}" for i, source in enumerate(sources, 1)))
    parts.append(
        "## How to reproduce\n\n" + grid(["", ""], [[escape(k), escape(v)] for k, v in facts(data)], left=2)
    )
    return "\n\n".join(p for p in parts if p) + "\n"


def _part(part: str | words.Cite, sources: Sequence[str]) -> str:
    return f" \\[{sources.index(part.entry) + 1}\\]" if isinstance(part, words.Cite) else escape(part)


def grid(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table; cells are Markdown already. The first ``left`` columns are words, the others numbers."""
    rule = ["---" if i < left else "---:" for i in range(len(header))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *rows])


def _table(data: ReportData, table: MetricTable) -> str:
    shown = result_table(data, table)
    rows = [[escape(r.name), *(_cell(c) for c in r.cells)] for r in shown.rows]
    rows += [[f"**{escape(r.name)}**", *(_cell(c) for c in r.cells)] for r in shown.footer]
    text = [escape(shown.title) + (f", {shown.direction}" if shown.direction else "")]
    text.append(grid(["Data set", *map(escape, shown.algorithms)], rows))
    text += [escape(line) for line in shown.legend]
    text.append("\n".join(f"- ({i}) {escape(note)}" for i, note in enumerate(shown.notes, 1)))
    return "\n\n".join(t for t in text if t)


def _cell(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    if cell.spread:
        text += f" ± {cell.spread}"
    return text + MARKS[cell.mark] + "".join(f" ({n})" for n in cell.notes)


def _comparison(comparison: Comparison) -> str:
    against = f", against {comparison.control}" if comparison.control else ""
    text = [
        f"### {escape(comparison.metric.replace('_', ' '))}: {escape(comparison.title)}{escape(against)}",
        escape(comparison.summary),
    ]
    if comparison.omnibus is not None and comparison.omnibus.sentence not in comparison.summary:
        text.append(escape(comparison.omnibus.sentence))
    header = ["First", "Second", "w/t/l", "Difference", "p", "p adjusted", "Better"]
    by_dataset = any(v.dataset for v in comparison.verdicts)
    if by_dataset:
        header.insert(2, "Data set")
    rows = []
    for v in comparison.verdicts:
        value = v.estimate.value if v.estimate else None
        row = [escape(v.left), escape(v.right), f"{v.wins}/{v.ties}/{v.losses}",
               numbers.signed(comparison.metric, value), show_p(v.p), show_p(v.adjusted_p),
               f"**{escape(v.better)}**" if v.better else "no difference found"]  # fmt: skip
        if by_dataset:
            row.insert(2, escape(v.dataset or "all"))
        rows.append(row)
    if rows:
        text.append(grid(header, rows, left=3 if by_dataset else 2))
    text += [f"- {escape(note)}" for note in (*comparison.notes, *comparison.warnings)]
    return "\n\n".join(text)


def _factors(data: ReportData) -> list[str]:
    found = []
    for table in data.factors:
        if data.primary is not None and table.metric == data.primary.metric.name:
            rows = [
                [
                    escape(r.label or "all"),
                    *(
                        numbers.value(table.metric, r.means[v]) if v in r.means else "not run"
                        for v in table.levels
                    ),
                ]
                for r in table.rows
            ]
            found.append(
                f"### {escape(table.factor)}, {escape(table.metric.replace('_', ' '))}\n\n"
                + grid(["Held fixed", *map(escape, table.levels)], rows)
            )
    return found
