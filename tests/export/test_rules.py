"""Rules in words, as JSON and as a table; and models of rules in files."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from build_trees import deep_tree
from export_cases import SCHEMA as ODD_NAMES
from export_cases import SINGLES, cases

from treeforge.cli import main
from treeforge.core.rule_model import RuleModel
from treeforge.data import Attribute, Dataset, Schema, read_arff, write_arff
from treeforge.errors import DataError, ModelError
from treeforge.export.dot import to_dot
from treeforge.export.html import to_html
from treeforge.export.json import Document, dumps, loads, read
from treeforge.export.rules import to_rules
from treeforge.export.text import to_text
from treeforge.learn.build import learner
from treeforge.model_files import load, save

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="module")
def weather(repository):
    return read_arff(repository / "arff_data" / "weather.arff")


@pytest.fixture(scope="module")
def labor(repository):
    return read_arff(repository / "arff_data" / "labor.arff")


def rules_of(data):
    return learner({"ensemble": "c45_rules"}).fit(data)


# what is measured


def holds(condition, values):
    """A condition of the JSON form, evaluated from what it says."""
    value = values[condition["attribute"]]
    if value is None:
        return False
    if "categories" in condition:
        return value in condition["categories"]
    for low, high in condition["intervals"]:
        low, high = -np.inf if low is None else low, np.inf if high is None else high
        inside = low <= value < high if condition["closed"] == "left" else low < value <= high
        if inside or (value in (low, high) and np.isinf(value)):
            return True
    return False


def named(data):
    """Each row as a dict of names; None unknown."""
    found = []
    for row in range(data.n_rows):
        values = {}
        for attribute, column in zip(data.schema.attributes, data.columns, strict=True):
            v = column[row].item()
            if attribute.is_nominal:
                values[attribute.name] = attribute.categories[v] if v >= 0 else None
            else:
                values[attribute.name] = None if v != v else v
        found.append(values)
    return found


@pytest.mark.parametrize("name", ["labor", "weather", "iris", "hepatitis", "vote"])
def test_measures_are_those_of_a_plain_count(repository, name):
    data = read_arff(repository / "arff_data" / f"{name}.arff")
    weights = np.random.default_rng(3).choice([0.5, 1.0, 2.0], data.n_rows)
    training, held = np.arange(data.n_rows) % 3 > 0, np.arange(data.n_rows) % 3 == 0
    model = rules_of(data.take(np.flatnonzero(training)))
    held_out = replace(data.take(np.flatnonzero(held)), weights=weights[held])
    found = json.loads(model.to_rules(held_out).to_json())
    for part, cases_, w in (
        ("training", data.take(np.flatnonzero(training)), np.ones(int(training.sum()))),
        ("data", held_out, weights[held]),
    ):
        rows, truth = (
            named(cases_),
            [r[cases_.schema.attributes[cases_.schema.class_index].name] for r in named(cases_)],
        )
        open_ = np.ones(len(rows), dtype=bool)
        for rule in found["rules"]:
            covers = np.array([all(holds(c, row) for c in rule["conditions"]) for row in rows])
            right = np.array([t == rule["class"] for t in truth])
            told = rule[part]
            assert told["covered"] == pytest.approx(w[covers].sum())
            assert told["right"] == pytest.approx(w[covers & right].sum())
            assert told["decided"] == pytest.approx(w[covers & open_].sum())
            assert told["decided_right"] == pytest.approx(w[covers & open_ & right].sum())
            assert told["coverage"] == pytest.approx(w[covers].sum() / w.sum())
            if covers.any():
                confidence = w[covers & right].sum() / w[covers].sum()
                assert told["confidence"] == pytest.approx(confidence)
                assert told["lift"] == pytest.approx(confidence / (w[right].sum() / w.sum()))
            else:
                assert told["confidence"] is None
                assert told["lift"] is None
            open_ &= ~covers
        right = np.array([t == found["default"] for t in truth])
        assert found["otherwise"][part]["decided"] == pytest.approx(w[open_].sum())
        assert found["otherwise"][part]["decided_right"] == pytest.approx(w[open_ & right].sum())


def test_tree_is_one_rule_a_leaf_counted_as_the_tree_counts(labor):
    model = learner({}).fit(labor)
    found = model.to_rules(labor)
    tree = model.fitted.tree
    leaves = np.flatnonzero(tree.attribute < 0)
    assert len(found) == len(leaves) == 3
    assert [rule.texts for rule in found] == [
        ("wage-increase-first-year <= 2.5",),
        ("wage-increase-first-year > 2.5", "statutory-holidays <= 10"),
        ("wage-increase-first-year > 2.5", "statutory-holidays > 10"),
    ]
    for rule in found:
        assert rule.training.covered == pytest.approx(rule.data.covered)  # measured on what it was grown on
        assert rule.training.lift == pytest.approx(rule.data.lift)
        assert rule.error is None
    assert sum(rule.training.covered for rule in found) == pytest.approx(labor.n_rows)
    assert found.default is None
    assert found.otherwise is None


def test_rules_of_a_tree_say_what_the_tree_says_of_complete_rows(repository):
    data = read_arff(repository / "arff_data" / "iris.arff")
    model = learner({"splitter": "amsd", "pruner": "none"}).fit(data)
    said = model.decide(model.predict_proba(data))
    rules = json.loads(model.to_rules().to_json())["rules"]
    for row, code in zip(named(data), said.tolist(), strict=True):
        (holding,) = [r for r in rules if all(holds(c, row) for c in r["conditions"])]
        assert holding["class"] == data.schema.classes[code]
        attributes = [c["attribute"] for c in holding["conditions"]]
        assert len(attributes) == len(set(attributes))  # tests of one attribute are joined


def test_four_thousand_levels_are_four_thousand_short_rules():
    schema = Schema((Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
    found = to_rules(deep_tree(4000), schema=schema)
    assert len(found) == 4001
    assert max(len(rule.conditions) for rule in found) == 1
    assert str(found).count("rule ") == 4001


# the forms


def test_text_names_default_and_what_each_covers(weather):
    text = str(rules_of(weather).to_rules(weather))
    assert text.startswith(
        "4 rules; the first that holds decides\n\nrule 1\n    outlook = overcast\n    -> yes (70.7 %)\n"
    )
    assert "training: covers 4.0 (28.6 %), confidence 100.0 %, lift 1.56; decides 4.0, 4.0 right" in text
    assert "    weather: covers 4.0 (28.6 %)" in text
    assert text.endswith(
        "otherwise\n    -> yes\n    training: decides 2.0, 2.0 right\n    weather: decides 2.0, 2.0 right\n"
    )
    assert to_text(rules_of(weather)) == str(rules_of(weather).to_rules())


HOSTILE = ["</script><b>", 'a "quote"', "x = 1 and y", "🍉", "line\nend", "'; DROP", "<!--", "-> yes"]


def hostile():
    """Every name is one that some format could take for its own."""
    codes = np.repeat(np.arange(len(HOSTILE)), 6).astype(np.int32)
    schema = Schema(
        (
            Attribute("<i>&\"'", "nominal", tuple(HOSTILE)),
            Attribute("n\t🍉"),
            Attribute("class\n", "nominal", tuple(HOSTILE)),
        ),
        2,
    )
    return Dataset(schema, (codes, np.arange(len(codes), dtype=np.float64), codes), None, "<data>\n")


class Texts(HTMLParser):
    """The tags and the texts of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def test_names_are_safe_in_every_form_and_told_apart():
    data = hostile()
    model = rules_of(data)
    found = model.to_rules(data)
    assert model.fitted.n_rules >= len(HOSTILE) - 1
    page = Texts()
    page.feed(found.to_html())
    assert set(page.tags) == {
        "style",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "br",
        "b",
        "i",
    } - (set() if "br" in page.tags else {"br"})
    assert any("</script><b>" in text for text in page.texts)
    classes = [rule["class"] for rule in json.loads(found.to_json())["rules"]]
    assert set(classes) <= set(HOSTILE)
    text = str(found)
    assert all(line.isprintable() for line in text.splitlines())
    assert len(text.splitlines()) == 1 + sum(6 + len(rule.texts) - 1 for rule in found) + 5
    assert to_html(model) == model.to_rules().to_html() == model.to_rules()._repr_html_()


def test_rules_of_a_tree_with_odd_names_are_one_line_each():
    for fitted in SINGLES.values() if isinstance(SINGLES, dict) else SINGLES:
        for rule in to_rules(fitted, schema=ODD_NAMES):
            assert all(text.isprintable() for text in rule.texts)
    assert cases(2)


def test_other_exports_refuse_rules_in_one_line(weather):
    with pytest.raises(ModelError, match="the model is a set of rules"):
        to_dot(rules_of(weather))


def test_several_trees_have_no_rules(weather):
    with pytest.raises(ModelError, match="one tree only"):
        learner({"ensemble": {"bagging": {"trees": 3}}}).fit(weather).to_rules()


def test_data_without_any_class_is_refused(weather):
    blind = replace(weather, columns=(*weather.columns[:-1], np.full(weather.n_rows, -1, np.int32)))
    with pytest.raises(DataError, match="no row has a class of the model"):
        rules_of(weather).to_rules(blind)


def test_tree_of_one_leaf_is_one_rule_without_conditions(weather):
    found = learner({"max_depth": 0}).fit(weather).to_rules()
    assert [(rule.texts, rule.said, rule.training.lift) for rule in found] == [((), "yes", 1.0)]
    assert "always" in found.to_html()


# files


def test_read_and_written_again_it_is_the_same(tmp_path, labor):
    model = rules_of(labor)
    save(model, tmp_path / "rules.json")
    again = load(tmp_path / "rules.json")
    assert isinstance(again.fitted, RuleModel)
    assert np.array_equal(again.predict_proba(labor), model.predict_proba(labor))
    assert str(again.to_rules(labor)) == str(model.to_rules(labor))
    save(again, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "rules.json").read_bytes()


def test_file_fits_the_schema_in_the_repository(labor):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(dumps.__code__.co_filename).parent / "model.schema.json").read_text())
    for data in (labor, hostile()):
        model = rules_of(data)
        written = json.loads(dumps(Document(model.schema, model.fitted, model.algorithm)))
        jsonschema.validate(written, schema)
        assert written["version"] == 2
        broken = {key: value for key, value in written.items() if key != "rules"}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)


def test_rules_of_this_version_are_read_for_ever(weather):
    """Never change this file: add one for each new version."""
    found = read(GOLDEN / "rules-v2.json")
    wanted = json.loads((GOLDEN / "rules-v2.predictions.json").read_text())
    table = [weather.columns[i] for i in weather.schema.input_indices]
    matrix = np.column_stack(table).astype(np.float64)
    assert np.allclose(found.fitted.predict_proba(matrix), wanted, rtol=1e-15)
    assert found.schema == weather.schema


HOSTILE_ARRAYS = {
    "class": ("classes", [0, 0, 9, 1], "'classes' holds 9 of 2"),
    "attribute": ("attribute", [0, 0, 3, 0, 2, 0, 7], "'attribute' holds 7 of 4"),
    "claimed": ("n_tests", [1, 2, 2, 2**31 - 1], "rules need"),
    "negative": ("n_cells", [-1] * 7, "negative"),
    "too few": ("error", [0.1], "'error' has 1 numbers where 4 rules need 4"),
    "error": ("error", [0.1, 0.2, 2.0, 0.1], "above 1"),
    "nominal with cuts": ("n_cuts", [1, 0, 0, 0, 0, 0, 0], "do not fit 'outlook'"),
    "marks": ("admitted", None, "other than 0 and 1"),
    "covered": ("covered", [1.0], "'covered' has 1 numbers"),
    "text": ("cuts", ["x"], "where a number"),
    "missing": ("decided", None, "'decided' of rules"),
}


@pytest.mark.parametrize("what", HOSTILE_ARRAYS)
def test_hostile_rules_are_refused_in_one_line(what, weather):
    name, value, message = HOSTILE_ARRAYS[what]
    model = rules_of(weather)
    found = json.loads(dumps(Document(model.schema, model.fitted)))
    if what == "marks":
        value = [2] * len(found["rules"][name])
    if what == "missing":
        del found["rules"][name]
    else:
        found["rules"][name] = value
    with pytest.raises(ModelError, match=message) as caught:
        loads(json.dumps(found), file="m.json", verify=False)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f["model"].update(default=5), "the default is class 5 of 2"),
        (lambda f: f.update(trees=[{}]), "tree 1|cannot have 1 trees"),
        (lambda f: f["model"].update(kind="tree"), "cannot have 0 trees"),
        (lambda f: f.pop("rules"), "'rules' of the file is missing"),
        (
            lambda f: f["rules"].update(cuts=[75.0, 75.0], n_cuts=[0, 0, 0, 0, 2, 0, 0]),
            "do not fit|rules need",
        ),
    ],
)
def test_other_damage_is_refused(change, message, weather):
    model = rules_of(weather)
    found = json.loads(dumps(Document(model.schema, model.fitted)))
    change(found)
    with pytest.raises(ModelError, match=message):
        loads(json.dumps(found), verify=False)


def test_every_single_bit_flip_is_refused_or_harmless(weather):
    model = rules_of(weather)
    good = dumps(Document(model.schema, model.fitted))
    body = good[: good.index('"checksum"')]
    rng = np.random.default_rng(11)
    for place in rng.integers(0, len(body), 300).tolist():
        flipped = bytearray(body.encode())
        flipped[place] ^= 1 << int(rng.integers(7))
        seal = f'"checksum": "sha256:{hashlib.sha256(flipped).hexdigest()}"\n}}\n'
        try:
            found = loads(bytes(flipped) + seal.encode())
        except ModelError:
            continue
        found.fitted.predict_proba(np.zeros((3, len(found.schema.inputs))))  # whatever it says, it is sound


# the command line


def run(capsys, *arguments):
    status = main([str(a) for a in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_show_as_rules_in_its_forms(capsys, tmp_path, weather, labor):
    model, data = tmp_path / "m.json", tmp_path / "weather.arff"
    save(rules_of(weather), model)
    write_arff(weather, data)
    assert run(capsys, "show", model, "--as", "rules") == (0, str(rules_of(weather).to_rules()), "")
    assert run(capsys, "show", model)[1] == str(rules_of(weather).to_rules())
    status, out, _ = run(capsys, "show", model, "--as", "rules", "--data", data, "--form", "json")
    assert status == 0
    assert json.loads(out)["rules"][0]["data"]["lift"] == pytest.approx(14 / 9)
    assert run(capsys, "show", model, "--as", "rules", "--form", "html")[1].endswith("</table>\n")
    status, out, err = run(capsys, "show", model, "--as", "rules", "--form", "xml")
    assert (status, out) == (2, "")
    assert "rules have no form 'xml' (forms: text, json, html)" in err
    status, out, err = run(capsys, "show", model, "--as", "dot")
    assert (status, out, err.count("\n")) == (1, "", 1)
    other = tmp_path / "labor.arff"
    write_arff(labor, other)
    status, out, err = run(capsys, "show", model, "--as", "rules", "--data", other)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "attribute 'outlook' is missing" in err


def test_fit_predict_and_explain_with_rules(capsys, tmp_path, repository):
    data = repository / "arff_data" / "weather.arff"
    model = tmp_path / "m.json"
    status, out, _ = run(capsys, "fit", data, "--ensemble", "c45_rules", "--json", "-o", model)
    facts = json.loads(out)
    assert status == 0
    assert facts["leaves"] is None
    assert facts["confusion"] == [[9.0, 0.0], [0.0, 5.0]]
    rows = list(csv.DictReader(io.StringIO(run(capsys, "predict", model, data)[1])))
    assert [row["prediction"] for row in rows[:3]] == ["no", "no", "yes"]
    assert "rule 3 decides" in run(capsys, "explain", model, data)[1]
    status, out, _ = run(capsys, "evaluate", data, "--ensemble", "c45_rules", "--json", "--folds", "3")
    assert status == 0
    assert json.loads(out)["leaves"] == [None, None, None]
