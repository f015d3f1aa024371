"""Which rows train and which test."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeforge.data import Attribute, Dataset, Schema
from treeforge.errors import DataError, ParameterError
from treeforge.experiment.folds import (
    CrossValidation,
    FiveByTwo,
    Holdout,
    LeaveOneOut,
    TrainTest,
)
from treeforge.experiment.grouped import Grouped


def data(codes, name="toy", groups=None):
    codes = np.asarray(codes, dtype=np.int32)
    classes = tuple("abcdefgh"[: max(4, codes.max(initial=0) + 1)])
    attributes = [Attribute("x"), Attribute("class", "nominal", classes)]
    columns = [np.arange(len(codes), dtype=float), codes]
    if groups is not None:
        attributes.append(Attribute("group"))
        columns.append(np.asarray(groups, dtype=float))
    return Dataset(Schema(tuple(attributes), 1), tuple(columns), name=name)


RARE = data([0] * 7 + [1] * 3 + [2], "rare")  # case S04


def check_partition(splits, n, folds):
    """Every row is tested once a repeat, none trains and tests at once, sizes differ by one at most."""
    by_repeat = {}
    for split in splits:
        by_repeat.setdefault(split.repeat, []).append(split)
        assert not set(split.train) & set(split.test)
        assert len(split.train) + len(split.test) == n
        assert split.train.dtype == split.test.dtype == np.int32
    for group in by_repeat.values():
        assert [s.fold for s in group] == list(range(folds))
        assert sorted(np.concatenate([s.test for s in group]).tolist()) == list(range(n))
        sizes = [len(s.test) for s in group]
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) >= 1


@pytest.mark.parametrize("like", ["sklearn", "weka"])
@pytest.mark.parametrize("stratified", [True, False])
@given(
    codes=st.lists(st.integers(-1, 4), min_size=5, max_size=60),
    folds=st.integers(2, 5),
    seed=st.integers(0, 99),
)
def test_every_row_is_tested_once_in_each_repeat(like, stratified, codes, folds, seed):
    splits = CrossValidation(folds, 2, stratified, like).splits(data(codes), seed)
    check_partition(splits, len(codes), folds)


@pytest.mark.parametrize("like", ["sklearn", "weka"])
def test_case_s04_five_folds_warn_of_rare_classes(like):
    splits = CrossValidation(5, folds_like=like).splits(RARE)
    check_partition(splits, 11, 5)
    (warning,) = splits.warnings
    assert "'b' (3)" in warning
    assert "'c' (1)" in warning
    assert "'a'" not in warning
    assert "'d'" not in warning


@pytest.mark.parametrize("like", ["sklearn", "weka"])
def test_case_s04_twelve_folds_of_eleven_rows_are_refused(like):
    with pytest.raises(DataError, match="'rare' has 11 rows: too few for 12 folds"):
        CrossValidation(12, folds_like=like).splits(RARE)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize(("repeats", "seed"), [(1, 1), (3, 5)])
def test_folds_are_those_of_scikit_learn(stratified, repeats, seed):
    from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

    codes = np.random.default_rng(0).choice(4, 103, p=[0.5, 0.3, 0.17, 0.03])
    kind = RepeatedStratifiedKFold if stratified else RepeatedKFold
    ours = CrossValidation(7, repeats, stratified).splits(data(codes), seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = list(kind(n_splits=7, n_repeats=repeats, random_state=seed).split(codes, codes))
    assert len(ours) == len(theirs)
    for split, (train, test) in zip(ours, theirs, strict=True):
        assert split.train.tolist() == train.tolist()
        assert split.test.tolist() == test.tolist()


def test_iris_folds_of_weka():
    splits = CrossValidation(10, folds_like="weka").splits(data(np.repeat([0, 1, 2], 50)), 1)
    first, second = splits.splits[:2]
    assert first.test.tolist() == [140, 123, 110, 137, 104, 18, 29, 40, 16, 30, 71, 86, 69, 73, 83]
    assert first.train[:5].tolist() == [96, 13, 113, 27, 12]
    assert second.test.tolist() == [145, 118, 144, 117, 147, 1, 48, 3, 41, 49, 58, 88, 57, 84, 94]
    assert second.train[:5].tolist() == [93, 26, 128, 5, 106]


@pytest.mark.parametrize("rows", [range(400), pytest.param(range(400, 10**6), marks=pytest.mark.slow)])
def test_reference_folds_of_weka(shared, rows):
    arff = pytest.importorskip("treeforge.data.arff")
    reference = json.loads((shared / "reference" / "folds.json").read_text())
    compared = 0
    for name, digits in reference.items():
        path = next((p for p in shared.glob(f"datasets/{name}.arff*")), None)
        if path is None or not isinstance(digits, str) or len(digits) not in rows:
            continue
        dataset = arff.read_arff(path)
        fold_of = np.empty(dataset.n_rows, dtype=int)
        for split in CrossValidation(10, folds_like="weka").splits(dataset, 1):
            fold_of[split.test] = split.fold
        assert "".join(map(str, fold_of)) == digits, name
        compared += 1
    assert compared > 20


def test_another_repeat_leaves_the_first_ones_alone():
    for scheme in (CrossValidation, Grouped):
        words = {"attribute": "group"} if scheme is Grouped else {}
        dataset = data([0, 1] * 20, groups=np.arange(40) // 4)
        few = scheme(folds=4, repeats=2, **words).splits(dataset)
        many = scheme(folds=4, repeats=3, **words).splits(dataset)
        assert [s.hash for s in few] == [s.hash for s in many][:8]


def test_leave_one_out_tests_each_case_of_known_class():
    splits = LeaveOneOut().splits(data([0, 1, -1, 1]))
    assert [s.test.tolist() for s in splits] == [[0], [1], [3]]
    assert [s.train.tolist() for s in splits] == [[1, 2, 3], [0, 2, 3], [0, 1, 2]]
    assert [s.fold for s in splits] == [0, 1, 2]


def test_five_by_two_halves_the_rows_five_times():
    splits = FiveByTwo().splits(data([0, 1] * 10))
    assert len(splits) == 10
    check_partition(splits, 20, 2)


@given(codes=st.lists(st.integers(0, 3), min_size=10, max_size=80), share=st.floats(0.1, 0.9))
def test_holdout_keeps_the_share_of_each_class(codes, share):
    codes = np.array(codes)
    for split in Holdout(share, repeats=2).splits(data(codes), 3):
        assert len(split.test) == round(len(codes) * share)
        assert sorted([*split.train, *split.test]) == list(range(len(codes)))
        for code in range(4):
            expected = (codes == code).sum() * len(split.test) / len(codes)
            assert abs((codes[split.test] == code).sum() - expected) < 1


def test_holdout_refuses_an_empty_part():
    with pytest.raises(DataError, match="leaves one part empty"):
        Holdout(0.3).splits(data([0]))
    with pytest.raises(ParameterError):
        Holdout(1.5)


def test_groups_are_never_parted_and_hidden_from_learners():
    groups = np.repeat(np.arange(8), [9, 1, 1, 1, 4, 4, 2, 2])
    dataset = data(np.arange(24) % 2, groups=groups)
    scheme = Grouped("group", folds=3, repeats=2)
    for split in scheme.splits(dataset):
        assert not set(groups[split.train]) & set(groups[split.test])
        assert 7 <= len(split.test) <= 9
    seen = scheme.inputs(dataset)
    assert [a.name for a in seen.schema.attributes] == ["x", "class"]
    assert seen.schema.class_index == 1


def test_groups_that_cannot_be():
    dataset = data([0, 1, 0], groups=[1, 1, 2])
    with pytest.raises(DataError, match="2 groups by 'group': too few for 3 folds"):
        Grouped("group", folds=3).splits(dataset)
    with pytest.raises(DataError, match="no attribute 'grup'"):
        Grouped("grup", folds=2).splits(dataset)
    with pytest.raises(DataError, match="is the class"):
        Grouped("class", folds=2).splits(dataset)


def test_given_files_train_and_test():
    (split,) = TrainTest().splits(data([0, 1, 1]), test=data([1, 0]))
    assert split.train.tolist() == [0, 1, 2]
    assert split.test.tolist() == [0, 1]
    with pytest.raises(DataError, match="without a test file"):
        TrainTest().splits(data([0]))


def test_hash_depends_on_rows_and_their_order():
    first, second = CrossValidation(2).splits(data([0, 1] * 5)).splits
    assert first.hash != second.hash
    again = CrossValidation(2).splits(data([0, 1] * 5))
    assert again.splits[0].hash == first.hash
    assert CrossValidation(2).splits(data([0, 1] * 5), seed=2).hash != again.hash
