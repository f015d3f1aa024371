"""ONNX, run by onnxruntime: what ``predict`` says, unknown and unseen values included."""

import builtins
import json

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree
from export_cases import FORESTS, SCHEMA, SINGLES, cases, expected, random_tree

from treeforge.core.model import SoftTreeModel, TreeModel, VoteModel
from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.onnx import to_onnx
from treeforge.export.subject import Subject

ROWS = cases(200)
NUMBERS = Schema((Attribute("x"), Attribute("y", "nominal", ("a", "b"))), 1)


@pytest.fixture(scope="session")
def session():
    """What runs a model, and says what it says: (labels, probabilities)."""
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")

    def run(model, rows, schema=SCHEMA):
        content = model if isinstance(model, bytes) else to_onnx(model, schema)
        found = runtime.InferenceSession(content, providers=["CPUExecutionProvider"])
        fed = {}
        for given in found.get_inputs():
            values = [row[given.name] for row in rows]
            if given.type == "tensor(string)":
                column = np.array(["" if v is None else v for v in values], dtype=object)
            else:
                column = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
            fed[given.name] = column.reshape(-1, 1)
        return found.run(None, fed)

    return run


def known(row):
    return None not in row.values() and "never seen" not in row.values()


def check(session, model, rows=ROWS):
    probabilities, labels = expected(model, rows)
    said, found = session(model, rows)
    np.testing.assert_allclose(found, probabilities, rtol=0, atol=1e-12)
    for row, label, truth, other in zip(rows, labels, probabilities, said.tolist(), strict=True):
        first, second = np.sort(truth)[:-3:-1]
        if known(row) or first - second > 1e-12 or first == 0:
            assert other == (label or "")


@pytest.mark.parametrize("model", SINGLES)
def test_tree_says_what_predict_says(session, model):
    check(session, model)
    complete = [row for row in ROWS if known(row)]
    assert len(complete) > 20
    assert session(model, complete)[1].tolist() == expected(model, complete)[0].tolist(), "to the last bit"


@pytest.mark.parametrize("model", FORESTS)
def test_trees_that_vote_say_what_predict_says(session, model):
    check(session, model)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 60))
def test_any_tree_says_what_predict_says(session, seed):
    check(
        session, Subject(SCHEMA, TreeModel(random_tree(np.random.default_rng(seed), depth=6), seed % 2 == 0))
    )


@pytest.mark.parametrize("closed_left", [False, True])
def test_thresholds_are_doubles(session, closed_left):
    cuts = sorted([-1e300, 0.1, 1 / 3, 16777217.0, 2.0**53, 1e300])
    leaves = [Leaf([float(i), 10.0 - i]) for i in range(7)]
    grown = tree(Test(0, leaves, cuts=cuts, closed_left=closed_left))
    around = [v for c in cuts for v in (np.nextafter(c, -np.inf), c, np.nextafter(c, np.inf))]
    values = np.array([*around, np.inf, -np.inf])
    _, found = session(grown, [{"x": v} for v in values], NUMBERS)
    cell = np.searchsorted(cuts, values, side="right" if closed_left else "left")
    assert found.tolist() == [[i / 10, (10 - i) / 10] for i in cell]


def test_category_that_a_test_does_not_know_is_unknown_to_it(session):
    schema = Schema((Attribute("c", "nominal", ("r", "s", "t")), NUMBERS.attributes[1]), 1)
    grown = tree(Test(0, [Leaf([3, 0]), Leaf([0, 1])]))  # knows two categories of three
    _, found = session(grown, [{"c": c} for c in ("r", "s", "t", "", "u")], schema)
    assert found.tolist() == [[1, 0], [0, 1], [0.75, 0.25], [0.75, 0.25], [0.75, 0.25]]


def test_ten_thousand_levels(session):
    said, found = session(deep_tree(10_000), [{"x": 0.0}, {"x": 9999.6}, {"x": None}], NUMBERS)
    np.testing.assert_allclose(found, [[1, 0], [1, 0], [5001 / 10001, 5000 / 10001]])
    assert said.tolist() == ["a", "a", "a"]


def test_class_of_least_expected_cost_is_said(session):
    grown = TreeModel(tree(Test(0, [Leaf([3, 7]), Leaf([1, 9])], cuts=[0.5])))
    model = Subject(NUMBERS, grown, {"cost_matrix": [[0, 5], [1, 0]]})
    said, found = session(model, [{"x": 0}, {"x": 1}, {"x": None}])
    assert said.tolist() == ["a", "b", "a"]
    np.testing.assert_allclose(found, [[0.3, 0.7], [0.1, 0.9], [0.2, 0.8]])


def test_names_of_attributes_do_not_meet_those_of_the_graph(session):
    names = ("prediction", "probabilities", "0.0", "1.1")
    schema = Schema((*(Attribute(n) for n in names), NUMBERS.attributes[1]), 4)
    below = Test(3, [Test(2, [Leaf([1, 0]), Leaf([0, 1])], [0.5]), Leaf([0, 1])], [0.5])
    grown = tree(Test(0, [Test(1, [below, Leaf([0, 1])], [0.5]), Leaf([0, 1])], [0.5]))
    _, found = session(grown, [dict.fromkeys(names, 0.0), dict.fromkeys(names, 1.0)], schema)
    assert found.tolist() == [[1, 0], [0, 1]]


def test_no_row_gives_no_answer(session):
    said, found = session(SINGLES[0], [])
    assert (said.shape, found.shape) == ((0,), (0, 3))


def test_file_keeps_the_names_of_the_classes():
    onnx = pytest.importorskip("onnx")
    (kept,) = onnx.load_from_string(to_onnx(SINGLES[0])).metadata_props
    assert (kept.key, tuple(json.loads(kept.value))) == ("classes", SCHEMA.classes)


def test_what_onnx_cannot_express_is_refused():
    pytest.importorskip("onnx")
    grown = tree(Test(0, [Leaf([3, 1]), Leaf([1, 2])], cuts=[0.5]))
    with pytest.raises(ModelError, match="cannot express soft thresholds"):
        to_onnx(SoftTreeModel(grown, np.array([0.0]), np.array([1.0])), NUMBERS)
    with pytest.raises(ModelError, match="without a name"):
        to_onnx(grown, Schema((Attribute(""), NUMBERS.attributes[1]), 1))
    with pytest.raises(ModelError, match="no input"):
        to_onnx(VoteModel((tree(Leaf([3, 1])),)), Schema((NUMBERS.attributes[1],), 0))


def test_without_the_package_a_line_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **others):
        if name == "onnx":
            raise ImportError(name)
        return real(name, *rest, **others)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModelError, match=r"pip install 'treeforge\[export\]'"):
        to_onnx(SINGLES[0])
