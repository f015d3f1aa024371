"""Reports of a run that did happen: what run, store and report say to one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeforge.pipeline.run import run
from treeforge.report import FORMATS, ReportData, load, render
from treeforge.report.records import confusions, current

DATA = "@relation r\n@attribute x numeric\n@attribute class {a,'<b>','never \"seen\"'}\n@data\n" + "".join(
    f"{i % 17},{'a' if i % 17 < 9 else chr(39) + '<b>' + chr(39)}\n" for i in range(60)
)
PIPELINE = """
treeforge: 1
name: R&D
datasets: [one.arff, two.arff]
algorithms:
  C4.5: {splitter: c45}
matrix: {splitter: [c45], pruner: [none, error_based], min_branch: [2, 40]}
evaluation: {cross_validation: {folds: 3, repeats: 2}}
metrics: [accuracy, mcc, size, leaves, fit_seconds]
comparisons:
  - {test: wilcoxon, metric: accuracy}
  - {test: corrected_t, metric: accuracy, control: C4.5}
  - {test: friedman, metric: accuracy, posthoc: nemenyi}
report: [html]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("study")
    (place / "one.arff").write_text(DATA)
    (place / "two.arff").write_text(DATA.replace("\n3,a\n", "\n3,'<b>'\n"))
    (place / "p.yaml").write_text(PIPELINE)
    run(place / "p.yaml", place / "run")
    return place / "run"


@pytest.fixture(scope="module")
def report(folder: Path) -> ReportData:
    return load(folder)


def test_everything_that_a_report_shows_arrives(report: ReportData) -> None:
    assert report.name == "R&D"
    assert report.n_cells == 2 * 5 * 6
    assert report.repeated
    assert [c.test for c in report.comparisons] == ["wilcoxon", "corrected_t", "friedman"]
    assert {f.factor for f in report.factors} == {"pruner", "min_branch"}
    assert {t.algorithm for t in report.trees} == set(report.algorithms)


def test_confusion_matrices_add_up_to_all_cases_of_all_repeats(report: ReportData) -> None:
    assert len(report.confusions) == 2 * 5
    for c in report.confusions:
        assert c.classes == ("a", "<b>", 'never "seen"')
        assert sum(map(sum, c.matrix)) == 120
        assert c.sensitivity[2] is None  # there is no such case
        assert c.specificity[2] == 1.0
        assert c.precision[2] is None
    table = report.table("accuracy")
    assert table is not None
    first = report.confusions[0]
    assert sum(first.matrix[i][i] for i in range(3)) / 120 == pytest.approx(
        table.scores["one", report.algorithms[0]].mean
    )


def test_records_of_other_splits_in_the_folder_are_not_counted(folder: Path, report: ReportData) -> None:
    found = list(current(folder, report.rows))
    assert len(found) == report.n_cells
    changed = [{**row, "accuracy": "0.123"} for row in report.rows]
    assert list(current(folder, changed)) == []
    assert confusions([], report.datasets, report.algorithms) == ()


def test_weka_gets_the_counts_of_the_records(report: ReportData) -> None:
    text = render(report, "weka")
    assert "@attribute Number_of_training_instances numeric" in text
    row = text.partition("@data\n")[2].split("\n")[0]
    assert row.startswith("one,1,1,")
    assert ",40,20," in row


def test_every_format_of_a_real_run_renders(report: ReportData) -> None:
    for form in FORMATS:
        assert "NaN" not in render(report, form)
