"""A compiled splitter grows the same tree as its reference in Python, and so does a compiled criterion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from treeforge_c45 import GainRatioCriterion
from treeforge_cart import CartSplitter, ImprovedSprintSplitter, SprintSplitter
from treeforge_criteria import (
    ChiSquaredCriterion,
    DkmCriterion,
    GiniCriterion,
    HellingerCriterion,
    InformationGainCriterion,
    MisclassificationCriterion,
)
from treeforge_discretize import (
    CaimSplitter,
    Chi2Splitter,
    ChiMergeSplitter,
    EqualFrequencySplitter,
    EqualWidthSplitter,
    MdlpSplitter,
)
from treeforge_moments import AmsdSplitter, MsdSplitter, Vfc45Splitter
from treeforge_random_cut import RandomCutSplitter
from twins import assert_same, grown, without_kernel

from treeforge.data import Attribute, Dataset, Schema
from treeforge.plugin import Criterion, Splitter

SPLITTERS: list[Splitter] = [
    MsdSplitter(),
    AmsdSplitter(),
    AmsdSplitter(alpha=0.9, gamma_max=1.0),
    Vfc45Splitter(),
    Vfc45Splitter(cuts=("median",), mdl_correction=False),
    CartSplitter(),
    SprintSplitter(exact_up_to=3),
    ImprovedSprintSplitter(),
    ImprovedSprintSplitter(blocks=2, exact_up_to=2),
    RandomCutSplitter(),
    CaimSplitter(),
    MdlpSplitter(),
    EqualFrequencySplitter(),
    EqualFrequencySplitter(bins=3),
    EqualWidthSplitter(),
    EqualWidthSplitter(bins=2),
    ChiMergeSplitter(),
    ChiMergeSplitter(significance=0.5, max_intervals=5, min_intervals=3, least_expected=0.0),
    ChiMergeSplitter(significance=0.01),
    Chi2Splitter(),
    Chi2Splitter(inconsistency=0.3, levels=(0.3, 0.01)),
]
CRITERIA: list[Criterion] = [
    InformationGainCriterion(),
    GiniCriterion(),
    DkmCriterion(),
    MisclassificationCriterion(),
    HellingerCriterion(),
    ChiSquaredCriterion(),
    ChiSquaredCriterion(significance=1.0),
]


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Whole numbers and fractions, ties, unknown values, constant columns, weights; up to three classes.

    One numeric column has more than 255 distinct values in the table, so the loop keeps it as a list.
    """
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(4, 60))
    many = (
        np.arange(300) / 7.0
    )  # rows that make the column a list; of unknown class, so that they do not train
    n_classes = draw(st.integers(2, 3))
    unknown = draw(st.sampled_from([0.0, 0.0, 0.2]))
    weighted = draw(st.booleans())
    classes = random.integers(0, n_classes, n)
    columns: list[Any] = [
        random.integers(0, 6, n) + 0.0,
        random.integers(0, 40, n) / 8.0 + classes,
        np.round(random.lognormal(0, 2, n), 2),
        random.integers(0, 4, n),
        random.integers(0, 7, n),
    ]
    for column in columns:
        hidden = random.random(n) < unknown
        column[hidden] = np.nan if column.dtype == np.float64 else -1
    fill = [np.zeros(300), np.zeros(300), many, np.zeros(300, dtype=int), np.zeros(300, dtype=int)]
    schema = Schema(
        (
            *(Attribute(name) for name in ("few", "some", "many")),
            Attribute("four", "nominal", tuple("abcd")),
            Attribute("seven", "nominal", tuple("abcdefg")),
            Attribute("class", "nominal", tuple("xyz"[:n_classes])),
        ),
        5,
    )
    return Dataset(
        schema,
        (*(np.r_[c, f] for c, f in zip(columns, fill, strict=True)), np.r_[classes, np.full(300, -1)]),
        np.r_[random.integers(1, 4, n) / 2.0, np.ones(300)] if weighted else None,
    )


@pytest.mark.parametrize("splitter", SPLITTERS, ids=repr)
@given(data=datasets(), min_branch=st.sampled_from([1.0, 2.0, 3.0]))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_compiled_splitter_grows_the_tree_of_its_reference(
    splitter: Splitter, data: Dataset, min_branch: float
) -> None:
    for criterion in (GainRatioCriterion(), GiniCriterion()):
        fast = grown(splitter, criterion, data, min_branch)
        slow = grown(without_kernel(splitter), criterion, data, min_branch)
        assert_same(fast, slow)


def larger(seed: int) -> Dataset:
    """Some hundred cases of up to ten classes; few and many values, unknown ones, odd weights."""
    random = np.random.default_rng(seed)
    n, n_classes = int(random.integers(300, 600)), int(random.integers(2, 11))
    classes = random.integers(0, n_classes, n)
    columns: list[Any] = [
        np.round(
            random.normal(size=n) + classes * random.choice([0.0, 0.3, 2.0]), int(random.integers(0, 3))
        ),
        np.round(random.lognormal(0, 2, n) * (1 + classes), 3),
        random.integers(0, 9, n) + classes * 1.0,
        random.integers(0, 5, n),
    ]
    for column in columns:
        hidden = random.random(n) < random.choice([0.0, 0.1])
        column[hidden] = np.nan if column.dtype == np.float64 else -1
    attributes = (*(Attribute(f"x{i}") for i in range(3)), Attribute("five", "nominal", tuple("abcde")))
    names = tuple(f"c{i}" for i in range(n_classes))
    schema = Schema((*attributes, Attribute("class", "nominal", names)), 4)
    weights = random.uniform(0.1, 3, n) if seed % 2 else None
    return Dataset(schema, (*columns, classes.astype(np.int32)), weights)


@pytest.mark.parametrize(
    "splitter",
    [
        CaimSplitter(),
        MdlpSplitter(),
        EqualFrequencySplitter(bins=37),
        EqualWidthSplitter(bins=100),
        ChiMergeSplitter(significance=0.99, max_intervals=200),
        ChiMergeSplitter(min_intervals=4, max_intervals=9, least_expected=0.0),
        Chi2Splitter(inconsistency=0.9, levels=(0.01, 1e-4)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("seed", range(4))
def test_compiled_discretiser_grows_the_tree_of_its_reference_on_larger_data(
    splitter: Splitter, seed: int
) -> None:
    data = larger(seed)
    pair = [grown(each, GainRatioCriterion(), data, 20.0) for each in (splitter, without_kernel(splitter))]
    assert pair[0].n_nodes > 1
    assert_same(*pair)


def test_discretiser_makes_more_branches_than_its_reference_may() -> None:
    """Seven hundred values of two classes in turn: no two neighbours are alike enough to be merged."""
    values = np.repeat(np.arange(700.0), 6)
    classes = (values % 2).astype(np.int32)
    schema = Schema((Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
    tree = grown(ChiMergeSplitter(), GainRatioCriterion(), Dataset(schema, (values, classes)), 2.0)
    assert tree.n_branches[0] == 700
    assert tree.cuts.tolist() == [value + 0.5 for value in range(699)]


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@given(data=datasets())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_compiled_criterion_grows_the_tree_of_its_reference(criterion: Criterion, data: Dataset) -> None:
    splitter = MsdSplitter()
    assert_same(grown(splitter, criterion, data, 2.0), grown(splitter, without_kernel(criterion), data, 2.0))


@pytest.mark.parametrize("compiled", [True, False])
def test_mean_and_median_that_differ_by_rounding_are_one_candidate(compiled: bool) -> None:
    """Half of the cases at one value, half at another: charged for two candidates, the number would lose."""
    random = np.random.default_rng(4)
    schema = Schema(
        (
            Attribute("number"),
            Attribute("word", "nominal", tuple("abcd")),
            Attribute("class", "nominal", ("x", "y")),
        ),
        2,
    )
    words, classes = np.arange(4, dtype=np.int32), np.array([0, 0, 1, 1], dtype=np.int32)
    splitter = Vfc45Splitter() if compiled else without_kernel(Vfc45Splitter())
    for low, high in np.round(random.uniform([0, 5], [5, 9], (200, 2)), 2):
        data = Dataset(schema, (np.repeat([low, high], 2), words, classes))
        tree = grown(splitter, InformationGainCriterion(), data, 1.0)
        assert (tree.attribute[0], tree.cuts[0]) == (0, pytest.approx((low + high) / 2))
