"""Hoeffding trees: against Weka's in the same folds, against river's on a stream, and laws of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from treeforge_streams import HoeffdingAmsdEnsemble, HoeffdingModel, VfdtEnsemble
from treeforge_streams.vfdt import learn
from weka_streams import VARIANTS, right_answers

from treeforge.data.files import read_dataset
from treeforge.learn.build import learner
from treeforge.plugin import Sample, Table

State = dict[str, Any]


def stream(n: int, seed: int = 1, unknown: float = 0.0) -> Table:
    """Two numbers and a category decide between two classes; another number is noise."""
    random = np.random.default_rng(seed)
    x, y, noise = random.normal(size=(3, n))
    z = random.integers(0, 3, n).astype(np.int32)
    classes = np.where(z == 2, x > 0.5, y > -0.5).astype(np.int32)
    for column in (x, y):
        column[random.random(n) < unknown] = np.nan
    return Table([x, y, noise, z], [0, 0, 0, 3], classes, 2)


def accuracy(model: HoeffdingModel, table: Table) -> float:
    return float((model.predict_proba(table).argmax(axis=1) == table.classes).mean())


@pytest.mark.parametrize("ensemble", [VfdtEnsemble(), HoeffdingAmsdEnsemble()], ids=["vfdt", "amsd"])
@pytest.mark.parametrize("unknown", [0.0, 0.1])
def test_a_long_stream_is_learnt(ensemble: VfdtEnsemble | HoeffdingAmsdEnsemble, unknown: float) -> None:
    table, test = stream(30_000, unknown=unknown), stream(5_000, seed=2)
    model = ensemble.build(None, table, Sample.whole(30_000), 1, 1)  # type: ignore[arg-type]
    assert accuracy(model, test) > 0.9
    assert model.measures()["leaves"] > 3


def test_learning_goes_on_where_it_stopped() -> None:
    table = stream(6_000)
    whole = learn(VfdtEnsemble().new(table.n_categories, 2), table, Sample.whole(6_000))
    parts = HoeffdingModel(VfdtEnsemble().new(table.n_categories, 2))
    for block in np.array_split(np.arange(6_000, dtype=np.int32), 7):
        parts.partial_fit(table, Sample(block))
    np.testing.assert_array_equal(whole.predict_proba(table), parts.predict_proba(table))
    assert whole.measures() == parts.measures()


def test_state_is_all_that_was_learnt() -> None:
    table = stream(5_000, unknown=0.05)
    model = learn(VfdtEnsemble().new(table.n_categories, 2), table, Sample.whole(5_000))
    again = HoeffdingModel(VfdtEnsemble().new(table.n_categories, 2))
    again.tree.restore(model.tree.state())
    np.testing.assert_array_equal(model.predict_proba(table), again.predict_proba(table))
    more = stream(5_000, seed=3)
    for each in (model, again):
        each.partial_fit(more, Sample.whole(5_000))
    np.testing.assert_array_equal(model.predict_proba(more), again.predict_proba(more))


def emptied(state: State) -> State:
    return {key: value[:0] for key, value in state.items()}


def opened(place: int) -> Callable[[State], State]:
    return lambda state: state | {"open": [*state["open"][:-1], place]}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (emptied, "the state has no nodes: a tree has one at least, its root"),
        (opened(-1), "the state has an open leaf at node -1, but its nodes are 0 to"),
        (opened(100_000), "the state has an open leaf at node 100000, but its nodes are 0 to"),
        (lambda state: state | {"stats": state["stats"][:-1]}, "the state is not one of this tree"),
        (
            lambda state: state | {"classes": state["classes"][:, :1].copy()},
            "the state is not one of this tree",
        ),
    ],
    ids=["empty", "below", "beyond", "stats", "classes"],
)
def test_damaged_state_is_refused_and_the_tree_as_it_was(
    damage: Callable[[State], State], message: str
) -> None:
    table = stream(5_000)
    state = learn(VfdtEnsemble().new(table.n_categories, 2), table, Sample.whole(5_000)).tree.state()
    model = HoeffdingModel(VfdtEnsemble().new(table.n_categories, 2))
    with pytest.raises(ValueError, match=message):
        model.tree.restore(damage(state))
    fresh = HoeffdingModel(VfdtEnsemble().new(table.n_categories, 2))
    for each in (model, fresh):
        each.partial_fit(table, Sample.whole(5_000))
    np.testing.assert_array_equal(model.predict_proba(table), fresh.predict_proba(table))


def test_state_is_not_put_over_what_was_learnt() -> None:
    table = stream(5_000)
    model = learn(VfdtEnsemble().new(table.n_categories, 2), table, Sample.whole(5_000))
    with pytest.raises(ValueError, match="a state is for a tree that has learnt nothing"):
        model.tree.restore(model.tree.state())


def test_a_case_of_weight_two_counts_twice() -> None:
    table = stream(4_000)
    heavy = learn(
        VfdtEnsemble(leaf="majority").new(table.n_categories, 2),
        table,
        Sample(np.arange(4_000, dtype=np.int32), np.full(4_000, 2.0)),
    )
    twice = HoeffdingModel(VfdtEnsemble(leaf="majority").new(table.n_categories, 2))
    rows = np.repeat(np.arange(4_000, dtype=np.int32), 2)
    twice.tree.learn(table.columns, table.classes, rows, np.ones(len(rows)))
    assert heavy.measures()["leaves"] == pytest.approx(twice.measures()["leaves"], abs=2)
    assert abs(accuracy(heavy, table) - accuracy(twice, table)) < 0.02


def test_nothing_learnt_means_nothing_answered() -> None:
    table = stream(10)
    assert not HoeffdingModel(VfdtEnsemble().new(table.n_categories, 2)).predict_proba(table).any()


def test_leaf_answers_by_majority_or_by_naive_bayes() -> None:
    table = stream(150)  # fewer than a grace period: one leaf
    shares = np.bincount(table.classes) / 150
    majority = learn(VfdtEnsemble(leaf="majority").new(table.n_categories, 2), table, Sample.whole(150))
    np.testing.assert_allclose(majority.predict_proba(table), np.tile(shares, (150, 1)))
    bayes = learn(VfdtEnsemble(leaf="naive_bayes").new(table.n_categories, 2), table, Sample.whole(150))
    assert accuracy(bayes, table) > shares.max()


def test_naive_bayes_of_one_leaf_is_scikit_learns() -> None:
    from sklearn.naive_bayes import GaussianNB

    random = np.random.default_rng(4)
    columns = list(random.normal(size=(3, 120)))
    classes = (columns[0] + columns[1] > 0).astype(np.int32)
    table = Table(columns, [0, 0, 0], classes, 2)
    ours = learn(VfdtEnsemble(leaf="naive_bayes").new(table.n_categories, 2), table, Sample.whole(120))
    theirs = GaussianNB(var_smoothing=0).fit(np.array(columns).T, classes)
    np.testing.assert_allclose(
        ours.predict_proba(table), theirs.predict_proba(np.array(columns).T), atol=1e-9
    )


def test_attribute_that_few_cases_know_does_not_win() -> None:
    random = np.random.default_rng(6)
    classes = random.integers(0, 2, 400).astype(np.int32)
    mostly = np.where(random.random(400) < 0.1, 1 - classes, classes).astype(np.int32)
    rare = np.where(np.arange(400) % 100 < 2, classes, -1).astype(np.int32)  # right, and known for 8 of 400
    table = Table([rare, mostly], [2, 2], classes, 2)
    tree = learn(VfdtEnsemble(min_branch_share=0.0).new(table.n_categories, 2), table, Sample.whole(400)).tree
    assert tree.structure()["attribute"][0] == 1


def test_a_thousand_constant_attributes_leave_the_answers_finite() -> None:
    """Each is worth a density of 400: multiplied, they would overflow."""
    x = np.random.default_rng(7).normal(size=100)
    classes = (x > 0).astype(np.int32)
    table = Table([x, *np.zeros((1000, 100))], [0] * 1001, classes, 2)
    model = learn(VfdtEnsemble(leaf="naive_bayes").new(table.n_categories, 2), table, Sample.whole(100))
    np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1.0)
    assert accuracy(model, table) > 0.9


def test_amsd_tests_have_the_cuts_of_the_leafs_own_moments() -> None:
    random = np.random.default_rng(5)
    x = random.exponential(size=2_000)
    table = Table([x], [0], (x > np.median(x)).astype(np.int32), 2)
    model = learn(HoeffdingAmsdEnsemble().new(table.n_categories, 2), table, Sample.whole(2_000))
    (cuts,) = model.tree.structure()["cuts"][:1]
    seen = x[:201]  # the first look is at the 201st case, and nothing competes
    mean, sd = seen.mean(), seen.std()
    a = 0.25 * min(((seen - mean) ** 3).mean() / sd**3, 2.0)
    assert cuts == pytest.approx([mean - (1 - a) * sd, mean, mean + (1 + a) * sd])


def test_pipeline_words_make_a_hoeffding_tree(shared: Path) -> None:
    data = read_dataset(shared / "datasets" / "iris.arff")
    model = learner({"ensemble": {"vfdt": {"grace_period": 50}}}).fit(data)
    assert (model.predict_proba(data).argmax(axis=1) == data.class_codes).mean() > 0.9


@pytest.mark.parametrize(
    "wrong",
    [{"grace_period": 0.0}, {"delta": 1.0}, {"tie_threshold": -1.0}, {"min_branch_share": 0.5}, {"bins": 0}],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        VfdtEnsemble(**wrong)  # type: ignore[arg-type]


def test_amsd_cuts_may_not_cross_the_mean() -> None:
    with pytest.raises(ValueError, match="alpha"):
        HoeffdingAmsdEnsemble(alpha=0.5, gamma_max=2.0)


def differences(shared: Path, names: list[str]) -> dict[str, float]:
    """Points of accuracy by which we are above Weka in its own ten folds, training rows in its order."""
    reference = json.loads((shared / "reference" / "weka-j48.json").read_text())["datasets"]
    found = {}
    for name in names:
        data = read_dataset(next((shared / "datasets").glob(f"{name}.arff*")))
        if variant := VARIANTS.get(name):
            difference = right_answers(variant.change(data), variant.leaf) - variant.weka_correct
        else:
            difference = right_answers(data) - reference[name]["HoeffdingTree"]["cv"]["correct"]
        found[name] = 100 * difference / data.n_rows
    return found


def test_same_answers_as_wekas_hoeffding_tree_in_its_folds(shared: Path) -> None:
    exact = [
        "anneal",
        "balance-scale",
        "breast-w",
        "iris",
        "soybean",
        "vehicle",
        "waveform-5000",
        "wine",
        "zoo",
    ]
    assert differences(shared, exact) == pytest.approx(dict.fromkeys(exact, 0.0))


@pytest.mark.slow
def test_accuracy_is_wekas_within_half_a_point_on_average(shared: Path) -> None:
    reference = json.loads((shared / "reference" / "weka-j48.json").read_text())["datasets"]
    names = [name for name, figures in reference.items() if (figures.get("HoeffdingTree") or {}).get("cv")]
    found = differences(shared, names)
    mean = float(np.mean(list(found.values())))
    assert len(found) == 84
    assert abs(mean) < 0.1
    assert np.median(np.abs(list(found.values()))) < 0.1


@pytest.mark.slow
def test_accuracy_is_rivers_on_a_stream() -> None:
    tree = pytest.importorskip("river.tree", reason="river is not installed (extra: peers-streams)")
    table, test = stream(20_000), stream(4_000, seed=9)
    ours = learn(VfdtEnsemble().new(table.n_categories, 2), table, Sample.whole(20_000))
    theirs = tree.HoeffdingTreeClassifier(grace_period=200, delta=1e-7, tau=0.05, nominal_attributes=["3"])
    as_case = [str(i) for i in range(4)]
    for row in range(20_000):
        theirs.learn_one(
            {n: c[row].item() for n, c in zip(as_case, table.columns, strict=True)}, int(table.classes[row])
        )
    hits = sum(
        theirs.predict_one({n: c[row].item() for n, c in zip(as_case, test.columns, strict=True)})
        == test.classes[row]
        for row in range(4_000)
    )
    assert abs(accuracy(ours, test) - hits / 4_000) < 0.02
