"""``treeforge run``, ``plan``, ``validate`` and ``schema`` as a user types them."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from treeforge.cli import main
from treeforge.experiment.result import Result
from treeforge.pipeline.run import run as run_pipeline

ROWS = "".join(
    f"{'sunny' if i % 3 else 'rainy'},{i * 7 % 23},{'yes' if i % 3 else 'no'}\n" for i in range(24)
)
HEAD = (
    "@relation w\n@attribute outlook {sunny, rainy}\n@attribute x numeric\n@attribute play {yes, no}\n@data\n"
)
ARFF = HEAD + ROWS
PIPELINE = """\
name: small
datasets: '*.arff'
algorithms:
  pruned: {splitter: c45}
  full: {splitter: c45, pruner: none}
evaluation: {cross_validation: {folds: 3}}
metrics: [accuracy, leaves]
comparisons: [{test: wilcoxon, metric: accuracy}]
report: [terminal, markdown]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a", "b"):
        (tmp_path / f"{name}.arff").write_text(ARFF)
    (tmp_path / "p.yaml").write_text(PIPELINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_run_shows_the_table_the_verdicts_and_where_everything_is(folder: Path, capsys) -> None:
    assert main(["run", "p.yaml"]) == 0
    said = capsys.readouterr()
    assert "Accuracy (%), more is better" in said.out
    assert "Wilcoxon signed-rank test, Holm correction, accuracy\n  " in said.out
    assert "results: runs/small/results.csv" in said.out
    assert "report:  runs/small/report.md" in said.out
    assert "12/12 b / full" in said.err
    lines = (folder / "runs/small/results.csv").read_text().splitlines()
    assert lines[0] == "dataset,algorithm,repeat,fold,status,reason,accuracy,leaves"
    assert len(lines) == 1 + 2 * 2 * 3
    record = json.loads((folder / "runs/small/run.json").read_text())
    assert record["name"] == "small"
    assert [d["name"] for d in record["datasets"]] == ["a", "b"]
    assert record["comparisons"][0]["test"] == "wilcoxon"


def test_second_run_computes_nothing_and_a_change_computes_its_own_cells_only(folder: Path, capsys) -> None:
    main(["run", "p.yaml", "--quiet"])
    assert capsys.readouterr() == ("", "")
    main(["plan", "p.yaml"])
    assert capsys.readouterr().out == "12 cells: 12 done, 0 failed, 0 to compute\n"
    main(["plan", "p.yaml", "--set", "algorithms.full.min_branch=3"])
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == ["a / full: 3 cells to compute", "b / full: 3 cells to compute"]
    assert out[2].startswith("12 cells: 6 done, 0 failed, 6 to compute, about ")


def test_what_is_odd_about_a_data_file_is_said_before_and_after_a_run(folder: Path, capsys) -> None:
    (folder / "c.csv").write_text("x,y\n" + "1,a\nn/a,b\n3,a\n" * 4)
    settings = ["--set", "datasets=[c.csv]"]
    said = "c.csv: column 'x' is nominal only because of 'n/a' (4 of 12 values)"
    for command in ("validate", "plan"):
        assert main([command, "p.yaml", *settings]) == 0
        assert f"\nwarning: {said}" in capsys.readouterr().out
    assert main(["run", "p.yaml", *settings]) == 0
    assert said in capsys.readouterr().err
    assert main(["report", "runs/small"]) == 0
    for report, sentence in (("md", said), ("html", said.replace("'", "&#39;"))):
        assert sentence in (folder / f"runs/small/report.{report}").read_text()


def test_json_is_one_object_a_line_and_nothing_else(folder: Path, capsys) -> None:
    assert main(["run", "p.yaml", "--json"]) == 0
    said = capsys.readouterr()
    events = [json.loads(line) for line in said.out.splitlines()]
    assert said.err == ""
    assert [e["event"] for e in events] == ["start", *["cell"] * 12, "end", "finished"]
    assert events[1]["metrics"]["leaves"] == 2
    assert events[-1]["comparisons"][0]["test"] == "wilcoxon"


def test_only_takes_data_sets_algorithms_and_pairs(folder: Path, capsys) -> None:
    for glob, cells in (("a", 6), ("f*", 6), ("b/pruned", 3)):
        main(["plan", "p.yaml", "--only", glob, "--json"])
        assert json.loads(capsys.readouterr().out)["missing"] == cells


def test_failed_cell_is_told_and_ends_in_status_1_but_the_rest_is_done(folder: Path, capsys) -> None:
    (folder / "p.yaml").write_text(
        PIPELINE.replace(
            "{splitter: c45, pruner: none}",
            "{estimator: sklearn.tree.DecisionTreeClassifier, parameters: {max_depth: -3}}",
        )
    )
    assert main(["run", "p.yaml", "--quiet"]) == 1
    assert capsys.readouterr().err == "6 of 12 cells failed; runs/small/results.csv has the reasons\n"
    table = (folder / "runs/small/results.csv").read_text()
    assert "a,pruned,0,0,ok,," in table
    assert "a,full,0,0,failed,\"InvalidParameterError: The 'max_depth'" in table


def test_validate_says_what_there_is_or_every_error(folder: Path, capsys) -> None:
    assert main(["validate", "p.yaml"]) == 0
    assert capsys.readouterr().out == "p.yaml: good; 2 data sets, 2 algorithms, 12 cells, 1 comparisons\n"
    (folder / "p.yaml").write_text(PIPELINE.replace("c45,", "c54,").replace("markdown", "markup"))
    assert main(["validate", "p.yaml"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("p.yaml:5:20: no splitter is called 'c54'; did you mean 'c45'?")
    assert second.startswith("p.yaml:9:20: there is no report format 'markup'; did you mean 'markdown'?")
    main(["validate", "p.yaml", "--json"])
    fault = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (fault["file"], fault["line"], fault["column"]) == ("p.yaml", 5, 20)


@pytest.mark.parametrize("command", ["run", "plan", "validate"])
def test_missing_file_is_one_line(folder: Path, capsys, command: str) -> None:
    assert main([command, "no.yaml"]) == 1
    assert capsys.readouterr().err == "no.yaml: cannot be read: No such file or directory\n"


def test_case_e04_name_that_is_no_file_name_stays_inside_its_folder(folder: Path) -> None:
    names = ["a/b", "c:d", "..", "e*?", "f|g", "x" * 300, "dot.", " ", "\N{SNOWMAN}"]
    folders = {
        run_pipeline("p.yaml", settings=[f"name={json.dumps(name)}"], only=["a/full"]).folder
        for name in names
    }
    assert len(folders) == len(names)
    assert all(f.parent == Path("runs") and f.is_dir() for f in folders)
    assert sorted(p.name for p in folder.iterdir()) == ["a.arff", "b.arff", "p.yaml", "runs"]


def test_case_e04_names_of_data_sets_and_algorithms_may_be_anything(folder: Path) -> None:
    names = ["a/b", "c:d", "..", "e*?", "f|g", "x" * 300, "dot.", " b", "\N{SNOWMAN}"]
    algorithms = {name: {"splitter": "c45"} for name in names}
    data = [{"path": "a.arff", "name": name} for name in names]
    (folder / "p.yaml").write_text(
        json.dumps({"datasets": data, "algorithms": algorithms, "metrics": ["accuracy"]})
    )
    done = run_pipeline("p.yaml", "out")
    assert {(r["dataset"], r["algorithm"]) for r in done.results} == {(d, a) for d in names for a in names}
    assert done.n_failed == 0
    assert len(run_pipeline("p.yaml", "out").results) == len(names) ** 2 * 10


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "treeforge", *arguments]


def test_case_e05_log_has_no_carriage_return_and_no_escape(folder: Path) -> None:
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"}
    done = subprocess.run(command("run", "p.yaml"), capture_output=True, env=environment)
    for stream in (done.stdout, done.stderr):
        assert b"\r" not in stream
        assert b"\x1b" not in stream
    assert len(done.stderr.splitlines()) <= 14


@pytest.mark.parametrize(("terminal", "bar"), [("xterm", True), ("dumb", False)])
def test_case_e05_terminal_gets_a_bar_unless_it_is_dumb(folder: Path, terminal: str, bar: bool) -> None:
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")} | {
        "TERM": terminal
    }
    with subprocess.Popen(
        command("run", "p.yaml"), stdout=subprocess.DEVNULL, stderr=theirs, env=environment
    ) as run:
        os.close(theirs)
        said = b""
        try:
            while block := os.read(ours, 4096):
                said += block
        except OSError:  # the other end was closed
            pass
        assert run.wait() == 0
    os.close(ours)
    assert (b"\x1b[" in said) is bar


def test_schema_accepts_what_is_right_and_knows_the_plugins(folder: Path, capsys) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    from treeforge.pipeline.document import load

    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    assert not list(checker.iter_errors(load("p.yaml").plain))
    assert list(checker.iter_errors(load("p.yaml", ["algorithms.full.splitter.binry=true"]).plain))


def test_run_as_python_has_results_comparisons_and_reports(folder: Path) -> None:
    done = run_pipeline("p.yaml")
    assert done.results[0]["dataset"] == "a"
    assert len(done.results) == 12
    assert done.comparisons[0].test == "wilcoxon"
    assert done.report(folder / "out.md").read_text().startswith("# small")


def test_verify_computes_again_and_compares(folder: Path, capsys) -> None:
    assert main(["verify", "runs/small"]) == 1
    assert "runs/small: no run has come to its end here" in capsys.readouterr().err.replace("\\", "/")
    main(["run", "p.yaml", "--quiet", "--set", "algorithms.full.min_branch=3"])
    assert main(["verify", "runs/small", "--sample", "5"]) == 0
    assert capsys.readouterr().out == "5 cells computed again: all the same\n"

    (folder / "b.arff").write_text(ARFF.replace("sunny,7,yes", "rainy,7,no"))
    (folder / "p.yaml").write_text(PIPELINE + "# later\n")
    assert main(["verify", "runs/small"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "warning: runs/small/../../p.yaml has changed since the run",
        "6 of 12 cells have no result to compare: not computed, failed, or of other data, parameters, code or versions",
        "6 cells computed again: all the same",
    ]
    assert main(["verify", "runs/small", "--json"]) == 0
    checks = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {c["dataset"] for c in checks} == {"a"}
    assert all(c["differences"] == [] for c in checks)


def test_verify_finds_a_result_that_was_tampered_with(folder: Path, capsys) -> None:
    main(["run", "p.yaml", "--quiet"])
    path = next((folder / "runs/small/cells").rglob("*.json"))
    result = Result.decode(path.read_bytes())
    path.write_bytes(replace(result, metrics=result.metrics | {"accuracy": 0.123}).encode())
    assert main(["verify", "runs/small"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 2
    assert "accuracy: 0.123 is stored, 1.0 computed again" in out[0]
    assert out[1] == "12 cells computed again: 1 not the same"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
def test_interrupt_ends_cleanly_and_says_what_to_type(folder: Path) -> None:
    (folder / "p.yaml").write_text(PIPELINE.replace("folds: 3", "folds: 3, repeats: 2000"))
    command = ["run", "p.yaml", "--workers", "2", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "treeforge", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    for _ in range(20):
        json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    out, err = (
        process.stdout.read(),
        process.stderr.read(),
    )  # communicate() would lose what readline has buffered
    assert process.wait(timeout=60) == 130
    assert err == f"stopped; what is finished is kept. To go on: treeforge {' '.join(command)}\n"
    assert all(json.loads(line)["event"] == "cell" for line in out.splitlines())
    rows = (folder / "runs/small/results.csv").read_text().splitlines()
    assert 19 + len(out.splitlines()) <= len(rows) < 24000
