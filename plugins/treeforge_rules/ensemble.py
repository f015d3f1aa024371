"""C4.5rules as an ensemble: it grows one tree and returns the rules made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treeforge.plugin import Ensemble, RuleModel, Rules, Sample, Table, Tree, TreeBuilder
from treeforge_rules.candidates import Candidate, candidates
from treeforge_rules.cases import Cases
from treeforge_rules.estimate import Estimate
from treeforge_rules.lengths import Lengths
from treeforge_rules.order import order, without_harmful
from treeforge_rules.streams import additive_feedback
from treeforge_rules.subsets import Chooser


@dataclass(frozen=True)
class C45RulesEnsemble(Ensemble):
    """Rules from an unpruned tree, as C4.5's Release 8 makes them.

    Each path to a leaf is a rule. Conditions are dropped from it as long as its estimated error does not rise;
    each class keeps the subset of its rules that codes the training cases in the fewest bits; classes are ordered
    by false positives; rules that do harm are dropped; what no rule covers gets the default class.

    The tree is the only part that a seed can touch: the random subsets come from the C library's unseeded
    generator, as in Release 8. A case counts its weight.

    Parameters
    ----------
    confidence : float
        Of the estimated error; smaller ones generalise more (c4.5rules -c, as a fraction).
    redundancy : float
        How much the attributes tell one another; above 1 rules get cheaper, and more of them are kept
        (c4.5rules -r).

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning (1993), chapter 5; J. R. Quinlan, MDL and categorical
    theories (continued), ICML 1995.
    """

    confidence: float = 0.25
    redundancy: float = 1.0

    default_pruner: ClassVar[Any] = "none"
    examples: ClassVar[tuple[Mapping[str, Any], ...]] = ({}, {"confidence": 0.1, "redundancy": 2.0})

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise ValueError(f"confidence must be between 0 and 1, not {self.confidence}")
        if not self.redundancy > 0:
            raise ValueError(f"redundancy must be above 0, not {self.redundancy}")

    def build(
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> RuleModel:
        return self.of_tree(builder.tree(sample, seed), table, sample)

    def of_tree(self, tree: Tree, table: Table, sample: Sample) -> RuleModel:
        """The rules of a tree that is grown already, made with the cases that it was grown on."""
        cases = Cases.of(table, sample)
        found = list(candidates(tree, cases, Estimate(self.confidence)))
        chooser = Chooser(cases, Lengths.of(cases, self.redundancy), additive_feedback())
        chosen = [chooser.choose([r for r in found if r.said == c], c) for c in range(table.n_classes)]
        listed, default = order(chosen, cases)
        kept = without_harmful(listed, default, cases)
        return self._model(kept, default, cases, generalised=len(found), dropped=len(listed) - len(kept))

    def _model(
        self, kept: list[Candidate], default: int, cases: Cases, *, generalised: int, dropped: int
    ) -> RuleModel:
        n_classes = cases.table.n_classes
        first = np.full(cases.n, len(kept))
        for place in range(len(kept) - 1, -1, -1):
            first[kept[place].covered] = place
        decided = np.zeros((len(kept) + 1, n_classes))
        np.add.at(decided, (first, cases.classes), cases.weights)
        covered = [np.bincount(cases.classes[r.covered], cases.weights[r.covered], n_classes) for r in kept]
        return RuleModel(
            Rules.of([rule.tests for rule in kept], [rule.said for rule in kept]),
            default,
            np.array([rule.error for rule in kept], dtype=np.float64),
            np.array(covered, dtype=np.float64).reshape(len(kept), n_classes),
            decided,
            {"numbers": [rule.number for rule in kept], "generalised": generalised, "dropped": dropped},
        )
