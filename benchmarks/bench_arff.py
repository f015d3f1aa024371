#!/usr/bin/env python3
"""How fast ARFF is read, beside liac-arff, pandas' CSV reader and Weka's ArffLoader, in one run.

    python benchmarks/bench_arff.py [--rows 1000000] [--skip-liac] [FILE.arff ...]

Without files: Agrawal's function 2 (six numbers, four nominal attributes; once in whole numbers, for which there are
goals, once with all digits of a double) and UCI's letter, where the shared folder is beside the checkout. CPU seconds,
best of several: other work on the machine disturbs them least. Memory is the peak of a process of its own, above what
it needs before it reads.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import peers
from clock import Fit, clocked
from data import HERE, SHARED
from jvm import weka_load
from table import HEAD, row

from treeforge.data import ArffWriter, Dataset, read_arff
from treeforge.plugin import registry

#: peer -> (must, aim) for whole numbers: how many times as fast as the peer
GOALS = {"liac-arff": (40, 55), "weka": (4.5, 5.8), "pandas CSV": (1, 1.3)}


def quest(path: Path, rows: int, decimals: bool) -> None:
    """Agrawal's people; with ``decimals`` their numbers get all the digits that a double has."""
    blocks = registry.load("source", "agrawal")(rows=rows, function=2).blocks(1)
    random = np.random.default_rng(0)
    first = next(blocks)
    with ArffWriter(path, first.schema) as writer:
        for block in (first, *()) if rows <= first.n_rows else _chain(first, blocks):
            columns = [
                column + random.random(len(column)) if decimals and column.dtype == np.float64 else column
                for column in block.columns
            ]
            writer.write(Dataset(block.schema, tuple(columns)))


def _chain(first: Dataset, rest: Iterator[Dataset]) -> Iterator[Dataset]:
    yield first
    yield from rest


def least(fits: dict[str, Fit], repeats: int) -> dict[str, float]:
    """The least of each; they take turns, so that a busy minute of the machine hits all. A slow one runs once."""
    found = {name: fit() for name, fit in fits.items()}
    for _ in range(repeats - 1):
        for name, fit in fits.items():
            if found[name] < 2:
                found[name] = min(found[name], fit())
    return found


def csv_of(path: Path, folder: Path) -> Path:
    """The same rows below a line of names."""
    target = folder / (path.name + ".csv")
    names = [attribute.name for attribute in read_arff(path).schema.attributes]
    with path.open() as source, target.open("w") as file:
        for line in source:
            if line.lower().startswith("@data"):
                break
        file.write(",".join(names) + "\n")
        file.writelines(line for line in source if line.strip() and not line.startswith("%"))
    return target


def memory(path: Path) -> tuple[float, float]:
    """Bytes at the peak of reading, and of the columns."""
    code = "import bench_arff, sys; bench_arff.print_memory(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, path], cwd=HERE, check=True, capture_output=True, text=True
    )
    peak, columns = map(float, done.stdout.split())
    return peak, columns


def print_memory(path: str) -> None:
    read_arff(HERE.parent / "arff_data" / "iris.arff")  # whatever is loaded on first use
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    dataset = read_arff(path)
    print(_status("VmHWM") - before, sum(column.nbytes for column in dataset.columns))


def _status(key: str) -> int:
    """A line of Linux's account of this process, in bytes."""
    text = Path("/proc/self/status").read_text()
    return 1024 * int(text.split(key + ":")[1].split()[0])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("files", nargs="*", type=Path)
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--repeats", type=int, default=7)
    arguments.add_argument("--skip-liac", action="store_true", help="it takes half a minute a million rows")
    args = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = args.files
        if not paths:
            paths = [folder / "quest.arff", folder / "quest-digits.arff"]
            quest(paths[0], args.rows, decimals=False)
            quest(paths[1], args.rows, decimals=True)
            if (SHARED / "datasets" / "letter.arff.gz").exists():
                paths.append(folder / "letter.arff")
                paths[-1].write_bytes(gzip.decompress((SHARED / "datasets" / "letter.arff.gz").read_bytes()))
        versions = {name: peers.version(name) for name in ("liac-arff", "pandas", "python-weka-wrapper3")}
        print(", ".join(f"{name} {version or 'absent'}" for name, version in versions.items()))
        print(f"\n{HEAD}")
        for path in paths:
            lines(path, GOALS if path.stem == "quest" and args.rows >= 10**6 else {}, args, folder)


def lines(path: Path, goals: dict[str, tuple[float, float]], args: argparse.Namespace, folder: Path) -> None:
    """A line of the table for each peer."""
    import pandas as pd

    csv = csv_of(path, folder)
    fits = {"": clocked(lambda: read_arff(path)), "pandas CSV": clocked(lambda: pd.read_csv(csv))}
    if not args.skip_liac and importlib.util.find_spec("arff"):
        import arff

        fits["liac-arff"] = clocked(lambda: arff.loads(path.read_text()))
    if (weka := weka_load(path)) is not None:
        fits["weka"] = weka
    found = least(fits, args.repeats)
    ours, size = found.pop(""), path.stat().st_size
    peak, columns = memory(path)
    what = f"{path.stem}, {size / 1e6:.1f} MB: {size / ours / 1e6:.0f} MB/s, peak {peak / columns:.2f} of the columns"
    for peer, seconds in found.items():
        row(what, ours, peer, seconds, *goals.get(peer, ()))


if __name__ == "__main__":
    main()
