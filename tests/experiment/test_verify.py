"""Computing again."""

from dataclasses import dataclass, replace

import numpy as np
from toys import Accuracy, Rows, Toy, experiment

from treeforge.experiment.runner import run
from treeforge.experiment.store import ResultStore
from treeforge.experiment.verify import choose, verify


def test_sample_is_even_over_algorithms_and_repeatable():
    cells = experiment({name: Toy(smoothing=i + 1.0) for i, name in enumerate("abc")}).cells
    chosen = choose(cells, 7)
    counts = [sum(c.algorithm == name for c in chosen) for name in "abc"]
    assert sorted(counts) == [2, 2, 3]
    assert [c.key for c in chosen] == [c.key for c in choose(cells, 7)]
    assert [c.key for c in chosen] != [c.key for c in choose(cells, 7, seed=2)]
    assert choose(cells, 100) == list(cells)


def test_honest_results_are_the_same_again(tmp_path):
    exp = experiment({"one": Toy(), "bad": Toy("raise")})
    with ResultStore(tmp_path) as store:
        list(run(exp, store))
        checks = list(verify(exp.cells, store, sample=100, workers=2, engine="processes"))
    assert len(checks) == 10  # those that failed are not
    assert not any(check.differences for check in checks)


def test_metric_that_is_new_or_gone_is_not_compared(tmp_path):
    with ResultStore(tmp_path) as store:
        list(run(experiment(), store))
        checks = list(verify(experiment(metrics={"rows": Rows(), "accuracy": Accuracy()}).cells, store))
    assert len(checks) == 20
    assert not any(check.differences for check in checks)


def test_altered_result_and_code_are_found(tmp_path):
    exp = experiment({"one": Toy()})
    with ResultStore(tmp_path) as store:
        list(run(exp, store))
        first = store.get(exp.cells[0].key)
        store.append(replace(first, metrics={"accuracy": 0.75}))
        (check,) = [c for c in verify(exp.cells, store) if c.differences]
    assert check.differences == (f"accuracy: 0.75 is stored, {first.metrics['accuracy']} computed again",)
    assert check.to_dict()["key"] == first.key

    @dataclass(frozen=True)
    class Changed(Toy):
        def fit(self, dataset, sample=None, *, seed=1, n_threads=1):
            return replace(
                super().fit(dataset, sample), table=np.array([0.0, 0.0, 1.0]), counts={"leaves": 2}
            )

    with ResultStore(tmp_path) as store:
        checks = list(verify(experiment({"one": Changed()}).cells, store, sample=3))
        assert len(checks) == 3
        assert all(any("confusion: " in d for d in c.differences) for c in checks)
        assert "leaves: 1 is stored, 2 computed again" in checks[0].differences
        failing = list(verify(experiment({"one": Failing()}).cells, store, sample=1))
    assert failing[0].differences[0].startswith("status: ok is stored, computed again it failed: ValueError")


class Failing(Toy):
    def fit(self, *_, **__):
        raise ValueError("no more")
