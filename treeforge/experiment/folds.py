"""The evaluation schemes: which rows train and which test, the same for every algorithm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from treeforge.data import Dataset, Sample
from treeforge.data.weka_folds import JavaRandom, stratify, test_block
from treeforge.errors import DataError, ParameterError
from treeforge.experiment.dealing import deal_classes, from_folds, legacy_random, rows_of
from treeforge.experiment.grouped import Grouped
from treeforge.experiment.scheme import Scheme, at_least, check_rows, rare_classes
from treeforge.experiment.split import Split, Splits


@dataclass(frozen=True)
class CrossValidation(Scheme):
    """K-fold cross-validation.

    Parameters
    ----------
    folds, repeats : int
    stratified : bool
        Give every fold the same share of each class, as far as its cases go.
    folds_like : {'sklearn', 'weka'}
        ``sklearn``: the folds of its RepeatedStratifiedKFold (RepeatedKFold), training rows in file order.
        ``weka``: those of Weka's Evaluation, training rows in Weka's order; repeat r is seeded ``seed + r``.

    Notes
    -----
    A class with fewer cases than folds is warned of, never refused. Cases of unknown class are dealt out as a
    class of their own, as Weka does; they train and test nothing.
    """

    name: ClassVar[str] = "cross_validation"
    folds: int = 10
    repeats: int = 1
    stratified: bool = True
    folds_like: Literal["sklearn", "weka"] = "sklearn"

    def __post_init__(self) -> None:
        at_least(self.folds, 2, "folds")
        at_least(self.repeats, 1, "repeats")
        if self.folds_like not in ("sklearn", "weka"):
            raise ParameterError(f"folds_like is 'sklearn' or 'weka', not '{self.folds_like}'")

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        check_rows(dataset, self.folds)
        make = self._weka if self.folds_like == "weka" else self._sklearn
        warnings = rare_classes(dataset, self.folds) if self.stratified else ()
        return Splits(tuple(make(dataset, seed)), warnings)

    def _weka(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        n, k = dataset.n_rows, self.folds
        for repeat in range(self.repeats):
            generator = JavaRandom(seed + repeat)
            order = generator.shuffle(np.arange(n, dtype=np.int32))
            if self.stratified:
                order = stratify(order, dataset.class_codes, k)
            for fold in range(k):
                block = test_block(n, k, fold)
                rest = np.concatenate([order[: block.start], order[block.stop :]])
                # the generator keeps running: each training part is shuffled with what it draws next
                yield Split(generator.shuffle(rest), order[block], repeat, fold)

    def _sklearn(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        n = dataset.n_rows
        generator = legacy_random(seed)
        for repeat in range(self.repeats):
            if self.stratified:
                fold_of = deal_classes(dataset.class_codes, self.folds, generator)
            else:
                order = np.arange(n)
                generator.shuffle(order)
                fold_of = np.empty(n, dtype=np.int64)
                for fold in range(self.folds):
                    fold_of[order[test_block(n, self.folds, fold)]] = fold
            yield from from_folds(fold_of, self.folds, repeat)


@dataclass(frozen=True)
class FiveByTwo(Scheme):
    """Five repeats of two-fold cross-validation (Dietterich 1998)."""

    name: ClassVar[str] = "five_by_two"
    stratified: bool = True

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        return CrossValidation(2, 5, self.stratified).splits(dataset, seed)


@dataclass(frozen=True)
class LeaveOneOut(Scheme):
    """Each row with a known class tests the model that the others trained, in file order."""

    name: ClassVar[str] = "leave_one_out"

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        check_rows(dataset, 2)
        rows = np.arange(dataset.n_rows, dtype=np.int32)
        known = np.flatnonzero(dataset.class_codes >= 0)
        return Splits(
            tuple(
                Split(dataset.n_rows, rows[row : row + 1], 0, fold) for fold, row in enumerate(known.tolist())
            )
        )


@dataclass(frozen=True)
class Holdout(Scheme):
    """One part trains, the other tests.

    Parameters
    ----------
    test : float
        Share of the rows that test, of each class where stratified.
    repeats : int
        How often to part the rows anew.
    stratified : bool
    """

    name: ClassVar[str] = "holdout"
    test: float = 0.3
    repeats: int = 1
    stratified: bool = True

    def __post_init__(self) -> None:
        at_least(self.repeats, 1, "repeats")
        if not 0 < self.test < 1:
            raise ParameterError(f"test is a share between 0 and 1, not {self.test}")

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        n = dataset.n_rows
        n_test = round(n * self.test)
        if not 0 < n_test < n:
            raise DataError(
                f"'{dataset.name}' has {n} rows: a test share of {self.test} leaves one part empty",
                file=dataset.source or None,
            )
        generator = legacy_random(seed)
        found = []
        for repeat in range(self.repeats):
            order = generator.permutation(n)
            if self.stratified:
                # within each class the shuffled order says who comes first; what a share leaves over is
                # handed on to the next class, so that the sizes of the parts are right
                codes = dataset.class_codes[order]
                by_class = order[np.argsort(codes, kind="stable")]
                places = np.floor((np.arange(n_test) + 0.5) * n / n_test).astype(np.int64)
                chosen = by_class[places]
            else:
                chosen = order[:n_test]
            is_test = np.zeros(n, dtype=bool)
            is_test[chosen] = True
            found.append(Split(n, rows_of(is_test), repeat, 0))
        return Splits(tuple(found), rare_classes(dataset, 2, "parts") if self.stratified else ())


@dataclass(frozen=True)
class TrainTest(Scheme):
    """Given files: one trains, the other tests."""

    name: ClassVar[str] = "train_test"
    needs_test: ClassVar[bool] = True

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        if test is None:
            raise DataError(f"'{dataset.name}' comes without a test file", file=dataset.source or None)
        if test.schema.classes != dataset.schema.classes:
            raise DataError(
                f"'{dataset.name}': the test file declares the classes {', '.join(test.schema.classes)}; "
                f"the training file {', '.join(dataset.schema.classes)}",
                file=test.source or None,
            )
        check_rows(dataset, 1)
        check_rows(test, 1)
        return Splits((Split(Sample.whole(dataset.n_rows).rows, Sample.whole(test.n_rows).rows),))


#: name in YAML -> scheme
SCHEMES: dict[str, type[Scheme]] = {
    scheme.name: scheme for scheme in (CrossValidation, Holdout, FiveByTwo, LeaveOneOut, TrainTest, Grouped)
}
