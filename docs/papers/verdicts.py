"""What a claim is, and the rules by which a measured figure decides it; docs/papers.md states them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["holds", "does not hold", "cannot be told"]
RULES = """\
- *A is more accurate than B on a data set* holds when the corrected resampled t-test, with Holm's
  correction for all pairs of the run on that data set, finds A better at 0.05; it does not hold when it
  finds B better; otherwise it cannot be told.
- *A gains x points* does not hold when the test's 95 % interval ends below x; it holds when the interval
  begins above zero and the mean difference is x or more; otherwise it cannot be told.
- *A printed accuracy* holds when it lies between the least and the greatest mean of our repeats (each draws
  other folds).
- *A is better over data sets* is decided by the Wilcoxon signed-rank test at 0.05, exact, as the paper has
  it: without a correction.
- *Seconds* are CPU seconds of one thread. A claimed saving holds when ours is at least as large, less five
  points; one that claims no figure holds when more than 5 % is saved, and does not when nothing is saved.
  Ours compares two compiled programs that share everything but the method; what a paper's own C4.5 lost
  elsewhere is not in it.
- What was not run, or needs data that cannot be had, cannot be told."""


@dataclass(frozen=True)
class Claim:
    """One line of the page."""

    text: str
    printed: str
    measured: str
    verdict: Verdict
    source: str  # the entries of measured.json


@dataclass(frozen=True)
class Run:
    """An entry of measured.json; empty when it was not run."""

    name: str
    entry: Mapping[str, Any]

    def mean(self, dataset: str, algorithm: str, metric: str) -> float:
        return self.entry["results"][dataset][algorithm][metric]

    def has(self, dataset: str, *algorithms: str) -> bool:
        there = self.entry.get("results", {}).get(dataset, {})
        return all(a in there and not there[a].get("failed") for a in algorithms)

    def pair(
        self, test: str, metric: str, left: str, right: str, dataset: str | None = None
    ) -> dict[str, Any]:
        """The verdict of the first such comparison, turned so that differences are left - right."""
        comparisons = [c for c in self.entry["comparisons"] if (c["test"], c["metric"]) == (test, metric)]
        for verdict in (v for c in comparisons for v in c["verdicts"] if v["dataset"] == dataset):
            if (verdict["left"], verdict["right"]) == (left, right):
                return verdict
            if (verdict["left"], verdict["right"]) == (right, left):
                turned = {**verdict, "left": left, "right": right}
                turned["wins"], turned["losses"] = verdict["losses"], verdict["wins"]
                return {**turned, "estimate": _turned(verdict["estimate"])}
        raise KeyError(f"{self.name}: no {test} on {metric} of {left} and {right} ({dataset})")


def _turned(estimate: Mapping[str, float | None] | None) -> dict[str, float | None] | None:
    """A difference the other way round; with few data sets it has no interval."""
    if estimate is None:
        return None
    other = {"value": "value", "low": "high", "high": "low"}
    return {key: None if (v := estimate[other[key]]) is None else -v for key in other}


def runs(measured: Mapping[str, Any], *names: str) -> tuple[Run, ...]:
    return tuple(Run(name, measured.get(name, {})) for name in names)


def absent(text: str, printed: str, run: Run) -> Claim:
    return Claim(text, printed, "not run", "cannot be told", run.name)


def accuracy(run: Run, dataset: str, algorithm: str, printed: float, text: str) -> Claim:
    """A printed accuracy, in per cent."""
    if not run.has(dataset, algorithm):
        return absent(text, f"{printed:.1f}", run)
    repeats = [100 * a for a in run.entry["results"][dataset][algorithm]["accuracy_by_repeat"]]
    inside = min(repeats) <= printed <= max(repeats)
    spread = f"{min(repeats):.1f} to {max(repeats):.1f} over {len(repeats)} repeats"
    measured = f"{percent(run, dataset, algorithm)} ({spread})"
    source = f"{run.name}: {dataset}, {algorithm}, accuracy"
    return Claim(text, f"{printed:.1f}", measured, "holds" if inside else "does not hold", source)


def better(
    run: Run, dataset: str, winner: str, loser: str, printed: str, text: str, points: float = 0.0
) -> Claim:
    """Winner is more accurate than loser on a data set, by so many points at least."""
    if not run.has(dataset, winner, loser):
        return absent(text, printed, run)
    verdict = run.pair("corrected_t", "accuracy", winner, loser, dataset)
    value, low, high = (100 * verdict["estimate"][k] for k in ("value", "low", "high"))
    if points:
        said: Verdict = "does not hold" if high < points else "cannot be told"
        said = "holds" if low > 0 and value >= points else said
    else:
        said = {winner: "holds", loser: "does not hold"}.get(verdict["better"], "cannot be told")  # type: ignore[assignment]
    both = f"{percent(run, dataset, winner)} against {percent(run, dataset, loser)}"
    measured = f"{both}: {value:+.2f} (95 %: {low:+.2f} to {high:+.2f}; p = {p_value(verdict['adjusted_p'])})"
    return Claim(text, printed, measured, said, f"{run.name}: {dataset}, corrected_t, {winner} and {loser}")


def saving(old: float, new: float, claimed: float | None) -> Verdict:
    """Whether going from old to new seconds saves the claimed share; None: any saving beyond 5 %."""
    saved = 1 - new / old
    if claimed is not None:
        return "holds" if saved >= claimed - 0.05 else "does not hold"
    return "holds" if saved > 0.05 else "does not hold" if saved <= 0 else "cannot be told"


def percent(run: Run, dataset: str, algorithm: str) -> str:
    return f"{100 * run.mean(dataset, algorithm, 'accuracy'):.2f}"


def p_value(p: float | None) -> str:
    return "undefined" if p is None else f"{p:.2g}" if p >= 1e-4 else f"{p:.1e}"


def table(claims: Iterable[Claim]) -> str:
    lines = ["| claim | printed | measured | verdict |", "|---|---|---|---|"]
    lines += [f"| {c.text} | {c.printed} | {c.measured} | **{c.verdict}** |" for c in claims]
    return "\n".join(lines)
