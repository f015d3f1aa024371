"""The estimators in scikit-learn's world: its own checks, and tables of all kinds."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from treeforge.data import read_arff
from treeforge.errors import DataError, ModelError, ParameterError
from treeforge.estimators import (
    AMSDClassifier,
    C45Classifier,
    C45RulesClassifier,
    ExtraTreesClassifier,
    ForestClassifier,
    TreeClassifier,
)
from treeforge.export.text import to_text
from treeforge.model_files import load, save

CLASSIFIERS = [
    TreeClassifier(),
    C45Classifier(),
    C45RulesClassifier(),
    AMSDClassifier(),
    ForestClassifier(5),
    ExtraTreesClassifier(5),
]
#: a bag drawn from a case of weight 2 is not one drawn from two cases; scikit-learn's own forest fails here, too
OTHER_BAGS = pytest.mark.xfail(
    reason="a row of weight 2 and two rows are drawn by other numbers", strict=True
)
EXPECTED = {("ForestClassifier", "check_sample_weight_equivalence_on_dense_data"): OTHER_BAGS}


def checks():
    return [
        pytest.param(
            estimator,
            check,
            id=f"{type(estimator).__name__}-{check.func.__name__}",
            marks=EXPECTED.get((type(estimator).__name__, check.func.__name__), ()),
        )
        for classifier in CLASSIFIERS
        for estimator, check in estimator_checks_generator(classifier)
    ]


@pytest.mark.parametrize(("estimator", "check"), checks())
def test_check_of_scikit_learn(estimator, check):
    check(estimator)


# tables


def rows(n=40):
    rng = np.random.default_rng(5)
    colour = rng.choice(["red", "green", "blue"], n)
    size = rng.normal(size=n).round(2)
    y = np.where((colour == "red") | (size > 0.5), "yes", "no")
    return colour.astype(object), size, y


@pytest.fixture
def pd():
    return pytest.importorskip("pandas")


def test_kinds_of_pandas_columns(pd):
    colour, size, y = rows()
    colour[3], size[4] = None, np.nan
    frames = {
        "object": pd.DataFrame({"colour": colour, "size": size}),
        "str": pd.DataFrame(
            {"colour": pd.Series(colour, dtype="str"), "size": size.astype(np.float32).astype(float)}
        ),
        "string": pd.DataFrame(
            {"colour": pd.Series(colour, dtype="string"), "size": pd.array(size, dtype="Float64")}
        ),
        "category": pd.DataFrame(
            {"colour": pd.Categorical(colour, categories=["blue", "green", "red"]), "size": size}
        ),
    }
    frames["string"].loc[4, "size"] = pd.NA
    frames["str"]["size"] = size
    grown = {kind: TreeClassifier().fit(frame, y) for kind, frame in frames.items()}
    texts = {to_text(tree) for tree in grown.values()}
    assert len(texts) == 1, texts
    assert "colour = red" in texts.pop()
    for tree in grown.values():
        assert tree.feature_names_in_.tolist() == ["colour", "size"]
        for frame in frames.values():
            assert np.array_equal(tree.predict_proba(frame), grown["object"].predict_proba(frames["object"]))


def test_nullable_numbers_dates_and_truth_values(pd):
    n = 30
    frame = pd.DataFrame(
        {
            "whole": pd.array([*range(n - 1), None], dtype="Int64"),
            "truth": pd.array([True, False, None] * 10, dtype="boolean"),
            "when": pd.date_range("2024-01-01", periods=n, tz="Europe/Berlin"),
            "int8": np.arange(n, dtype=np.int8),
        }
    )
    y = frame["when"] > pd.Timestamp("2024-01-15", tz="Europe/Berlin")
    tree = TreeClassifier(min_branch=1).fit(frame[["when", "truth"]], y)
    assert [a.kind for a in tree.model_.schema.inputs] == ["date", "numeric"]
    assert (tree.predict(frame[["when", "truth"]]) == y).all()
    assert [a.kind for a in TreeClassifier().fit(frame, y).model_.schema.inputs] == [
        "numeric",
        "numeric",
        "date",
        "numeric",
    ]


def test_kinds_of_polars_columns(pd):
    pl = pytest.importorskip("polars")
    colour, size, y = rows()
    colour[3], size[4] = None, np.nan
    texts = colour.tolist()
    numbers = [None if np.isnan(s) else float(s) for s in size]
    frames = [
        pl.DataFrame({"colour": texts, "size": numbers}),
        pl.DataFrame({"colour": pl.Series(texts, dtype=pl.Enum(["blue", "green", "red"])), "size": size}),
        pl.DataFrame(
            {"colour": pl.Series(texts, dtype=pl.Categorical), "size": pl.Series(numbers, dtype=pl.Float32)}
        ),
    ]
    wanted = TreeClassifier().fit(pd.DataFrame({"colour": colour, "size": size}), y)
    for frame in frames:
        tree = TreeClassifier().fit(frame, pl.Series(y))
        assert to_text(tree) == to_text(wanted)
        assert (tree.predict(frame) == wanted.predict(pd.DataFrame({"colour": colour, "size": size}))).all()
    dates = pl.DataFrame({"when": pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 1, 20), eager=True)})
    tree = TreeClassifier().fit(dates, [0] * 10 + [1] * 10)
    assert tree.model_.schema.inputs[0].kind == "date"


def test_unseen_category_is_unknown(pd):
    colour, size, y = rows()
    frame = pd.DataFrame({"colour": colour, "size": size})
    tree = TreeClassifier().fit(frame, y)
    other = frame.assign(colour="violet")
    assert np.array_equal(tree.predict_proba(other), tree.predict_proba(frame.assign(colour=None)))


def test_mixed_and_odd_columns_are_refused(pd):
    y = [0, 1, 0]
    with pytest.raises(TypeError, match="texts and"):
        TreeClassifier().fit(pd.DataFrame({"a": ["x", 1, "y"]}), y)
    with pytest.raises(TypeError, match="string or a number"):
        TreeClassifier().fit(np.array([[{}], [1], [2]], dtype=object), y)
    with pytest.raises(ValueError, match="infinity"):
        TreeClassifier().fit(pd.DataFrame({"a": [1, np.inf, 2]}), y)
    tree = TreeClassifier().fit(pd.DataFrame({"a": [1.0, 2, 3]}), y)
    with pytest.raises(DataError, match="'a' was numeric in training, but holds texts here"):
        tree.predict(pd.DataFrame({"a": ["x", "y", "z"]}))


def test_sparse_is_refused_with_the_way_out():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="toarray"):
        TreeClassifier().fit(scipy_sparse.eye(4).tocsr(), [0, 1, 0, 1])


def test_columns_in_another_order_are_not_taken_by_place(pd, shared):
    train = pd.read_csv(shared / "cases" / "T13_train.csv")
    test = pd.read_csv(shared / "cases" / "T13_test.csv")
    target = train.columns[-1] if train.columns[-1] == test.columns[-1] else "class"
    names = [c for c in train.columns if c != target]
    tree = TreeClassifier(min_branch=1).fit(train[names], train[target])
    others = [c for c in test.columns if c != target]
    with pytest.raises(ValueError, match="order"):
        tree.predict(test[others])
    assert tree.predict(test[names]).tolist() == ["a", "b", "a", "b"]


def variants(X):
    read_only = X.copy()
    read_only.flags.writeable = False
    doubled = np.repeat(X, 2, axis=0)[::2]
    wide = np.repeat(X, 2, axis=1)[:, ::2]
    return [read_only, np.asfortranarray(X), doubled, wide, X[::-1][::-1], X.tolist()]


def test_layouts_of_arrays_make_no_difference(tmp_path):
    X, y = load_iris(return_X_y=True)
    wanted = C45Classifier().fit(X, y)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    for other in [*variants(X), mapped]:
        before = np.array(other)
        tree = C45Classifier().fit(other, y)
        assert to_text(tree) == to_text(wanted)
        assert np.array_equal(wanted.predict_proba(other), wanted.predict_proba(X))
        assert np.array_equal(np.array(other), before)
    whole = (X * 10).astype(int)
    assert to_text(C45Classifier().fit(whole, y)) == to_text(C45Classifier().fit(whole.astype(float), y))
    assert np.array_equal(
        wanted.predict(X.astype(np.float32)), wanted.predict(X.astype(np.float32).astype(float))
    )
    assert wanted.predict(np.empty((0, 4))).shape == (0,)
    assert wanted.predict_proba(np.empty((0, 4))).shape == (0, 3)


# a Dataset in the place of X


def test_dataset_is_what_it_says(repository):
    data = read_arff(repository / "arff_data" / "labor.arff")
    tree = TreeClassifier().fit(data)
    assert to_text(tree).startswith("wage-increase-first-year <= 2.5: bad (15.27/2.27)\n")
    assert tree.classes_.tolist() == ["bad", "good"]
    assert tree.predict(data)[0] == "good"
    assert str(tree.explain(data, row=3)).startswith("row 3: good")
    with pytest.raises(DataError, match="brings its own classes"):
        TreeClassifier().fit(data, [0] * data.n_rows)


# weights and costs


def test_balanced_classes_weigh_alike(repository):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    y = np.array([0] * 90 + [1] * 10)
    tree = TreeClassifier(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(tree.tree_.distribution[0], [50, 50])
    by_hand = TreeClassifier().fit(X, y, sample_weight=np.where(y == 0, 100 / 180, 5.0))
    assert to_text(by_hand) == to_text(tree)
    data = read_arff(repository / "arff_data" / "labor.arff")
    np.testing.assert_allclose(
        TreeClassifier(class_weight={"bad": 2.0}).fit(data).tree_.distribution[0], [40, 37]
    )


def test_class_of_least_expected_cost():
    X = np.zeros((10, 1))
    y = ["ill"] * 2 + ["well"] * 8
    assert TreeClassifier().fit(X, y).predict(X[:1]) == ["well"]
    # saying well to the ill costs ten times as much as the reverse: 0.2 * 10 > 0.8 * 1
    assert TreeClassifier(cost_matrix=[[0, 10], [1, 0]]).fit(X, y).predict(X[:1]) == ["ill"]
    with pytest.raises(ParameterError, match="2 rows of 2 finite numbers"):
        TreeClassifier(cost_matrix=[[0, 1, 2]]).fit(X, y)


# what a tree tells about itself


def test_figures_of_a_tree():
    X, y = load_iris(return_X_y=True)
    tree = C45Classifier().fit(X, y)
    assert (tree.get_n_leaves(), tree.get_depth(), tree.tree_.n_nodes) == (5, 4, 9)
    assert tree.feature_importances_.sum() == pytest.approx(1)
    assert tree.feature_importances_.argmax() == 3
    ends = tree.apply(X)
    assert (tree.tree_.attribute[ends] < 0).all()
    path = tree.decision_path(X).toarray()
    assert (path[np.arange(150), ends] == 1).all()
    assert (path.sum(axis=1) <= 5).all()


def test_path_of_a_row_with_unknown_values_is_shared_out(repository):
    data = read_arff(repository / "arff_data" / "labor.arff")
    tree = TreeClassifier(pruner="none").fit(data)
    path = tree.decision_path(data).toarray()
    leaves = tree.tree_.attribute < 0
    np.testing.assert_allclose(path[:, leaves].sum(axis=1), 1)
    answers = tree.tree_.distribution / np.maximum(tree.tree_.weight[:, None], 1e-300)
    np.testing.assert_allclose(path[:, leaves] @ answers[leaves], tree.predict_proba(data), atol=1e-12)


def test_importances_of_a_tree_without_tests_are_zeros():
    assert TreeClassifier().fit(np.zeros((5, 2)), [0, 0, 1, 1, 1]).feature_importances_.tolist() == [0, 0]


# forests


def test_forest_by_name_is_the_forest_with_all_that_goes_with_it():
    X, y = load_iris(return_X_y=True)
    for ensemble, named in (("random_forest", ForestClassifier), ("extra_trees", ExtraTreesClassifier)):
        plain = TreeClassifier(ensemble={ensemble: {"trees": 7}}).fit(X, y)
        assert np.array_equal(plain.predict_proba(X), named(7).fit(X, y).predict_proba(X))


def test_forest_looks_at_as_many_attributes_as_it_is_told():
    X, y = load_iris(return_X_y=True)
    one, all_of_them = (ForestClassifier(9, max_attributes=n).fit(X, y) for n in (1, 4))
    tested = [[int(tree.attribute[0]) for tree in forest.trees_] for forest in (one, all_of_them)]
    assert len(set(tested[0])) > len(set(tested[1])), "with one at random even the weak ones are taken"
    with pytest.raises(ParameterError, match=r"ensemble: \{random_forest: \{max_attributes: 2\}\}"):
        TreeClassifier(ensemble="random_forest", max_attributes=2).fit(X, y)


def test_out_of_bag_error_is_there_where_it_was_asked_for():
    X, y = load_iris(return_X_y=True)
    assert 0 < ForestClassifier(50, out_of_bag=True).fit(X, y).out_of_bag_error_ < 0.1
    assert 0 < ExtraTreesClassifier(50, out_of_bag=True, bootstrap=True).fit(X, y).out_of_bag_error_ < 0.1
    assert not hasattr(ForestClassifier(5).fit(X, y), "out_of_bag_error_")


# scikit-learn's tools


def test_pipeline_grid_search_and_cross_validation():
    X, y = load_iris(return_X_y=True, as_frame=True)
    assert cross_val_score(C45Classifier(), X, y, cv=5).mean() > 0.9
    assert make_pipeline(StandardScaler(), C45Classifier()).fit(X, y).score(X, y) > 0.95
    search = GridSearchCV(
        TreeClassifier(), {"splitter": ["c45", {"c45": {"binary": True}}], "min_branch": [2, 20]}, cv=3
    )
    assert search.fit(X, y).best_score_ > 0.9


def test_clone_copy_and_pickle():
    X, y = load_iris(return_X_y=True)
    tree = C45Classifier(confidence=0.1).fit(X, y)
    assert clone(tree).get_params() == tree.get_params()
    for other in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert np.array_equal(other.predict_proba(X), tree.predict_proba(X))


@pytest.mark.parametrize("labels", [[3, 1, 2], ["c", "a", "b"], [0.5, 1.0, -2.0], [10**12, 5, 7]])
def test_saved_estimator_is_the_same_again(tmp_path, labels):
    X, y = load_iris(return_X_y=True, as_frame=True)
    y = np.array(labels)[y] if labels != [0.5, 1.0, -2.0] else np.array(["0.5", "1.0", "-2.0"])[y]
    tree = C45Classifier(confidence=0.1, cost_matrix=[[0, 1, 2], [3, 0, 1], [1, 1, 0]]).fit(X, y)
    save(tree, tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert type(again) is C45Classifier
    assert again.get_params() == tree.get_params()
    assert np.array_equal(again.predict(X), tree.predict(X))
    assert again.feature_names_in_.tolist() == tree.feature_names_in_.tolist()
    assert again.get_n_leaves() == tree.get_n_leaves()
    save(again, tmp_path / "n.json")
    assert (tmp_path / "n.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def test_file_cannot_name_a_class_to_be_made(tmp_path):
    X, y = load_iris(return_X_y=True)
    save(C45Classifier().fit(X, y), tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text()
    for name in ("os.system", "BaseClassifier", "from_document"):
        (tmp_path / "x.json").write_text(text.replace('"C45Classifier"', f'"{name}"'))
        with pytest.raises(ModelError, match="does not know"):
            load(tmp_path / "x.json", verify=False)


def test_notebook_shows_the_tree():
    X, y = load_iris(return_X_y=True)
    tree = C45Classifier()
    assert "tf-outline" not in tree._repr_mimebundle_()["text/html"]
    assert "tf-outline" in tree.fit(X, y)._repr_mimebundle_()["text/html"]


def test_row_that_the_model_cannot_say_anything_about_gets_the_commonest_class():
    from build_trees import Leaf, Test, tree

    from treeforge.core.model import TreeModel
    from treeforge.learn.model import Model

    X = np.array([[0.0], [0], [1], [1], [1]])
    grown = TreeClassifier().fit(X, ["a", "a", "b", "b", "b"])
    arrays = tree(Test(0, [Leaf([2, 0]), Leaf([0, 3])], cuts=[0.5])).arrays()
    arrays["distribution"] = np.array([[2.0, 3], [0, 0], [0, 3]])
    arrays["weight"] = np.array([5.0, 0, 3])
    grown.model_ = Model(grown.model_.schema, TreeModel(type(grown.tree_)(**arrays)))
    assert grown.predict_proba(X[:1]).tolist() == [[0, 0]]
    assert grown.predict(X[:1]).tolist() == ["b"]


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_threads_do_not_change_predictions(jobs):
    X, y = load_iris(return_X_y=True)
    tree = C45Classifier(n_jobs=jobs).fit(X, y)
    assert np.array_equal(tree.predict_proba(X), C45Classifier().fit(X, y).predict_proba(X))
    with pytest.raises(ParameterError, match="n_jobs"):
        ForestClassifier(n_jobs=0)._threads()


@pytest.mark.parametrize("use", [to_text, lambda tree: save(tree, "never.json")])
def test_what_is_not_fitted_yet_says_so(use, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFittedError, match="This C45Classifier instance is not fitted yet"):
        use(C45Classifier())
    assert not list(tmp_path.iterdir())


def test_a_hoeffding_tree_predicts_though_it_has_no_tree_to_show() -> None:
    X, y = load_iris(return_X_y=True)
    grown = TreeClassifier(ensemble="vfdt").fit(X, y)
    assert grown.score(X, y) > 0.9
    assert not hasattr(grown, "trees_")
    grown.set_params(ensemble=None).fit(X, y)
    assert grown.trees_ == (grown.tree_,)
    grown.set_params(ensemble="vfdt").fit(X, y)
    assert not hasattr(grown, "tree_")
    with pytest.raises(ModelError, match="cannot be shown or saved as a tree"):
        to_text(grown)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (C45Classifier(min_branch="x"), "min_branch: a number is expected, not the text 'x'"),
        (
            C45Classifier(confidence="low"),
            r"error_based\.confidence: a number is expected, not the text 'low'",
        ),
        (AMSDClassifier(alpha="big"), r"amsd\.alpha: a number is expected, not the text 'big'"),
        (TreeClassifier(min_split="x"), "min_split: a number .* is expected, not the text 'x'"),
        (ForestClassifier(min_branch="x"), "min_branch: a number is expected, not the text 'x'"),
    ],
)
def test_a_text_where_a_number_belongs_names_the_parameter(model, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        model.fit([[1.0], [2.0]] * 4, [0, 1] * 4)


def test_numbers_of_numpy_are_numbers() -> None:
    X, y = [[1.0], [2.0]] * 4, [0, 1] * 4
    plain = TreeClassifier(min_branch=1.5, max_depth=1).fit(X, y)
    other = TreeClassifier(min_branch=np.float32(1.5), max_depth=np.int64(1)).fit(X, y)
    assert other.model_.algorithm == plain.model_.algorithm
