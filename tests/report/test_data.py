"""What a report knows: means, what they do not stand for, ranks, verdicts read back."""

from __future__ import annotations

import json
from pathlib import Path

import fake_run as fake
import pytest

from treeforge.compare import ScoreTable, compare
from treeforge.errors import ResultError
from treeforge.report.build import build
from treeforge.report.layout import group_letters, result_table
from treeforge.report.run_folder import load
from treeforge.report.verdicts import read_comparison, told


def rows(scores: dict[tuple[str, str], list[float | str]]) -> list[dict[str, str]]:
    """Result rows of one metric; text instead of a score is the reason of a failure, "" is undefined."""
    found = []
    for (d, a), values in scores.items():
        for fold, value in enumerate(values, 1):
            failed = isinstance(value, str) and value != ""
            found.append(
                {
                    "dataset": d,
                    "algorithm": a,
                    "repeat": "1",
                    "fold": str(fold),
                    "status": "failed" if failed else "ok",
                    "reason": str(value) if failed else "",
                    "macro_f1": "" if isinstance(value, str) else repr(value),
                }
            )
    return found


def test_mean_over_folds_with_a_value_says_which_folds_have_none() -> None:
    """Case S07: 0.8, undefined, 0.7 is 0.75 over two folds, marked; neither NaN nor 0.5."""
    data = build(rows({("never", "J48"): [0.8, "", 0.7]}), {})
    score = data.tables[0].scores["never", "J48"]
    assert score.mean == pytest.approx(0.75)
    assert (score.n, score.undefined, score.failed) == (2, ("2",), ())
    shown = result_table(data, data.tables[0])
    assert shown.rows[0].cells[0].text == "0.750"
    assert shown.rows[0].cells[0].notes == (1,)
    assert shown.notes == ("mean over 2 of 3 folds; undefined in fold 2",)


def test_failed_folds_are_counted_apart_from_undefined_ones_and_keep_their_reason() -> None:
    data = build(rows({("d", "a"): [0.5, "killed", "", "killed"], ("d", "b"): ["no luck"]}), {})
    assert data.tables[0].scores["d", "a"].failed == ("2", "4")
    assert data.tables[0].scores["d", "a"].undefined == ("3",)
    assert [(f.algorithm, f.folds, f.reason) for f in data.failures] == [
        ("a", ("2", "4"), "killed"),
        ("b", ("1",), "no luck"),
    ]
    shown = result_table(data, data.tables[0])
    assert shown.rows[0].cells[1].text == "failed"
    assert shown.notes[-1] == "failed in its only fold"


def test_ranks_and_averages_are_over_data_sets_where_every_algorithm_has_a_mean() -> None:
    scores: dict[tuple[str, str], list[float | str]] = {
        ("p", "a"): [0.9], ("p", "b"): [0.8], ("q", "a"): [0.5], ("q", "b"): [0.5], ("r", "a"): [0.1],
        ("r", "b"): [""],
    }  # fmt: skip
    table = build(rows(scores), {}).tables[0]
    assert table.complete == ("p", "q")
    assert table.mean_rank == {"a": 1.25, "b": 1.75}
    assert table.mean["a"] == pytest.approx(0.7)
    assert ("r", "a") not in table.ranks


def test_float_noise_makes_no_rank() -> None:
    """Case S02: sums that differ in the last bit are ties."""
    table = build(rows({("d", "a"): [0.1 + 0.2], ("d", "b"): [0.3]}), {}).tables[0]
    assert set(table.ranks.values()) == {1.5}
    assert table.best("d") == {"a", "b"}


def test_folds_of_several_repeats_are_named_with_their_repeat() -> None:
    two = rows({("d", "a"): [0.5, ""]})
    again = [{**r, "repeat": "2"} for r in two]
    assert build(two + again, {}).tables[0].scores["d", "a"].undefined == (
        "repeat 1 fold 2",
        "repeat 2 fold 2",
    )


def test_order_of_names_is_that_of_the_pipeline() -> None:
    run = {"algorithms": [{"name": "b"}, {"name": "gone"}, {"name": "a"}], "datasets": [{"name": "q"}]}
    data = build(rows({("p", "a"): [1.0], ("q", "b"): [1.0], ("q", "c"): [1.0]}), run)
    assert data.algorithms == ("b", "a", "c")
    assert data.datasets == ("q", "p")


def test_comparison_is_read_back_as_it_was_written() -> None:
    table = ScoreTable(tuple("stuvwx"), ("a", "b", "c"), [[i, 10 - i, 3] for i in range(6)])
    before = compare(table, {"test": "wilcoxon"})
    assert read_comparison(json.loads(json.dumps(before.to_dict()))) == before


def test_verdict_told_from_the_other_side_turns_its_numbers() -> None:
    table = ScoreTable(tuple("stuvwx"), ("a", "b"), [[i + 1, 0] for i in range(6)])
    comparison = compare(table, {"test": "wilcoxon"})
    verdict = told(comparison, "b", "a")
    assert verdict is not None
    assert verdict.estimate is not None
    assert (verdict.wins, verdict.losses, verdict.better) == (0, 6, "a")
    assert verdict.estimate.value == -3.5
    assert verdict.estimate.low is None or verdict.estimate.low <= verdict.estimate.value


def test_letters_of_overlapping_groups_are_two_letters() -> None:
    """Case S08: m3 is in one group, m4 in the other, though their ranks interleave."""
    ranks = {"m1": 1.0, "m2": 1.8, "m3": 3.1, "m4": 2.6, "m5": 4.4, "m6": 5.2}
    record = {
        "test": "wilcoxon", "title": "", "metric": "accuracy", "larger_is_better": True,
        "algorithms": list(ranks),
        "datasets": [], "left_out": [],
        "alpha": 0.05, "parameters": {}, "verdicts": [], "summary": "",
        "mean_ranks": ranks, "groups": [["m1", "m2", "m3"], ["m4", "m5", "m6"]],
    }  # fmt: skip
    data = build(rows({("d", a): [0.5] for a in ranks}), {})
    letters = group_letters(read_comparison(record), data.tables[0])
    assert [letters[a] for a in ranks] == ["a", "a", "a", "b", "b", "b"]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("results.csv", "dataset,algorithm\n", "results.csv:1: no column repeat, fold, status"),
        ("results.csv", "dataset,algorithm,repeat,fold,status,reason\na,b,1\n", "results.csv:2: "),
        ("results.csv", 'dataset,algorithm,repeat,fold,status,reason\n"a,b,1,1,ok,\n', "results.csv:"),
        ("run.json", "{", "run.json:1: not valid JSON"),
        ("run.json", "[]", "expected a JSON object"),
        ("run.json", '{"comparisons": [{"verdicts": [{"left": 1}]}]}', "damaged"),
    ],
)
def test_damaged_file_is_one_error_with_its_place(tmp_path: Path, file: str, text: str, message: str) -> None:
    folder = fake.write_run(tmp_path / "run")
    (folder / file).write_text(text)
    with pytest.raises(ResultError) as error:
        load(folder)
    assert message in str(error.value)


def test_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="no such folder"):
        load(tmp_path / "nothing")
    with pytest.raises(ResultError, match=r"holds no results\.csv"):
        load(tmp_path)


def test_results_without_run_json_still_make_a_report(tmp_path: Path) -> None:
    folder = fake.write_run(tmp_path / "run")
    (folder / "run.json").unlink()
    data = load(folder)
    assert data.name == "run"
    assert data.comparisons == ()
    assert data.tables[0].metric.larger_is_better is True
