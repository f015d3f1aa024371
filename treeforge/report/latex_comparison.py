"""A comparison in LaTeX."""

from __future__ import annotations

from treeforge.compare import Comparison
from treeforge.compare.words import show_p
from treeforge.report import numbers, plots
from treeforge.report.latex_blocks import WIDE, arrow, figure, heading, longtable, short_name
from treeforge.report.layout import how, matrix
from treeforge.report.tex import escape
from treeforge.report.verdicts import all_pairs, over_datasets


def comparison_section(comparison: Comparison, with_tallies: bool) -> list[str]:
    """The subsection of a comparison: what was tested, the diagram, every pair."""
    against = f" against {comparison.control}" if comparison.control else ""
    parts = [
        rf"\subsection{{{escape(comparison.metric.replace('_', ' ').capitalize() + against)}}}",
        escape(f"{how(comparison)}. {comparison.summary}"),
    ]
    if comparison.omnibus is not None and comparison.omnibus.sentence not in comparison.summary:
        parts.append(escape(comparison.omnibus.sentence))
    parts += [escape(w) for w in comparison.warnings]
    caption = (
        "Mean ranks, best on the left. A bar joins algorithms of which no two were found to differ; "
        "dots on it are its members."
    )
    parts += figure(plots.rank_diagram(comparison, WIDE), caption)
    if all_pairs(comparison):
        parts += _matrix(comparison)
    elif over_datasets(comparison):
        rows = [
            [escape(v.left), escape(v.right), f"{v.wins}/{v.ties}/{v.losses}",
             escape(numbers.signed(comparison.metric, v.estimate.value)) if v.estimate else "",
             escape(show_p(v.p)), escape(show_p(v.adjusted_p)), rf"\textbf{{{escape(v.better)}}}" if v.better else ""]
            for v in over_datasets(comparison)
        ]  # fmt: skip
        header = ["First", "Second", "w/t/l", "Difference", "$p$", "$p$ adjusted", "Better"]
        parts.append(longtable("llrrrrl", header, rows))
    against_whom = plots.reference(comparison)
    parts += figure(
        plots.posteriors(comparison, WIDE),
        f"How probable it is that each is better than {against_whom}, practically equal, or worse.",
    )
    drawing = plots.tallies(comparison, WIDE) if with_tallies else None
    parts += figure(drawing, f"Data sets won, tied and lost against {against_whom}; ▲ ▼ significant.")
    return parts


def _matrix(comparison: Comparison) -> list[str]:
    shown = matrix(comparison)
    most = 6
    parts = ["All pairs, row against column: difference, wins/ties/losses, adjusted $p$; bold where significant.",
             r"\begingroup\footnotesize"]  # fmt: skip
    for start in range(0, len(shown.algorithms), most):
        columns = range(start, min(start + most, len(shown.algorithms)))
        rows = []
        for name, row in zip(shown.algorithms, shown.rows, strict=True):
            cells = [row[i] for i in columns]
            rows.append(
                [
                    short_name(name),
                    *("--" if c is None else _strong(escape(c.difference), c.mark) for c in cells),
                ]
            )
            rows.append(["", *("" if c is None else c.tally for c in cells)])
            rows.append(["", *("" if c is None else f"$p$ {escape(c.p)}" for c in cells)])
            rows.append([])
        rows.pop()
        spec = ">{\\raggedright\\arraybackslash}p{2.7cm}" + "c" * len(columns)
        parts.append(longtable(spec, ["", *(heading(shown.algorithms[i]) for i in columns)], rows))
    parts.append(r"\endgroup")
    return parts


def _strong(text: str, mark: str) -> str:
    return rf"\textbf{{{text}}}\,{arrow(mark)}" if mark else text
