"""How the trees of an ensemble vote on a case, and what they ask about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treeforge.core.model import TreeModel, VoteModel
from treeforge.data import Dataset
from treeforge.explain.values import known, value_words
from treeforge.explain.ways import Reached
from treeforge.export.subject import Subject
from treeforge.learn.encode import encode


@dataclass(frozen=True)
class Asked:
    """An input that trees test on the ways of the case.

    Parameters
    ----------
    attribute : str
    value : str or None
        The case's value in words; None when it is unknown.
    trees : int
        How many trees test it.
    tests : float
        How many tests of it there are on the ways together; one that a part of the case comes to counts as that part.
    """

    attribute: str
    value: str | None
    trees: int
    tests: float


@dataclass(frozen=True)
class Votes:
    """What the trees say, each by itself.

    Parameters
    ----------
    classes : tuple of str
    trees : tuple of int, [n_classes]
        How many trees find each class the most probable; a tree that cannot say is in none of them.
    shares : tuple of float, [n_classes]
        The part of all trees' weight that these have.
    asked : tuple of Asked
        Most tests first.
    """

    classes: tuple[str, ...]
    trees: tuple[int, ...]
    shares: tuple[float, ...]
    asked: tuple[Asked, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "votes": {
                name: {"trees": n, "share": share}
                for name, n, share in zip(self.classes, self.trees, self.shares, strict=True)
            },
            "asked": [vars(asked) for asked in self.asked],
        }


def votes_of(
    found: Subject, fitted: VoteModel, case: Dataset, ways: Sequence[Mapping[int, Reached]]
) -> Votes:
    """The votes on a case of one row, whose ways through each tree are given."""
    table, n = encode(case), len(found.classes)
    said = np.array([TreeModel(tree, fitted.laplace).predict_codes(table)[0] for tree in fitted.trees])
    weights = np.ones(len(said)) if fitted.weights is None else np.asarray(fitted.weights)
    can_say = said >= 0
    counts = np.bincount(said[can_say], minlength=n)
    shares = np.bincount(said[can_say], weights[can_say], n) / max(weights.sum(), 1e-300)
    return Votes(
        found.classes, tuple(counts.tolist()), tuple(shares.tolist()), _asked(found, fitted, case, ways)
    )


def _asked(
    found: Subject, fitted: VoteModel, case: Dataset, ways: Sequence[Mapping[int, Reached]]
) -> tuple[Asked, ...]:
    tests = np.zeros((len(fitted.trees), len(found.inputs)))
    for number, (tree, reached) in enumerate(zip(fitted.trees, ways, strict=True)):
        for node, here in reached.items():
            if tree.attribute[node] >= 0:
                tests[number, tree.attribute[node]] += here.share
    total = tests.sum(axis=0)
    told = []
    for place in np.argsort(-total, kind="stable").tolist():
        if total[place] > 0:
            attribute, value = found.inputs[place], case.columns[found.schema.input_indices[place]][0].item()
            words = value_words(attribute, value) if known(attribute, value) else None
            told.append(Asked(attribute.name, words, int((tests[:, place] > 0).sum()), float(total[place])))
    return tuple(told)
