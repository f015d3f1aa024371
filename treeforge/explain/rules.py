"""Why rules answer as they do: the one that decides, what the earlier ones lack, and what would change it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from treeforge.core.rule_model import RuleModel
from treeforge.data import Dataset
from treeforge.errors import ModelError
from treeforge.explain.answer import Answer, Answered
from treeforge.explain.changes import changes
from treeforge.explain.values import known, unseen_lines, value_words
from treeforge.explain.words import change_lines
from treeforge.export.conditions import one_line
from treeforge.export.rule_list import Rule
from treeforge.export.rules import to_rules
from treeforge.export.rules_text import percent
from treeforge.export.subject import Subject

#: Earlier rules shown; the rest is counted.
SHOWN = 12


@dataclass(frozen=True)
class Held:
    """A condition and the case's value.

    Parameters
    ----------
    condition : str
    attribute : str
    value : str or None
        In words; None when it is unknown.
    """

    condition: str
    attribute: str
    value: str | None


@dataclass(frozen=True)
class Missed:
    """A rule that does not hold.

    Parameters
    ----------
    rule : int
        Its number.
    said : str
        The class that it would say.
    lacks : tuple of Held
        The conditions that the case does not satisfy.
    """

    rule: int
    said: str
    lacks: tuple[Held, ...]


@dataclass(frozen=True)
class RuleExplanation(Answered):
    """Why rules answer as they do for one case.

    Parameters
    ----------
    rule : int or None
        Number of the rule that decides; None where none holds, and the default is said.
    error : float or None
        Its estimated error rate.
    conditions : tuple of Held
        Its conditions.
    earlier : tuple of Missed
        The rules before it, which do not hold.
    also : tuple of (int, str)
        Later rules that hold as well, with their classes.
    """

    rule: int | None
    error: float | None
    conditions: tuple[Held, ...]
    earlier: tuple[Missed, ...]
    also: tuple[tuple[int, str], ...]

    def _reasons(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "error": self.error,
            "conditions": [asdict(held) for held in self.conditions],
            "earlier": [asdict(missed) for missed in self.earlier],
            "also": [{"rule": number, "class": said} for number, said in self.also],
        }

    def to_text(self) -> str:
        """The rule that decides, the earlier ones and what they lack, and what would change the answer."""
        said = "the model cannot say" if self.predicted is None else one_line(self.predicted)
        lines = [f"row {self.row}: {said}", *unseen_lines(self.unseen)]
        if self.rule is None:
            lines.append("no rule holds: this is the default")
        else:
            lines.append(
                f"rule {self.rule} decides, with an estimated accuracy of {percent(1 - (self.error or 0))}"
            )
            lines += [f"    {_words(held)}" for held in self.conditions]
        for missed in self.earlier[:SHOWN]:
            lacks = "; ".join(_words(held) for held in missed.lacks)
            lines.append(f"rule {missed.rule} ({one_line(missed.said)}) does not hold: {lacks}")
        if len(self.earlier) > SHOWN:
            lines.append(f"{len(self.earlier) - SHOWN} more rules before it do not hold")
        if self.also:
            told = ", ".join(f"{number} ({one_line(said)})" for number, said in self.also[:SHOWN])
            lines.append(
                f"rules that hold as well, but come later: {told}{' ...' * (len(self.also) > SHOWN)}"
            )
        lines += change_lines(self.changes, "no attribute alone would change the answer")
        return "\n".join(lines) + "\n"

    def to_svg(self) -> str:
        raise ModelError("rules have no picture: an explanation by rules can be text or json")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.to_text())}</pre>"


def explain_rules(
    found: Subject,
    model: RuleModel,
    case: Dataset,
    row: int,
    predict: Answer,
    lost: tuple[tuple[str, str], ...],
) -> RuleExplanation:
    """Explain what rules say about a case, a dataset of one row in the model's terms; ``lost`` is what these lack."""
    values = [case.columns[place][0].item() for place in case.schema.input_indices]
    rules = to_rules(found)
    lacks = [_lacks(rule, values, found) for rule in rules]
    holding = [place for place, missing in enumerate(lacks) if not missing]
    decides = holding[0] if holding else None
    return RuleExplanation(
        **predict.told(case, row, found.classes),
        changes=changes(found, case, predict),
        unseen=lost,
        rule=None if decides is None else decides + 1,
        error=None if decides is None else rules[decides].error,
        conditions=() if decides is None else _held(rules[decides], values, found),
        earlier=tuple(
            Missed(rule.number, rule.said, missing)
            for rule, missing in zip(rules.rules[:decides], lacks[:decides], strict=True)
        ),
        also=tuple((place + 1, rules[place].said) for place in holding[1:]),
    )


def _held(rule: Rule, values: list[Any], found: Subject) -> tuple[Held, ...]:
    """All conditions of a rule with the case's values."""
    told = []
    for text, condition in zip(rule.texts, rule.conditions, strict=True):
        attribute, value = found.inputs[condition.attribute], values[condition.attribute]
        told.append(
            Held(text, attribute.name, value_words(attribute, value) if known(attribute, value) else None)
        )
    return tuple(told)


def _lacks(rule: Rule, values: list[Any], found: Subject) -> tuple[Held, ...]:
    """The conditions of a rule that a case does not satisfy; an unknown value satisfies none."""
    satisfied = [
        known(found.inputs[c.attribute], values[c.attribute]) and c.holds(values[c.attribute])
        for c in rule.conditions
    ]
    return tuple(held for held, good in zip(_held(rule, values, found), satisfied, strict=True) if not good)


def _words(held: Held) -> str:
    name = one_line(held.attribute)
    return f"{held.condition}    ({name} is {'unknown' if held.value is None else held.value})"
