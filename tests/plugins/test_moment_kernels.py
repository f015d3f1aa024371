"""The moment kernels work on plain values: nothing is ranked, the median is selected, many classes are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from treeforge_c45 import GainRatioCriterion, NoPruner
from treeforge_criteria import InformationGainCriterion
from treeforge_moments import AmsdSplitter, MsdSplitter, Vfc45Splitter
from treeforge_moments.formulas import amsd_cuts, moments, snapped, weighted_median
from twins import assert_same, grown, without_kernel

from treeforge.data import Attribute, Dataset, Sample, Schema
from treeforge.learn.build import learner
from treeforge.learn.encode import encode
from treeforge.learn.learner import Learner, Limits
from treeforge.plugin import Splitter, Tree

Array = NDArray[np.float64]


def dataset(columns: list[Array], classes: NDArray[Any], weights: Array | None = None) -> Dataset:
    names = tuple(f"c{i}" for i in range(int(classes.max()) + 1))
    attributes = (*(Attribute(f"x{i}") for i in range(len(columns))), Attribute("class", "nominal", names))
    return Dataset(Schema(attributes, len(columns)), (*columns, classes.astype(np.int32)), weights)


def root(splitter: Splitter, data: Dataset, min_branch: float = 0.1) -> Tree:
    limits = Limits(min_branch=min_branch, max_depth=1)
    fitting = Learner(splitter, InformationGainCriterion(), NoPruner(collapse=False), limits=limits)
    tree: Tree = fitting.fit(data, Sample.whole(data.n_rows)).fitted.tree  # type: ignore[union-attr]
    return tree


def values_of(kind: str, n: int, random: np.random.Generator) -> Array:
    """Ties, tails, clusters: what makes a guess at the median a bad one."""
    if kind == "two":
        return random.choice([-1.5, 7.25], n)
    if kind == "tied":
        return np.where(random.random(n) < 0.6, 0.0, random.normal(size=n))
    if kind == "tail":
        return random.lognormal(0.0, 6.0, n)
    if kind == "far":
        return np.r_[random.normal(size=n - 1), 1e300]
    if kind == "clusters":
        return random.choice([1e-9, 1.0, 1e9], n) * (1 + random.random(n))
    return random.normal(size=n)


@settings(deadline=None, max_examples=200)
@given(
    st.sampled_from(["two", "tied", "tail", "far", "clusters", "normal"]),
    st.integers(2, 700),
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([0.0, 0.3]),
)
def test_median_is_selected(kind: str, n: int, seed: int, weighted: bool, unknown: float) -> None:
    random = np.random.default_rng(seed)
    values = values_of(kind, n, random)
    weights = random.integers(1, 5, n) / 4.0 if weighted else np.ones(n)
    values[random.random(n) < unknown] = np.nan
    known = ~np.isnan(values)
    assume(known.any())
    median = weighted_median(values[known], weights[known])
    classes = np.where(known, values > median, random.random(n) < 0.5)
    assume(0 < classes[known].sum() < known.sum())
    # 300 more values, of rows that do not train: the column is not one of bytes
    column, labels = np.r_[values, np.arange(300) / 7.0], np.r_[classes, np.full(300, -1)]
    tree = root(
        Vfc45Splitter(cuts=("median",)),
        dataset([column], labels, np.r_[weights, np.ones(300)] if weighted else None),
    )
    assert tree.cuts.tolist() == [median]


@pytest.mark.parametrize("weighted", [False, True])
def test_median_of_a_long_column(weighted: bool) -> None:
    random = np.random.default_rng(5)
    for kind in ("tied", "tail", "clusters", "normal"):
        values = values_of(kind, 100_001, random)
        weights = random.integers(1, 5, len(values)) / 4.0 if weighted else np.ones(len(values))
        median = weighted_median(values, weights)
        data = dataset([values], values > median, weights if weighted else None)
        assert root(Vfc45Splitter(cuts=("median",)), data).cuts.tolist() == [median]


@pytest.mark.parametrize("splitter", [MsdSplitter(), AmsdSplitter(), Vfc45Splitter()], ids=repr)
@pytest.mark.parametrize("n_classes", [2, 9, 32, 33, 60])
def test_any_number_of_classes(splitter: Splitter, n_classes: int) -> None:
    """Up to 32 are counted by bits, more of them case by case."""
    random = np.random.default_rng(n_classes)
    classes = random.integers(0, n_classes, 700)
    columns = [
        random.normal(size=700) + classes,
        random.integers(0, 30, 700) + 0.0,
        np.round(random.lognormal(size=700), 1),
    ]
    columns[0][random.random(700) < 0.1] = np.nan
    data = dataset(columns, classes)
    fast, slow = (grown(s, GainRatioCriterion(), data, 2.0) for s in (splitter, without_kernel(splitter)))
    assert fast.n_nodes > n_classes
    assert_same(fast, slow)


@pytest.mark.parametrize("unknown", [0.0, 0.2])
def test_cuts_are_those_of_the_formulas_and_hold_at_every_value(unknown: float) -> None:
    """Some cuts lie on values, where rounding must not decide: symmetrical columns, whole and real."""
    random = np.random.default_rng(1)
    for n in (3, 7, 64, 65, 400):
        half = np.round(random.normal(size=n), 2)
        values = np.r_[5.0 - half, 5.0 + half, 5.0]
        values[random.random(len(values)) < unknown] = np.nan
        known = values[~np.isnan(values)]
        found = moments(known, np.ones(len(known)))
        cuts = snapped(amsd_cuts(found, 0.0, 1.0), known, found.sd)
        column, labels = np.r_[values, np.arange(300) / 7.0], np.r_[values >= 5.0, np.full(300, -1)]
        tree = root(MsdSplitter(), dataset([column], labels))
        np.testing.assert_allclose(tree.cuts, cuts, rtol=1e-12)
        shares = np.bincount(np.searchsorted(cuts, known, side="right"), minlength=4) / len(known)
        np.testing.assert_allclose(tree.weight[1:], shares * len(values), atol=1e-9)


@pytest.mark.parametrize("splitter", ["msd", "amsd", "vfc45"])
def test_nothing_is_ranked(splitter: str) -> None:
    """Not even to prune: raising sends cases down by their plain values, too."""
    random = np.random.default_rng(2)
    columns = [random.normal(size=2000), random.integers(0, 9, 2000) + 0.0]
    data = dataset(columns, columns[0] + columns[1] / 9 + random.normal(size=2000) > 0.5)
    fitting = learner({"splitter": splitter})
    fitting.prepare(data)
    table = encode(data)
    coded = table.plain
    assert coded.plain
    assert fitting.fit(data).fitted.tree.n_nodes > 1  # type: ignore[union-attr]
    assert table.encoded is None
    assert table.plain is coded


def test_values_at_both_ends_of_the_range_do_no_harm() -> None:
    column = np.r_[-np.inf, np.inf, np.arange(300.0), np.nan]
    data = dataset([column], np.arange(303) % 2)
    for splitter in (MsdSplitter(), AmsdSplitter(), Vfc45Splitter()):
        assert root(splitter, data).weight[0] == 303
