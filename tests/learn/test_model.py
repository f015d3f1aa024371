"""A fitted model as Python shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeforge.data import read_arff
from treeforge.learn.build import learner

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
