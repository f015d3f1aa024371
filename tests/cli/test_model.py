"""predict, show and explain, from the command line."""

import csv
import io
import json

import numpy as np
import pytest

from treeforge.cli import main
from treeforge.data import read_arff
from treeforge.learn.build import learner
from treeforge.model_files import load, save


@pytest.fixture(scope="module")
def labor(repository):
    return repository / "arff_data" / "labor.arff"


@pytest.fixture(scope="module")
def model(labor, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "labor.tree.json"
    save(learner({"pruner": "none"}).fit(read_arff(labor)), path)
    return path


def run(capsys, *arguments):
    status = main([str(a) for a in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_predict_writes_class_and_probabilities_of_each_row(capsys, model, labor, tmp_path):
    status, out, err = run(capsys, "predict", model, labor)
    assert (status, err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out)))
    truth = load(model).predict_proba(read_arff(labor))
    found = np.array([[float(r["probability of bad"]), float(r["probability of good"])] for r in rows])
    assert np.array_equal(found, truth)
    assert [r["prediction"] for r in rows] == [("bad", "good")[i] for i in truth.argmax(1)]
    assert run(capsys, "predict", model, labor, "-o", tmp_path / "p.csv")[0] == 0
    assert (tmp_path / "p.csv").read_text() == out
    lines = run(capsys, "predict", model, labor, "--json")[1].splitlines()
    assert [json.loads(line)["prediction"] for line in lines] == [r["prediction"] for r in rows]


def test_data_in_the_place_of_the_model_is_called_so(capsys, model, labor):
    for words in (
        ["show", labor],
        ["explain", labor, model],
        ["predict", labor, model],
        ["importance", labor],
    ):
        said = f"{labor}: this is a data file, and a model file is wanted here\n"
        assert run(capsys, *words) == (1, "", said)


def test_predict_matches_columns_by_name(capsys, model, labor, tmp_path):
    text = labor.read_text()
    head, _, body = text.partition("@data")
    names = [line for line in head.splitlines() if line.lower().startswith("@attribute")]
    rows = [
        ",".join(reversed(line.split(","))) for line in body.strip().splitlines() if line.count(",") == 16
    ]
    turned = tmp_path / "turned.arff"
    turned.write_text("@relation x\n" + "\n".join(reversed(names)) + "\n@data\n" + "\n".join(rows) + "\n")
    wanted = run(capsys, "predict", model, labor)[1]
    assert run(capsys, "predict", model, turned, "--class", "class")[1] == wanted


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("text", "wage-increase-first-year <= 2.5\n"),
        ("dot", "digraph"),
        ("svg", "<svg"),
        ("html", "<style>"),
        ("json", '{\n"format"'),
        ("table", "tree,node,parent"),
        ("sql", "SELECT"),
        ("python", "# Generated"),
        ("c", "// Generated"),
        ("java", "// Generated"),
        ("javascript", "// Generated"),
        ("pmml", "<?xml"),
    ],
)
def test_show(capsys, model, form, start):
    status, out, err = run(capsys, "show", model, "--as", form)
    assert (status, err) == (0, "")
    assert out.startswith(start)


def test_rules_of_a_saved_tree_are_generalised_with_its_training_cases(capsys, model, labor, tmp_path):
    grown = learner({"ensemble": "c45_rules"}).fit(read_arff(labor))
    status, out, err = run(capsys, "show", model, "--as", "rules", "--training", labor)
    assert (status, err) == (0, "")
    assert out == grown.to_rules().to_text()
    half = tmp_path / "half.arff"
    half.write_text("\n".join(labor.read_text().splitlines()[:-20]) + "\n")
    status, out, err = run(capsys, "show", model, "--as", "rules", "--training", labor, "--data", half)
    assert (status, err) == (0, "")
    assert out == grown.to_rules(read_arff(half)).to_text()
    status, out, err = run(capsys, "show", model, "--as", "rules", "--training", half)
    assert status == 0
    assert "first that holds decides" in out
    assert err.startswith("warning: the tree was grown on other cases (bad 20, good 37)")
    assert run(capsys, "show", model, "--training", labor)[0] == 2


def test_shown_json_is_the_model_again(capsys, model):
    assert run(capsys, "show", model, "--as", "json")[1] == model.read_text()


def test_explain(capsys, model, labor):
    status, out, err = run(capsys, "explain", model, labor, "--row", 3)
    assert (status, err) == (0, "")
    assert out.startswith(
        "row 3: good (good 0.880188, bad 0.119812)\n  0.615193 of the case goes this way:\n"
    )
    found = json.loads(run(capsys, "explain", model, labor, "--row", 3, "--json")[1])
    assert found["predicted"] == "good"
    assert sum(path["share"] for path in found["paths"]) == pytest.approx(1)
    assert run(capsys, "explain", model, labor, "--as", "svg")[1].startswith("<svg")


def test_forest_is_explained_by_its_votes_and_the_paths_of_three_trees(capsys, labor, tmp_path):
    path = tmp_path / "forest.json"
    save(learner({"ensemble": {"random_forest": {"trees": 5}}}).fit(read_arff(labor)), path)
    status, out, err = run(capsys, "explain", path, labor, "--row", 3)
    assert (status, err) == (0, "")
    assert out.splitlines()[1].startswith("  of 5 trees ")
    assert [line for line in out.splitlines() if line.startswith("tree ")] == [
        f"tree {n} of 5" for n in (1, 2, 3)
    ]
    assert "tree 5 of 5" in run(capsys, "explain", path, labor, "--row", 3, "--trees", 5)[1]
    assert "tree 1 of 5" not in run(capsys, "explain", path, labor, "--row", 3, "--trees", 0)[1]
    found = json.loads(run(capsys, "explain", path, labor, "--row", 3, "--json")[1])
    assert sum(vote["trees"] for vote in found["votes"].values()) == 5
    assert {way["tree"] for way in found["paths"]} == {1, 2, 3}
    assert found["asked"]
    status, out, err = run(capsys, "explain", path, labor, "--trees", -1)
    assert (status, out) == (2, "")
    assert "'--trees': -1 is not in the range x>=0" in err.splitlines()[-1]


@pytest.mark.parametrize("command", ["predict", "explain"])
def test_columns_that_the_model_has_not_are_not_warned_about(capsys, tmp_path, command):
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,b\n3,a\n4,b\n")
    assert run(capsys, "fit", tmp_path / "t.csv", "-o", tmp_path / "m.json")[0] == 0
    (tmp_path / "new.csv").write_text("x,more,y\n1,-,a\n2,5,b\n3,6,a\n")
    status, _, err = run(capsys, command, tmp_path / "m.json", tmp_path / "new.csv")
    assert (status, err) == (0, "")
    (tmp_path / "new.csv").write_text("x,more,y\n1,-,a\nn/a,5,b\n3,6,a\n")
    err = run(capsys, command, tmp_path / "m.json", tmp_path / "new.csv")[2]
    assert "column 'x' is nominal only because of 'n/a'" in err
    assert "more" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--unknown=x", "--decimal=,"], "--unknown and --decimal: there are no data to read"),
        (["--class=x"], "--class: there are no data to read"),
        (["--encoding=latin-1", "--as", "rules"], "--encoding: there are no data to read"),
    ],
)
def test_how_to_read_data_is_refused_where_there_are_none(capsys, model, words, said):
    status, out, err = run(capsys, "show", model, *words)
    assert (status, out) == (2, "")
    assert said in err


def test_faults_are_one_line_and_status_1(capsys, model, labor, tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text(model.read_text()[:500])
    for arguments in (
        ("predict", broken, labor),
        ("show", tmp_path / "none.json"),
        ("predict", model, tmp_path / "none.arff"),
        ("explain", model, labor, "--row", "999"),
        ("predict", model, labor.parent / "iris.arff"),
    ):
        status, out, err = run(capsys, *arguments)
        assert (status, out) == (1, "")
        assert err.count("\n") == 1
        assert "Traceback" not in err


def test_onnx_goes_into_a_file(capsys, model, tmp_path):
    onnx = pytest.importorskip("onnx")
    path = tmp_path / "m.onnx"
    assert run(capsys, "show", model, "--as", "onnx", "-o", path) == (0, "", "")
    assert onnx.load(path).producer_name == "TreeForge"
    status, _, err = run(capsys, "show", model, "--as", "onnx", "-o", tmp_path / "no" / "m.onnx")
    assert status == 1
    assert "cannot be written" in err
