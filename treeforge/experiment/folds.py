"""Evaluation schemes: which rows train and which test, the same for every algorithm.

A scheme is a frozen dataclass; its fields are the options in YAML, its name there stands in ``SCHEMES``.
Splits depend on the data's classes (or groups), the scheme and the seed alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Dataset, Sample, Schema
from treeforge.data.weka_folds import JavaRandom, stratify, test_block
from treeforge.errors import DataError, ParameterError
from treeforge.experiment.split import Rows, Split, Splits


class Scheme(ABC):
    """How the rows of a data set are parted."""

    name: ClassVar[str]
    #: whether each data set brings test rows of its own
    needs_test: ClassVar[bool] = False

    @abstractmethod
    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        """The splits of a data set; DataError when it has too few rows for the scheme."""

    def inputs(self, dataset: Dataset) -> Dataset:
        """The data set that learners see."""
        return dataset

    def spec(self) -> dict[str, Any]:
        """The resolved options, as they are written into results."""
        return {"scheme": self.name, **asdict(self)}  # type: ignore[call-overload]


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
        _at_least(self.folds, 2, "folds")
        _at_least(self.repeats, 1, "repeats")
        if self.folds_like not in ("sklearn", "weka"):
            raise ParameterError(f"folds_like is 'sklearn' or 'weka', not '{self.folds_like}'")

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        _check_rows(dataset, self.folds)
        make = self._weka if self.folds_like == "weka" else self._sklearn
        warnings = _rare_classes(dataset, self.folds) if self.stratified else ()
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
        generator = np.random.RandomState(
            _legacy(seed)
        )  # scikit-learn's generator: its stream is frozen for good
        for repeat in range(self.repeats):
            if self.stratified:
                fold_of = _deal_classes(dataset.class_codes, self.folds, generator)
            else:
                order = np.arange(n)
                generator.shuffle(order)
                fold_of = np.empty(n, dtype=np.int64)
                for fold in range(self.folds):
                    fold_of[order[test_block(n, self.folds, fold)]] = fold
            yield from _from_folds(fold_of, self.folds, repeat)


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
        _check_rows(dataset, 2)
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
        _at_least(self.repeats, 1, "repeats")
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
        generator = np.random.RandomState(_legacy(seed))
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
            found.append(Split(n, _rows(is_test), repeat, 0))
        return Splits(tuple(found), _rare_classes(dataset, 2, "parts") if self.stratified else ())


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
        _check_rows(dataset, 1)
        _check_rows(test, 1)
        return Splits((Split(Sample.whole(dataset.n_rows).rows, Sample.whole(test.n_rows).rows),))


@dataclass(frozen=True)
class Grouped(Scheme):
    """Cross-validation in which rows of one group are never parted.

    Parameters
    ----------
    attribute : str
        Rows with the same value of it belong together; unknown is a value. Learners do not see it.
    folds, repeats : int
        Groups are dealt out by size, the largest first, each into the smallest fold; the seed orders equals.
    """

    name: ClassVar[str] = "grouped"
    attribute: str
    folds: int = 10
    repeats: int = 1

    def __post_init__(self) -> None:
        _at_least(self.folds, 2, "folds")
        _at_least(self.repeats, 1, "repeats")

    def splits(self, dataset: Dataset, seed: int = 1, test: Dataset | None = None) -> Splits:
        group_of = self._groups(dataset)
        sizes = np.bincount(group_of)
        if len(sizes) < self.folds:
            raise DataError(
                f"'{dataset.name}' has {len(sizes)} groups by '{self.attribute}': "
                f"too few for {self.folds} folds",
                file=dataset.source or None,
            )
        generator = np.random.RandomState(_legacy(seed))
        found: list[Split] = []
        for repeat in range(self.repeats):
            shuffled = generator.permutation(len(sizes))
            fold_of_group = np.empty(len(sizes), dtype=np.int64)
            loads = np.zeros(self.folds, dtype=np.int64)
            for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
                smallest = int(loads.argmin())
                fold_of_group[group] = smallest
                loads[smallest] += sizes[group]
            found.extend(_from_folds(fold_of_group[group_of], self.folds, repeat))
        return Splits(tuple(found))

    def inputs(self, dataset: Dataset) -> Dataset:
        schema, place = dataset.schema, self._place(dataset)
        keep = [i for i in range(len(dataset.columns)) if i != place]
        class_index = None if schema.class_index is None else keep.index(schema.class_index)
        return replace(
            dataset,
            schema=Schema(tuple(schema.attributes[i] for i in keep), class_index, schema.relation),
            columns=tuple(dataset.columns[i] for i in keep),
        )

    def _place(self, dataset: Dataset) -> int:
        names = dataset.schema.names
        if self.attribute not in names:
            raise DataError(
                f"'{dataset.name}' has no attribute '{self.attribute}' to group by; "
                f"there are: {', '.join(names)}",
                file=dataset.source or None,
            )
        if names[self.attribute] == dataset.schema.class_index:
            raise DataError(
                f"'{dataset.name}': '{self.attribute}' is the class and cannot group the rows",
                file=dataset.source or None,
            )
        return names[self.attribute]

    def _groups(self, dataset: Dataset) -> NDArray[np.int64]:
        column = dataset.columns[self._place(dataset)]
        if column.dtype == np.object_:
            seen: dict[Any, int] = {}
            return np.array([seen.setdefault(value, len(seen)) for value in column.tolist()], dtype=np.int64)
        return np.unique(column, return_inverse=True)[1].astype(np.int64)  # NaN equals NaN here


#: name in YAML -> scheme
SCHEMES: dict[str, type[Scheme]] = {
    scheme.name: scheme for scheme in (CrossValidation, Holdout, FiveByTwo, LeaveOneOut, TrainTest, Grouped)
}


def _deal_classes(codes: NDArray[np.int32], k: int, generator: np.random.RandomState) -> NDArray[np.int64]:
    """Fold of each row, as scikit-learn's StratifiedKFold deals it: sizes differ by one at most, also by class."""
    # classes are numbered in the order in which they appear, which is the order in which they are shuffled
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    encoded = rank[inverse]
    ordered = np.sort(encoded)
    n_classes = len(first)
    allocation = np.array([np.bincount(ordered[fold::k], minlength=n_classes) for fold in range(k)])
    fold_of = np.empty(len(codes), dtype=np.int64)
    for place in range(n_classes):
        folds = np.arange(k).repeat(allocation[:, place])
        generator.shuffle(folds)
        fold_of[encoded == place] = folds
    return fold_of


def _from_folds(fold_of: NDArray[np.int64], k: int, repeat: int) -> Iterator[Split]:
    for fold in range(k):
        yield Split(len(fold_of), _rows(fold_of == fold), repeat, fold)


def _rows(mask: NDArray[np.bool_]) -> Rows:
    return np.flatnonzero(mask).astype(np.int32)


def _rare_classes(dataset: Dataset, needed: int, parts: str = "folds") -> tuple[str, ...]:
    """A warning that names the classes of which not every fold can have a case."""
    codes = dataset.class_codes
    counts = np.bincount(codes[codes >= 0], minlength=len(dataset.schema.classes))
    rare = [
        f"'{name}' ({count})"
        for name, count in zip(dataset.schema.classes, counts.tolist(), strict=True)
        if 0 < count < needed
    ]
    if not rare:
        return ()
    return (
        f"'{dataset.name}': {_and(rare)} cannot stand in each of the {needed} {parts}, for want of cases",
    )


def _and(words: Iterable[str]) -> str:
    *most, last = words
    return f"class {last}" if not most else f"the classes {', '.join(most)} and {last}"


def _check_rows(dataset: Dataset, needed: int) -> None:
    if dataset.n_rows < needed:
        raise DataError(
            f"'{dataset.name}' has {dataset.n_rows} rows: too few for {needed} folds"
            if needed > 1
            else f"'{dataset.name}' has no rows",
            file=dataset.source or None,
        )


def _at_least(value: int, least: int, what: str) -> None:
    if value < least:
        raise ParameterError(f"{what} must be at least {least}, not {value}")


def _legacy(seed: int) -> int:
    """NumPy's old generator takes 32 bits."""
    return seed % 2**32
