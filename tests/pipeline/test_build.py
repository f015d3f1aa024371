"""Names become objects: every wrong one is a fault at its own line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeforge.errors import PipelineError
from treeforge.pipeline.build import Study, build
from treeforge.pipeline.document import load

WEATHER = """\
@relation weather
@attribute outlook {sunny, rainy}
@attribute humidity numeric
@attribute play {yes, no}
@data
sunny,70,yes
rainy,80,no
sunny,75,yes
rainy,90,no
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    for name in ("weather", "other"):
        (tmp_path / "data" / f"{name}.arff").write_text(WEATHER)
    return tmp_path


def built(folder: Path, text: str, *settings: str) -> Study:
    path = folder / "p.yaml"
    path.write_text(text)
    return build(load(path, settings))


def faults(folder: Path, text: str, *settings: str) -> list[str]:
    with pytest.raises(PipelineError) as caught:
        built(folder, text, *settings)
    return [str(error).replace(f"{folder}/", "") for error in caught.value.errors]


HEAD = "datasets: data/weather.arff\nmetrics: accuracy\n"


def test_whole_study_is_built(folder: Path) -> None:
    study = built(
        folder,
        """\
datasets: [data/*.arff, {generate: agrawal, function: 2, rows: 50}]
algorithms:
  C4.5: {splitter: {c45: {binary: true}}, pruner: none, min_branch: 3}
  sklearn: {estimator: sklearn.tree.DecisionTreeClassifier, parameters: {max_depth: 2}}
evaluation: {cross_validation: {folds: 2, repeats: 2, folds_like: weka}}
metrics: [accuracy, leaves]
comparisons: [{test: wilcoxon, metric: kappa, control: C4.5}]
seed: 7
""",
    )
    experiment = study.experiment
    assert [task.name for task in experiment.tasks] == ["other", "weather", "agrawal(function=2, rows=50)"]
    assert experiment.tasks[2].dataset.n_rows == 50
    assert experiment.learners["C4.5"].splitter.binary
    assert experiment.learners["C4.5"].limits.min_branch == 3
    assert experiment.scheme.folds_like == "weka"
    assert list(experiment.metrics) == ["accuracy", "leaves", "kappa"]  # what is compared is measured
    assert study.comparisons[0].test.control == "C4.5"
    assert len(experiment.cells) == 3 * 2 * 4


def test_faults_of_form_names_and_data_are_told_together(folder: Path) -> None:
    (folder / "data" / "bad.arff").write_text(WEATHER + "sunny,wet,yes\n")
    text = """\
nmae: x
datasets: [data/*.arff, data/wether.arff, {path: data/weather.arff, class: plya}]
algorithms:
  A: {splitter: c54}
  B: {splitter: {c45: {binry: true}}, min_branch: two}
  C: {splitter: {c45: {binary: 3}}, prunner: none}
  D: {pruner: {error_based: {confidence: 7}}}
  E: {estimator: sklearn.tree.DecisionTreClassifier}
  F: {estimator: sklearn.tree.DecisionTreeClassifier, parameters: {max_dept: 2}}
evaluation: {cross_validaton: {folds: 3}}
metrics: [acuracy]
comparisons:
  - {test: wilcoxn, metric: size}
  - {test: wilcoxon, metric: accuracy, control: Z, alfa: 0.1}
"""
    found = faults(folder, text)
    expected = [
        "p.yaml:1:1: there is no key 'nmae'; did you mean 'name'?",
        "p.yaml:2:25: there is no file 'data/wether.arff'; did you mean 'weather.arff'?",
        "p.yaml:2:76: weather has no attribute 'plya'; did you mean 'play'?",
        "p.yaml:4:17: no splitter is called 'c54'; did you mean 'c45'?",
        "p.yaml:5:24: c45 has no parameter 'binry'; did you mean 'binary'?",
        "p.yaml:5:51: min_branch: a number is expected, not the text 'two'",
        "p.yaml:6:32: c45.binary: true or false is expected, not 3",
        "p.yaml:6:37: there is no key 'prunner' of algorithm 'C'; did you mean 'pruner'?",
        "p.yaml:7:42: error_based: confidence",
        "p.yaml:8:18: estimator 'sklearn.tree.DecisionTreClassifier': sklearn.tree has no",
        "p.yaml:9:18: sklearn.tree.DecisionTreeClassifier has no parameter 'max_dept'; did you mean 'max_depth'?",
        "p.yaml:10:14: no evaluation is called 'cross_validaton'; did you mean 'cross_validation'?",
        "p.yaml:11:11: no metric is called 'acuracy'; did you mean 'accuracy'?",
        "p.yaml:13:12: no test is called 'wilcoxn'; did you mean 'wilcoxon'?",
        "p.yaml:14:49: no algorithm is called 'Z' (algorithms: A, B, C, D, E, F)",
        "p.yaml:14:52: wilcoxon has no parameter 'alfa'; did you mean 'alpha'?",
        "data/bad.arff:10:",
    ]
    assert len(found) == len(expected)
    for have, want in zip(found, expected, strict=True):
        assert have.startswith(want), f"{have}\nis not\n{want}"


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("data", "p.yaml:1:11: 'data' is a folder; 'data/*' means the files in it"),
        ("nothing/*.arff", "p.yaml:1:11: no file matches 'nothing/*.arff'"),
        ("'*.yaml'", "p.yaml:1:11: none of the 1 files that match '*.yaml' is a data file"),
        (
            "{path: data/weather.arff, class: humidity}",
            "weather: the class attribute 'humidity' is numeric, not nominal",
        ),
        ("{generate: agrawl}", "p.yaml:1:22: no source is called 'agrawl'; did you mean 'agrawal'?"),
        (
            "{generate: agrawal, functon: 2}",
            "p.yaml:1:31: agrawal has no parameter 'functon'; did you mean 'function'?",
        ),
        (
            "{path: data/weather.arff, test: data/other.arff}",
            "a test file is given, but the evaluation is not train_test",
        ),
    ],
)
def test_faults_of_data_sets(folder: Path, entry: str, fault: str) -> None:
    (found,) = faults(folder, f"datasets: {entry}\nalgorithms: {{A: c45}}\nmetrics: accuracy\n")
    assert fault in found


def test_data_sets_of_one_name_are_told_apart(folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "weather.arff").write_text(WEATHER + "sunny,71,yes\n")
    study = built(
        folder, "datasets: ['*/weather.arff', data/*.arff]\nalgorithms: {A: c45}\nmetrics: accuracy\n"
    )
    assert [t.name for t in study.experiment.tasks] == ["data/weather.arff", "more/weather.arff", "other"]


def test_given_name_and_class_are_used(folder: Path) -> None:
    data = "{path: data/weather.arff, name: by outlook, class: outlook}"
    text = f"datasets: {data}\nalgorithms: {{A: c45}}\nmetrics: accuracy\n"
    (task,) = built(folder, text).experiment.tasks
    assert task.name == "by outlook"
    assert task.dataset.schema.classes == ("sunny", "rainy")


def test_a_class_of_numbers_in_csv_is_nominal_and_another_column_is_not(folder: Path) -> None:
    (folder / "data" / "coded.csv").write_text("kind,size\n1,5\n0,7\n1,6\n")
    text = "datasets: {path: data/coded.csv, class: kind}\nalgorithms: {A: c45}\nmetrics: accuracy\n"
    (task,) = built(folder, text).experiment.tasks
    assert task.dataset.schema.classes == ("0", "1")
    assert task.dataset.schema.inputs[0].kind == "numeric"


def test_attributes_that_are_dropped_are_not_there(folder: Path) -> None:
    text = "datasets: {path: data/weather.arff, drop: [humidity]}\nalgorithms: {A: c45}\nmetrics: accuracy\n"
    (task,) = built(folder, text).experiment.tasks
    assert [attribute.name for attribute in task.dataset.schema.attributes] == ["outlook", "play"]
    (fault,) = faults(folder, text.replace("[humidity]", "humid"))
    assert fault.startswith("p.yaml:1:43: weather: no attribute is called 'humid'")
    (fault,) = faults(folder, text.replace("[humidity]", "play"))
    assert fault == "p.yaml:1:43: weather: 'play' is the class and cannot be dropped"


def test_paths_of_a_setting_start_where_the_user_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "data")
    study = built(folder, HEAD + "algorithms: {A: c45}\n", "datasets=[other.arff]")
    assert [t.name for t in study.experiment.tasks] == ["other"]


def test_train_and_test_files(folder: Path) -> None:
    text = (
        "datasets: {path: data/weather.arff, test: data/other.arff}\nalgorithms: {A: c45}\n"
        "metrics: accuracy\nevaluation: train_test\n"
    )
    (task,) = built(folder, text).experiment.tasks
    assert task.test is not None
    assert task.test.name == "other"
    (fault,) = faults(folder, HEAD + "algorithms: {A: c45}\nevaluation: train_test\n")
    assert fault == "p.yaml:1:11: evaluation: train_test needs a test file: {path: a.arff, test: b.arff}"


def test_faults_of_a_setting_are_named_after_it(folder: Path) -> None:
    (fault,) = faults(folder, HEAD + "algorithms: {A: c45}\n", "algorithms.A.splitter.binary=off")
    assert fault == (
        "--set algorithms.A.splitter.binary=off: c45.binary: true or false is expected, not the text 'off'"
    )


MESSY = "größe;alter;notiz;gruppe\n" + "1,5;31;-;a\n2,25;k. A.;x;b\n1,75;40;y;a\n" * 4


def test_how_a_file_is_to_be_read_is_said_in_its_entry(folder: Path) -> None:
    (folder / "data" / "messy.csv").write_bytes(MESSY.encode("latin-1"))
    entry = "{path: data/messy.csv, encoding: latin-1, decimal: ',', unknown: [k. A., '-']}"
    (task,) = built(
        folder, f"datasets: {entry}\nalgorithms: {{A: c45}}\nmetrics: accuracy\n"
    ).experiment.tasks
    assert [a.kind for a in task.dataset.schema.attributes] == ["numeric", "numeric", "nominal", "nominal"]
    assert task.dataset.schema.attributes[2].categories == ("x", "y")
    assert task.warnings == ()


def test_what_is_odd_about_a_file_is_a_warning_of_the_study(folder: Path) -> None:
    (folder / "data" / "messy.csv").write_text(MESSY)
    entry = "{path: data/messy.csv, decimal: ',', class: gruppe}"
    study = built(folder, f"datasets: {entry}\nalgorithms: {{A: c45}}\nmetrics: accuracy\n")
    (note,) = [w for w in study.experiment.warnings if "messy.csv" in w]
    assert "column 'notiz' has the category '-' (4 of 12 values)" in note
    dropped = entry[:-1] + ", drop: notiz}"
    study = built(folder, f"datasets: {dropped}\nalgorithms: {{A: c45}}\nmetrics: accuracy\n")
    assert not any("messy.csv" in w for w in study.experiment.warnings)


def test_a_number_that_is_declared_unknown_is_meant_as_it_is_written(folder: Path) -> None:
    (folder / "data" / "g.csv").write_text("x,y\n-99.00,a\n007,b\n1e3,a\n4,b\n5,c\n")
    text = "datasets: {path: data/g.csv, unknown: %s}\nalgorithms: {A: c45}\nmetrics: accuracy\n"
    study = built(folder, text % "[-99.00, 007, 1e3]")
    x, _ = study.experiment.tasks[0].dataset.columns
    assert [str(value) for value in x] == ["nan", "nan", "nan", "4.0", "5.0"]


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ('unknown: ["-"]', "unknown"),
        ("decimal: ','", "decimal"),
        ("encoding: latin-1", "encoding"),
        ("drop: [x]", "drop"),
        ("drop: [x], encoding: latin-1", "drop and encoding"),
    ],
)
@pytest.mark.parametrize("glob_first", [True, False])
def test_a_file_is_not_told_in_two_ways(folder: Path, second: str, what: str, *, glob_first: bool) -> None:
    (folder / "data" / "g.csv").write_text("x,z,y\n1,2,a\n2,-,b\n3,4,a\n")
    entries = ['"data/g.*"', f"{{path: data/g.csv, {second}}}"]
    text = "datasets:\n- {}\n- {}\nalgorithms: {{A: c45}}\nmetrics: accuracy\n"
    (fault,) = faults(folder, text.format(*(entries if glob_first else entries[::-1])))
    assert fault.endswith(
        f":3:3: 'g.csv' is a data set by line 2 already, which says otherwise of {what}: "
        "leave it out there or here, or give it a name here to have both"
    )
    named = entries[1].replace("path", "name: g2, path")
    study = built(folder, text.format(entries[0], named))
    assert [task.name for task in study.experiment.tasks] == ["g", "g2"]
    study = built(folder, text.format(entries[1], entries[1]))
    assert len(study.experiment.tasks) == 1


def test_a_column_without_a_name_can_be_dropped(folder: Path) -> None:
    (folder / "data" / "r.csv").write_text('"",2024,y\n' + "".join(f'"{i}",{i},{i % 2}\n' for i in range(20)))
    text = "datasets: {path: data/r.csv, drop: %s}\nalgorithms: {A: c45}\nmetrics: accuracy\n"
    study = built(folder, text % "''")
    assert list(study.experiment.tasks[0].dataset.schema.names) == ["2024", "y"]
    assert study.experiment.warnings == ()
    study = built(folder, text % "[2024]")
    assert list(study.experiment.tasks[0].dataset.schema.names) == ["", "y"]
    assert "column '' has no name of its own" in study.experiment.warnings[0]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("{path: a.csv, decimal: ';'}", "p.yaml:1:34: decimal: '.' or ',' is expected, not text ';'"),
        ("{path: a.csv, encoding: [x]}", "p.yaml:1:35: encoding: text is expected, not a list"),
        ("{path: a.csv, unknown: {a: b}}", "p.yaml:1:34: unknown: text is expected, not a mapping"),
        (
            "{path: a.csv, unknwon: NA}",
            "p.yaml:1:25: there is no key 'unknwon' of a data set; did you mean 'unknown'?",
        ),
        (
            "{path: data/weather.arff, unknown: NA}",
            "data/weather.arff: 'unknown' cannot be said of this form of data",
        ),
    ],
)
def test_faults_of_how_a_file_is_to_be_read(folder: Path, entry: str, fault: str) -> None:
    (folder / "a.csv").write_text("a,b\n1,x\n2,y\n")
    (found,) = faults(folder, f"datasets: {entry}\nalgorithms: {{A: c45}}\nmetrics: accuracy\n")
    assert found.startswith(fault)
