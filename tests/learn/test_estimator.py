"""Outside estimators: the table as a matrix, unknown values, rare classes, weights."""

from __future__ import annotations

import numpy as np
import pytest

from treeforge.data import Attribute, Dataset, Sample, Schema
from treeforge.errors import DataError, ParameterError, PluginError
from treeforge.learn.estimator import EstimatorLearner, encode

TREE = "sklearn.tree.DecisionTreeClassifier"
NAN = float("nan")


def table(weights: list[float] | None = None) -> Dataset:
    schema = Schema(
        (
            Attribute("x"),
            Attribute("colour", "nominal", ("red", "blue", "green")),
            Attribute("c", "nominal", ("never", "a", "b")),
        ),
        2,
    )
    x = np.array([1.0, 2.0, NAN, 10.0, 11.0, 12.0])
    colour = np.array([0, 1, -1, 2, 0, 0], dtype=np.int32)
    c = np.array([1, 1, 1, 2, 2, -1], dtype=np.int32)
    return Dataset(schema, (x, colour, c), None if weights is None else np.array(weights))


def test_nominal_attributes_become_one_column_a_category_and_unknown_is_none_of_them() -> None:
    assert np.array_equal(encode(table())[:3], [[1, 1, 0, 0], [2, 0, 1, 0], [NAN, 0, 0, 0]], equal_nan=True)


def test_unknown_numbers_become_the_median_of_the_training_cases() -> None:
    model = EstimatorLearner(TREE).fit(table(), Sample(np.array([0, 1, 3])))
    assert model.fill.tolist() == [2.0, 0, 0, 0]


def test_classes_that_did_not_train_have_probability_zero_in_declared_order() -> None:
    model = EstimatorLearner(TREE).fit(table())
    probabilities = model.predict_proba(table(), np.array([0, 4], dtype=np.int32))
    assert probabilities.tolist() == [[0, 1, 0], [0, 0, 1]]
    measures = dict(model.measures())
    assert measures.pop("model_bytes") >= 3 * 64  # three nodes
    assert measures == {"leaves": 2, "size": 3, "depth": 1}


def test_cases_of_weight_zero_and_of_unknown_class_do_not_train() -> None:
    model = EstimatorLearner(TREE).fit(table([1, 1, 1, 0, 0, 1]))
    assert model.present.tolist() == [1]


def test_weights_reach_the_estimator_or_are_refused() -> None:
    heavy = table([1, 1, 1, 5, 1, 1])
    model = EstimatorLearner(TREE, {"max_depth": 1, "max_features": 1}).fit(heavy)
    assert model.fitted.tree_.weighted_n_node_samples[0] == 9
    with pytest.raises(DataError, match="takes no case weights"):
        EstimatorLearner("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 1}).fit(heavy)


def test_estimator_without_probabilities_is_sure_of_its_prediction() -> None:
    model = EstimatorLearner("sklearn.linear_model.RidgeClassifier").fit(table())
    assert set(model.predict_proba(table()).ravel().tolist()) == {0.0, 1.0}
    assert model.measures() == {}


def test_seed_becomes_the_random_state_unless_that_is_given() -> None:
    assert EstimatorLearner(TREE).create(2**40 + 3).random_state == 3
    assert EstimatorLearner(TREE, {"random_state": 8}).create(3).random_state == 8


def test_forest_reports_sums_over_its_trees() -> None:
    model = EstimatorLearner("sklearn.ensemble.RandomForestClassifier", {"n_estimators": 3}).fit(table())
    assert model.measures()["trees"] == 3


def test_spec_has_every_parameter_and_the_version() -> None:
    import sklearn

    spec = EstimatorLearner(TREE, {"criterion": "entropy"}).spec()
    assert spec["parameters"]["criterion"] == "entropy"
    assert spec["parameters"]["min_samples_leaf"] == 1
    assert spec["versions"] == {"sklearn": sklearn.__version__}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("DecisionTreeClassifier", "a dotted name is expected"),
        ("sklearn.tree.DecisionTreClassifier", "has no 'DecisionTreClassifier'; did you mean 'DecisionTreeC"),
        ("no_such.Thing", "cannot be loaded: ModuleNotFoundError: No module named 'no_such'"),
        ("os.path.join", "is no classifier class: it has no 'fit'"),
    ],
)
def test_name_that_is_no_estimator_says_why(name: str, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        EstimatorLearner(name)


def test_unknown_parameter_names_the_nearest() -> None:
    with pytest.raises(ParameterError, match="has no parameter 'max_dept'; did you mean 'max_depth'"):
        EstimatorLearner(TREE, {"max_dept": 3})
