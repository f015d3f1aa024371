"""The report as a LaTeX document that compiles under every engine; each table and figure can be cut out alone."""

from __future__ import annotations

from collections.abc import Sequence

from treeforge.compare import Comparison
from treeforge.compare.words import show_p
from treeforge.report import numbers, plots, tikz, words
from treeforge.report.data import ReportData, TreeText
from treeforge.report.drawing import Drawing
from treeforge.report.layout import Cell, Row, folds, how, matrix, result_table
from treeforge.report.reproduce import facts, parameters
from treeforge.report.scores import MetricTable
from treeforge.report.tex import breakable, escape, length
from treeforge.report.verdicts import all_pairs, over_datasets

#: Width of a full and of a half figure in CSS pixels; times ``tikz.UNIT`` that is A4 with margins of 2.2 cm.
WIDE, HALF, THIRD = 660.0, 330.0, 222.0
#: In cm.
TEXT_WIDTH = 16.6
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
        rf"\title{{{_name(data.name, 200)}}}",
        r"\author{}\date{" + escape(str(data.run.get("finished", ""))[:10]) + "}",
        r"\begin{document}",
        r"\maketitle",
        escape(" ".join(words.summary(data))),
    ]
    parts += [breakable(str(w), 24) for w in data.run.get("warnings") or ()]
    parts.append(r"\section{Results}")
    primary = data.primary
    for table in data.tables if primary is None else [primary, *(t for t in data.tables if t is not primary)]:
        parts += _results(data, table)
    if data.comparisons:
        parts.append(r"\section{Comparisons}")
        fresh = plots.new_tallies(data)
        for i, comparison in enumerate(data.comparisons):
            parts += _comparison(comparison, i in fresh)
    parts += _costs(data)
    parts += _factors(data)
    parts += _strips(data)
    parts += _trees(data.trees)
    if data.failures:
        rows = [[_name(f.dataset), _name(f.algorithm), escape(folds(f.folds)), breakable(f.reason, 24)]
                for f in data.failures]  # fmt: skip
        parts.append(r"\section{Failures}")
        parts.append(
            _table("p{3.4cm}p{3cm}p{3.2cm}p{5.6cm}", ["Data set", "Algorithm", "Folds", "Reason"], rows)
        )
    parts += _methods(data)
    parts += _reproduce(data)
    parts.append(r"\end{document}")
    return "\n\n".join(parts) + "\n"


def _table(
    columns: str, header: Sequence[str], rows: Sequence[Sequence[str]], last: Sequence[Sequence[str]] = ()
) -> str:
    """A longtable with booktabs' rules; cells are LaTeX already. An empty row is a gap."""

    def line(cells: Sequence[str]) -> str:
        if not cells:
            return r"\addlinespace"
        return " & ".join(f"{{{c}}}" for c in cells) + r" \\"

    body = [line(r) for r in rows]
    if last:
        body += [r"\midrule", *(line(r) for r in last)]
    return "\n".join(
        [
            rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
            r"\toprule",
            line(header),
            r"\midrule",
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *body,
            r"\end{longtable}",
        ]
    )


def _results(data: ReportData, table: MetricTable) -> list[str]:
    shown = result_table(data, table)
    direction = f" ({escape(shown.direction)})" if shown.direction else ""
    parts = [rf"\subsection{{{escape(shown.title)}{direction}}}", r"\begingroup\small"]
    rows = (*shown.rows, *shown.footer)
    names = min(24, max((length(r.name) for r in rows), default=8)) * 0.17 + 0.3
    for columns in _chunks(rows, shown.algorithms, names):
        header = ["Data set", *(_head(shown.algorithms[i]) for i in columns)]
        spec = f">{{\\raggedright\\arraybackslash}}p{{{names:.1f}cm}}" + "r" * len(columns)
        parts.append(
            _table(
                spec,
                header,
                [[_name(r.name), *(_cell(r.cells[i]) for i in columns)] for r in shown.rows],
                [[_name(r.name), *(_cell(r.cells[i]) for i in columns)] for r in shown.footer],
            )
        )
    parts.append(r"\endgroup")
    legend = [line for line in shown.legend if not line.startswith(("Bold", "Small"))]
    notes = [f"({i}) {note}." for i, note in enumerate(shown.notes, 1)]
    parts.append(
        r"{\footnotesize " + escape(" ".join(["Bold: best of its row.", *legend, *notes])) + r"\par}"
    )
    return parts


def _name(text: str, most: int = 60) -> str:
    """A name in a table or heading: broken where it must be, cut where it is absurdly long."""
    return breakable(text if len(text) <= most else text[: most - 15] + "…" + text[-14:])


def _head(name: str) -> str:
    """A column's heading; a long one in several lines."""
    return rf"\tfhead{{2cm}}{{{_name(name, 30)}}}" if length(name) > 12 else escape(name)


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
        text += r"\," + _mark(cell.mark)
    return text + "".join(rf"\textsuperscript{{({n})}}" for n in cell.notes)


def _mark(kind: str) -> str:
    return {"better": r"\tfbetter{}", "worse": r"\tfworse{}", "": ""}[kind]


def _comparison(comparison: Comparison, with_tallies: bool) -> list[str]:
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
    parts += _figure(plots.rank_diagram(comparison, WIDE), caption)
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
        parts.append(_table("llrrrrl", header, rows))
    against_whom = plots.reference(comparison)
    parts += _figure(
        plots.posteriors(comparison, WIDE),
        f"How probable it is that each is better than {against_whom}, practically equal, or worse.",
    )
    drawing = plots.tallies(comparison, WIDE) if with_tallies else None
    parts += _figure(drawing, f"Data sets won, tied and lost against {against_whom}; ▲ ▼ significant.")
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
                [_name(name), *("--" if c is None else _strong(escape(c.difference), c.mark) for c in cells)]
            )
            rows.append(["", *("" if c is None else c.tally for c in cells)])
            rows.append(["", *("" if c is None else f"$p$ {escape(c.p)}" for c in cells)])
            rows.append([])
        rows.pop()
        spec = ">{\\raggedright\\arraybackslash}p{2.7cm}" + "c" * len(columns)
        parts.append(_table(spec, ["", *(_head(shown.algorithms[i]) for i in columns)], rows))
    parts.append(r"\endgroup")
    return parts


def _strong(text: str, mark: str) -> str:
    return rf"\textbf{{{text}}}\,{_mark(mark)}" if mark else text


def _figure(drawing: Drawing | None, caption: str) -> list[str]:
    if drawing is None:
        return []
    return [
        "\\begin{center}\n"
        + tikz.picture(drawing)
        + "\n\n"
        + rf"{{\footnotesize {escape(caption)}}}"
        + "\n\\end{center}"
    ]


def _side_by_side(drawings: Sequence[Drawing], captions: Sequence[str], share: float) -> str:
    pages = [
        rf"\begin{{minipage}}[t]{{{share}\linewidth}}\centering{{\footnotesize\bfseries {_name(c, 40)}}}\par"
        + "\n"
        + tikz.picture(d)
        + "\n\\end{minipage}"
        for d, c in zip(drawings, captions, strict=True)
    ]
    each = round(1 / share)
    lines = ["\\hfill\n".join(pages[i : i + each]) for i in range(0, len(pages), each)]
    return "\n\n".join(lines)


def _costs(data: ReportData) -> list[str]:
    drawings = plots.trade_offs(data, HALF)
    if not drawings:
        return []
    return [r"\section{What accuracy costs}", _side_by_side(drawings, ["" for _ in drawings], 0.49),
            "The line joins the algorithms that no other beats in both measures."]  # fmt: skip


def _factors(data: ReportData) -> list[str]:
    parts: list[str] = []
    tables = [f for f in data.factors if data.primary and f.metric == data.primary.metric.name]
    for (factor, drawing), table in zip(plots.interactions(data, WIDE), tables, strict=True):
        parts.append(rf"\subsection{{{escape(factor)}}}")
        parts += _figure(
            drawing, f"{table.metric.replace('_', ' ').capitalize()} by {factor}, all else held fixed."
        )
        rows = [
            [escape(r.label or "all"),
             *(escape(numbers.value(table.metric, r.means[v])) if v in r.means else "not run" for v in table.levels)]
            for r in table.rows
        ]  # fmt: skip
        parts.append(_table("l" + "r" * len(table.levels), ["Held fixed", *map(escape, table.levels)], rows))
    return [r"\section{Factors}", *parts] if parts else []


def _strips(data: ReportData) -> list[str]:
    found = plots.strips(data, THIRD)
    if not found:
        return []
    if len(found) > MOST_PLOTS:
        return [r"\section{Fold by fold}", f"The plots of {len(found)} data sets stand in the HTML report."]
    return [r"\section{Fold by fold}", _side_by_side([d for _, d in found], [n for n, _ in found], 0.32)]


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
        parts.append(rf"\subsection{{{_name(tree.algorithm)} on {_name(tree.dataset)}}}")
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
            _table("p{3.4cm}p{12.4cm}", ["What", "Value"], [[escape(k), breakable(v)] for k, v in known])
        )
    datasets = data.run.get("datasets") or ()
    if datasets:
        rows = [
            [_name(str(d.get("name", ""))), *(escape(str(d.get(k, ""))) for k in ("rows", "attributes", "classes")),
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
        parts.append(_table(">{\\raggedright\\arraybackslash}p{3.2cm}rrrp{4.1cm}p{4.1cm}", header, rows))
        parts.append(r"\endgroup")
    for name, text in parameters(data):
        lines = [breakable(line, 20) for line in text.split("\n")]
        parts.append(rf"\textbf{{{_name(name)}}}\par")
        parts.append(r"{\ttfamily\scriptsize\raggedright\parskip0pt " + "\\par\n".join(lines) + r"\par}")
    return parts
