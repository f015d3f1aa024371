"""C4.5: the numbers of its specification, and cases on which other programs went wrong."""

from __future__ import annotations

import copy
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from c45_reference import Options, Reference
from j48_words import tree_lines
from treeforge_c45._draft import Draft, _py_extra_errors
from treeforge_c45._gain_ratio import _py_gain_and_ratio
from treeforge_c45.pruning import ErrorBasedPruner

from treeforge.data import Attribute, Dataset, Schema, read_arff
from treeforge.errors import DataError
from treeforge.export.dot import to_dot
from treeforge.export.json import to_json
from treeforge.export.svg import to_svg
from treeforge.export.text import to_text
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder
from treeforge.learn.model import Model
from treeforge.model_files import load, save
from treeforge.plugin import Sample, Table


def fit(data: Dataset, **words: Any) -> Model:
    return learner(words).fit(data)


def lines(data: Dataset, **words: Any) -> list[str]:
    return tree_lines(to_text(fit(data, **words)))


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        (
            0.25,
            "1.3198687003 1.3902093663 1.4605500322 1.7611198073 0.7996999566 0.4 0.75 1.0279715202 2.5008683613",
        ),
        (
            0.1,
            "2.1231994119 2.358975982 2.5947525527 2.8786026905 0.9012660617 0.4 0.8999999985 1.4068341822 4.649430398",
        ),
        (
            0.01,
            "3.9244005941 4.355339405 4.7862782161 4.5525314060 0.9606755639 0.4 0.9900000002 1.8795216143 9.104223875",
        ),
    ],
)
def test_errors_to_expect_beyond_those_seen(confidence: float, expected: str) -> None:
    cases = [(14, 0), (14, 0.5), (14, 1), (14, 5), (14, 13), (14, 13.6), (1, 0), (2.5, 0.3), (100, 7.25)]
    found = [_py_extra_errors(confidence, n, e) for n, e in cases]
    assert found == pytest.approx([float(number) for number in expected.split()], abs=1e-9)


@pytest.mark.parametrize("confidence", [1e-6, 0.01, 0.25, 0.5])
def test_leaf_is_never_expected_to_make_fewer_errors_for_receiving_a_case(confidence: float) -> None:
    """What ends a trial of raising early rests on this."""
    rng = np.random.default_rng(1)
    for _ in range(2000):
        n, weight = rng.random() * 10 ** rng.uniform(-2, 4), rng.choice([1.0, 0.01, rng.random()])
        e = n * rng.random() * rng.choice([0.0, 0.01, 1.0])
        wrong = weight * rng.choice([0.0, 1.0, rng.random()])
        before = e + _py_extra_errors(confidence, n, e)
        after = e + wrong + _py_extra_errors(confidence, n + weight, e + wrong)
        assert after >= before - 1e-9 * max(1.0, n)


def test_confidence_above_one_half_expects_no_more_than_was_seen() -> None:
    assert _py_extra_errors(0.8, 14, 3) == 0


def test_gains_at_the_root_of_weather() -> None:
    outlook = np.array([[2.0, 3], [4, 0], [3, 2]])
    windy = np.array([[3.0, 3], [6, 2]])
    overcast = np.array([[4.0, 0], [5, 5]])
    assert _py_gain_and_ratio(outlook, 14) == pytest.approx((0.2467498198, 0.1564275624), abs=1e-9)
    assert _py_gain_and_ratio(windy, 14) == pytest.approx((0.0481270304, 0.0488486155), abs=1e-9)
    assert _py_gain_and_ratio(overcast, 14) == pytest.approx((0.2260002444, 0.2618408744), abs=1e-9)


def test_unknown_values_scale_the_gain_and_count_as_a_branch() -> None:
    gain, _ = _py_gain_and_ratio(np.array([[5.0, 0], [0, 5]]), 10)
    partly, ratio = _py_gain_and_ratio(np.array([[5.0, 0], [0, 5]]), 20)
    assert gain == pytest.approx(1)
    assert partly == pytest.approx(0.5)
    assert ratio == pytest.approx(0.5 / 1.5)  # shares 1/4, 1/4 and, of the unknown, 1/2: 1.5 bits


def test_numbers_of_weather_cost_more_than_they_tell(repository: Path) -> None:
    """The oracle of the differential tests gives the specification's figures too."""
    data = read_arff(repository / "arff_data" / "weather.arff")
    oracle = Reference(data, Options(mdl=False))
    candidates = [oracle.candidate(a, oracle.cases, 14.0) for a in range(4)]
    assert [c and c.gain for c in candidates] == pytest.approx(
        [0.2467498198, 0.0453341720, 0.1518355014, 0.0481270304], abs=1e-10
    )
    assert [c and c.test.cut for c in candidates] == [None, 70.5, 82.5, None]
    charged = Reference(data, Options())
    assert charged.candidate(1, charged.cases, 14.0) is None
    assert charged.candidate(2, charged.cases, 14.0) is None
    one = Reference(data, Options(binary=True)).candidate(0, charged.cases, 14.0)
    assert one is not None
    assert (one.gain, one.ratio) == pytest.approx((0.2260002444, 0.2618408744), abs=1e-9)
    assert one.test.label == data.schema.attributes[0].code("overcast")


def test_tree_of_weather(repository: Path) -> None:
    assert lines(read_arff(repository / "arff_data" / "weather.arff")) == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: yes (4.0)",
        "outlook = rainy",
        "|   windy = TRUE: no (2.0)",
        "|   windy = FALSE: yes (3.0)",
    ]


# ------------------------------------------------------------------ cases of other people's programs


@pytest.mark.parametrize("path", ["expected"])
def test_cases_give_wekas_trees(shared: Path, path: str) -> None:
    wrong = []
    for expected in sorted((shared / "cases" / path).glob("*.j48*.txt")):
        name, _, options = expected.name.removesuffix(".txt").partition(".j48")
        words: dict[str, Any] = {
            "": {},
            "_U": {"pruner": "none"},
            "_U_O": {"pruner": {"none": {"collapse": False}}},
        }[options]
        found = lines(read_arff(shared / "cases" / f"{name}.arff"), **words)
        wanted = [line for line in tree_lines(expected.read_text()) if not line.startswith("options:")]
        if found != wanted:
            wrong.append((expected.name, found, wanted))
    assert not wrong


def test_cut_between_neighbouring_doubles_is_below_the_upper_one(shared: Path) -> None:
    for actual in (True, False):
        tree = fit(
            read_arff(shared / "cases" / "T01c_big_neighbours.arff"),
            splitter={"c45": {"actual_value": actual}},
        ).fitted.tree
        assert tree.weight.tolist() == [8, 4, 4]


@pytest.mark.parametrize("actual", [True, False])
def test_cut_of_two_huge_values_is_finite(shared: Path, actual: bool) -> None:
    """Weka's midpoint overflows here, and it recurses until its stack is used up."""
    data = read_arff(shared / "cases" / "T02_mean_overflow.arff")
    tree = fit(data, splitter={"c45": {"actual_value": actual}}).fitted.tree
    assert 1.5e308 <= tree.cuts[0] < 1.7e308
    assert tree.distribution.tolist() == [[4, 4], [4, 0], [0, 4]]


@pytest.mark.parametrize("lowest", [-1.7e308, 1.0])
def test_range_of_huge_values_does_not_overflow(lowest: float) -> None:
    data = one_number([lowest] * 4 + [1.7e308] * 4, [0] * 4 + [1] * 4)
    tree = fit(data, splitter={"c45": {"actual_value": False}}).fitted.tree
    assert tree.n_leaves == 2
    assert lowest <= tree.cuts[0] < 1.7e308


def test_rows_of_weight_zero_change_nothing(shared: Path) -> None:
    """Not the size of the training set, not the values that a threshold may take; with Weka they do."""
    for name in ("T06_zero_weights", "T06x_zero_weights_wrong_class"):
        data = read_arff(shared / "cases" / f"{name}.arff")
        assert data.weights is not None
        kept = data.take(np.flatnonzero(data.weights > 0))
        assert lines(data) == lines(kept)
        np.testing.assert_array_equal(fit(data).predict_proba(data), fit(kept).predict_proba(data))


def test_category_without_training_rows_answers_as_the_node_above(shared: Path) -> None:
    model = fit(read_arff(shared / "cases" / "T07_train.arff"))
    found = model.predict_proba(read_arff(shared / "cases" / "T07_test.arff"))
    assert [4 / 7, 3 / 7] in [pytest.approx(row) for row in found.tolist()]
    assert [1, 0] in found.tolist()


def test_unknown_value_goes_down_every_branch_by_weight(shared: Path) -> None:
    model = fit(read_arff(shared / "cases" / "T08_train.arff"))
    found = model.predict_proba(read_arff(shared / "cases" / "T08_test.arff")).tolist()
    assert [0.4, 0.6] in [pytest.approx(row) for row in found]
    assert [1, 0] in found
    assert [1 / 7, 6 / 7] in [pytest.approx(row) for row in found]


def test_one_class_keeps_a_column_for_each_declared_class(shared: Path) -> None:
    data = read_arff(shared / "cases" / "T12_one_class.arff")
    assert fit(data).predict_proba(data).tolist() == [[0, 1, 0]] * 6


def test_order_of_columns_does_not_matter(shared: Path) -> None:
    uvz, zvu = (read_arff(shared / "cases" / f"T19_order_{order}.arff") for order in ("uvz", "zvu"))
    assert lines(uvz) == lines(zvu)


# ------------------------------------------------------------------ extremes


def one_number(values: list[float], classes: list[int], n_classes: int = 2) -> Dataset:
    names = tuple(f"c{k}" for k in range(n_classes))
    schema = Schema((Attribute("x"), Attribute("class", "nominal", names)), 1)
    return Dataset(schema, (np.array(values, dtype=float), np.array(classes, dtype=np.int32)))


def alternating(n: int) -> Dataset:
    """The best cut takes a row off an end each time; so many classes, that a side may be a single case."""
    return one_number(list(range(n)), [i % 2 for i in range(n)], n // 10)


def test_tree_of_four_thousand_levels() -> None:
    """Weka's J48 uses its stack up. Every step after growing has to do without recursion as well."""
    data = alternating(4000)
    model = fit(
        data,
        splitter={"c45": {"mdl_correction": False}},
        pruner={"none": {"collapse": False}},
        min_branch=1,
    )
    tree = model.fitted.tree
    assert tree.depth > 3900
    assert (model.predict_proba(data).argmax(axis=1) == data.class_codes).all()
    again = pickle.loads(pickle.dumps(tree))
    assert again.n_nodes == copy.deepcopy(tree).n_nodes == tree.n_nodes
    assert len(tree_lines(to_text(model))) == tree.n_nodes - 1
    assert to_json(model)
    assert to_dot(model)


@pytest.mark.slow
def test_tree_of_ten_thousand_levels_is_trained_saved_printed_and_pruned(tmp_path: Path) -> None:
    data = one_number(list(range(10_001)), [i % 2 for i in range(10_001)])
    words = {"splitter": {"c45": {"mdl_correction": False}}, "criterion": "gini", "min_branch": 1}
    model = fit(data, **words, pruner={"none": {"collapse": False}})
    assert model.fitted.tree.depth == 10_000
    assert (model.predict_proba(data).argmax(axis=1) == data.class_codes).all()
    save(model, tmp_path / "deep.tree.json")
    again = load(tmp_path / "deep.tree.json")
    assert to_json(again) == to_json(model)
    assert len(tree_lines(to_text(again))) == 20_000
    assert to_svg(again).endswith("</svg>\n")
    for pruner in ("error_based", "reduced_error", "mdl"):
        assert fit(data, **words, pruner=pruner).fitted.tree.depth == 0


@pytest.mark.parametrize("pruner", ["error_based", "none", "reduced_error"])
def test_deep_trees_are_pruned_without_recursion(pruner: str) -> None:
    started = time.perf_counter()
    fit(alternating(4000), splitter={"c45": {"mdl_correction": False}}, pruner=pruner, min_branch=1)
    assert time.perf_counter() - started < 30


def many_categories(n: int) -> Dataset:
    codes = np.arange(2 * n, dtype=np.int32) % n
    categories = tuple(f"v{k}" for k in range(n))
    schema = Schema((Attribute("x", "nominal", categories), Attribute("class", "nominal", ("a", "b"))), 1)
    return Dataset(schema, (codes, (codes % 2).astype(np.int32)))


@pytest.mark.parametrize("n", [200, 255, 256, 257, 300])
@pytest.mark.parametrize("binary", [False, True])
def test_many_categories(n: int, binary: bool) -> None:
    data = many_categories(n)
    model = fit(data, splitter={"c45": {"binary": binary}}, pruner="none", min_branch=1)
    if not binary:
        assert model.fitted.tree.n_leaves == n
    np.testing.assert_array_equal(model.predict_proba(data).argmax(axis=1), data.class_codes)


def test_as_many_categories_as_there_can_be() -> None:
    data = many_categories(65_534)
    assert fit(data, pruner="none", min_branch=1).fitted.tree.n_leaves == 65_534
    with pytest.raises(DataError, match="attribute 'x' declares 65535 categories; at most 65534"):
        fit(many_categories(65_535))


def test_many_classes() -> None:
    n = 2000
    data = one_number([i // 3 for i in range(3 * n)], [i // 3 for i in range(3 * n)], n)
    model = fit(data, pruner="none", min_branch=1)
    assert model.fitted.tree.n_leaves == n


def test_no_row_gives_one_empty_leaf() -> None:
    data = one_number([1.0, 2.0], [-1, -1])
    model = fit(data)
    assert model.fitted.tree.n_nodes == 1
    assert model.predict_proba(data).tolist() == [[0, 0], [0, 0]]


def test_depth_can_be_limited(repository: Path) -> None:
    data = read_arff(repository / "arff_data" / "iris.arff")
    for depth in range(4):
        assert fit(data, pruner="none", max_depth=depth).fitted.tree.depth == depth


def test_confidence_that_single_precision_cannot_tell_from_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence must lie between 1e-07 and 1, not 1e-08"):
        ErrorBasedPruner(confidence=1e-8)


@pytest.mark.parametrize("unknown", [0.0, 0.1])
def test_pruning_walks_where_a_tree_does_not_say_where_its_cases_ended(unknown: float) -> None:
    random = np.random.default_rng(3)
    numbers = random.normal(size=(4, 600))
    classes = ((numbers[0] > 0) ^ (numbers[1] > 0.5) ^ (random.random(600) < 0.3)).astype(np.int32)
    numbers[random.random(numbers.shape) < unknown] = np.nan
    table, sample = Table(list(numbers), [0] * 4, classes, 2), Sample.whole(600)
    tree = Builder(learner({}), table).grow(sample, 1)
    assert tree.training_leaves is not None
    told = ErrorBasedPruner().prune(tree, table, sample)
    tree.training_leaves = None
    walked = ErrorBasedPruner().prune(tree, table, sample)
    assert 1 < told.n_nodes < tree.n_nodes
    np.testing.assert_array_equal(walked.first_child, told.first_child)
    np.testing.assert_array_equal(walked.distribution, told.distribution)


def grown_with_one_unknown(n: int, n_tests: int) -> Draft:
    """Classes that alternate along the first of two attributes; the last row, which is held out, has no values."""
    values = np.append(np.arange(n, dtype=float), np.nan)
    classes = np.arange(n + 1, dtype=np.int32) * (n_tests + 1) // n % 2
    table = Table([values, values * 0.0], [0, 0], classes, 2)
    builder = Builder(learner({"pruner": "none", "min_branch": 1}), table)
    tree = builder.grow(Sample(np.arange(n, dtype=np.int32)), 1)
    assert (tree.attribute >= 0).sum() == n_tests
    return Draft(tree, table, 0.25, True, False)


def test_unknown_value_of_a_row_that_does_not_train_is_no_reason_to_share_out_cases() -> None:
    draft = grown_with_one_unknown(300, 3)
    rows = np.arange(301, dtype=np.int32)
    assert draft.known_everywhere(rows[:300])
    assert not draft.known_everywhere(rows)
