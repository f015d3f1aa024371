"""What holds of every estimator: scikit-learn's tools, weights, costs, tables of all kinds, figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treeforge import estimators
from treeforge.errors import ParameterError
from treeforge.model_files import load, load_model, save

NAMES = [name for name in estimators.__all__ if name.endswith("Classifier")]
X, Y = load_iris(return_X_y=True)
COSTS = [[0, 1, 1], [1, 0, 50], [1, 1, 0]]  # to call versicolor virginica is dear


def make(name: str) -> Any:
    made = getattr(estimators, name)()
    return made.set_params(trees=5) if "trees" in made.get_params() else made


@pytest.fixture(params=NAMES)
def estimator(request: pytest.FixtureRequest) -> Any:
    return make(request.param)


def mixed() -> Any:
    """A frame of texts, categories and numbers with unknown values, and its classes."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    colour = rng.choice(["red", "green", "blue"], 60).astype(object)
    size = rng.normal(size=60).round(2)
    y = np.where((colour == "red") | (size > 0.5), "yes", "no")
    colour[3], size[4] = None, np.nan
    shape = pd.Categorical(rng.choice(["round", "square"], 60))
    count = pd.array([*range(59), None], dtype="Int64")
    return pd.DataFrame({"colour": colour, "shape": shape, "size": size, "count": count}), y


def test_works_in_the_tools_of_scikit_learn(estimator: Any) -> None:
    assert cross_val_score(estimator, X, Y, cv=3).mean() > 0.85
    assert make_pipeline(StandardScaler(), estimator).fit(X, Y).score(X, Y) > 0.9
    search = GridSearchCV(estimator, {"min_branch": [2, 60]}, cv=3).fit(X, Y)
    assert search.best_params_ == {"min_branch": 2}
    assert clone(search.best_estimator_).get_params() == search.best_estimator_.get_params()


@pytest.mark.parametrize("soft", [False, True])
def test_infinite_numbers_are_refused_wherever_they_stand(estimator: Any, soft: bool) -> None:
    if soft and "soft_thresholds" in estimator.get_params():
        estimator.set_params(soft_thresholds=True)
    estimator.fit(X, Y)
    for place in [(0, 0), (77, 1), (149, 3)]:
        other = X.copy()
        other[place] = np.inf
        for ask in (estimator.predict, estimator.predict_proba):
            with pytest.raises(ValueError, match="infinity"):
                ask(other)
        other[place] = np.nan
        assert estimator.predict_proba(other).shape == (150, 3)


def test_rows_of_no_weight_do_not_count(estimator: Any) -> None:
    weights = np.where(Y == 2, 0.0, 1.0)
    fitted = estimator.fit(X, Y, sample_weight=weights)
    assert set(fitted.predict(X[Y == 2])) <= {0, 1}
    with pytest.raises(ValueError, match="zero"):
        estimator.fit(X, Y, sample_weight=np.zeros(150))


def test_weight_of_a_class_is_the_weight_of_its_rows(estimator: Any) -> None:
    by_class = clone(estimator).set_params(class_weight={0: 1, 1: 3, 2: 1}).fit(X, Y)
    by_row = clone(estimator).fit(X, Y, sample_weight=np.where(Y == 1, 3.0, 1.0))
    assert np.array_equal(by_class.predict_proba(X), by_row.predict_proba(X))


def test_costs_decide_what_is_said_and_stay_with_the_model(estimator: Any, tmp_path: Any) -> None:
    wary = clone(estimator).set_params(cost_matrix=COSTS, min_branch=10).fit(X, Y)
    plain = clone(estimator).set_params(min_branch=10).fit(X, Y)
    probabilities = wary.predict_proba(X)
    assert np.array_equal(probabilities, plain.predict_proba(X))
    said = wary.predict(X)
    assert np.array_equal(said, (probabilities @ np.array(COSTS)).argmin(axis=1))
    assert (said == 2).sum() < (plain.predict(X) == 2).sum()
    save(wary, tmp_path / "m.json")
    assert np.array_equal(load(tmp_path / "m.json").predict(X), said)
    assert np.array_equal(load_model(tmp_path / "m.json").decide(probabilities), said)
    with pytest.raises(ParameterError, match="3 rows of 3 finite numbers"):
        clone(estimator).set_params(cost_matrix=[[0, 1], [1, 0]]).fit(X, Y)


def test_frames_unknown_and_unseen_values(estimator: Any) -> None:
    frame, y = mixed()
    fitted = estimator.fit(frame, y)
    assert fitted.score(frame, y) > 0.7
    assert fitted.feature_names_in_.tolist() == ["colour", "shape", "size", "count"]
    unseen, unknown = frame.assign(colour="violet"), frame.assign(colour=None)
    assert np.array_equal(fitted.predict_proba(unseen), fitted.predict_proba(unknown))
    as_text = frame.assign(colour=frame["colour"].astype("str"), shape=frame["shape"].astype("string"))
    assert np.array_equal(fitted.predict_proba(as_text), fitted.predict_proba(frame))


def test_polars_says_what_pandas_says(estimator: Any) -> None:
    pl = pytest.importorskip("polars")
    frame, y = mixed()
    other = pl.DataFrame(
        {
            "colour": [c if isinstance(c, str) else None for c in frame["colour"].tolist()],
            "shape": pl.Series(frame["shape"].tolist(), dtype=pl.Enum(["round", "square"])),
            "size": frame["size"].to_numpy(),
            "count": pl.Series([*range(59), None], dtype=pl.Int32),
        }
    )
    here, there = clone(estimator).fit(frame, y), clone(estimator).fit(other, y)
    assert np.array_equal(here.predict_proba(frame), there.predict_proba(other))


def test_sparse_is_refused_with_the_way_out(estimator: Any) -> None:
    from scipy.sparse import csr_matrix

    with pytest.raises(TypeError, match="toarray"):
        estimator.fit(csr_matrix(X), Y)
    with pytest.raises(TypeError, match="toarray"):
        estimator.fit(X, Y).predict(csr_matrix(X))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "C45RulesClassifier"])
def test_figures_of_trees_agree_with_one_another(name: str) -> None:
    fitted = make(name).fit(X, Y)
    n_trees = len(fitted.trees_)
    assert fitted.feature_importances_.shape == (4,)
    assert fitted.feature_importances_.sum() == pytest.approx(1)
    assert fitted.get_n_leaves() == sum(tree.n_leaves for tree in fitted.trees_)
    ends = fitted.apply(X).reshape(150, n_trees)
    found = fitted.decision_path(X)
    path, starts = found if isinstance(found, tuple) else (found, np.array([0, found.shape[1]]))
    assert starts[-1] == path.shape[1] == sum(tree.n_nodes for tree in fitted.trees_)
    dense = path.toarray()
    assert dense.sum(axis=1).max() <= n_trees * (fitted.get_depth() + 1)
    for number, start in enumerate(starts[:-1]):
        assert (dense[np.arange(150), start + ends[:, number]] == 1).all()
