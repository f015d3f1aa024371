"""What predicts by rules: the first one that holds says the class, or else there is a default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treeforge.core.rules import Rules

if TYPE_CHECKING:
    from treeforge.core.predict import Source


@dataclass(frozen=True, eq=False)
class RuleModel:
    """An ordered set of rules with a default class.

    Parameters
    ----------
    rules : Rules
    default : int
        The class of a case of which no rule holds.
    error : ndarray of float64, [n_rules]
        Estimated error rate of each rule on new cases, 0 to 1.
    covered : ndarray of float64, [n_rules, n_classes]
        Class weights of the training cases of which a rule holds.
    decided : ndarray of float64, [n_rules + 1, n_classes]
        Class weights of the training cases of which it is the first to hold; last those that none covers.
    details : dict
        What was measured while the rules were made.
    """

    rules: Rules
    default: int
    error: NDArray[np.float64]
    covered: NDArray[np.float64]
    decided: NDArray[np.float64]
    details: dict[str, Any] = field(default_factory=dict)

    #: leaves can be smoothed, rules have their estimated error
    laplace: ClassVar[bool] = False

    @property
    def n_rules(self) -> int:
        return self.rules.n_rules

    @property
    def classes(self) -> NDArray[np.int32]:
        """The class of each rule, and last the default, [n_rules + 1]."""
        return np.append(self.rules.classes, np.int32(self.default))

    @cached_property
    def answers(self) -> NDArray[np.float64]:
        """Class probabilities said by each rule, and last by default, [n_rules + 1, n_classes].

        A rule gives its class 1 minus its error, and the others share its error as they share the training
        cases. The default gives what it decided, each class with one case more. Where that would make another
        class at least as probable as the one that is said, it is mixed with as much certainty as it takes.
        Without a training case all are 0.
        """
        n_classes = self.decided.shape[1]
        found = np.zeros((self.n_rules + 1, n_classes))
        prior = self.decided.sum(axis=0)
        if not prior.any():
            return found
        for rule, said in enumerate(self.rules.classes.tolist()):
            others = prior.copy()
            others[said] = 0.0
            if not others.any():
                others[:] = 1.0
                others[said] = 0.0
            found[rule] = self.error[rule] * others / max(others.sum(), 1.0e-300)
            found[rule, said] = 1.0 - self.error[rule] if n_classes > 1 else 1.0
        found[-1] = (self.decided[-1] + 1.0) / (self.decided[-1].sum() + n_classes)
        for answer, said in zip(found, self.classes.tolist(), strict=True):
            gap = float(np.delete(answer, said).max(initial=0.0) - answer[said])
            if gap >= 0:
                certainty = gap / (1.0 + gap) + 1e-6
                answer *= 1.0 - certainty
                answer[said] += certainty
        return found

    def predict_proba(
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; the class that the rules say has the largest."""
        answers: NDArray[np.float64] = self.answers[self.rules.first(source, rows)]
        return answers

    def predict_codes(
        self, source: Source, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.int32]:
        """The class that the first rule says, [n_rows]; -1 where there was no case to learn from."""
        found = self.rules.first(source, rows)
        if not self.decided.any():
            return np.full(len(found), -1, dtype=np.int32)
        said: NDArray[np.int32] = self.classes[found]
        return said

    def with_cuts(self, cuts: Sequence[NDArray[np.float64] | None]) -> RuleModel:
        """The model with its tests of intervals of a discretised input as tests of numbers."""
        return replace(self, rules=self.rules.with_cuts(cuts))

    def measures(self) -> dict[str, float]:
        """Rules, their tests together, and bytes of the arrays."""
        arrays = [*self.rules.arrays().values(), self.error, self.covered, self.decided]
        return {
            "rules": self.n_rules,
            "conditions": self.rules.n_tests,
            "model_bytes": sum(array.nbytes for array in arrays),
        }
