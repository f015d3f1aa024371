"""A report's sentences: the summary in plain words and the methods paragraph with its sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from treeforge.compare import Comparison, Verdict
from treeforge.compare.words import not_compared
from treeforge.report import numbers, references
from treeforge.report.data import ReportData
from treeforge.report.layout import how, level
from treeforge.report.scores import MetricTable
from treeforge.report.verdicts import all_pairs, over_datasets, told


@dataclass(frozen=True)
class Cite:
    """A place in a text where a source is named."""

    entry: str


#: A paragraph: plain text, with sources between. Renderers escape the text and link the sources.
Text = tuple[str | Cite, ...]


def summary(data: ReportData) -> list[str]:
    """What was found, in a sentence or two: what was compared, and who is better."""
    if not data.n_cells:
        return ["There are no results yet."]
    sentences = [_what(data), *_incomplete(data)]
    table = data.primary
    if table is None or len(data.algorithms) < 2:
        return sentences
    label = table.metric.label
    best = ""
    if table.mean_rank:
        least = min(table.mean_rank.values())
        first = [a for a in data.algorithms if table.mean_rank[a] == least]
        best = first[0] if len(first) == 1 else ""
        if len(data.datasets) == 1:
            shown = numbers.value(table.metric.name, table.mean[first[0]])
            unit = numbers.unit(table.metric.name)
            verb = "has" if len(first) == 1 else "have"
            sentences.append(f"{numbers.join(first)} {verb} the best {label}, {shown}{unit and ' ' + unit}.")
        elif len(first) == 1:
            sentences.append(
                f"By {label}, {best} has the best mean rank, {least:.2f} of {len(data.algorithms)}."
            )
        else:
            sentences.append(f"By {label}, {numbers.join(first)} share the best mean rank, {least:.2f}.")
    joint = data.pairwise
    if joint is not None:
        sentences += _pairwise(joint, best, _scoreless(data, table))
    else:
        controlled = [c for c in data.comparisons if c.metric == table.metric.name and c.control]
        against = next((c for c in controlled if over_datasets(c)), None)
        sentences += _control(against, _scoreless(data, table)) if against is not None else []
    return sentences


def _incomplete(data: ReportData) -> list[str]:
    """That the numbers are not the last ones, where some are still to come."""
    if data.unfinished:
        return ["The run has not come to its end: what is missing may change every number and verdict."]
    if data.n_missing:
        cells = numbers.count(data.n_missing, "cell is", "cells are")
        return [f"The run is not complete: {cells} missing, so not every mean is over the same folds."]
    return []


def _what(data: ReportData) -> str:
    algorithms = numbers.count(len(data.algorithms), "algorithm")
    datasets = numbers.count(len(data.datasets), "data set")
    text = f"{algorithms} on {datasets}"
    scheme = evaluation(data.run.get("evaluation"))
    if scheme:
        text += f" by {scheme}"
    text += f": {numbers.count(data.n_cells, 'cell')}"
    if data.n_failed:
        text += f", {numbers.count(data.n_failed, 'of them', 'of them')} failed"
    return text + "."


def _scoreless(data: ReportData, table: MetricTable) -> dict[str, str]:
    """The algorithms without any score, and why they have none."""
    reasons = {}
    for a in data.algorithms:
        if any(table.scores[d, a].mean is not None for d in data.datasets if (d, a) in table.scores):
            continue
        states = [row["status"] for row in data.rows if row["algorithm"] == a]
        failed = f"has no results ({numbers.count(len(states), 'cell')} failed)"
        reasons[a] = f"has no {table.metric.label} on any data set" if "ok" in states else failed
    return reasons


def _pairwise(comparison: Comparison, best: str, scoreless: Mapping[str, str]) -> list[str]:
    """What all pairs have shown, and which could not be compared."""
    verdicts = over_datasets(comparison)
    gap = not_compared(verdicts, scoreless)
    tested = [v for v in verdicts if v.tested]
    found = (
        [_differences(comparison, tested, best, "of those compared" if gap else "of them")] if tested else []
    )
    return [*found, *filter(None, [gap])]


def _differences(comparison: Comparison, tested: list[Verdict], best: str, whom: str) -> str:
    found = [v for v in tested if v.significant and v.better]
    if not found:
        return f"No difference between any two {whom} was found ({how(comparison)})."
    beaten = [v.right if v.better == v.left else v.left for v in found if v.better == best]
    if beaten:
        rivals = {name for v in tested if best in (v.left, v.right) for name in (v.left, v.right)} - {best}
        others = [a for a in comparison.algorithms if a in rivals and a not in beaten]
        text = f"It is significantly better than {_some(beaten)}"
        if others:
            text += f"; no difference from {_some(others)} was found"
        return f"{text} ({how(comparison)})."
    claims = [f"{v.better} better than {v.right if v.better == v.left else v.left}" for v in found]
    shown = numbers.join(claims[:4]) + (f" and {len(claims) - 4} more" if len(claims) > 4 else "")
    return f"Significant differences: {shown} ({how(comparison)})."


def _some(names: list[str], most: int = 5) -> str:
    """Names as a sentence lists them; of many, only how many there are."""
    return numbers.join(names) if len(names) <= most else f"{len(names)} others"


def _control(comparison: Comparison, scoreless: Mapping[str, str]) -> list[str]:
    """What the comparisons with the control have shown, and which could not be made."""
    control = str(comparison.control)
    every = [v for a in comparison.algorithms if (v := told(comparison, a, control)) is not None]
    gap = not_compared(every, scoreless)
    verdicts = [v for v in every if v.tested]
    better = [v.left for v in verdicts if v.significant and v.better == v.left]
    worse = [v.left for v in verdicts if v.significant and v.better == control]
    same = [v.left for v in verdicts if not (v.significant and v.better)]
    parts = []
    if better:
        parts.append(f"{_some(better)} significantly better")
    if worse:
        parts.append(f"{_some(worse)} significantly worse")
    if same:
        parts.append(f"no difference from {_some(same)} was found")
    found = [f"Against {control}: {'; '.join(parts)} ({how(comparison)})."] if parts else []
    return [*found, *filter(None, [gap])]


def evaluation(scheme: Mapping[str, Any] | None) -> str:
    """The evaluation scheme in words; empty when run.json does not say."""
    if not scheme:
        return ""
    if "scheme" not in scheme and len(scheme) == 1:  # as the pipeline file writes it
        ((name, options),) = scheme.items()
        scheme = {"scheme": name, **(options if isinstance(options, Mapping) else {})}
    name = str(scheme.get("scheme", ""))
    repeats = int(scheme.get("repeats") or 1)
    times = "" if repeats == 1 else f"{repeats} times "
    if name == "cross_validation":
        stratified = "stratified " if scheme.get("stratified", True) else ""
        return f"{times}{stratified}{scheme.get('folds', 10)}-fold cross-validation"
    if name in ("leave_one_out", "loo"):
        return "leave-one-out cross-validation"
    if name in ("5x2", "five_by_two"):
        return "5 times 2-fold cross-validation"
    if name == "holdout":
        return f"{times}holdout"
    if name == "train_test":
        return "given training and test files"
    if name == "grouped":
        return f"{times}grouped {scheme.get('folds', 10)}-fold cross-validation"
    return name.replace("_", " ")


def methods(data: ReportData) -> list[Text]:
    """What was done, as a paper's methods section says it."""
    paragraphs: list[Text] = [_experiment(data), *(_test(c) for c in data.comparisons)]
    if data.pairwise is not None:
        paragraphs.append(
            (
                "The multi-comparison matrix",
                Cite(references.MATRIX),
                " and the critical-difference diagram",
                Cite(references.DEMSAR),
                " show the same pairwise verdicts. A bar joins algorithms of which no two differ "
                "significantly; ",
                "these verdicts are from mean ranks and so depend on who else takes part"
                if data.pairwise.critical_difference is not None
                else "mean ranks only place the names, since a verdict from them would depend on who else takes part",
                Cite(references.MEAN_RANKS),
                ".",
            )
        )
    return paragraphs


def _experiment(data: ReportData) -> Text:
    names = f" ({numbers.join(data.algorithms)})" if len(data.algorithms) <= 12 else ""
    text: list[str | Cite] = [
        f"We compared {numbers.count(len(data.algorithms), 'algorithm')}{names} "
        f"on {numbers.count(len(data.datasets), 'data set')}"
    ]
    scheme = evaluation(data.run.get("evaluation"))
    if scheme:
        text.append(f" by {scheme}")
        if "fold cross-validation" in scheme:
            text.append(
                Cite(
                    references.FIVE_BY_TWO if scheme.startswith("5 times 2") else references.CROSS_VALIDATION
                )
            )
    seed = data.run.get("seed")
    text.append(". All algorithms saw the same splits" + (f" (seed {seed})" if seed is not None else ""))
    version = (data.run.get("versions") or {}).get("treeforge")
    text.append(f". Computed with TreeForge{f' {version}' if version else ''}.")
    sources = [references.METHODS[w] for w in plugins(data) if w in references.METHODS]
    if sources:
        text += [" Methods after the literature", *(Cite(s) for s in sources), "."]
    if data.n_failed:
        text.append(
            f" {numbers.count(data.n_failed, 'cell')} of {data.n_cells} failed; a mean stands for the "
            "folds that have "
            "a value, and data sets on which an algorithm has none were left out of ranks and averages."
        )
    return tuple(text)


def plugins(data: ReportData) -> list[str]:
    """Names of all plugins that the algorithms' specifications mention, each once."""
    found: dict[str, None] = {}
    for algorithm in data.run.get("algorithms") or ():
        spec = algorithm.get("spec")
        for part in spec.values() if isinstance(spec, Mapping) else ():
            name = part.get("name") if isinstance(part, Mapping) else part
            if isinstance(name, str):
                found.setdefault(name)
    return list(found)


def _test(comparison: Comparison) -> Text:
    metric = comparison.metric.replace("_", " ")
    if comparison.control:
        who = f"each algorithm with {comparison.control}"
    else:
        who = "every pair of algorithms" if all_pairs(comparison) else "the algorithms"
    text: list[str | Cite] = [f"On {metric} we compared {who}: {comparison.title}"]
    sources = [*comparison.references, references.CORRECTIONS.get(comparison.correction or "", "")]
    text += [Cite(s) for s in dict.fromkeys(sources) if s]
    text.append(f", {level(comparison)}, over {numbers.count(len(comparison.datasets), 'data set')}.")
    return tuple(text)


def cited(paragraphs: Iterable[Text]) -> list[str]:
    """The sources in the order in which they are first named: [1], [2], ..."""
    return list(dict.fromkeys(part.entry for text in paragraphs for part in text if isinstance(part, Cite)))
