"""Explanations by rules: which one decides, what the earlier ones lack, and changes that do change the answer."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from treeforge.data import read_arff
from treeforge.errors import DataError, ModelError
from treeforge.explain import RuleExplanation, explain
from treeforge.learn.build import learner


@pytest.fixture(scope="module", params=["weather", "labor", "hepatitis"])
def case(request, repository):
    data = read_arff(repository / "arff_data" / f"{request.param}.arff")
    return data, learner({"ensemble": "c45_rules"}).fit(data)


def test_rule_that_decides_is_the_first_that_holds(case):
    data, model = case
    first = model.fitted.rules.first(
        np.column_stack([data.columns[i] for i in data.schema.input_indices]).astype(float)
    )
    for row in range(data.n_rows):
        found = explain(model, data, row)
        assert isinstance(found, RuleExplanation)
        assert (found.rule or model.fitted.n_rules + 1) - 1 == first[row]
        assert found.predicted == data.schema.classes[model.fitted.classes[first[row]]]
        assert len(found.earlier) == first[row]
        assert all(missed.lacks for missed in found.earlier)
        assert all(held.value is not None for held in found.conditions)
        json.dumps(found.to_dict(), allow_nan=False)


def test_changes_do_change_the_answer(case):
    data, model = case
    found = explain(model, data, 1)
    assert found.changes
    assert all(change.predicted != found.predicted for change in found.changes)


def test_words_name_the_rule_and_its_conditions(repository):
    data = read_arff(repository / "arff_data" / "weather.arff")
    model = learner({"ensemble": "c45_rules"}).fit(data)
    text = str(explain(model, data, 0))
    assert text.splitlines()[:4] == [
        "row 0: no",
        "rule 3 decides, with an estimated accuracy of 63.0 %",
        "    outlook = sunny    (outlook is sunny)",
        "    humidity > 75    (humidity is 85)",
    ]
    assert "  humidity <= 75: yes (0.75)" in text
    blind = replace(data, columns=(np.full(14, -1, np.int32), *data.columns[1:]))
    text = str(explain(model, blind, 0))
    assert "no rule holds: this is the default" in text
    assert "rule 1 (yes) does not hold: outlook = overcast    (outlook is unknown)" in text
    assert explain(model, blind, 0)._repr_html_().startswith("<pre>row 0: yes")


def test_what_cannot_be_is_refused(repository):
    data = read_arff(repository / "arff_data" / "weather.arff")
    model = learner({"ensemble": "c45_rules"}).fit(data)
    with pytest.raises(DataError, match="no row 14"):
        explain(model, data, 14)
    with pytest.raises(ModelError, match="no picture"):
        explain(model, data, 0).to_svg()
