"""Rules as text, each condition on a line of its own, and as JSON values."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treeforge.export.conditions import Condition, one_line
from treeforge.export.numbers import weka_weight

if TYPE_CHECKING:
    from treeforge.data import Attribute
    from treeforge.export.rule_list import Measured, RuleList


def to_text(found: RuleList) -> str:
    """The rules, what each covers, and the default."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: RuleList) -> Iterator[str]:
    count = f"{len(found)} rule{'s' * (len(found) != 1)}"
    if found.default is None:
        yield f"{count}, one for each leaf"
    else:
        yield f"{count}; the first that holds decides"
    for rule in found:
        yield ""
        yield f"rule {rule.number}"
        yield from (f"    {text}" for text in rule.texts)
        estimate = "" if rule.error is None else f" ({percent(1 - rule.error)})"
        yield f"    -> {one_line(rule.said)}{estimate}"
        yield f"    training: {measured(rule.training)}"
        if rule.data is not None:
            yield f"    {one_line(found.data)}: {measured(rule.data)}"
    if found.default is not None and found.otherwise is not None:
        yield ""
        yield "otherwise"
        yield f"    -> {one_line(found.default)}"
        training, data = found.otherwise
        yield f"    training: {decided(training)}"
        if data is not None:
            yield f"    {one_line(found.data)}: {decided(data)}"


def measured(these: Measured) -> str:
    """Coverage, confidence and lift in words."""
    covers = f"covers {weka_weight(these.covered)} ({percent(these.coverage)})"
    return f"{covers}, confidence {percent(these.confidence)}, lift {lift(these)}; {decided(these)}"


def decided(these: Measured) -> str:
    """How many cases it decides, and how many of them rightly."""
    return f"decides {weka_weight(these.decided)}, {weka_weight(these.decided_right)} right"


def percent(part: float | None) -> str:
    """A part of the whole; a question mark where there is no whole."""
    return "?" if part is None else f"{100 * part:.1f} %"


def lift(these: Measured) -> str:
    """The lift to two decimals; a question mark where it is not defined."""
    return "?" if these.lift is None else f"{these.lift:.2f}"


def to_json(found: RuleList) -> str:
    """The rules as one JSON object."""
    return json.dumps(to_dict(found), ensure_ascii=False, allow_nan=False) + "\n"


def to_dict(found: RuleList) -> dict[str, Any]:
    """The rules as JSON values; undefined measures are null."""
    inputs = found.model.inputs
    training, data = found.otherwise or (None, None)
    return {
        "classes": list(found.model.classes),
        "default": found.default,
        "data": found.data or None,
        "rules": [
            {
                "number": rule.number,
                "conditions": [
                    {"text": text, **_condition(condition, inputs[condition.attribute])}
                    for text, condition in zip(rule.texts, rule.conditions, strict=True)
                ],
                "class": rule.said,
                "error": rule.error,
                "training": _measures(rule.training),
                "data": _measures(rule.data),
            }
            for rule in found
        ],
        "otherwise": None if training is None else {"training": _measures(training), "data": _measures(data)},
    }


def _condition(condition: Condition, attribute: Attribute) -> dict[str, Any]:
    """A condition in numbers and names; the ends of an interval that has none are null."""
    if condition.categories is not None:
        return {
            "attribute": attribute.name,
            "categories": [attribute.categories[code] for code in condition.categories],
        }
    return {
        "attribute": attribute.name,
        "intervals": [[x if math.isfinite(x) else None for x in ends] for ends in condition.intervals],
        "closed": "left" if condition.closed_left else "right",
    }


def _measures(these: Measured | None) -> dict[str, Any] | None:
    if these is None:
        return None
    return {
        "cases": these.cases,
        "covered": these.covered,
        "right": these.right,
        "decided": these.decided,
        "decided_right": these.decided_right,
        "coverage": these.coverage,
        "confidence": these.confidence,
        "lift": these.lift,
    }
