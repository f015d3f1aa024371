"""Windowing: which cases make the first window, which join it, when it ends, and which tree is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from build_trees import Leaf, Test, tree
from hypothesis import given, settings
from hypothesis import strategies as st
from random_data import random_dataset
from treeforge_c45.pruning import ErrorBasedPruner, NoPruner
from treeforge_c45.windowing import Trial, WindowingEnsemble, errors_to_expect, evenly

from treeforge.cli import main
from treeforge.core.table import Table
from treeforge.data import Sample, read_arff
from treeforge.learn.build import learner
from treeforge.model_files import load_model, save


def windowing(**parameters: Any) -> dict[str, Any]:
    return {"ensemble": {"windowing": parameters}}


# ------------------------------------------------------------------ by hand


def test_classes_of_the_first_window_are_as_even_as_they_can_be() -> None:
    """Of 12, 6 and 2 cases a window of 8 takes 3, 3 and 2; the earliest of each, as they were shuffled."""
    classes = np.array([0] * 6 + [1] * 3 + [2] * 2 + [0] * 6 + [1] * 3)
    taken = evenly(classes, 8)
    assert sorted(taken.tolist()) == [0, 1, 2, 6, 7, 8, 9, 10]
    assert np.bincount(classes[evenly(classes, 9)]).tolist() == [4, 3, 2]
    assert len(evenly(classes, 20)) == 20


def test_sizes_are_those_of_the_book() -> None:
    """A fifth of the cases, or twice their square root if more; a fifth of the window joins at a time."""
    assert WindowingEnsemble().sizes(1000) == (200, 40)
    assert WindowingEnsemble().sizes(100) == (20, 4)
    assert WindowingEnsemble().sizes(64) == (16, 3)
    assert WindowingEnsemble().sizes(9) == (6, 1)
    assert WindowingEnsemble(window=50, increment=7).sizes(64) == (50, 7)


def stump(cut: float) -> Any:
    return tree(Test(0, [Leaf([1, 0]), Leaf([0, 1])], cuts=[cut]))


class Script:
    """Grows the trees that it is given, one after the other, and remembers on which rows."""

    def __init__(self, *cuts: float) -> None:
        self.trees = [stump(cut) for cut in cuts]
        self.windows: list[set[int]] = []
        self.held: list[set[int]] = []

    def __call__(self, sample: Sample, seed: int, held: Any = None) -> Any:
        self.windows.append(set(sample.rows.tolist()))
        self.held.append(set() if held is None else set(held.tolist()))
        return self.trees[len(self.windows) - 1]


def hundred() -> Table:
    """x is 0 to 99; the first half is a."""
    return Table([np.arange(100.0)], [0], np.repeat(np.array([0, 1], dtype=np.int32), 50), 2)


def test_wrong_cases_join_until_nothing_outside_is_wrong() -> None:
    """First window 20: ten of each class. The cuts 70, 52, 49.5 get 21, 3 and 0 of the b below the cut wrong.

    Of those outside at most 4 join, unless half of them are more: half it is the first time.
    """
    script = Script(70, 52, 49.5)
    trial = Trial(WindowingEnsemble(), script, hundred(), 0)
    found = trial.grow(Sample.whole(100), 1)
    first, second, third = script.windows
    assert len(first) == 20
    assert sum(row < 50 for row in first) == 10
    wrong = set(range(50, 71)) - first
    assert second - first < wrong
    assert len(second - first) == max(4, (len(wrong) + 1) // 2)
    late = set(range(50, 53)) - second
    assert third == second | late
    assert len(late) <= 4
    assert all(
        w | h == set(range(100)) and not w & h for w, h in zip(script.windows, script.held, strict=True)
    )
    assert (trial.rounds, trial.window) == (3, len(third))
    assert found.cuts.tolist() == [49.5]
    assert found.distribution.tolist() == [[50, 50], [50, 0], [0, 50]], "all cases are in the tree"


def test_no_more_than_the_increment_joins_where_half_is_less() -> None:
    script = Script(59, 49.5)
    Trial(WindowingEnsemble(increment=8), script, hundred(), 0).grow(Sample.whole(100), 1)
    wrong = set(range(50, 60)) - script.windows[0]
    assert len(script.windows[1] - script.windows[0]) == min(8, len(wrong)) > len(wrong) / 2


def test_tree_that_is_no_better_ends_it_and_the_one_before_is_kept() -> None:
    """10 wrong, then 11: the first tree it is."""
    script = Script(59, 60, 49.5)
    trial = Trial(WindowingEnsemble(), script, hundred(), 0)
    assert trial.grow(Sample.whole(100), 1).cuts.tolist() == [59]
    assert (len(script.windows), trial.rounds, trial.window) == (2, 2, 20)


def test_cases_that_do_not_train_stay_in_every_window() -> None:
    """A case of unknown class counts in the size of the training set, and brings its values."""
    table = hundred()
    table.classes[[3, 97]] = -1
    script = Script(49.5)
    found = Trial(WindowingEnsemble(), script, table, 0).grow(Sample.whole(100), 1)
    assert {3, 97} < script.windows[0]
    assert len(script.windows[0]) == 2 + 19  # twice the root of 98 is 19.8
    assert found.weight[0] == 98


def test_errors_to_expect_are_those_of_the_pruner() -> None:
    """c45.md 13: 14 cases without an error make 1.3198687 expected, with one 2.4605500 at confidence 0.25."""
    grown = tree(Test(0, [Leaf([14, 0]), Leaf([1, 13])], cuts=[3.0]))
    assert errors_to_expect(grown, ErrorBasedPruner()) == pytest.approx(1.3198687003 + 1 + 1.4605500322)
    assert errors_to_expect(grown, ErrorBasedPruner(0.1)) == pytest.approx(2.1231994119 + 1 + 2.5947525527)
    assert errors_to_expect(grown, NoPruner()) == 1


# ------------------------------------------------------------------ on any data

ALGORITHMS = st.sampled_from(
    [
        {},
        {"pruner": "none"},
        {"splitter": {"c45": {"binary": True}}},
        {"pruner": "reduced_error"},
        {"splitter": "msd"},
    ]
)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), ALGORITHMS, st.integers(1, 3))
def test_window_of_all_cases_gives_the_plain_tree_bit_for_bit(
    number: int, words: dict[str, Any], trials: int
) -> None:
    data = random_dataset(number)
    plain = learner(words).fit(data, seed=3).fitted
    found = learner(words | windowing(window=10**6, trials=trials)).fit(data, seed=3).fitted
    for name, array in plain.tree.arrays().items():
        np.testing.assert_array_equal(getattr(found.tree, name), array, name)
    assert found.tree.metadata["windowing"]["kept"] == 1


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), ALGORITHMS)
def test_tree_holds_all_training_cases_and_the_best_trial_is_kept(number: int, words: dict[str, Any]) -> None:
    data = random_dataset(number)
    plain = learner(words).fit(data).fitted.tree
    found = learner(words | windowing(trials=3)).fit(data).fitted.tree
    np.testing.assert_allclose(found.distribution[0], plain.distribution[0], atol=1e-9)
    facts = found.metadata["windowing"]
    expected = [trial["errors_to_expect"] for trial in facts["trials"]]
    assert len(expected) == 3
    assert expected.index(min(expected)) == facts["kept"] - 1
    assert facts["trials"][facts["kept"] - 1]["size"] == found.n_nodes


def test_threads_make_no_difference_and_seeds_do(repository: Path) -> None:
    data = read_arff(repository / "arff_data" / "wdbc.arff")
    made = learner(windowing(trials=4))
    one = made.fit(data, seed=5).fitted.tree
    for n_threads in (1, 3):
        again = made.fit(data, seed=5, n_threads=n_threads).fitted.tree
        assert again.metadata == one.metadata
        for name, array in one.arrays().items():
            assert array.tobytes() == getattr(again, name).tobytes()
    assert made.fit(data, seed=6).fitted.tree.metadata != one.metadata


def test_bootstrap_and_weights_of_the_sample_are_kept(repository: Path) -> None:
    """A row three times is three cases: the tree's weights say so."""
    data = read_arff(repository / "arff_data" / "iris.arff")
    rows = np.arange(0, 150, 2, dtype=np.int32)
    copies = np.where(rows % 4 == 0, 3, 1).astype(np.int32)
    model = learner(windowing(trials=2))
    assert model.fit(data, Sample(rows, copies=copies)).fitted.tree.weight[0] == copies.sum()
    weighted = model.fit(data, Sample(rows, copies * 0.5)).fitted.tree
    assert weighted.weight[0] == copies.sum() / 2


# ------------------------------------------------------------------ typed


@pytest.mark.parametrize("name", ["trials", "window", "increment"])
def test_wrong_parameters_are_one_clear_line(name: str, repository: Path, capsys: Any) -> None:
    data = str(repository / "arff_data" / "iris.arff")
    assert main(["fit", data, "--ensemble", "windowing", "--set", f"ensemble.{name}=0"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert f"{name} must be at least 1, not 0" in said[0]


def test_command_line_fits_saves_and_evaluates(repository: Path, tmp_path: Path, capsys: Any) -> None:
    data, path = str(repository / "arff_data" / "iris.arff"), tmp_path / "iris.json"
    words = ["--ensemble", "windowing", "--set", "ensemble.trials=3", "--set", "ensemble.window=30"]
    assert main(["fit", data, *words, "--json", "-o", str(path)]) == 0
    told = json.loads(capsys.readouterr().out)
    model = load_model(path)
    assert told["size"] == model.measures()["size"]
    assert len(model.fitted.tree.metadata["windowing"]["trials"]) == 3
    again = tmp_path / "again.json"
    save(model, again)
    assert again.read_bytes() == path.read_bytes()
    assert main(["evaluate", data, *words, "--folds", "3"]) == 0


def test_windows_and_soft_thresholds_go_together(repository: Path) -> None:
    data = read_arff(repository / "arff_data" / "iris.arff")
    model = learner(windowing(trials=2) | {"soft_thresholds": True, "laplace": True}).fit(data)
    assert model.fitted.laplace
    assert (model.fitted.lower < model.fitted.upper).any()
