"""What the seam costs a third party: a method built outside the tree beside the same method built like our own.

    python benchmarks/bench_seam.py [--sets SET ...] [--rounds N]

``random_cut`` is installed from the three example packages (Cython, C, Numba) as a user installs them; "built in" is
the Cython source among our own modules, compiled by this repository's ``setup.py``. The other way round, our moment
kernel (MSD, AMSD) is compiled by the plain ``setup.py`` of a package. Everything is built into a temporary folder.

CPU seconds of one fit of an unpruned tree on one thread, the columns coded before. In each round every build fits once,
in an order that rotates; the ratio is the median over rounds of a build's time to the built-in's in the same round.
Every build has to grow the same tree. What needs Numba is left out where Numba is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from data import HERE, load

from treeforge.data import Dataset
from treeforge.learn import build
from treeforge.learn.learner import Learner
from treeforge.plugin import Splitter

ROOT = HERE.parent
EXAMPLES = {"Cython": "cython_splitter", "C": "c_splitter", "Numba": "numba_splitter"}
TRIES = 3


@dataclass(frozen=True)
class Compiled(Splitter):
    """A splitter by its compiled module and what its ``kernel`` is called with."""

    module: str
    function: str
    arguments: tuple[Any, ...]

    def kernel(self, table: object) -> object:
        return getattr(importlib.import_module(self.module), self.function)(*self.arguments)


def as_our_own(source: Path, package: str, site: Path) -> str:
    """Compile a .pyx as a module of the tree: this repository's setup.py, with nothing else to build."""
    tree = site / f"tree-{package}"
    core = tree / "treeforge" / "core"
    core.mkdir(parents=True)
    for path in [*(ROOT / "treeforge/core").glob("*.pxd"), *(ROOT / "treeforge/core").glob("*.h")]:
        shutil.copy(path, core)
    shutil.copytree(ROOT / "treeforge/core/include", core / "include")
    shutil.copy(ROOT / "treeforge/core/declarations.py", core)
    for folder in (tree / "treeforge", core):
        (folder / "__init__.py").touch()
    plugin = tree / "plugins" / package
    plugin.mkdir(parents=True)
    (plugin / "__init__.py").touch()
    shutil.copy(source, plugin / "_kernel.pyx")
    shutil.copy(ROOT / "setup.py", tree)
    run([sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(site)], tree)
    shutil.copy(plugin / "__init__.py", site / package)
    return f"{package}._kernel"


def as_a_package(folder: str, site: Path, source: Path | None = None) -> str:
    """Install an example, or the Cython example with another kernel in it; the name of its package."""
    copy = site / "sources" / f"{folder}-{'other' if source else 'own'}"
    shutil.copytree(ROOT / "examples" / folder, copy)
    (package,) = (path.name for path in (copy / "src").glob("treeforge_*"))
    if source is not None:
        other = "outside_kernel"
        (copy / "src" / package).rename(copy / "src" / other)
        (copy / "src" / other / "__init__.py").write_text("")
        for path in [
            source,
            *source.parent.glob("*.pxd"),
            *source.parent.glob("*.h"),
        ]:  # which name their own package
            text = path.read_text().replace(f"{source.parent.name}.", f"{other}.")
            (copy / "src" / other / path.name).write_text(text)
        for name in ("setup.py", "pyproject.toml"):
            text = (copy / name).read_text().replace(package, other)
            (copy / name).write_text(text.replace("treeforge-random-cut-cython", "outside-kernel"))
        package = other
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--target", str(site), "-q"]
    run([sys.executable, "-m", "pip", "install", *options, str(copy)], site)
    return package


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")


def parts(site: Path) -> dict[str, dict[str, Splitter]]:
    """Method -> build -> splitter; the built-in one stands first."""
    cython = ROOT / "examples/cython_splitter/src/treeforge_random_cut_cython/_kernel.pyx"
    moments = ROOT / "plugins/treeforge_moments/_kernel.pyx"
    inside = as_our_own(cython, "random_cut_inside", site)
    random_cut: dict[str, Splitter] = {"built in": Compiled(inside, "kernel", (TRIES,))}
    sys.path.insert(0, str(site))
    for language, folder in EXAMPLES.items():
        if language == "Numba" and importlib.util.find_spec("numba") is None:
            continue
        module = importlib.import_module(as_a_package(folder, site))
        (cls,) = (v for k, v in vars(module).items() if k.startswith("RandomCut"))
        random_cut[language] = cls(TRIES)
    outside = as_a_package("cython_splitter", site, moments) + "._kernel"
    found = {"random_cut": random_cut}
    for name, arguments in (("msd", (0.0, 1.0)), ("amsd", (0.25, 2.0))):
        found[name] = {
            "built in": Compiled("treeforge_moments._kernel", "moment_kernel", arguments),
            "package": Compiled(outside, "moment_kernel", arguments),
        }
    return found


def rounds(learners: Mapping[str, Learner], dataset: Dataset, n: int) -> dict[str, list[float]]:
    """CPU seconds of each build, round by round."""
    names = list(learners)
    models = [learners[name].fit(dataset) for name in names]  # codes the data, compiles Numba's
    said = [model.predict_proba(dataset) for model in models]
    if any(not np.array_equal(said[0], other) for other in said[1:]):
        raise SystemExit(f"the builds do not grow the same tree: {[model.measures() for model in models]}")
    times: dict[str, list[float]] = {name: [] for name in names}
    for i in range(n):
        for name in names[i % len(names) :] + names[: i % len(names)]:
            start = time.process_time()
            learners[name].fit(dataset)
            times[name].append(time.process_time() - start)
    return times


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sets", nargs="*", default=["quest:1e5", "letter", "adult"])
    arguments.add_argument("--rounds", type=int, default=15)
    args = arguments.parse_args()
    plain = build.learner({"pruner": "none"})
    assert isinstance(plain, Learner)
    with tempfile.TemporaryDirectory() as folder:
        found = parts(Path(folder))
        print(f"load {os.getloadavg()[0]:.1f}, {args.rounds} rounds\n")
        print("| method | data | nodes | build | CPU s | ratio to built in |\n|---|---|---:|---|---:|---:|")
        for method, splitters in found.items():
            for name in args.sets:
                if (dataset := load(name)) is None:
                    continue
                learners = {place: replace(plain, splitter=s) for place, s in splitters.items()}
                nodes = learners["built in"].fit(dataset).measures()["size"]
                times = rounds(learners, dataset, args.rounds)
                for place, seen in times.items():
                    ratio = statistics.median(a / b for a, b in zip(seen, times["built in"], strict=True))
                    print(
                        f"| {method} | {name} | {nodes:,.0f} | {place} | {statistics.median(seen):.4f} | {ratio:.3f} |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
