"""Every registered statistical test gives verdicts that reports can print, on any table."""

from __future__ import annotations

import json

import numpy as np
import pytest

from treeforge.compare import Comparison, ScoreTable
from treeforge.plugin import Test, registry
from treeforge.plugin.parameters import make

NAMES = [entry.name for entry in registry.entries("test")]


def cells(n_datasets: int = 8) -> ScoreTable:
    rng = np.random.default_rng(1)
    lead = {"A": 0.05, "B": 0.0, "C": 0.0}
    found = []
    for d in range(n_datasets):
        for algorithm, more in lead.items():
            for fold in range(10):
                value = (
                    None if (d, algorithm, fold) == (2, "C", 3) else float(0.7 + more + rng.normal(0, 0.01))
                )
                found.append(
                    {
                        "dataset": f"d{d}",
                        "algorithm": algorithm,
                        "repeat": 0,
                        "fold": fold,
                        "metrics": {"accuracy": value},
                    }
                )
    return ScoreTable.from_cells(found, "accuracy")


@pytest.mark.parametrize("name", NAMES)
def test_verdicts_can_be_printed_and_stored(name: str) -> None:
    plugin = make(registry.load("test", name), {}, name)
    assert isinstance(plugin, Test)
    comparison = plugin.compare(cells())
    assert isinstance(comparison, Comparison)
    assert comparison.test == name
    assert comparison.summary
    assert comparison.references
    assert comparison.parameters == plugin.parameters()
    assert comparison.notes == (
        "accuracy of C is undefined in some folds, and averaged over the others, on d2 (1 of 10).",
    )
    json.dumps(comparison.to_dict(), allow_nan=False)
    found = [v for v in comparison.verdicts if v.better]
    assert all(v.better == "A" for v in found)
    assert found or not comparison.verdicts


def test_ours_are_all_announced() -> None:
    ours = {"bayesian_correlated_t", "bayesian_signed_rank", "corrected_t", "friedman", "sign", "wilcoxon"}
    assert ours <= set(NAMES)
