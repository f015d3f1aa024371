"""Measures against scikit-learn, against Weka, and where they are undefined."""

import csv
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treeforge_metrics import (
    AccuracyMetric,
    AucMetric,
    BalancedAccuracyMetric,
    BrierMetric,
    ErrorMetric,
    KappaMetric,
    LogLossMetric,
    MacroF1Metric,
    MccMetric,
    RulesMetric,
    SensitivityMetric,
    SizeMetric,
    SpecificityMetric,
    WeightedF1Metric,
)

from treeforge.experiment.outcome import count
from treeforge.plugin import registry

NAMES = [
    "accuracy",
    "auc",
    "balanced_accuracy",
    "brier",
    "depth",
    "error",
    "fit_seconds",
    "kappa",
    "leaves",
    "log_loss",
    "macro_f1",
    "mcc",
    "model_bytes",
    "out_of_bag_error",
    "predict_seconds",
    "rules",
    "sensitivity",
    "size",
    "specificity",
    "weighted_f1",
]


def of_table(table, unclassified=None):
    table = np.asarray(table, dtype=float)
    none = np.zeros(len(table)) if unclassified is None else np.asarray(unclassified, dtype=float)
    return {"confusion": table, "unclassified": none, "classes": list("abcdefgh"[: len(table)])}


def of_cases(truth, probabilities, weights=None):
    truth = np.asarray(truth, dtype=np.int32)
    probabilities = np.asarray(probabilities, dtype=float)
    weights = np.ones(len(truth)) if weights is None else np.asarray(weights, dtype=float)
    return {**count(truth, probabilities, weights), "classes": list("abcdefgh"[: probabilities.shape[1]])}


@st.composite
def cases(draw, least_classes=2):
    """Cases of which every class has some, with coarse probabilities (so that there are ties) and weights."""
    n_classes = draw(st.integers(least_classes, 4))
    n = draw(st.integers(n_classes, 40))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    truth = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    counts = rng.integers(0, 5, (n, n_classes)) + (rng.random((n, n_classes)) < 0.3)
    counts[counts.sum(axis=1) == 0, 0] = 1
    weights = draw(st.sampled_from([np.ones(n), rng.integers(1, 4, n), rng.random(n) + 0.1]))
    return truth, counts / counts.sum(axis=1, keepdims=True), weights.astype(float)


@settings(deadline=None, max_examples=25)  # scikit-learn takes its time
@given(cases())
def test_equal_to_scikit_learn(drawn):
    from sklearn import metrics as theirs

    truth, probabilities, weights = drawn
    outcome = of_cases(truth, probabilities, weights)
    predicted = probabilities.argmax(axis=1)
    same = {"y_true": truth, "y_pred": predicted, "sample_weight": weights}
    f1 = {**same, "labels": sorted(set(truth)), "zero_division": 0.0}
    classes = list(range(probabilities.shape[1]))
    expected = {
        AccuracyMetric(): theirs.accuracy_score(**same),
        ErrorMetric(): 1 - theirs.accuracy_score(**same),
        BalancedAccuracyMetric(): theirs.balanced_accuracy_score(**same),
        SensitivityMetric(): theirs.recall_score(**same, average="macro"),
        SensitivityMetric("weighted"): theirs.accuracy_score(**same),
        SensitivityMetric(of_class="b"): theirs.recall_score(**same, labels=[1], average="macro"),
        SpecificityMetric(of_class="a"): theirs.recall_score(
            y_true=truth != 0, y_pred=predicted != 0, sample_weight=weights
        ),
        MacroF1Metric("zero"): theirs.f1_score(**f1, average="macro"),
        WeightedF1Metric("zero"): theirs.f1_score(**f1, average="weighted"),
        LogLossMetric(): theirs.log_loss(truth, probabilities, sample_weight=weights, labels=classes),
        BrierMetric(): np.average(
            ((probabilities - np.eye(len(classes))[truth]) ** 2).sum(1), weights=weights
        ),
    }
    for average in ("macro", "weighted"):
        each = [theirs.roc_auc_score(truth == c, probabilities[:, c], sample_weight=weights) for c in classes]
        sizes = [weights[truth == c].sum() for c in classes] if average == "weighted" else None
        expected[AucMetric(average)] = np.average(each, weights=sizes)
    if len(set(predicted)) > 1:
        expected[MccMetric()] = theirs.matthews_corrcoef(**same)
        expected[KappaMetric()] = theirs.cohen_kappa_score(truth, predicted, sample_weight=weights)
    for metric, value in expected.items():
        assert metric.value(outcome) == pytest.approx(value, rel=1e-9, abs=1e-12), metric


def test_kappa_of_weka(shared):
    reference = json.loads((shared / "reference" / "weka-j48.json").read_text())["datasets"]
    compared = 0
    for name, data in reference.items():
        cv = data.get("J48", {}).get("default", {}).get("cv")
        if cv and "kappa" in cv:
            assert KappaMetric().value(of_table(cv["confusion"])) == pytest.approx(cv["kappa"], abs=1e-8), (
                name
            )
            assert AccuracyMetric().value(of_table(cv["confusion"])) == pytest.approx(
                cv["accuracy"], abs=1e-8
            )
            compared += 1
    assert compared > 50


def test_kappa_of_a_large_matrix(shared):
    """Case S06."""
    with open(shared / "cases" / "S06_big_confusion.csv") as file:
        table = np.array([row[1:] for row in csv.reader(file)][1:], dtype=np.int32)
    assert KappaMetric().value(of_table(table)) == pytest.approx(0.033996136, abs=5e-10)
    assert AccuracyMetric().value(of_table(table)) == 0.356
    huge = table.astype(float) * 2**30
    assert KappaMetric().value(of_table(huge)) == KappaMetric().value(of_table(table))
    assert MccMetric().value(of_table(huge)) == pytest.approx(MccMetric().value(of_table(table)), rel=1e-15)


def test_kappa_is_rounded_once():
    rng = np.random.default_rng(1)
    table = rng.random((5, 5)) * 10
    cells = [[Fraction(x) for x in row] for row in table.tolist()]
    total = sum(map(sum, cells))
    observed = sum(cells[i][i] for i in range(5)) / total
    chance = sum(sum(cells[i]) * sum(row[i] for row in cells) for i in range(5)) / total**2
    assert KappaMetric().value(of_table(table)) == float((observed - chance) / (1 - chance))


def test_one_class_alone_leaves_much_undefined():
    """Case S05: truth and prediction are the one class of T12."""
    outcome = of_cases([1] * 6, [[0, 1, 0]] * 6)
    assert AccuracyMetric().value(outcome) == 1.0
    assert KappaMetric().value(outcome) is None
    assert MccMetric().value(outcome) is None
    assert AucMetric().value(outcome) is None
    assert SpecificityMetric().value(outcome) is None
    assert BalancedAccuracyMetric().value(outcome) == 1.0
    assert MacroF1Metric().value(outcome) == 1.0
    assert LogLossMetric().value(outcome) == 0.0
    assert SensitivityMetric().per_class(outcome) == [None, 1.0, None]


def test_class_that_is_never_predicted_makes_f1_undefined():
    """Case S07."""
    outcome = of_table([[6, 0], [1, 0]])
    assert MacroF1Metric().value(outcome) is None
    assert WeightedF1Metric().value(outcome) is None
    assert MacroF1Metric().per_class(outcome) == [pytest.approx(12 / 13), None]
    assert MacroF1Metric("zero").value(outcome) == pytest.approx(6 / 13)
    assert MccMetric().value(outcome) is None
    assert KappaMetric().value(outcome) == 0.0
    assert MacroF1Metric().value(of_table([[7, 0], [0, 0]])) == 1.0  # b does not occur


def test_subclass_of_auc_that_changes_a_part_is_asked_for_it():
    class Gini(AucMetric):
        """2 AUC - 1."""

        def value(self, outcome):
            return 2 * super().value(outcome) - 1

    class Halves(AucMetric):
        """Areas above one half count double."""

        def per_class(self, outcome):
            return [2 * one - 1 for one in super().per_class(outcome)]

    outcome = of_cases([0, 1, 0, 1], [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.5, 0.5]])
    assert AucMetric().both(outcome) == (0.75, [0.75, 0.75])
    assert Gini().both(outcome) == (0.5, [0.75, 0.75])
    assert Halves().both(outcome) == (0.5, [0.5, 0.5])
    assert Halves().value(outcome) == 0.5


def test_no_test_case_at_all_leaves_everything_undefined():
    outcome = {**of_cases(np.empty(0), np.empty((0, 2))), "fit_seconds": 0.1, "predict_seconds": 0.0}
    for name in NAMES:
        metric = registry.load("metric", name)()
        if metric.needs_predictions or "confusion" in type(metric).__module__:
            assert metric.value(outcome) is None, name


def test_unclassified_case_is_a_wrong_one():
    outcome = of_cases([0, 0, 1, 1], [[1, 0], [0, 0], [0, 1], [0, 1]])
    assert outcome["unclassified"].tolist() == [1, 0]
    assert AccuracyMetric().value(outcome) == 0.75
    assert ErrorMetric().value(outcome) == 0.25
    assert SensitivityMetric().per_class(outcome) == [0.5, 1.0]
    assert SpecificityMetric().per_class(outcome) == [1.0, 1.0]
    assert MacroF1Metric().value(outcome) == pytest.approx((2 / 3 + 1) / 2)
    # kappa: agreement 3/4, chance (2*1 + 2*2)/16
    assert KappaMetric().value(outcome) == pytest.approx((0.75 - 6 / 16) / (1 - 6 / 16))
    nobody = of_cases([0, 1], [[0, 0], [0, 0]])
    assert AccuracyMetric().value(nobody) == 0.0
    assert KappaMetric().value(nobody) == 0.0
    assert MccMetric().value(nobody) is None


def test_mcc_with_unclassified_cases_is_that_of_one_more_answer():
    from sklearn.metrics import matthews_corrcoef

    outcome = of_cases([0, 0, 1, 1, 2], [[1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert MccMetric().value(outcome) == pytest.approx(matthews_corrcoef([0, 0, 1, 1, 2], [0, 3, 1, 0, 2]))


def test_probability_that_does_not_sum_to_one_is_taken_as_it_is():
    outcome = of_cases([0, 1], [[0.5, 0.2], [0.0, 0.0]])
    assert BrierMetric().value(outcome) == pytest.approx(((0.25 + 0.04) + 1) / 2)
    assert LogLossMetric().value(outcome) == pytest.approx((-np.log(0.5) - np.log(np.finfo(float).eps)) / 2)


def test_numbers_of_the_model():
    assert SizeMetric().value({"size": 9}) == 9
    assert SizeMetric().value({}) is None
    assert RulesMetric().value({"leaves": 5}) == 5
    assert RulesMetric().value({"leaves": 5, "rules": 4}) == 4


def test_every_metric_is_announced_and_explains_itself():
    assert [entry.name for entry in registry.entries("metric") if entry.package == "treeforge"] == NAMES
    for name in NAMES:
        metric = registry.load("metric", name)
        assert metric.__doc__
        assert metric.__name__.endswith("Metric")


def test_parameter_that_cannot_be():
    for metric in (SensitivityMetric, AucMetric, MacroF1Metric):
        with pytest.raises(ValueError, match="not 'micro'"):
            metric("micro")
