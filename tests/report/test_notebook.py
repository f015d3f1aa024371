"""A run in a notebook: verdicts and the first table, as a fragment of a page."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fake_run as fake

from treeforge.pipeline.run import Run
from treeforge.pipeline.table import ResultTable
from treeforge.report import ReportData, notebook, words
from treeforge.report.build import build
from treeforge.report.layout import result_table


def test_cell_says_what_the_report_says(data: ReportData) -> None:
    page = notebook.render(data)
    for sentence in words.summary(data):
        assert sentence in page
    assert data.primary is not None
    table = result_table(data, data.primary)
    assert page.count('<th scope="row">') == len(data.datasets) + len(table.footer)
    assert page.count("<div") == page.count("</div>")


def test_names_are_text(hostile: ReportData) -> None:
    page = notebook.render(hostile)
    assert "<script" not in page
    assert "</script" not in page


def test_run_without_results_says_so() -> None:
    assert "There are no results yet." in notebook.render(build([], {}))


def test_run_shows_itself_and_its_cells_once_the_folder_has_gone(tmp_path: Path) -> None:
    folder = fake.write_run(tmp_path)
    study: Any = SimpleNamespace()
    cells = ResultTable(("dataset", "accuracy"), ({"dataset": "iris", "accuracy": 0.5},))
    run = Run(folder, study, cells, ())
    assert "has the best mean rank" in run._repr_html_()
    shutil.rmtree(folder)
    assert run._repr_html_() == cells._repr_html_()
