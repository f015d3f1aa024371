"""A fitted model as Python shows it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from treeforge.data import read_arff
from treeforge.learn.build import learner
from treeforge.learn.model import Model
from treeforge.model_files import load, save

WEATHER = Path(__file__).parents[2] / "arff_data" / "weather.arff"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ({}, "<Model TreeModel, leaves 5, size 8, depth 2, class 'play'>"),
        ({"ensemble": {"random_forest": {"trees": 3}}}, "<Model VoteModel, "),
        ({"ensemble": "c45_rules"}, "<Model RuleModel, "),
    ],
)
def test_a_model_is_shown_in_a_line(words: dict, shown: str) -> None:
    found = repr(learner(words).fit(read_arff(WEATHER)))
    assert found.startswith(shown)
    assert found.endswith(", class 'play'>")
    assert "\n" not in found
    assert len(found) < 150


def test_a_loaded_model_predicts_what_the_training_class_was(tmp_path: Path) -> None:
    data = read_arff(WEATHER)
    save(learner({}).fit(data), tmp_path / "m.json")
    model = load(tmp_path / "m.json")
    assert isinstance(model, Model)
    truth = [data.schema.classes[code] for code in data.class_codes]
    assert model.predict(data).tolist() == truth  # this tree makes no error


def test_predict_follows_the_costs() -> None:
    data = read_arff(WEATHER)
    costly = learner({"max_depth": 1, "cost_matrix": [[0, 1], [100, 0]]}).fit(data)  # of "yes" for a "no"
    plain = learner({"max_depth": 1}).fit(data)
    assert set(costly.predict(data)) == {"no"}
    assert set(plain.predict(data)) == {"yes"}


def test_a_row_that_a_model_cannot_say_anything_about_has_no_class() -> None:
    data = read_arff(WEATHER)
    fitted = learner({}).fit(data)

    class Silent:
        def predict_proba(self, table, rows, n_threads):
            return np.zeros((table.n_rows, 2))

    assert Model(data.schema, Silent(), fitted.algorithm).predict(data).tolist() == [None] * 14
