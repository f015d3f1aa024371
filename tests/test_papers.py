"""docs/papers.md: made from its figures, which are made from runs; the rules by which a claim is decided."""

from __future__ import annotations

import csv
import hashlib
import importlib
import json
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import treeforge
from treeforge.errors import PipelineError

ROOT = Path(__file__).resolve().parent.parent
PAPERS = ROOT / "pipelines" / "papers"
#: pipeline -> data set names of which its claims are; small ones are made under these names
TINY = {
    "msd": ("adult", "clevheart", "heart-cleveland"),
    "amsd": ("adult", "covertype-100k"),
    "amsd-forest": ("clevheart", "heart-cleveland", "wdbc"),
    "vfc45": ("airlines-5pct", "anneal", "banana"),
    "sprint": tuple(f"f{f}-{size}" for f in (2, 5, 7) for size in (10000, 20000, 40000, 80000, 160000)),
}


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import a script of docs/papers by its name."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "papers"))
    return importlib.import_module


def test_page_says_what_its_figures_say(scripts: Any) -> None:
    page, figures = scripts("page"), scripts("figures")
    assert page.page(figures.load()) == page.PAGE.read_text(), "python docs/papers/page.py writes it anew"


def test_committed_figures_are_of_whole_runs_of_the_files_as_they_stand(scripts: Any) -> None:
    measured = scripts("figures").load()
    for path in sorted(PAPERS.glob("*.yaml")):
        entry = measured[f"papers-{path.stem}"]
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert entry["pipeline_hash"] == f"sha256:{digest}", f"{path.name} has changed since its run"
        n = entry["evaluation"]["folds"] * entry["evaluation"]["repeats"]
        for algorithms in entry["results"].values():
            assert {a["cells"] + a["failed"] for a in algorithms.values()} == {n}


def test_printed_table_is_the_reference_tables(shared: Path, scripts: Any) -> None:
    kept = scripts("claims_vfc45").printed_table()
    folder = shared / "reference" / "papers"
    with (folder / "vfc45-table4.csv").open() as one, (folder / "vfc45-table6-7.csv").open() as two:
        pairs = list(zip(csv.DictReader(one), csv.DictReader(two), strict=True))
    assert [row["dataset"] for row in kept] == [row["dataset"] for row, _ in pairs]
    for row, (accuracy, costs) in zip(kept, pairs, strict=True):
        for method, short in (("C4.5", "c45"), ("CART", "cart"), ("VFC4.5", "vfc45"), ("VFDT", "vfdt")):
            assert row[f"{method} accuracy"] == accuracy[method]
            for what in ("leaves", "size", "seconds"):
                assert row[f"{method} {what}"] == costs[f"{short}_{what}"]


@pytest.mark.parametrize("name", TINY)
def test_page_is_made_from_a_tiny_run(name: str, scripts: Any, tmp_path: Path) -> None:
    datasets = [
        {"generate": "agrawal", "function": 2, "rows": 120 + i, "name": d} for i, d in enumerate(TINY[name])
    ]
    scheme = "{cross_validation: {folds: 2, repeats: 2}}"
    settings = [f"datasets={json.dumps(datasets)}", f"evaluation={scheme}", "report=[]"]
    run = treeforge.run(PAPERS / f"{name}.yaml", tmp_path / "run", settings=settings)
    assert run.n_failed == 0
    entry = scripts("figures").condensed(tmp_path / "run")
    for dataset in TINY[name]:
        for algorithm, found in entry["results"][dataset].items():
            rows = [r for r in run.results if (r["dataset"], r["algorithm"]) == (dataset, algorithm)]
            assert found["cells"] == len(rows) == 4
            assert found["accuracy"] == pytest.approx(sum(r["accuracy"] for r in rows) / 4, rel=1e-5)
            assert len(found["accuracy_by_repeat"]) == 2
    measured = {f"papers-{name}": entry}
    text = scripts("page").page(measured)
    assert f"| papers-{name} | folds 2, repeats 2" in text
    for paper in scripts("page").PAPERS:
        claims = [c for c in paper.claims(measured) if c.source.startswith(f"papers-{name}:")]
        assert all(c.measured != "not run" for c in claims)
        if paper.__name__ == f"claims_{name.partition('-')[0]}":
            assert claims


@pytest.mark.parametrize("path", sorted(PAPERS.glob("*.yaml")), ids=lambda p: p.stem)
def test_pipeline_says_which_data_are_missing(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "checkout" / "pipelines" / "papers" / path.name  # nothing called `shared` is beside it
    copy.parent.mkdir(parents=True)
    shutil.copy(path, copy)
    names = [line.split()[1] for line in path.read_text().splitlines() if line.startswith("  - ../")]
    if not names:
        assert path.stem == "sprint"  # its data are made
        return
    with pytest.raises(PipelineError) as caught:
        treeforge.run(copy, tmp_path / "run")
    said = str(caught.value).splitlines()
    assert len(said) == len(names)
    for name, line in zip(names, said, strict=True):
        assert f"{path.name}:" in line
        assert f"there is no file '{name}'" in line


def test_unfinished_run_is_refused(scripts: Any, tmp_path: Path) -> None:
    with pytest.raises(
        SystemExit, match=r"is no finished run: it has no run\.json, results\.csv, trees\.json"
    ):
        scripts("figures").main([str(tmp_path)])


def made(verdicts: ModuleType, value: float, low: float, high: float, winner: str | None) -> Any:
    """A run of two algorithms with one comparison, right - left as the record has it."""
    estimate = {"value": -value, "low": -high, "high": -low}
    verdict = {"dataset": "d", "left": "B", "right": "A", "better": winner, "adjusted_p": 0.5, "p": 0.5}
    verdict |= {"estimate": estimate, "wins": 1, "losses": 3, "ties": 0}
    result = {"failed": 0, "accuracy": 0.8, "accuracy_by_repeat": [0.79, 0.81], "leaves": 9}
    comparison = {"test": "corrected_t", "metric": "accuracy", "verdicts": [verdict]}
    return verdicts.Run("made", {"results": {"d": {"A": result, "B": result}}, "comparisons": [comparison]})


@pytest.mark.parametrize(
    ("value", "low", "high", "winner", "points", "said"),
    [
        (0.01, 0.001, 0.02, "A", 0, "holds"),
        (-0.01, -0.02, -0.001, "B", 0, "does not hold"),
        (0.01, -0.01, 0.03, None, 0, "cannot be told"),
        (0.03, 0.01, 0.05, "A", 2, "holds"),
        (0.01, 0.005, 0.015, "A", 2, "does not hold"),  # better, and yet not by so much
        (0.01, -0.01, 0.03, None, 2, "cannot be told"),
        (0.03, -0.01, 0.07, None, 2, "cannot be told"),
    ],
)
def test_claim_of_a_better_accuracy(
    value: float, low: float, high: float, winner: str | None, points: float, said: str, scripts: Any
) -> None:
    verdicts = scripts("verdicts")
    claim = verdicts.better(made(verdicts, value, low, high, winner), "d", "A", "B", "", "", points)
    assert claim.verdict == said
    assert f"{100 * value:+.2f} (95 %: {100 * low:+.2f} to {100 * high:+.2f}" in claim.measured


@pytest.mark.parametrize(("printed", "said"), [(79.0, "holds"), (80.3, "holds"), (81.1, "does not hold")])
def test_claim_of_an_accuracy(printed: float, said: str, scripts: Any) -> None:
    verdicts = scripts("verdicts")
    assert verdicts.accuracy(made(verdicts, 0, 0, 0, None), "d", "A", printed, "").verdict == said


@pytest.mark.parametrize(
    ("old", "new", "claimed", "said"),
    [
        (1.0, 0.04, 0.95, "holds"),
        (1.0, 0.09, 0.95, "holds"),
        (1.0, 0.5, 0.95, "does not hold"),
        (1.0, 0.9, None, "holds"),
        (1.0, 0.97, None, "cannot be told"),
        (1.0, 1.0, None, "does not hold"),
    ],
)
def test_claim_of_a_saving(old: float, new: float, claimed: float | None, said: str, scripts: Any) -> None:
    assert scripts("verdicts").saving(old, new, claimed) == said


def test_what_was_not_run_cannot_be_told(scripts: Any) -> None:
    for paper in scripts("page").PAPERS:
        claims = paper.claims({})
        assert claims
        assert {c.verdict for c in claims} == {"cannot be told"}
        assert paper.remarks({}) == ""
