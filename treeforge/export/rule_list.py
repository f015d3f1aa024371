"""The rules of a model in words, as plain data; ``rules_text`` and ``rules_html`` show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treeforge.export.conditions import Condition
from treeforge.export.subject import Subject


@dataclass(frozen=True)
class Measured:
    """What a rule does with some cases of known class.

    Parameters
    ----------
    covered : float
        Weight of the cases of which all its conditions hold.
    right : float
        Weight of those of them that are of its class.
    decided, decided_right : float
        The same of the cases of which no earlier rule holds.
    cases, of_class : float
        Weight of all cases, and of those of the rule's class.
    """

    covered: float
    right: float
    decided: float
    decided_right: float
    cases: float
    of_class: float

    @property
    def coverage(self) -> float | None:
        """The part of the cases that it covers; None where there are no cases."""
        return self.covered / self.cases if self.cases > 0 else None

    @property
    def confidence(self) -> float | None:
        """The part of the covered cases that are of its class; None where it covers none."""
        return self.right / self.covered if self.covered > 0 else None

    @property
    def lift(self) -> float | None:
        """Its confidence, divided by the part of all cases that are of its class; None where either is none."""
        if self.covered > 0 and self.of_class > 0:
            return (self.right / self.covered) / (self.of_class / self.cases)
        return None


@dataclass(frozen=True)
class Rule:
    """One rule in words.

    Parameters
    ----------
    number : int
        From 1, in the order in which rules are asked.
    conditions : tuple of Condition
        All of them must hold; none always holds.
    texts : tuple of str
        The same in words: ``humidity <= 75``.
    said : str
        Its class.
    error : float or None
        Estimated error rate on new cases, where the model has one.
    training : Measured
    data : Measured or None
        The same on the data that was given.
    """

    number: int
    conditions: tuple[Condition, ...]
    texts: tuple[str, ...]
    said: str
    error: float | None
    training: Measured
    data: Measured | None


@dataclass(frozen=True)
class RuleList:
    """The rules of a model.

    Parameters
    ----------
    rules : tuple of Rule
    default : str or None
        The class of a case that no rule covers; None of a tree, whose leaves take all cases.
    otherwise : (Measured, Measured or None), or None
        What the default does with the training cases, and with the data.
    model : Subject
    data : str
        Name of the data that was given; empty without any.
    """

    rules: tuple[Rule, ...]
    default: str | None
    otherwise: tuple[Measured, Measured | None] | None
    model: Subject
    data: str = ""

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, place: int) -> Rule:
        return self.rules[place]

    def to_text(self) -> str:
        from treeforge.export.rules_text import to_text

        return to_text(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        from treeforge.export.rules_text import to_dict

        return to_dict(self)

    def to_json(self) -> str:
        from treeforge.export.rules_text import to_json

        return to_json(self)

    def to_html(self) -> str:
        from treeforge.export.rules_html import to_html

        return to_html(self)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()
