"""A cost matrix: the class of least expected cost is said, by models, commands and experiments."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from treeforge.cli import main
from treeforge.data import read_arff
from treeforge.errors import ParameterError
from treeforge.experiment.cell import run_cell
from treeforge.experiment.experiment import Experiment, Task
from treeforge.experiment.folds import CrossValidation
from treeforge.learn.build import learner
from treeforge.learn.costs import decide
from treeforge.model_files import load, save

COSTS = [[0, 1], [20, 0]]


def test_costs_move_the_border_between_classes() -> None:
    probabilities = np.array([[0.9, 0.1], [0.96, 0.04], [0.0, 0.0], [0.5, 0.5]])
    assert decide(probabilities, None).tolist() == [0, 0, -1, 0]
    assert decide(probabilities, COSTS).tolist() == [1, 0, -1, 1]


def test_equal_costs_change_nothing() -> None:
    probabilities = np.random.default_rng(0).dirichlet([1, 1, 1], size=50)
    assert (decide(probabilities, 1 - np.eye(3)) == decide(probabilities, None)).all()


def test_model_with_costs_has_the_same_tree_and_says_other_classes(repository: Path, tmp_path: Path) -> None:
    data = read_arff(repository / "arff_data" / "hepatitis.arff")
    plain, wary = learner({}).fit(data), learner({"cost_matrix": COSTS}).fit(data)
    probabilities = wary.predict_proba(data)
    np.testing.assert_array_equal(probabilities, plain.predict_proba(data))
    said = wary.decide(probabilities)
    assert (said == decide(probabilities, COSTS)).all()
    assert (said == 1).sum() > (plain.decide(probabilities) == 1).sum()
    save(wary, tmp_path / "m.tree.json")
    assert (load(tmp_path / "m.tree.json").decide(probabilities) == said).all()


def test_experiments_count_what_the_model_says(repository: Path) -> None:
    task = Task("hepatitis", read_arff(repository / "arff_data" / "hepatitis.arff"))
    learners = {"plain": learner({}), "wary": learner({"cost_matrix": COSTS})}
    experiment = Experiment((task,), learners, CrossValidation(2), seed=1)
    results = [run_cell(cell) for cell in experiment.cells]
    assert all(result.ok for result in results)
    missed = {
        name: sum(result.confusion[1][0] for result in results if result.algorithm == name)
        for name in learners
    }
    assert missed["wary"] < missed["plain"]


def test_costs_on_the_command_line(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(repository / "arff_data" / "hepatitis.arff")
    tables = []
    for settings in ([], ["--set", "cost_matrix=[[0, 1], [20, 0]]"]):
        assert main(["fit", path, "--json", *settings]) == 0
        tables.append(json.loads(capsys.readouterr().out)["confusion"])
    assert tables[0][1][0] >= tables[1][1][0]
    assert tables[0] != tables[1]


@pytest.mark.parametrize("costs", [[[0, 1]], [[0, "x"], [1, 0]], [[0, 1], [float("nan"), 0]], [0, 1]])
def test_costs_that_are_no_matrix_are_refused(costs: object) -> None:
    with pytest.raises(ParameterError, match="cost_matrix"):
        learner({"cost_matrix": costs})


def test_costs_have_to_fit_the_classes(repository: Path) -> None:
    with pytest.raises(ParameterError, match="3 rows of 3 finite numbers"):
        learner({"cost_matrix": COSTS}).fit(read_arff(repository / "arff_data" / "iris.arff"))
