"""The benchmark of the methods runs on tiny data and prints a line for each claim that it can measure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "benchmarks" / "bench_methods.py"


def run(*options: str, shared: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *options],
        capture_output=True,
        text=True,
        env={**os.environ, "TREEFORGE_SHARED": str(shared)},
    )


def test_short_run_prints_every_claim_about_generated_data(tmp_path: Path) -> None:
    done = run("--rows", "300", "--trees", "2", "--repeats", "1", shared=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in done.stdout.splitlines()
        if line.startswith("| ")
    ][1:]
    assert all(len(line) == 7 for line in lines), done.stdout
    claims = [line[0] for line in lines]
    for splitter in ("msd", "amsd", "vfc45"):
        assert f"{splitter} tree, quest:1e6" in claims
        assert sum(claim.startswith(f"{splitter}: growth, 150 to 300 rows") for claim in claims) == 2
    assert "RF-AMSD of 2, quest:1e5" in claims
    assert all(float(line[3]) > 0 for line in lines if line[2])


def test_too_few_rows_are_refused_in_a_line(tmp_path: Path) -> None:
    done = run("--rows", "5", shared=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("--rows must be at least 100, --trees at least 1\n")
