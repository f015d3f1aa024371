"""Rules as a table for a page: no scripts, and every name escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from treeforge.export.conditions import one_line
from treeforge.export.numbers import weka_weight
from treeforge.export.palette import colour
from treeforge.export.rules_text import lift, percent

if TYPE_CHECKING:
    from treeforge.export.rule_list import Measured, RuleList

_STYLE = (
    "<style>.tf-rules{font:14px/1.5 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;border-collapse:collapse}"
    ".tf-rules th,.tf-rules td{padding:.25em .7em;text-align:right;vertical-align:top;"
    "border-bottom:1px solid rgba(128,128,128,.35)}"
    ".tf-rules td:nth-child(2),.tf-rules td:nth-child(3),.tf-rules th:nth-child(-n+3){text-align:left}"
    ".tf-rules i{display:inline-block;width:.7em;height:.7em;margin-right:.4em;"
    "outline:1px solid rgba(128,128,128,.5)}</style>"
)
_MEASURES = ("covers", "confidence", "lift", "decides", "right")


def to_html(found: RuleList) -> str:
    """The rules as a table, a row each; below it the default."""
    sets = ["training", *([found.data] if found.data else [])]
    groups = "".join(f'<th colspan="{len(_MEASURES)}">{_name(title)}</th>' for title in sets)
    heads = "".join(f"<th>{name}</th>" for name in _MEASURES) * len(sets)
    rows = []
    for rule in found:
        conditions = "<br>".join(map(escape, rule.texts)) or "always"
        cells = _cells(rule.training, bool(found.data), rule.data)
        estimate = "" if rule.error is None else percent(1 - rule.error)
        rows.append(
            f"<tr><td>{rule.number}</td><td>{conditions}</td><td>{_class(found, rule.said)} {estimate}</td>{cells}</tr>"
        )
    if found.default is not None and found.otherwise is not None:
        cells = _cells(found.otherwise[0], bool(found.data), found.otherwise[1])
        rows.append(f"<tr><td></td><td>otherwise</td><td>{_class(found, found.default)}</td>{cells}</tr>")
    caption = "one for each leaf" if found.default is None else "the first that holds decides"
    return (
        f'{_STYLE}\n<table class="tf-rules"><caption>{len(found)} rules, {caption}</caption>\n'
        f'<thead><tr><th rowspan="2"></th><th rowspan="2">conditions</th><th rowspan="2">class</th>{groups}</tr>'
        f"<tr>{heads}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>\n"
    )


def _class(found: RuleList, said: str) -> str:
    shade = colour(found.model.classes.index(said))
    return f'<i style="background:{shade}"></i><b>{_name(said)}</b>'


def _cells(training: Measured, with_data: bool, data: Measured | None) -> str:
    return _measured(training) + (_measured(data) if with_data and data is not None else "")


def _measured(these: Measured) -> str:
    texts = (
        f"{weka_weight(these.covered)} ({percent(these.coverage)})",
        percent(these.confidence),
        lift(these),
        weka_weight(these.decided),
        weka_weight(these.decided_right),
    )
    return "".join(f"<td>{text}</td>" for text in texts)


def _name(text: str) -> str:
    return escape(one_line(text))
