"""PMML, evaluated by JPMML: what ``predict`` says, unknown and unseen values included; or refused."""

import contextlib
import shutil
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree
from export_cases import FORESTS, SCHEMA, SINGLES, cases, expected, random_tree

from treeforge.core.model import TreeModel
from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.pmml import to_pmml
from treeforge.export.subject import Subject

ROWS = cases(100)
NAMESPACE = "{http://www.dmg.org/PMML-4_4}"


def expressible():
    """Models without leaves that cannot say."""
    more = [Subject(SCHEMA, TreeModel(random_tree(np.random.default_rng(seed)))) for seed in range(20, 40)]
    found = []
    for number, model in enumerate([*SINGLES, *more]):
        with contextlib.suppress(ModelError):
            to_pmml(model)
            found.append((number, model))
    return found


@pytest.fixture(scope="session")
def backend():
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    pytest.importorskip("jpmml_evaluator")
    pytest.importorskip("jpype")
    from jpmml_evaluator.jpype import JPypeBackend

    return JPypeBackend()


@pytest.mark.parametrize("form", ["exact", "tree"])
def test_evaluator_says_what_predict_says(backend, tmp_path, form):
    from jpmml_evaluator import make_evaluator

    models = expressible()
    assert len(models) >= 10
    for number, model in models:
        path = tmp_path / f"{number}.pmml"
        path.write_text(to_pmml(model, form=form), encoding="utf-8")
        evaluator = make_evaluator(str(path), backend=backend).verify()
        probabilities, labels = expected(model, ROWS)
        for row, truth, label in zip(ROWS, probabilities, labels, strict=True):
            answer = evaluator.evaluate(row)
            if form == "tree":  # refuses where shares would be needed, never another class
                assert answer.get("prediction") in (label, None)
                if None in row.values() or "never seen" in row.values():
                    continue
            found = [answer[f"probability of {c}"] for c in SCHEMA.classes]
            np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12)
            if np.partition(truth, -2)[-1] - np.partition(truth, -2)[-2] > 1e-12:
                assert answer["prediction"] == label


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")
def test_a_second_evaluator_says_the_same():
    pmml4s = pytest.importorskip("pypmml")
    for _, model in expressible():
        evaluator = pmml4s.Model.fromString(to_pmml(model))
        for row, truth in zip(ROWS, expected(model, ROWS)[0], strict=True):
            answer = evaluator.predict(row)
            found = [answer[f"probability of {c}"] for c in SCHEMA.classes]
            np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 9])
def test_any_number_of_classes(backend, tmp_path, n_classes):
    from jpmml_evaluator import make_evaluator

    counts = np.arange(2 * n_classes, dtype=float).reshape(2, n_classes) + 1
    schema = Schema((Attribute("x"), Attribute("y", "nominal", tuple("abcdefghi"[:n_classes]))), 1)
    grown = tree(Test(0, [Leaf(counts[0].tolist()), Leaf(counts[1].tolist())], cuts=[0.5]))
    path = tmp_path / "m.pmml"
    path.write_text(to_pmml(grown, schema))
    evaluator = make_evaluator(str(path), backend=backend).verify()
    for x, truth in ((0, counts[0]), (1, counts[1]), (None, counts.sum(axis=0))):
        answer = evaluator.evaluate({"x": x})
        found = [answer[f"probability of {c}"] for c in schema.classes]
        np.testing.assert_allclose(found, truth / truth.sum(), atol=1e-15)
        assert answer["prediction"] == schema.classes[-1]


@pytest.mark.parametrize("model", SINGLES)
def test_tree_form_has_a_node_for_each_node(model):
    with contextlib.suppress(ModelError):
        text = to_pmml(model, form="tree")
        assert len(list(ET.fromstring(text).iter(f"{NAMESPACE}Node"))) == model.tree.n_nodes


def test_what_pmml_cannot_express_is_refused():
    with pytest.raises(ModelError, match="several trees that vote"):
        to_pmml(FORESTS[0])
    schema = Schema((Attribute("x"), Attribute("y", "nominal", ("a", "b"))), 1)
    with pytest.raises(ModelError, match="one class"):
        to_pmml(tree(Leaf([3])), Schema((schema.attributes[0], Attribute("y", "nominal", ("a",))), 1))
    with pytest.raises(ModelError, match="levels deep"):
        to_pmml(deep_tree(2000), schema)
    with pytest.raises(ModelError, match="cannot write"):
        to_pmml(
            tree(Test(0, [Leaf([1, 0]), Leaf([0, 1])], cuts=[1.0])),
            Schema((Attribute("\x01"), schema.attributes[1]), 1),
        )
