"""The benchmarks run on tiny data, or on none, and print a line for each claim that they can measure."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


def run(script: str, *options: str, shared: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, BENCHMARKS / script, *options],
        capture_output=True,
        text=True,
        env={**os.environ, "TREEFORGE_SHARED": str(shared), **more},
    )


def lines_of(done: subprocess.CompletedProcess[str]) -> list[list[str]]:
    """The cells of the table's lines, without its head."""
    assert (done.returncode, done.stderr) == (0, "")
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in done.stdout.splitlines()
        if line.startswith("| ")
    ]
    assert lines[0] == ["what", "ours", "peer", "ratio", "must", "aim", "met"]
    assert all(len(line) == 7 for line in lines), done.stdout
    return lines[1:]


def test_short_run_prints_every_claim_about_generated_data(tmp_path: Path) -> None:
    options = ("--rows", "300", "--trees", "2", "--repeats", "1")
    lines = lines_of(run("bench_methods.py", *options, shared=tmp_path))
    claims = [line[0] for line in lines]
    for splitter in ("msd", "amsd", "vfc45"):
        assert f"{splitter} tree, quest:1e6" in claims
        assert sum(claim.startswith(f"{splitter}: growth, 150 to 300 rows") for claim in claims) == 2
    assert "RF-AMSD of 2, quest:1e5" in claims
    assert all(float(line[3]) > 0 for line in lines if line[2])


def test_too_few_rows_are_refused_in_a_line(tmp_path: Path) -> None:
    done = run("bench_methods.py", "--rows", "5", shared=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("--rows must be at least 100, --trees at least 1\n")


def test_reading_is_compared_with_the_readers_that_are_there(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    without_java = {"PATH": str(Path(sys.executable).parent)}
    done = run(
        "bench_arff.py", "--rows", "200", "--repeats", "1", "--skip-liac", shared=tmp_path, **without_java
    )
    lines = lines_of(done)
    assert [line[0].split(",")[0] for line in lines] == ["quest", "quest-digits"]
    assert all(line[2].startswith("pandas CSV") and float(line[3]) > 0 for line in lines)
    assert all(line[4:] == ["", "", ""] for line in lines)  # goals are for a million rows


@pytest.mark.parametrize(
    ("script", "options"),
    [
        ("bench_trees.py", ["--only", "trees", "threads", "--skip", "quest:1e6"]),
        ("bench_suite.py", []),
        ("bench_predict.py", []),
    ],
)
def test_without_data_there_is_a_table_without_lines(script: str, options: list[str], tmp_path: Path) -> None:
    assert lines_of(run(script, *options, shared=tmp_path)) == []


def test_all_tables_become_one_whose_scripts_must_end_well(tmp_path: Path) -> None:
    assert lines_of(run("bench_goals.py", "--only", "suite", "predict", shared=tmp_path)) == []
    torn = tmp_path / "datasets" / "vote.arff"
    torn.parent.mkdir()
    torn.write_text("@relation vote")
    done = run("bench_goals.py", "--only", "predict", "suite", shared=tmp_path)
    assert done.returncode == 1
    assert done.stderr.endswith("not finished: suite\n")


@pytest.mark.parametrize(
    ("goals", "cells"),
    [
        ((), ["", "", ""]),
        ((4,), ["4", "", "yes"]),
        ((4.5,), ["4.5", "", "no"]),
        ((2, 4), ["2", "4", "aim"]),
        ((4, 8), ["4", "8", "yes"]),
        ((5, 8), ["5", "8", "no"]),
    ],
)
def test_goals_are_met_from_their_ratio_on(
    goals: tuple[float, ...], cells: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    spec = importlib.util.spec_from_file_location("benchmark_table", BENCHMARKS / "table.py")
    assert spec is not None
    assert spec.loader is not None
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    table.row("what", 0.5, "peer", 2.0, *goals)
    found = [cell.strip() for cell in capsys.readouterr().out.split("|")[1:-1]]
    assert found == ["what", "500 ms", "peer 2.00 s", "4.00", *cells]
