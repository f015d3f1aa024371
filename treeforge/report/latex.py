"""The report as a LaTeX document that compiles under every engine; each table and figure can be cut out alone."""

from __future__ import annotations

from collections.abc import Sequence

from treeforge.report import numbers, plots, tikz, words
from treeforge.report.data import ReportData, TreeText
from treeforge.report.latex_blocks import HALF, THIRD, WIDE, figure, longtable, short_name, side_by_side
from treeforge.report.latex_comparison import comparison_section
from treeforge.report.latex_results import results
from treeforge.report.layout import folds
from treeforge.report.reproduce import facts, parameters
from treeforge.report.tex import breakable, escape

#: Larger trees, and those that come after so many lines, are left to the HTML page.
MOST_LEAVES, MOST_LINES = 30, 400
#: More data sets than this would make a chapter of plots.
MOST_PLOTS = 60

PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage{lmodern}
  \newcommand{\tfunicode}[1]{{\scriptsize[U+#1]}\allowbreak}
\else
  \usepackage{fontspec}
  \newcommand{\tfunicode}[1]{\symbol{"#1}}
\fi
\usepackage[margin=2.2cm]{geometry}
\usepackage{textcomp,amssymb,array,booktabs,longtable,xcolor,tikz}
\newcommand{\tfbetter}{\ensuremath{\blacktriangle}}
\newcommand{\tfworse}{\ensuremath{\blacktriangledown}}
\newcommand{\tfsd}[1]{{\scriptsize\,\textpm\,#1}}
\newcommand{\tfhead}[2]{\begin{tabular}[b]{@{}>{\raggedleft\arraybackslash}p{#1}@{}}#2\end{tabular}}
\setlength{\parindent}{0pt}\setlength{\parskip}{.5em}
\setlength{\LTleft}{0pt}\setlength{\LTpre}{.4em}\setlength{\LTpost}{.4em}
\setlength{\emergencystretch}{3em}"""


def render(data: ReportData) -> str:
    """The whole document."""
    parts = [
        PREAMBLE,
        tikz.preamble(),
        rf"\title{{{short_name(data.name, 200)}}}",
        r"\author{}\date{" + escape(str(data.run.get("finished", ""))[:10]) + "}",
        r"\begin{document}",
        r"\maketitle",
        escape(" ".join(words.summary(data))),
    ]
    parts += [breakable(str(w), 24) for w in data.run.get("warnings") or ()]
    parts.append(r"\section{Results}")
    primary = data.primary
    for table in data.tables if primary is None else [primary, *(t for t in data.tables if t is not primary)]:
        parts += results(data, table)
    if data.comparisons:
        parts.append(r"\section{Comparisons}")
        fresh = plots.new_tallies(data)
        for i, comparison in enumerate(data.comparisons):
            parts += comparison_section(comparison, i in fresh)
    parts += _costs(data)
    parts += _factors(data)
    parts += _strips(data)
    parts += _trees(data.trees)
    if data.failures:
        rows = [[short_name(f.dataset), short_name(f.algorithm), escape(folds(f.folds)), breakable(f.reason, 24)]
                for f in data.failures]  # fmt: skip
        parts.append(r"\section{Failures}")
        parts.append(
            longtable("p{3.4cm}p{3cm}p{3.2cm}p{5.6cm}", ["Data set", "Algorithm", "Folds", "Reason"], rows)
        )
    parts += _methods(data)
    parts += _reproduce(data)
    parts.append(r"\end{document}")
    return "\n\n".join(parts) + "\n"


def _costs(data: ReportData) -> list[str]:
    drawings = plots.trade_offs(data, HALF)
    if not drawings:
        return []
    return [r"\section{What accuracy costs}", side_by_side(drawings, ["" for _ in drawings], 0.49),
            "The line joins the algorithms that no other beats in both measures."]  # fmt: skip


def _factors(data: ReportData) -> list[str]:
    parts: list[str] = []
    tables = [f for f in data.factors if data.primary and f.metric == data.primary.metric.name]
    for (factor, drawing), table in zip(plots.interactions(data, WIDE), tables, strict=True):
        parts.append(rf"\subsection{{{escape(factor)}}}")
        parts += figure(
            drawing, f"{table.metric.replace('_', ' ').capitalize()} by {factor}, all else held fixed."
        )
        rows = [
            [escape(r.label or "all"),
             *(escape(numbers.value(table.metric, r.means[v])) if v in r.means else "not run" for v in table.levels)]
            for r in table.rows
        ]  # fmt: skip
        parts.append(
            longtable("l" + "r" * len(table.levels), ["Held fixed", *map(escape, table.levels)], rows)
        )
    return [r"\section{Factors}", *parts] if parts else []


def _strips(data: ReportData) -> list[str]:
    found = plots.strips(data, THIRD)
    if not found:
        return []
    if len(found) > MOST_PLOTS:
        return [r"\section{Fold by fold}", f"The plots of {len(found)} data sets stand in the HTML report."]
    return [r"\section{Fold by fold}", side_by_side([d for _, d in found], [n for n, _ in found], 0.32)]


def _trees(trees: Sequence[TreeText]) -> list[str]:
    if not trees:
        return []
    shown: list[TreeText] = []
    for tree in trees:
        before = sum(t.text.count("\n") for t in shown)
        if tree.text and (tree.leaves or 0) <= MOST_LEAVES and before + tree.text.count("\n") <= MOST_LINES:
            shown.append(tree)
    parts = [r"\section{Trees}"]
    for tree in shown:
        parts.append(rf"\subsection{{{short_name(tree.algorithm)} on {short_name(tree.dataset)}}}")
        lines = []
        for line in tree.text.rstrip("\n").split("\n"):
            bare = line.lstrip(" ")
            lines.append(
                "~" * (len(line) - len(bare)) + breakable(bare.replace("|   ", "|\u00a0\u00a0\u00a0"), 30)
            )
        parts.append(r"{\ttfamily\footnotesize\raggedright\parskip0pt " + "\\par\n".join(lines) + r"\par}")
    if len(shown) < len(trees):
        parts.append(f"{len(trees) - len(shown)} other trees stand in the HTML report.")
    return parts


def _methods(data: ReportData) -> list[str]:
    paragraphs = words.methods(data)
    sources = words.cited(paragraphs)
    parts = [r"\section{Methods}"]
    for text in paragraphs:
        parts.append(
            "".join(
                rf"~\cite{{tf{sources.index(part.entry) + 1}}}"
                if isinstance(part, words.Cite)
                else escape(part)
                for part in text
            )
        )
    if sources:
        items = [rf"\bibitem{{tf{i}}} {escape(s)}" for i, s in enumerate(sources, 1)]
        parts.append("\n".join([r"\begin{thebibliography}{99}", *items, r"\end{thebibliography}"]))
    return parts


def _reproduce(data: ReportData) -> list[str]:
    parts = [r"\section{How to reproduce}"]
    known = facts(data)
    if known:
        parts.append(
            longtable("p{3.4cm}p{12.4cm}", ["What", "Value"], [[escape(k), breakable(v)] for k, v in known])
        )
    datasets = data.run.get("datasets") or ()
    if datasets:
        rows = [
            [short_name(str(d.get("name", ""))),
             *(escape(str(d.get(k, ""))) for k in ("rows", "attributes", "classes")),
             rf"\texttt{{{breakable(str(d.get('hash', ''))[:23])}}}",
             rf"\texttt{{{breakable(str(d.get('split_hash', ''))[:23])}}}"]
            for d in datasets
        ]  # fmt: skip
        header = [
            "Data set",
            "Rows",
            "Attributes",
            "Classes",
            "Content (hash begins)",
            "Splits (hash begins)",
        ]
        parts.append(r"\begingroup\footnotesize")
        parts.append(longtable(">{\\raggedright\\arraybackslash}p{3.2cm}rrrp{4.1cm}p{4.1cm}", header, rows))
        parts.append(r"\endgroup")
    for name, text in parameters(data):
        lines = [breakable(line, 20) for line in text.split("\n")]
        parts.append(rf"\textbf{{{short_name(name)}}}\par")
        parts.append(r"{\ttfamily\scriptsize\raggedright\parskip0pt " + "\\par\n".join(lines) + r"\par}")
    return parts
