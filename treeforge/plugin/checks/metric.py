"""What a metric must satisfy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from treeforge.plugin.interfaces import Metric


def _outcome(truth: list[int], predicted: list[int], n_classes: int = 2) -> dict[str, Any]:
    """What a metric is handed; -1 is an unclassified case."""
    codes, answers = np.array(truth, dtype=np.int32), np.array(predicted, dtype=np.int32)
    probabilities = np.zeros((len(codes), n_classes))
    known = answers >= 0
    probabilities[np.flatnonzero(known), answers[known]] = 1.0
    confusion = np.zeros((n_classes, n_classes))
    np.add.at(confusion, (codes[known], answers[known]), 1.0)
    return {
        "truth": codes,
        "predicted": answers,
        "probabilities": probabilities,
        "weights": np.ones(len(codes)),
        "confusion": confusion,
        "unclassified": np.bincount(codes[~known], minlength=n_classes).astype(np.float64),
        "classes": [f"c{k}" for k in range(n_classes)],
        "n_train": 10,
        "n_test": len(codes),
        "leaves": 3,
        "size": 5,
        "depth": 2,
        "trees": 1,
        "rules": 3,
        "model_bytes": 100,
        "fit_seconds": 0.01,
        "predict_seconds": 0.001,
    }


_CASES = {
    "all right": ([0, 1, 0, 1], [0, 1, 0, 1]),
    "all wrong": ([0, 1, 0, 1], [1, 0, 1, 0]),
    "one class": ([0, 0, 0], [0, 0, 0]),
    "never predicted": ([0, 1, 1], [0, 0, 0]),
    "unclassified": ([0, 1, 1], [0, -1, 1]),
    "no answer at all": ([0, 1], [-1, -1]),
    "no cases": ([], []),
}


def values_are_numbers_or_undefined(plugin: Metric) -> None:
    """Whatever happened, the value is a finite number, or None for undefined; never NaN."""
    for name, (truth, predicted) in _CASES.items():
        found = plugin.value(_outcome(truth, predicted))
        assert found is None or math.isfinite(found), f"{name}: the value is {found}"


def classes_have_values(plugin: Metric) -> None:
    """If it has a value a class, there is one for each, each a finite number or None."""
    for name, (truth, predicted) in _CASES.items():
        found = plugin.per_class(_outcome(truth, predicted))
        if found is not None:
            assert len(found) == 2, f"{name}: {len(found)} values for 2 classes"
            assert all(value is None or math.isfinite(value) for value in found), (
                f"{name}: values are {found}"
            )


def both_is_value_and_classes(plugin: Metric) -> None:
    """Asked for both at once, it answers what it answers one after the other."""
    for name, (truth, predicted) in _CASES.items():
        outcome = _outcome(truth, predicted)
        apart = (plugin.value(outcome), plugin.per_class(outcome))
        assert repr(plugin.both(outcome)) == repr(apart), f"{name}: together it is {plugin.both(outcome)}"


def better_is_better(plugin: Metric) -> None:
    """All right is at least as good as all wrong, in the direction that it says."""
    right = plugin.value(_outcome(*_CASES["all right"]))
    wrong = plugin.value(_outcome(*_CASES["all wrong"]))
    if plugin.larger_is_better is None or right is None or wrong is None:
        return
    ahead = right - wrong if plugin.larger_is_better else wrong - right
    assert ahead >= 0, f"all right measures {right}, all wrong {wrong}"


def what_it_needs_is_said(plugin: Metric) -> None:
    """If it says that it needs no predictions, it does without them."""
    outcome = _outcome(*_CASES["unclassified"])
    if not plugin.needs_predictions:
        want = plugin.value(outcome)
        for name in ("truth", "probabilities", "predicted", "weights"):
            del outcome[name]
        assert plugin.value(outcome) == want
