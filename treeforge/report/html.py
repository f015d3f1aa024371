"""The report as one HTML page: no script, nothing fetched, all text escaped by the template."""

from __future__ import annotations

import base64
import re
from functools import cache
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from treeforge.compare.words import show_p
from treeforge.report import numbers, plots, words
from treeforge.report.data import ReportData, TreeText
from treeforge.report.drawing import Drawing, svg
from treeforge.report.layout import folds, how, matrix, result_table
from treeforge.report.reproduce import facts, parameters
from treeforge.report.verdicts import all_pairs

#: Width of the main figures on a wide page and on a phone: text in a figure must not shrink with it.
WIDE, HALF, NARROW = 660.0, 440.0, 330.0
#: More data sets than this are folded away where each has a plot or trees.
OPEN = 24


def render(data: ReportData) -> str:
    """The whole page."""
    figures = _Figures()
    fresh = plots.new_tallies(data)
    comparisons = [
        {
            "it": c,
            "how": how(c),
            "matrix": matrix(c) if all_pairs(c) else None,
            "diagram": figures.two(plots.rank_diagram(c, WIDE), plots.rank_diagram(c, NARROW)),
            "posteriors": figures.two(plots.posteriors(c, WIDE), plots.posteriors(c, NARROW)),
            "reference": plots.reference(c),
            "tallies": figures.two(plots.tallies(c, WIDE), plots.tallies(c, NARROW)) if i in fresh else None,
        }
        for i, c in enumerate(data.comparisons)
    ]
    paragraphs = words.methods(data)
    strips = [(name, figures.one(drawing)) for name, drawing in plots.strips(data)]
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            data=data,
            run=data.run,
            summary=words.summary(data),
            tables=[result_table(data, t) for t in data.tables],
            primary=data.primary,
            comparisons=comparisons,
            trade_offs=[
                figures.two(wide, narrow)
                for wide, narrow in zip(
                    plots.trade_offs(data, HALF), plots.trade_offs(data, NARROW), strict=True
                )
            ],
            strips=strips,
            strip_legend=plots.strip_legend(data),
            strips_open=len(strips) <= OPEN,
            factors=[
                (factor, figures.two(wide, narrow))
                for (factor, wide), (_, narrow) in zip(
                    plots.interactions(data, WIDE), plots.interactions(data, NARROW), strict=True
                )
            ],
            factor_tables=[f for f in data.factors if data.primary and f.metric == data.primary.metric.name],
            trees_open=len({t.dataset for t in data.trees}) <= OPEN,
            trees=[(d, list(ts)) for d, ts in groupby(data.trees, key=lambda t: t.dataset)],
            confusions=[(d, list(cs)) for d, cs in groupby(data.confusions, key=lambda c: c.dataset)],
            paragraphs=paragraphs,
            sources=words.cited(paragraphs),
            facts=facts(data),
            parameters=parameters(data),
            datasets=data.run.get("datasets") or (),
        )
    )


class _Figures:
    """Numbers the figures of a page, so that their ids are unique."""

    def __init__(self) -> None:
        self.count = 0

    def one(self, drawing: Drawing, css: str = "") -> Markup:
        """A figure in one width."""
        self.count += 1
        return Markup(svg(drawing, f"f{self.count}", css))

    def two(self, wide: Drawing | None, narrow: Drawing | None) -> Markup | None:
        """A figure for wide pages and one for phones."""
        if wide is None or narrow is None:
            return None
        return self.one(wide, "wide") + self.one(narrow, "narrow")


def soft(name: str) -> Markup:
    """A name that may be broken where its parts meet."""
    return Markup(re.sub(r"([_/:,]|\.(?=[A-Za-z]))(?=\w)", r"\1<wbr>", str(escape(name))))


def picture(tree: TreeText) -> str:
    """A tree's SVG as an image's address: whatever is in it cannot run or reach the page."""
    return "data:image/svg+xml;base64," + base64.b64encode(tree.svg.encode()).decode("ascii")


@cache
def environment() -> Environment:
    """Where the templates come from, and what they may call."""
    made = Environment(
        loader=PackageLoader("treeforge.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(
        isinstance=isinstance,
        folds=folds,
        Cite=words.Cite,
        show_p=show_p,
        numbers=numbers,
        picture=picture,
        soft=soft,
    )
    return made
