"""Result files of Weka's Experimenter. ``golden/weka_experiment.arff`` was written by Weka 3.9's Experiment class:
iris and labor, 2 runs of 3 folds, J48 with and without pruning and REPTree."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import fake_run as fake
import pytest

from treeforge.cli import main
from treeforge.data.arff import read_arff
from treeforge.errors import ResultError
from treeforge.report import ReportData, load, weka
from treeforge.report.layout import result_table
from treeforge.report.verdicts import told

GOLDEN = Path(__file__).parent.parent / "golden" / "weka_experiment.arff"


def test_file_of_weka_is_read_as_a_run() -> None:
    data = load(GOLDEN)
    assert data.datasets == ("iris", "labor")
    assert data.algorithms == ("J48 -C 0.25 -M 2", "J48 -U -M 2", "REPTree")
    table = data.table("accuracy")
    assert table is not None
    cells = [c.text for row in result_table(data, table).rows for c in row.cells]
    assert cells == [
        "93.67",
        "94.67",
        "95.00",
        "74.56",
        "78.95",
        "78.95",
    ]  # as PairedCorrectedTTester prints them
    assert {"size", "leaves", "kappa", "fit_seconds"} <= {t.metric.name for t in data.tables}


def test_accuracy_from_counts_keeps_ties_that_rounded_percentages_would_break() -> None:
    table = load(GOLDEN).table("accuracy")
    assert table is not None
    assert table.ranks["labor", "J48 -U -M 2"] == table.ranks["labor", "REPTree"] == 1.5


def test_verdicts_on_each_data_set_are_those_of_wekas_tester() -> None:
    """Weka's PairedCorrectedTTester at 0.05 finds no difference in this file."""
    comparison = next(c for c in load(GOLDEN).comparisons if c.test == "corrected_t")
    for dataset in ("iris", "labor"):
        for algorithm in ("J48 -U -M 2", "REPTree"):
            verdict = told(comparison, algorithm, "J48 -C 0.25 -M 2", dataset)
            assert verdict is not None
            assert verdict.significant is False


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    before = load(GOLDEN)
    path = tmp_path / "again.arff"
    path.write_text(weka.render(before))
    after = load(path)
    assert after.algorithms == before.algorithms
    for one, two in zip(before.tables, after.tables, strict=True):
        assert one.metric == two.metric
        assert {k: s.values for k, s in two.scores.items()} == {
            k: pytest.approx(s.values) for k, s in one.scores.items()
        }
    assert [c.to_dict() for c in after.comparisons] == [c.to_dict() for c in before.comparisons]


def test_hostile_names_survive_the_way_there_and_back(hostile: ReportData, tmp_path: Path) -> None:
    path = tmp_path / "hostile.arff"
    path.write_text(weka.render(hostile), encoding="utf-8")
    again = load(path)
    assert again.datasets == hostile.datasets
    assert again.algorithms == hostile.algorithms


def test_failed_cells_are_left_out_and_counted(data: ReportData, tmp_path: Path) -> None:
    path = tmp_path / "r.arff"
    path.write_text(weka.render(data))
    assert "% 12 failed cells are left out" in path.read_text()
    table = read_arff(path)
    assert table.n_rows == 600 - 12
    assert table.schema.attributes[6].name == "Percent_correct"


def test_other_table_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "iris.arff"
    path.write_text("@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,a\n")
    with pytest.raises(ResultError, match="expected a result file of Weka's Experimenter"):
        load(path)


def test_report_of_a_result_file_stands_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "experiment.arff"
    path.write_bytes(GOLDEN.read_bytes())
    assert main(["report", str(path), "--format", "markdown"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "experiment.report.md")
    assert "| iris | 93.67 ± 3.67 |" in (tmp_path / "experiment.report.md").read_text()


@pytest.mark.slow
def test_wekas_tester_reads_what_is_written(tmp_path: Path) -> None:
    """With the class path of a Weka in TREEFORGE_WEKA."""
    classes = os.environ.get("TREEFORGE_WEKA")
    if not classes:
        pytest.skip("TREEFORGE_WEKA does not name Weka's jar files")
    rows = [r for r in fake.rows() if r["dataset"] not in ("diabetes", "segment")]
    path = tmp_path / "r.arff"
    path.write_text(weka.render(load(fake.write_run(tmp_path / "run", rows))))
    command = ["java", "-cp", classes, "weka.experiment.PairedCorrectedTTester", "-t", str(path)]
    command += ["-D", "1", "-R", "2", "-F", "3", "-G", "4-6", "-c", "7", "-V"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Analysing:  Percent_correct" in told
    assert re.search(r"anneal +\(10\) +62\.50\(2\.06\) \| +63\.04\(2\.81\)", told)
