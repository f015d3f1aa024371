"""Weka in a JVM that has been warmed up: each gives a function that works once and returns CPU seconds.

These are of the thread that works: what the JVM's compiler and collector do beside it is not counted. Without a JDK,
or without Weka's jars (PyPI's python-weka-wrapper3 brings them), there is None.
"""

from __future__ import annotations

import atexit
import importlib.util
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from clock import Fit
from data import FOLDER, HERE, arff

from treeforge.data import Dataset

#: seconds of the same work before the clock starts
WARM = 8.0
J48 = "weka.classifiers.trees.J48"
FOREST = "weka.classifiers.trees.RandomForest"


def weka_fit(dataset: Dataset, classifier: str, *options: str, warm: float = WARM) -> Fit | None:
    """Training a classifier."""
    return _clock("WekaClock", "fit", *_words(dataset, warm), classifier, *options)


def weka_predict(dataset: Dataset, classifier: str, *options: str, warm: float = WARM) -> Fit | None:
    """The class distributions of the rows that a classifier was trained on, one by one: Weka has no other way."""
    return _clock("WekaClock", "predict", *_words(dataset, warm), classifier, *options)


def weka_load(path: Path, warm: float = WARM) -> Fit | None:
    """Reading an ARFF file."""
    return _clock("WekaClock", "load", str(path), "0", str(warm))


def weka_suite(
    sets: Sequence[tuple[Dataset, Sequence[Sequence[int]]]], options: Sequence[str], warm: float = WARM
) -> Fit | None:
    """Fitting J48, with each of some options, to all folds of data sets, given by their test rows; predicting these.

    With ``warm`` 0 every run is the first one of a new JVM: Weka's code is interpreted until it has been compiled.
    """
    lines = []
    for dataset, tests in sets:
        folds = (" ".join(map(str, rows)) for rows in tests)
        lines.append(";".join([str(arff(dataset)), str(dataset.schema.class_index), *folds]))
    path = FOLDER / "suite.txt"
    path.write_text("\n".join(lines) + "\n")
    words = ("WekaSuite", str(warm), str(path), *options)
    return _clock(*words) if warm or _libraries() is None else lambda: _first(*words)


def _words(dataset: Dataset, warm: float) -> tuple[str, str, str]:
    return str(arff(dataset)), str(dataset.schema.class_index), str(warm)


def _clock(program: str, *arguments: str) -> Fit | None:
    return None if (libraries := _libraries()) is None else _Jvm(libraries, program, *arguments)


def _first(program: str, *arguments: str) -> float:
    """Of a JVM that is ended afterwards."""
    libraries = _libraries()
    assert libraries is not None
    jvm = _Jvm(libraries, program, *arguments)
    try:
        return jvm()
    finally:
        jvm.close()


class _Jvm:
    """One of our programs: it says "ready", and then a number for every byte that it is sent."""

    def __init__(self, libraries: str, program: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            ["java", "-Xmx3g", "-cp", libraries, program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # Weka would like to have other numerical libraries
            text=True,
        )
        atexit.register(self.process.kill)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.send, self.receive = self.process.stdin, self.process.stdout
        while (line := self.receive.readline()) != "ready\n":
            if not line:
                raise RuntimeError(f"{program} ended before it was ready")

    def __call__(self) -> float:
        self.send.write("x")
        self.send.flush()
        return float(self.receive.readline())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


@cache
def _libraries() -> str | None:
    """The class path, with our two programs compiled."""
    package = importlib.util.find_spec("weka")
    if package is None or not package.submodule_search_locations or shutil.which("javac") is None:
        return None
    jars = Path(package.submodule_search_locations[0]) / "lib"
    found = ":".join(
        [*(str(jars / f"{name}.jar") for name in ("weka", "mtj", "arpack_combined", "core")), str(FOLDER)]
    )
    programs = [HERE / "WekaClock.java", HERE / "WekaSuite.java"]
    subprocess.run(["javac", "-cp", found, "-d", FOLDER, *programs], check=True)
    return found
