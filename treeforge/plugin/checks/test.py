"""What a statistical test must satisfy."""

from __future__ import annotations

import json

import numpy as np

from treeforge.compare import FoldScores, ScoreTable
from treeforge.plugin.interfaces import Test


def _table(scores: list[list[float]], names: tuple[str, ...] = ("x", "y")) -> ScoreTable:
    """A table whose scores are means over ten folds."""
    array = np.array(scores, dtype=float)
    datasets = tuple(f"d{i}" for i in range(len(array)))
    draw = np.random.RandomState(1)
    folds = {}
    for i, dataset in enumerate(datasets):
        for j, name in enumerate(names):
            noise = draw.normal(size=10) * 0.01
            values = tuple((array[i, j] + noise - noise.mean()).tolist())
            folds[dataset, name] = FoldScores(tuple((0, k) for k in range(10)), values, 1 / 9)
    return ScoreTable(datasets, names, array, "accuracy", True, folds)


def _draw(n: int, shift: float) -> list[list[float]]:
    draw = np.random.RandomState(2)
    base = draw.uniform(0.5, 0.8, n)
    scores: list[list[float]] = np.column_stack([base + shift * draw.uniform(0.5, 1.0, n), base]).tolist()
    return scores


def clear_differences_are_found(plugin: Test) -> None:
    """One that is better everywhere, by far, is found to be better."""
    found = plugin.compare(_table(_draw(25, 0.15)))
    at_all = found.omnibus is not None and bool(found.omnibus.significant)  # of a test without pairs
    assert at_all or any(v.better == "x" for v in found.verdicts), "25 clear wins were not enough"
    assert not any(v.better == "y" for v in found.verdicts), "the worse one was called better"


def equal_scores_are_no_difference(plugin: Test) -> None:
    """Equal columns are never found to differ, and nothing becomes NaN (case S01)."""
    table = _table([[0.5 + i / 50] * 2 for i in range(12)])
    equal = ScoreTable(
        table.datasets,
        table.algorithms,
        table.scores,
        "accuracy",
        True,
        {key: FoldScores(each.folds, (0.5,) * 10, each.test_share) for key, each in table.folds.items()},
    )
    found = plugin.compare(equal)
    assert not any(v.significant for v in found.verdicts), "equal columns were found to differ"
    json.dumps(found.to_dict(), allow_nan=False)


def sides_do_not_matter(plugin: Test) -> None:
    """The algorithms in another order give the same p-values (case S03)."""
    scores = np.array(_draw(14, 0.02))
    one = plugin.compare(_table(scores.tolist()))
    other = plugin.compare(_table(scores[:, ::-1].tolist(), ("y", "x")))
    for a, b in zip(one.verdicts, other.verdicts, strict=True):
        if a.p is not None and a.dataset is None:
            assert b.p is not None
            assert np.isclose(a.p, b.p), f"p = {a.p} one way, {b.p} the other"


def verdicts_are_json_and_words(plugin: Test) -> None:
    """Verdicts are JSON, and each says what it found in a sentence."""
    found = plugin.compare(_table(_draw(12, 0.03)))
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.title.strip()
    for verdict in found.verdicts:
        assert verdict.sentence.strip().endswith("."), f"no sentence: {verdict.sentence!r}"


def few_data_sets(plugin: Test) -> None:
    """Two data sets are no reason to fail, though nothing may come of them."""
    plugin.compare(_table(_draw(2, 0.1)))
