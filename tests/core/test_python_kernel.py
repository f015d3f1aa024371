"""Splitters and criteria in Python stand where compiled ones would."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from random_data import random_dataset
from treeforge_c45 import GainRatioCriterion, NoPruner

from treeforge.data import Attribute, Dataset, Schema
from treeforge.errors import PluginError
from treeforge.learn.learner import Learner, Limits
from treeforge.plugin import Criterion, Splitter


@dataclass(frozen=True)
class EveryCut(Splitter):
    """All midpoints of a number, a branch a category: what C4.5 proposes, without its charge."""

    def propose(self, node: Any, attribute: int) -> Iterator[Any]:
        if not node.is_numeric(attribute):
            yield [[code] for code in range(node.n_categories(attribute))]
            return
        values = np.unique(node.values(attribute))
        for low, high in pairwise(values):
            if low + 1e-5 < high:
                yield [(low + high) / 2]


@dataclass(frozen=True)
class Info(Criterion):
    """Information gain, times the known share."""

    def score(self, counts: NDArray[np.float64], total: float) -> float:
        def entropy(row: NDArray[np.float64]) -> float:
            p = row[row > 0] / row.sum()
            return float(-(p * np.log2(p)).sum())

        known = counts.sum()
        after = sum(row.sum() / known * entropy(row) for row in counts if row.sum() > 0)
        return known / total * (entropy(counts.sum(axis=0)) - after)


def learner(splitter: Splitter, criterion: Criterion, **limits: Any) -> Learner:
    return Learner(splitter, criterion, NoPruner(collapse=False), limits=Limits(**limits))


@pytest.mark.parametrize("number", range(20))
def test_python_splitter_gives_the_tree_of_the_compiled_one(number: int) -> None:
    """Compared under a criterion that counts every cut by itself: the compiled splitter has no short way then."""
    from treeforge_c45 import C45Splitter

    data = random_dataset(50_000 + number, most_rows=60)
    one = learner(EveryCut(), Info()).fit(data).fitted.tree
    other = learner(C45Splitter(actual_value=False), Info()).fit(data).fitted.tree
    assert one.attribute.tolist() == other.attribute.tolist()
    np.testing.assert_allclose(one.cuts, other.cuts)
    np.testing.assert_allclose(one.distribution, other.distribution, atol=1e-9)


DATA = Dataset(
    Schema(
        (Attribute("x"), Attribute("n", "nominal", ("u", "v", "w")), Attribute("c", "nominal", ("a", "b"))), 2
    ),
    (
        np.array([1.0, 2, 3, np.nan, 5, 6]),
        np.array([0, 1, 2, -1, 0, 1], np.int32),
        np.array([0, 0, 0, 1, 1, 1], np.int32),
    ),
    np.array([1.0, 1, 1, 1, 2, 0]),
)


def test_node_shows_its_cases() -> None:
    seen = {}

    @dataclass(frozen=True)
    class Look(Splitter):
        """Looks only."""

        def propose(self, node: Any, attribute: int) -> Iterator[Any]:
            if attribute == 0:
                seen["classes"] = node.classes.tolist()
                seen["weights"] = node.weights.tolist()
                seen["class_weights"] = node.class_weights.tolist()
                seen["values"] = node.values(0).tolist()
                seen["known"] = node.known(0).tolist()
                seen["codes"] = node.codes(1).tolist()
                seen["kinds"] = [node.is_numeric(0), node.is_numeric(1), node.n_categories(1)]
                seen["numbers"] = (
                    node.n_rows,
                    node.weight,
                    node.depth,
                    node.min_branch,
                    0 <= node.uniform() < 1,
                )
                seen["view"] = node
            return iter(())

    assert learner(Look(), GainRatioCriterion()).fit(DATA).fitted.tree.n_nodes == 1
    assert seen.pop("view") is not None
    assert seen == {
        "classes": [0, 0, 0, 1, 1],
        "weights": [1, 1, 1, 1, 2],
        "class_weights": [3, 3],
        "values": [1, 2, 3, 5],
        "known": [True, True, True, False, True],
        "codes": [0, 1, 2, 0],
        "kinds": [True, False, 3],
        "numbers": (5, 6.0, 0, 2.0, True),
    }


def test_node_is_gone_after_its_turn() -> None:
    kept: list[Any] = []

    @dataclass(frozen=True)
    class Keep(Splitter):
        """Keeps the node."""

        def propose(self, node: Any, attribute: int) -> Iterator[Any]:
            kept.append(node)
            return iter(())

    learner(Keep(), GainRatioCriterion()).fit(DATA)
    with pytest.raises(RuntimeError, match="only while its node"):
        _ = kept[0].classes


@dataclass(frozen=True)
class Proposes(Splitter):
    """Proposes one thing for each input."""

    cuts: Any = None
    groups: Any = None
    error: BaseException | None = field(default=None, compare=False)

    def propose(self, node: Any, attribute: int) -> Iterator[Any]:
        if self.error is not None:
            raise self.error
        found = self.cuts if node.is_numeric(attribute) else self.groups
        if found is not None:
            yield found


def test_what_a_splitter_raises_is_raised_by_fit() -> None:
    for error in (ZeroDivisionError("mine"), KeyboardInterrupt("stop")):
        with pytest.raises(type(error)) as caught:
            learner(Proposes(error=error), GainRatioCriterion()).fit(DATA)
        assert caught.value is error
    assert (
        learner(EveryCut(), GainRatioCriterion()).fit(DATA).fitted.tree.n_nodes >= 1
    )  # nothing is left behind


def test_what_a_criterion_raises_is_raised_by_fit() -> None:
    @dataclass(frozen=True)
    class Bad(Criterion):
        """Fails."""

        def score(self, counts: NDArray[np.float64], total: float) -> float:
            raise LookupError("not mine")

    with pytest.raises(LookupError, match="not mine"):
        learner(EveryCut(), Bad(), min_branch=1).fit(DATA)


@pytest.mark.parametrize(
    ("splitter", "message"),
    [
        (Proposes(cuts=[2.0, 1.0]), "not finite and ascending"),
        (Proposes(cuts=[np.nan]), "not finite and ascending"),
        (Proposes(cuts=[]), "proposed no cuts: where it has none to propose it must yield nothing"),
        (Proposes(cuts=list(range(1024))), "1024 cuts: on these rows a proposal has at most 1023"),
        (Proposes(groups=[[0, 1], [1, 2]]), "category 1 into two groups"),
        (Proposes(groups=[[0], [1]]), "left category 2 out"),
        (Proposes(groups=[[0], [1, 2, 3]]), "there is none such"),
    ],
)
def test_proposals_that_make_no_sense_are_refused(splitter: Splitter, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        learner(splitter, GainRatioCriterion()).fit(DATA)


def test_proposal_may_have_a_cut_between_any_two_rows() -> None:
    """2,000 different values, a class each in turn: 1,999 cuts, and the leaves are pure."""
    n = 2000
    schema = Schema((Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
    data = Dataset(schema, (np.arange(n, dtype=float), np.arange(n, dtype=np.int32) % 2))
    tree = learner(Proposes(cuts=[i + 0.5 for i in range(n - 1)]), Info(), min_branch=1).fit(data).fitted.tree
    assert (tree.n_branches[0], len(tree.cuts)) == (n, n - 1)
    np.testing.assert_array_equal(tree.distribution[1:].argmax(axis=1), np.arange(n) % 2)


def test_intervals_without_cases_may_outnumber_the_rows() -> None:
    cuts = [0.01 * i for i in range(1, 1024)]
    tree = learner(Proposes(cuts=cuts), GainRatioCriterion(), min_branch=1).fit(DATA).fitted.tree
    assert tree.n_branches[0] == 1024
    assert tree.distribution[1:].sum() == pytest.approx(tree.distribution[0].sum())


def test_splitter_with_neither_form_is_refused() -> None:
    @dataclass(frozen=True)
    class Nothing(Splitter):
        """Has neither."""

    with pytest.raises(NotImplementedError, match="neither 'propose' nor 'kernel'"):
        learner(Nothing(), GainRatioCriterion()).fit(DATA)
