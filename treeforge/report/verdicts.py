"""Comparisons as run.json keeps them, read back, and the questions that tables and figures ask of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from treeforge.compare import Comparison, Effect, Estimate, Omnibus, Probabilities, Verdict
from treeforge.errors import ResultError

_PARTS: Mapping[str, type] = {
    "estimate": Estimate,
    "effect": Effect,
    "probabilities": Probabilities,
    "omnibus": Omnibus,
}


def read_comparison(record: Mapping[str, Any]) -> Comparison:
    """The comparison whose ``to_dict()`` this is; keys of a later version are passed over."""
    try:
        verdicts = tuple(_read(Verdict, v) for v in record.get("verdicts", ()))
        return _read(Comparison, {**record, "verdicts": verdicts})  # type: ignore[no-any-return]
    except (TypeError, AttributeError) as wrong:
        raise ResultError(f"a comparison in run.json is damaged: {wrong}") from wrong


def _read(kind: type, record: Mapping[str, Any]) -> Any:
    words: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if field.name in record:
            value = record[field.name]
            if field.name in _PARTS and value is not None:
                value = _read(_PARTS[field.name], value)
            words[field.name] = _frozen(value)
    return kind(**words)


def _frozen(value: Any) -> Any:
    """JSON's lists as tuples."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def over_datasets(comparison: Comparison) -> tuple[Verdict, ...]:
    """The verdicts that are not about one data set alone."""
    return tuple(v for v in comparison.verdicts if v.dataset is None)


def all_pairs(comparison: Comparison) -> bool:
    """Whether every pair of algorithms was tested over the data sets: enough for a matrix and a diagram."""
    count = len(comparison.algorithms)
    return (
        comparison.control is None
        and count > 1
        and len(over_datasets(comparison)) == count * (count - 1) // 2
    )


def told(comparison: Comparison, a: str, b: str, dataset: str | None = None) -> Verdict | None:
    """The verdict on two algorithms with ``a`` as left, on one data set or over all."""
    for verdict in comparison.verdicts:
        if verdict.dataset == dataset and {verdict.left, verdict.right} == {a, b}:
            return verdict if verdict.left == a else turned(verdict)
    return None


def turned(verdict: Verdict) -> Verdict:
    """The same verdict with left and right exchanged."""
    estimate, effect, p = verdict.estimate, verdict.effect, verdict.probabilities
    return dataclasses.replace(
        verdict,
        left=verdict.right,
        right=verdict.left,
        wins=verdict.losses,
        losses=verdict.wins,
        estimate=estimate
        and dataclasses.replace(
            estimate, value=-estimate.value, low=_minus(estimate.high), high=_minus(estimate.low)
        ),
        effect=effect and dataclasses.replace(effect, value=-effect.value),
        probabilities=p and dataclasses.replace(p, left=p.right, right=p.left),
    )


def _minus(value: float | None) -> float | None:
    return None if value is None else -value
