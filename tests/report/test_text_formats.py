"""Terminal, Markdown, CSV and the words they share."""

from __future__ import annotations

import csv as reader
import io
import re
from pathlib import Path

import fake_run as fake
import pytest
from rich.console import Console

from treeforge.report import ReportData, csv, html, latex, markdown, terminal, words
from treeforge.report.build import build


def test_summary_says_in_plain_words_what_was_compared_and_who_is_better(data: ReportData) -> None:
    first, second, third = words.summary(data)
    assert first == (
        "5 algorithms on 12 data sets by stratified 10-fold cross-validation: 600 cells, 12 of them failed."
    )
    assert second == "By accuracy, VFC4.5 has the best mean rank, 1.45 of 5."
    assert third.startswith(
        "It is significantly better than AMSD and CART; no difference from C4.5 and MSD was found"
    )


def test_summary_of_a_control_comparison_when_there_is_no_other() -> None:
    rows = fake.rows()
    run = {"comparisons": [fake.comparison(rows, control="C4.5")]}
    assert words.summary(build(rows, run))[-1].startswith("Against C4.5: ")


def failing(*algorithms: str, **spec: object) -> ReportData:
    """A report on three algorithms of which these failed everywhere."""
    rows = fake.rows(algorithms=["A", "B", "C"])
    for row in rows:
        if row["algorithm"] in algorithms:
            row |= {"status": "failed", "reason": "MemoryError", **dict.fromkeys(fake.METRICS, "")}
    run = fake.run(rows) | {"comparisons": [fake.comparison(rows, **spec)]}
    return build(rows, run)


@pytest.mark.parametrize("spec", [{}, {"control": "A"}])
def test_summary_says_when_nothing_could_be_compared(spec: dict[str, object]) -> None:
    data = failing("B", "C", **spec)
    said = (
        "Nothing could be compared: B has no results (120 cells failed); C has no results (120 cells failed)."
    )
    assert words.summary(data)[1:] == [said]
    file = io.StringIO()
    terminal.show(data, Console(file=file))
    for text in (file.getvalue(), html.render(data), latex.render(data), markdown.render(data)):
        assert re.search("Nothing could be compared: B has no results", text)
        assert not re.search("No difference (between|in)", text)


@pytest.mark.parametrize(
    ("spec", "n", "found"),
    [({}, "2 of 3", "compared was found"), ({"control": "A"}, "1 of 2", "Against A: ")],
)
def test_summary_says_what_was_compared_and_what_was_not(spec: dict[str, object], n: str, found: str) -> None:
    first, second = words.summary(failing("C", alpha=1e-9, **spec))[1:]
    assert found in first
    assert "C" not in re.sub(r"\(.*", "", first)
    assert second == f"{n} comparisons could not be made: C has no results (120 cells failed)."


def test_summary_tells_a_metric_without_values_from_failed_cells() -> None:
    rows = fake.rows(algorithms=["A", "B"])
    for row in rows:
        if row["algorithm"] == "B":
            row |= {"status": "ok", "accuracy": ""}
    data = build(rows, fake.run(rows) | {"comparisons": [fake.comparison(rows)]})
    assert words.summary(data)[1:] == ["Nothing could be compared: B has no accuracy on any data set."]


def test_summary_says_when_cells_are_missing() -> None:
    some = fake.rows(["iris", "labor"], ["A", "B"], folds=3)
    kept = [r for r in some if not (r["algorithm"] == "B" and r["dataset"] == "iris" and r["fold"] != "1")]
    data = build(kept, {})
    assert data.n_missing == 2
    assert words.summary(data)[1] == (
        "The run is not complete: 2 cells are missing, so not every mean is over the same folds."
    )
    assert "The run is not complete" in markdown.render(data)
    assert build(some, {}).n_missing == 0


def test_summary_of_a_run_that_was_stopped_says_so(tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    said = "The run has not come to its end: what is missing may change every number and verdict."
    assert words.summary(build(fake.rows(["iris"], ["A", "B"]), {}, folder=tmp_path))[1] == said
    (tmp_path / "run.json").write_text("{}")
    assert said not in words.summary(build(fake.rows(["iris"], ["A", "B"]), {}, folder=tmp_path))


def test_summary_of_no_results_says_so() -> None:
    assert words.summary(build([], {})) == ["There are no results yet."]


@pytest.mark.parametrize(
    ("evaluation", "expected"),
    [
        (
            {"cross_validation": {"folds": 5, "repeats": 3, "stratified": False}},
            "3 times 5-fold cross-validation",
        ),
        ({"scheme": "leave_one_out"}, "leave-one-out cross-validation"),
        ({"scheme": "5x2"}, "5 times 2-fold cross-validation"),
        ({"something_new": {}}, "something new"),
        (None, ""),
    ],
)
def test_evaluation_scheme_in_words(evaluation: dict[str, object] | None, expected: str) -> None:
    assert words.evaluation(evaluation) == expected


def test_output_to_a_file_has_no_escape_sequence_and_no_carriage_return(data: ReportData) -> None:
    """Case E05."""
    file = io.StringIO()
    terminal.show(data, Console(file=file))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", file.getvalue())
    assert "mean over 8 of 10 folds; failed in folds 1, 2" in file.getvalue()
    assert "Groups" in file.getvalue()


def test_file_that_cannot_hold_the_marks_gets_plain_ones(data: ReportData) -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    terminal.show(data, Console(file=file))
    assert b"Accuracy" in raw.getvalue()


class Screen(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_terminal_shows_the_same_table_in_colour(data: ReportData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    file = Screen()
    terminal.show(data, Console(file=file, force_terminal=True, width=120))
    assert "\x1b[" in file.getvalue()
    assert "VFC4.5" in file.getvalue()


def test_control_characters_in_names_do_not_reach_the_terminal() -> None:
    rows = [{**r, "dataset": "bad\x1b[31m\rname"} for r in fake.rows(["d"], ["a", "b"], 2)]
    text = terminal.render(build(rows, {}))
    assert "\x1b" not in text
    assert "\r" not in text


def test_csv_has_full_precision_and_counts_of_what_is_missing(data: ReportData) -> None:
    table = list(reader.DictReader(io.StringIO(csv.render(data))))
    assert len(table) == 12 * 5 * 4
    found = {(r["dataset"], r["algorithm"], r["metric"]): r for r in table}
    assert found["segment", "CART", "accuracy"]["mean"] == ""
    assert found["segment", "CART", "accuracy"]["failed"] == "10"
    assert found["glass", "CART", "macro_f1"]["undefined"] == "1"
    assert float(found["iris", "C4.5", "accuracy"]["mean"]) == data.tables[0].scores["iris", "C4.5"].mean


def test_markdown_tables_have_the_same_number_of_columns_in_every_row(hostile: ReportData) -> None:
    text = markdown.render(hostile)
    tables = re.findall(r"(?:^\|.*\n?)+", text, flags=re.M)
    assert len(tables) > 5
    for table in tables:
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in table.strip().split("\n")}
        assert len(counts) == 1


def test_markdown_has_no_markup_from_names(hostile: ReportData) -> None:
    """Case X01."""
    text = markdown.render(hostile)
    assert not re.search(r"(?<!\\)<", text)
    assert r"\<b\>tight\</b\>" in text


def test_markdown_cites_every_source_that_it_lists(data: ReportData) -> None:
    text = markdown.render(data)
    listed = re.findall(r"^(\d+)\. ", text, flags=re.M)
    cited = re.findall(r"\\\[(\d+)\\\]", text)
    assert set(listed) == set(cited)
    assert len([s for s in words.cited(words.methods(data)) if s.startswith("Demsar")]) == 1


def test_bayesian_verdicts_are_probabilities_and_not_called_significant() -> None:
    rows = fake.rows()
    data = build(rows, {"comparisons": [fake.comparison(rows, test="bayesian_signed_rank", control="C4.5")]})
    text = markdown.render(data)
    assert "probability at least 0.95" in text
    assert "significant" not in text.split("## Comparisons")[0]
    assert "How probable it is that each is better than C4.5" in html.render(data)
