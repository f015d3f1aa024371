"""What only the records of single cells hold: counts of cases, and which classes were taken for which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from treeforge.errors import ResultError
from treeforge.experiment.result import Result


def current(folder: Path, rows: Sequence[Mapping[str, str]]) -> Iterator[Result]:
    """The records behind the rows of ``results.csv`` that went well.

    A folder may hold other records besides, of algorithms or splits as they were before: those have other measures.
    """
    wanted = {(r["dataset"], r["algorithm"], r["repeat"], r["fold"]): r for r in rows if r["status"] == "ok"}
    for path in sorted((folder / "cells").glob("*/[!.]*.json")):
        try:
            result = Result.decode(path.read_bytes())
        except (OSError, ValueError, ResultError):  # results.csv says what it holds; its counts stay unknown
            continue
        row = wanted.get((result.dataset, result.algorithm, str(result.repeat), str(result.fold)))
        if (
            row is not None
            and result.ok
            and all(
                row.get(name, "") == ("" if value is None else repr(value))
                for name, value in (*result.metrics.items(), *result.times.items())
                if name in row
            )
        ):
            yield result


@dataclass(frozen=True)
class Confusion:
    """The confusion matrices of all folds added up, on one data set under one algorithm.

    Attributes
    ----------
    matrix : tuple of tuple of float, [n_classes, n_classes]
        Weight of the cases of class i that were predicted as j.
    unclassified : tuple of float, [n_classes]
        Weight of the cases of class i without a prediction.
    sensitivity, specificity, precision : tuple of float or None, [n_classes]
        Of each class against the others; None where there is nothing to divide by.
    """

    dataset: str
    algorithm: str
    classes: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    unclassified: tuple[float, ...]
    sensitivity: tuple[float | None, ...]
    specificity: tuple[float | None, ...]
    precision: tuple[float | None, ...]


def confusions(
    results: Sequence[Result], datasets: Sequence[str], algorithms: Sequence[str]
) -> tuple[Confusion, ...]:
    """One matrix for each data set and algorithm, in the order of the names."""
    sums: dict[tuple[str, str], tuple[list[str], list[list[float]], list[float]]] = {}
    for result in results:
        n = len(result.classes)
        zeros: tuple[list[str], list[list[float]], list[float]] = (
            result.classes, [[0.0] * n for _ in range(n)], [0.0] * n
        )  # fmt: skip
        classes, matrix, unclassified = sums.setdefault((result.dataset, result.algorithm), zeros)
        if classes == result.classes:
            for row, more in zip(matrix, result.confusion, strict=False):
                row[:] = [a + b for a, b in zip(row, more, strict=True)]
            unclassified[:] = [
                a + b for a, b in zip(unclassified, result.unclassified or [0.0] * n, strict=True)
            ]
    return tuple(_confusion(d, a, *sums[d, a]) for d in datasets for a in algorithms if (d, a) in sums)


def _confusion(
    dataset: str, algorithm: str, classes: list[str], matrix: list[list[float]], unclassified: list[float]
) -> Confusion:
    n = len(classes)
    actual = [sum(row) + lost for row, lost in zip(matrix, unclassified, strict=True)]
    predicted = [sum(row[j] for row in matrix) for j in range(n)]
    total = sum(actual)
    return Confusion(
        dataset,
        algorithm,
        tuple(classes),
        tuple(map(tuple, matrix)),
        tuple(unclassified),
        sensitivity=tuple(_share(matrix[i][i], actual[i]) for i in range(n)),
        specificity=tuple(
            _share(total - actual[i] - (predicted[i] - matrix[i][i]), total - actual[i]) for i in range(n)
        ),
        precision=tuple(_share(matrix[i][i], predicted[i]) for i in range(n)),
    )


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None
