"""Running one cell."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
from toys import Accuracy, FitSeconds, Rows, Toy, Undefined, experiment, table

from treeforge.data import Dataset
from treeforge.errors import DataError, ParameterError, ResultError
from treeforge.experiment.cell import measure, run_cell
from treeforge.experiment.experiment import Experiment, Task
from treeforge.experiment.folds import TrainTest
from treeforge.experiment.result import Result
from treeforge.plugin import Metric


def test_result_holds_what_the_contract_says():
    metrics = {"accuracy": Accuracy(), "kappa": Undefined(), "rows": Rows(), "fit_seconds": FitSeconds()}
    cell = experiment(metrics=metrics).cells[0]
    result = run_cell(cell)
    assert result.ok
    assert result.metrics == {"accuracy": result.value("accuracy"), "kappa": None, "rows": 6}
    assert set(result.times) == {"fit_seconds", "predict_seconds", "wall_seconds"}
    assert result.value("fit_seconds") == result.times["fit_seconds"]
    assert result.per_class["rows"] == [
        float(c) or None for c in np.bincount(cell.dataset.class_codes[cell.split.test], minlength=3)
    ]
    assert np.array(result.confusion).sum() == result.n_test == 6
    assert result.n_train == 24
    assert result.measures == {"leaves": 1, "size": 1, "depth": 0}
    assert json.loads(result.encode())["dataset"] == "d0"


def test_same_cell_gives_the_same_bits():
    first, second = (run_cell(experiment().cells[3]) for _ in range(2))
    assert first.stable() == second.stable()
    assert first.key == second.key


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        ("raise", "ValueError: a plugin's own mistake"),
        ("exit", "SystemExit: 3"),
        ("none", "AttributeError"),
        ("shape", "probabilities of shape (3, 99), not (6, 3)"),
        ("nan", "not finite"),
        ("two", "sum to more than one"),
        ("text", "a str in place of probabilities"),
        ("measures", "measure 'leaves' is 'many', not a finite number"),
    ],
)
def test_trouble_becomes_a_failed_result_with_its_reason(trouble, reason):
    result = run_cell(experiment({"bad": Toy(trouble)}).cells[0])
    assert not result.ok
    assert reason in result.reason
    assert "\n" not in result.reason
    assert result.trace.startswith("Traceback")
    assert result.metrics == {}


@dataclass(frozen=True)
class Bad(Metric):
    answer: object = None

    def value(self, outcome):
        if self.answer == "raise":
            raise RuntimeError("no")
        return self.answer


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("much", "metric 'bad' is 'much', not a finite number"),
        (float("inf"), "metric 'bad' is inf"),
        (True, "metric 'bad' is True"),
        ("raise", "metric 'bad' failed: RuntimeError: no"),
    ],
)
def test_metric_that_returns_rubbish_fails_the_cell(answer, reason):
    result = run_cell(experiment(metrics={"bad": Bad(answer)}).cells[0])
    assert reason in result.reason


def test_nan_of_a_metric_means_undefined():
    assert run_cell(experiment(metrics={"bad": Bad(np.float64("nan"))}).cells[0]).metrics == {"bad": None}


def test_cases_of_unknown_class_test_nothing():
    data = table()
    codes = data.columns[1].copy()
    codes[:10] = -1
    data = Dataset(data.schema, (data.columns[0], codes), name="d")
    result = run_cell(Experiment((Task("d", data),), {"a": Toy()}, metrics={"rows": Rows()}).cells[0])
    assert result.n_test + result.n_train < 30
    assert result.metrics["rows"] == result.n_test


def test_case_without_any_probability_is_unclassified():
    result = run_cell(experiment({"none": Toy("two", smoothing=1.0)}).cells[0])
    assert not result.ok

    @dataclass(frozen=True)
    class Silent(Toy):
        def fit(self, dataset, sample=None, *, seed=1, n_threads=1):
            return replace(super().fit(dataset, sample), table=np.zeros(3))

    result = run_cell(experiment({"silent": Silent()}, metrics={}).cells[0])
    assert np.sum(result.confusion) == 0
    assert np.sum(result.unclassified) == 6


def test_key_depends_on_what_is_computed_and_on_names():
    base = experiment().cells
    assert len({c.key for c in base}) == len(base) == 20
    again = experiment().cells
    assert [c.key for c in again] == [c.key for c in base]
    other = experiment({"one": Toy(smoothing=3.0), "two": Toy(smoothing=2.0)}).cells
    changed = [a.algorithm for a, b in zip(base, other, strict=True) if a.key != b.key]
    assert set(changed) == {"one"}
    renamed = experiment({"uno": Toy(), "two": Toy(smoothing=2.0)}).cells
    assert {c.content for c in renamed} == {c.content for c in base}
    assert all(a.key != b.key for a, b in zip(base, experiment(seed=2).cells, strict=True))


def test_metric_can_be_had_from_the_record_alone():
    result = run_cell(experiment(metrics={}).cells[0])
    assert result.metrics == {}
    later = measure(result, {"accuracy": Accuracy(), "fit_seconds": FitSeconds()})
    assert later.stable() == run_cell(experiment().cells[0]).stable()


def test_record_that_was_altered_is_refused():
    data = run_cell(experiment().cells[0]).encode()
    assert Result.decode(data).ok
    for bad in (data[:-1], data[: len(data) // 2], b"", data.replace(b'"fold":0', b'"fold":1'), data + data):
        with pytest.raises(ResultError, match="half-written or altered"):
            Result.decode(bad)


def test_record_of_another_format_is_named():
    with pytest.raises(ResultError, match=r"format 9; this version of treeforge reads 1"):
        Result.from_dict({"format": 9})


def test_given_test_file_is_what_is_tested():
    task = Task("d", table(30), table(7, seed=5))
    (cell,) = Experiment((task,), {"a": Toy()}, TrainTest(), {"rows": Rows()}).cells
    result = run_cell(cell)
    assert (result.n_train, result.n_test) == (30, 7)
    (other,) = Experiment((Task("d", table(30), table(7, seed=6)),), {"a": Toy()}, TrainTest()).cells
    assert other.content != cell.content


def test_experiment_refuses_equal_names_and_numeric_classes():
    with pytest.raises(ParameterError, match="two data sets are called 'd'"):
        Experiment((Task("d", table()), Task("d", table())), {"a": Toy()})
    with pytest.raises(DataError, match="the class attribute 'x' is numeric, not nominal"):
        Experiment((Task("d", table().with_class("x")),), {"a": Toy()})


def test_parameter_that_json_cannot_hold_is_kept_as_text():
    class Odd(Toy):
        def spec(self):
            return {"limit": float("inf"), "shape": (1, 2), "rule": {"of": {3}}}

    (cell, *_) = experiment({"odd": Odd()}).cells
    assert cell.spec == {"limit": "inf", "shape": [1, 2], "rule": {"of": "{3}"}}
    assert Result.decode(run_cell(cell).encode()).spec == cell.spec


def test_time_to_prepare_a_data_set_is_no_folds_time():
    asked = []

    class Prepared(Toy):
        def prepare(self, dataset):
            asked.append(dataset.name)
            sum(range(3_000_000))

    (cell, *_) = Experiment(
        (Task("d", table(name="train"), table(name="test")),), {"a": Prepared()}, TrainTest()
    ).cells
    result = run_cell(cell)
    assert asked == ["train", "test"]
    assert result.times["fit_seconds"] < 0.02 < result.times["wall_seconds"]
