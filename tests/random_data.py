"""Random data sets with everything that decides close calls in a C4.5 tree: a data set for each number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute, Dataset, Schema

#: kinds of inputs, with how often they are drawn
_KINDS = {
    "few numbers": 4,
    "real numbers": 3,
    "near-equal numbers": 2,
    "large numbers": 1,
    "constant number": 1,
    "few categories": 4,
    "many categories": 1,
    "constant category": 1,
}


def random_dataset(number: int, most_rows: int = 300) -> Dataset:
    """Data set ``number``: up to eight inputs, unknown values and classes, ties, fractional weights."""
    rng = np.random.default_rng(number)
    n_rows = int(rng.choice([rng.integers(1, 12), rng.integers(10, 60), rng.integers(40, most_rows + 1)]))
    n_inputs = int(rng.integers(1, 9))
    kinds = rng.choice(list(_KINDS), size=n_inputs, p=np.array(list(_KINDS.values())) / sum(_KINDS.values()))
    attributes, columns = [], []
    for i, kind in enumerate(kinds):
        attribute, column = _input(f"x{i}", str(kind), n_rows, rng)
        attributes.append(attribute)
        columns.append(column)
    n_classes = int(rng.choice([2, 2, 2, 3, 3, 4, 6, 12, 30]))
    classes = _classes(columns, n_classes, n_rows, rng)
    for column in columns:  # after the classes: what is unknown had a say in them
        share = rng.choice([0.0, 0.0, 0.03, 0.2, 0.6, 1.0], p=[0.3, 0.2, 0.2, 0.2, 0.08, 0.02])
        column[rng.random(n_rows) < share] = -1 if column.dtype == np.int32 else np.nan
    attributes.append(Attribute("class", "nominal", tuple(f"c{k}" for k in range(n_classes))))
    schema = Schema(tuple(attributes), len(attributes) - 1, f"random{number}")
    return Dataset(schema, (*columns, classes), _weights(n_rows, rng), f"random{number}")


def _input(
    name: str, kind: str, n: int, rng: np.random.Generator
) -> tuple[Attribute, NDArray[np.float64] | NDArray[np.int32]]:
    if kind.endswith("category") or kind.endswith("categories"):
        declared = (
            int(rng.integers(2, 7)) if kind != "many categories" else int(rng.choice([n // 4 + 2, 40, 300]))
        )
        used = rng.permutation(declared)[: int(rng.integers(1, declared + 1))]
        if kind == "constant category":
            used = used[:1]
        attribute = Attribute(name, "nominal", tuple(f"v{k}" for k in range(declared)))
        return attribute, rng.choice(used, size=n).astype(np.int32)
    few = rng.integers(-5, int(rng.integers(0, 20)), size=n)
    if kind == "few numbers":
        values = few / float(rng.choice([1, 2, 10, 3]))
    elif kind == "real numbers":
        values = np.round(rng.normal(size=n), int(rng.integers(1, 16)))
    elif kind == "near-equal numbers":
        values = rng.integers(0, 4, size=n) + rng.integers(0, 5, size=n) * float(
            rng.choice([4e-6, 9.9e-6, 1e-5, 1.1e-5])
        )
    elif kind == "large numbers":
        values = few * 10.0 ** float(rng.integers(5, 16)) + few % 3
    else:
        values = np.full(n, float(rng.normal()))
    return Attribute(name), np.asarray(values, dtype=np.float64)


def _classes(
    columns: list[NDArray[np.float64] | NDArray[np.int32]], n_classes: int, n: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Classes that follow a few inputs, with noise; some declared classes may not occur."""
    used = int(rng.integers(1, n_classes + 1)) if rng.random() < 0.2 else n_classes
    score = np.zeros(n)
    for column in columns:
        if rng.random() < 0.6:
            ranks = np.unique(column, return_inverse=True)[1]
            score += (
                rng.integers(0, 2 * n_classes, size=ranks.max() + 1)[ranks] if rng.random() < 0.5 else ranks
            )
    classes = score.astype(np.int64) % used
    noise = rng.random(n) < rng.choice([0.0, 0.1, 0.3])
    classes[noise] = rng.integers(0, used, size=int(noise.sum()))
    classes[rng.random(n) < rng.choice([0.0, 0.0, 0.05])] = -1
    return classes.astype(np.int32)


def _weights(n: int, rng: np.random.Generator) -> NDArray[np.float64] | None:
    kind = rng.choice(["none", "fractions", "tenths", "whole"], p=[0.5, 0.2, 0.2, 0.1])
    if kind == "none":
        return None
    if kind == "fractions":
        return rng.uniform(0.05, 3.0, size=n)
    return (
        rng.integers(1, 30, size=n) / 10.0 if kind == "tenths" else rng.integers(1, 4, size=n).astype(float)
    )
