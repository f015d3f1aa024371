"""A discretiser in front of a splitter: cuts from the training cases, trees that test numbers."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from treeforge_discretize import EqualWidthDiscretizer, MdlpDiscretizer

from treeforge.data import Attribute, Dataset, Sample, Schema
from treeforge.errors import DataError, InputError, ParameterError
from treeforge.export.text import to_text
from treeforge.learn.build import learner


def steps(n: int = 120) -> Dataset:
    """The class is the third that x lies in; y is noise, z a category."""
    random = np.random.default_rng(1)
    x = random.uniform(0, 9, n)
    x[::17] = np.nan
    codes = np.nan_to_num(x // 3).astype(np.int32)
    schema = Schema(
        (
            Attribute("x"),
            Attribute("y"),
            Attribute("z", "nominal", ("p", "q")),
            Attribute("class", "nominal", ("low", "middle", "high")),
        ),
        3,
    )
    return Dataset(schema, (x, random.normal(size=n), random.integers(0, 2, n).astype(np.int32), codes))


def test_id3_refuses_numbers_and_says_what_to_do() -> None:
    message = "attribute 'x' is a number, and ID3 tests nominal attributes only: discretise first"
    for refuse in (learner({"splitter": "id3"}).fit, learner({"splitter": "id3"}).prepare):
        with pytest.raises(DataError, match=message):
            refuse(steps())


def test_nothing_is_asked_of_numbers_that_a_discretizer_replaces() -> None:
    learner({"splitter": "id3", "discretizer": "mdlp"}).prepare(steps())


def test_id3_names_the_number_behind_the_class() -> None:
    with pytest.raises(DataError, match="attribute 'y' is a number"):
        learner({"splitter": "id3"}).fit(steps().with_class("z").without(["x", "class"]))


def test_an_error_about_an_input_crosses_process_borders() -> None:
    wrong = pickle.loads(pickle.dumps(InputError(1, "is a number")))
    assert str(wrong) == "input 2 is a number"
    assert str(wrong.named(["a", "b"], "t.arff")) == "t.arff: attribute 'b' is a number"


def test_id3_with_a_discretizer_in_front_tests_numbers() -> None:
    data = steps()
    model = learner({"discretizer": "mdlp", "splitter": "id3", "min_branch": 1}).fit(data)
    tree = model.fitted.tree
    assert tree.attribute[0] == 0
    cuts = tree.cuts[tree.cut_start[0] : tree.cut_start[1]]
    assert cuts == pytest.approx([3, 6], abs=0.3)
    known = ~np.isnan(data.columns[0])
    answer = model.predict_proba(data, np.flatnonzero(known).astype(np.int32))
    assert (answer.argmax(axis=1) == data.class_codes[known]).mean() > 0.97
    assert "x <=" in to_text(tree, data.schema) or "< x" in to_text(tree, data.schema)


def test_cuts_come_from_the_training_cases_alone() -> None:
    data = steps()
    half = Sample(np.flatnonzero(~(data.columns[0] > 6)).astype(np.int32))
    model = learner({"discretizer": {"equal_width": {"bins": 3}}, "splitter": "c45"}).fit(data, half)
    tree = model.fitted.tree
    cuts = tree.cuts[tree.cut_start[0] : tree.cut_start[1]]
    known = data.columns[0][half.rows]
    expected = EqualWidthDiscretizer(3).cuts(
        known[~np.isnan(known)],
        data.class_codes[half.rows][~np.isnan(known)],
        np.ones((~np.isnan(known)).sum()),
        3,
    )
    assert cuts == pytest.approx(expected)


def test_tree_of_intervals_answers_like_the_tree_of_numbers() -> None:
    from treeforge.learn.discretize import discretized, find_cuts
    from treeforge.learn.encode import encode

    data = steps()
    words = {"splitter": "cart", "criterion": "gini", "pruner": "none"}
    whole = learner({"discretizer": "mdlp", **words}).fit(data)
    table = encode(data)
    cuts = find_cuts(table, Sample.whole(data.n_rows), MdlpDiscretizer())
    plain = learner(words)
    from treeforge.learn.learner import Builder

    coded = discretized(table, cuts)
    tree = Builder(plain, coded).tree(Sample.whole(data.n_rows), 1)
    np.testing.assert_array_equal(tree.predict_proba(coded), whole.predict_proba(data))


def test_a_discretizer_is_part_of_the_record() -> None:
    spec = learner({"discretizer": {"chimerge": {"significance": 0.9}}}).spec()
    assert spec["discretizer"]["name"] == "chimerge"
    assert spec["discretizer"]["parameters"]["significance"] == 0.9


def test_streams_take_no_discretizer() -> None:
    with pytest.raises(ParameterError, match="HoeffdingModel"):
        learner({"discretizer": "mdlp", "ensemble": "vfdt"}).fit(steps())
