"""CSV files: wide and long, and the one line that says what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from treeforge.compare.read import read_scores
from treeforge.errors import ResultError

LONG = """dataset,algorithm,repeat,fold,status,reason,accuracy,size
iris,A,0,0,ok,,0.9,5
iris,A,0,1,ok,,0.8,7
iris,B,0,0,ok,,0.7,3
iris,B,0,1,failed,"time limit, 60 s",,
wine,A,0,0,ok,,0.6,9
wine,A,0,1,ok,,0.5,9
wine,B,0,0,failed,no class,,
wine,B,0,1,failed,no class,,
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_bytes(text.encode())
    return path


def test_wide_table(tmp_path: Path) -> None:
    (table,) = read_scores(write(tmp_path, "\ufeffdata,A,B\r\niris,0.5,?\r\n\r\nwine, 1e-1 ,0.25\r\n"))
    assert table.datasets == ("iris", "wine")
    assert table.algorithms == ("A", "B")
    np.testing.assert_array_equal(table.scores, [[0.5, np.nan], [0.1, 0.25]])
    assert table.metric == "score"


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators(tmp_path: Path, separator: str) -> None:
    text = "data,A,B\niris,0.5,0.75\n".replace(",", separator)
    assert read_scores(write(tmp_path, text))[0].scores.tolist() == [[0.5, 0.75]]


def test_long_table_averages_folds_and_counts_the_missing(tmp_path: Path) -> None:
    (table,) = read_scores(write(tmp_path, LONG))
    assert table.metric == "accuracy"
    np.testing.assert_allclose(table.scores, [[0.85, 0.7], [0.55, np.nan]])
    assert table.notes() == (
        "accuracy of B is undefined on wine.",
        "accuracy of B is undefined in some folds, and averaged over the others, on iris (1 of 2).",
    )


def test_long_table_of_several_metrics(tmp_path: Path) -> None:
    tables = read_scores(write(tmp_path, LONG), ["size", "accuracy"], lambda metric: metric != "size")
    assert [(t.metric, t.larger_is_better) for t in tables] == [("size", False), ("accuracy", True)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv: a line of column names"),
        ("data,A,B\n", "t.csv: a line of column names"),
        ("data,A,B\niris,0.5,high\n", "t.csv:2: column 'B': a number was expected, not 'high'"),
        ("data,A,B\niris,0.5\n", "t.csv:2: 3 fields were expected, not 2"),
        (
            "data,A,B\niris,0.5,0.5\nwine,1,1\niris,1,1\n",
            "t.csv:4: data set 'iris' stands twice (first on line 2)",
        ),
        ("data,A,A\niris,0.5,0.5\n", "t.csv:1: column 'A' stands 2 times"),
        ("data,A,\niris,0.5,0.5\n", "t.csv:1: a column has no name"),
        ("data,A,B\niris,0.5,0.5\nAverage,0.5,0.5\n", "t.csv:3: 'Average' looks like a summary"),
        ("A,B,C\n0.5,0.5,0.2\n0.6,0.5,0.5\n", "t.csv:2: the first column holds the names"),
        ('data,A,B\n"iris,0.5,0.5\n', "t.csv:2: unexpected end of data"),
        ("dataset,algorithm,fold\niris,A,0\n", "t.csv:1: no column is a metric"),
        (LONG + "iris,A,0,1,ok,,0.9,5\n", "t.csv:10: this repeat and fold of A on iris stands on line 3 too"),
        (LONG + "iris,A,0,x,ok,,0.9,5\n", "t.csv:10: column 'fold': a whole number was expected, not 'x'"),
    ],
)
def test_faults_are_told_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ResultError) as caught:
        read_scores(write(tmp_path, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_metric_is_named_with_those_that_exist(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"no metric is called 'kappa' \(metrics: accuracy and size\)"):
        read_scores(write(tmp_path, LONG), ["kappa"])
    with pytest.raises(ResultError, match="holds one metric, not 2"):
        read_scores(write(tmp_path, "data,A,B\niris,1,2\n"), ["a", "b"])


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"none\.csv: cannot be read: No such file"):
        read_scores(tmp_path / "none.csv")
    bad = tmp_path / "latin.csv"
    bad.write_bytes(b"data,A\nfa\xe7ade,1\n")
    with pytest.raises(ResultError, match="is not UTF-8 text"):
        read_scores(bad)
