"""The form of a pipeline file: all faults at once, each with its place and the nearest right name."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeforge.errors import PipelineError
from treeforge.pipeline.document import DEFAULT_METRICS, FORMATS, load
from treeforge.pipeline.entries import Pipeline

GOOD = """\
treeforge: 1
name: study
datasets: [a.arff, {path: b.csv, class: income}, {generate: agrawal, function: 2}]
algorithms:
  C4.5: {splitter: c45, min_branch: 2}
  short: msd
evaluation: {holdout: {repeats: 3}}
metrics: [accuracy]
comparisons:
  - {test: wilcoxon, metric: accuracy, correction: holm}
report: [terminal, html]
"""


def loaded(folder: Path, text: str, *settings: str) -> Pipeline:
    path = folder / "p.yaml"
    path.write_text(text)
    return load(path, settings)


def faults_of(folder: Path, text: str) -> list[str]:
    return [str(f).replace(str(folder) + "/", "") for f in loaded(folder, text).faults.found]


def test_good_file_is_read_as_it_is_meant(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, GOOD)
    assert not pipeline.faults.found
    assert pipeline.name == "study"
    assert [d.pattern for d in pipeline.datasets] == ["a.arff", "b.csv", ""]
    assert pipeline.datasets[1].class_name == "income"
    assert pipeline.datasets[2].source.value == "agrawal"
    assert pipeline.datasets[2].parameters.plain() == {"function": 2}
    assert [(a.name, a.words.plain()) for a in pipeline.algorithms] == [
        ("C4.5", {"splitter": "c45", "min_branch": 2}),
        ("short", {"splitter": "msd"}),
    ]
    assert pipeline.evaluation.scheme == "holdout"
    assert pipeline.comparisons[0].parameters.plain() == {"correction": "holm"}
    assert pipeline.seed == 1


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, "datasets: a.arff\nalgorithms: {x: c45}\n")
    assert pipeline.name == "p"
    assert pipeline.evaluation.scheme == "cross_validation"
    assert tuple(m.value for m in pipeline.metrics) == DEFAULT_METRICS
    assert pipeline.report == ("terminal", "html")
    assert loaded(tmp_path, "datasets: a.arff\nalgorithms: {x: c45}\nreport: []\n").report == ()


def test_all_faults_are_told_at_once_with_their_places(tmp_path: Path) -> None:
    text = (
        GOOD.replace("name: study", "nmae: study")
        .replace("html", "htlm")
        .replace("path: b.csv", "pth: b.csv")
    )
    text = text.replace("holdout: {repeats: 3}", "holdout: 3") + "seed: one\n"
    assert sorted(faults_of(tmp_path, text)) == sorted(
        [
            "p.yaml:2:1: there is no key 'nmae'; did you mean 'name'? "
            "(keys: treeforge, name, seed, datasets, algorithms, matrix, "
            "evaluation, metrics, comparisons, report, time_limit)",
            "p.yaml:3:21: there is no key 'pth' of a data set; did you mean 'path'? "
            "(keys: path, class, drop, name, test, unknown, decimal, encoding, generate)",
            "p.yaml:3:20: a data set has a 'path' or says what to 'generate'",
            "p.yaml:7:23: holdout: a mapping of options is expected, not a whole number 3",
            "p.yaml:11:20: there is no report format 'htlm'; did you mean 'html'? "
            f"(formats: {', '.join(FORMATS)})",
            "p.yaml:12:7: seed: a whole number from 0 is expected, not text 'one'",
        ]
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- a", "p.yaml:1:1: a pipeline is a mapping with the keys"),
        ("", "p.yaml:1:1: the file is empty"),
    ],
)
def test_what_is_no_mapping_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(PipelineError) as caught:
        loaded(tmp_path, text)
    assert fault in str(caught.value)


def test_file_that_is_no_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(b"name: a\nseed: \xff\n")
    with pytest.raises(PipelineError, match=r"p\.yaml:2:1: this is no UTF-8 text"):
        load(path)


def test_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"no\.yaml: cannot be read: No such file"):
        load(tmp_path / "no.yaml")


def test_missing_keys_and_other_version(tmp_path: Path) -> None:
    assert faults_of(tmp_path, "treeforge: 2") == [
        "p.yaml:1:12: this program reads version 1 of the format, not 2",
        "p.yaml:1:1: the key 'datasets' is missing: files, globs and generators",
        "p.yaml:1:1: the key 'algorithms' is missing: name -> what is trained",
    ]


# --set KEY=VALUE


@pytest.mark.parametrize(
    ("setting", "path", "value"),
    [
        ("algorithms.C4.5.min_branch=5", ("algorithms", "C4.5", "min_branch"), 5),
        ('algorithms."C4.5".min_branch=5', ("algorithms", "C4.5", "min_branch"), 5),
        (
            "algorithms.C4.5.splitter.binary=true",
            ("algorithms", "C4.5", "splitter"),
            {"c45": {"binary": True}},
        ),
        (
            "algorithms.C4.5.splitter.c45.binary=true",
            ("algorithms", "C4.5", "splitter"),
            {"c45": {"binary": True}},
        ),
        ("datasets=[x.arff]", ("datasets",), ["x.arff"]),
        ("datasets.0=x.arff", ("datasets", 0), "x.arff"),
        ("comparisons.0.alpha=1e-2", ("comparisons", 0, "alpha"), 0.01),
        ("algorithms.new.splitter=amsd", ("algorithms", "new"), {"splitter": "amsd"}),
        ("name=a=b", ("name",), "a=b"),
    ],
)
def test_setting_replaces_one_value(tmp_path: Path, setting: str, path: tuple, value: object) -> None:
    found = loaded(tmp_path, GOOD, setting).plain
    for step in path:
        found = found[step]
    assert found == value


@pytest.mark.parametrize(
    ("setting", "fault"),
    [
        ("name", "--set name: KEY=VALUE is expected"),
        ("name.x=1", "--set name.x=1: 'x' cannot be set in text (line 2)"),
        ("datasets.9=a", "--set datasets.9=a: '9' is no place in a list of 3 (they count from 0)"),
        ("algorithms.'C4.5=1", "--set algorithms.'C4.5=1: the quote in 'algorithms.'C4.5' is not closed"),
        ("name=[1", "--set name=[1: the value is no YAML: "),
    ],
)
def test_setting_that_fits_nowhere_is_refused(tmp_path: Path, setting: str, fault: str) -> None:
    with pytest.raises(PipelineError) as caught:
        loaded(tmp_path, GOOD, setting)
    assert str(caught.value).startswith(fault)


# matrix:


def names(folder: Path, matrix: str) -> list[str]:
    pipeline = loaded(folder, f"datasets: a.arff\nmatrix: {matrix}\n")
    pipeline.faults.stop()
    return [a.name for a in pipeline.algorithms]


def test_matrix_is_every_combination_but_the_excluded(tmp_path: Path) -> None:
    matrix = (
        "{splitter: [c45, {amsd: {alpha: 0.5}}], pruner: [none, error_based],"
        " exclude: [{splitter: amsd, pruner: none}]}"
    )
    assert names(tmp_path, matrix) == ["c45 none", "c45 error_based", "amsd(alpha=0.5) error_based"]


def test_matrix_point_knows_its_factors(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, "datasets: a.arff\nmatrix: {splitter: [c45], min_branch: [2, 5]}\n")
    assert [(a.name, dict(a.factors), a.words.plain()) for a in pipeline.algorithms] == [
        ("c45 min_branch=2", {"splitter": "c45", "min_branch": "2"}, {"splitter": "c45", "min_branch": 2}),
        ("c45 min_branch=5", {"splitter": "c45", "min_branch": "5"}, {"splitter": "c45", "min_branch": 5}),
    ]


@pytest.mark.parametrize(
    ("matrix", "fault"),
    [
        ("{splitter: c45}", "p.yaml:2:20: matrix: 'splitter' needs a list of choices, not text"),
        ("{splitter: [c45], exclude: [{prunner: x}]}", "exclude: 'prunner' is no factor"),
        (
            "{splitter: [c45], exclude: [{splitter: c54}]}",
            "exclude: splitter has no choice 'c54'; did you mean 'c45'?",
        ),
        ("{splitter: [c45], exclude: [{splitter: c45}]}", "p.yaml:2:9: matrix: every point is excluded"),
        ("{splitter: [c45, c45]}", "two algorithms are called 'c45'"),
    ],
)
def test_matrix_faults(tmp_path: Path, matrix: str, fault: str) -> None:
    faults = faults_of(tmp_path, f"datasets: a.arff\nmatrix: {matrix}\n")
    assert fault in faults[0]
