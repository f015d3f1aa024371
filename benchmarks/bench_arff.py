#!/usr/bin/env python3
"""How fast ARFF is read, beside liac-arff, pandas' CSV reader and Weka's ArffLoader, in one run.

    python benchmarks/bench_arff.py [--rows 1000000] [--weka DIR_OF_JARS] [--skip-liac] [FILE.arff ...]

Without files: Agrawal's function 2 (six numbers, four nominal attributes; once in whole numbers, once with
all digits of a double) and UCI's letter, where the shared folder is beside the checkout. CPU seconds, best of
several: other work on the machine disturbs them least. Memory is the peak of a process of its own, above what it
needs before it reads.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from treeforge.data import ArffWriter, Dataset, read_arff
from treeforge.plugin import registry

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("TREEFORGE_SHARED", HERE.parent.parent / "shared"))


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


def _chain(first, rest):
    yield first
    yield from rest


def best(work: Callable[[], object], repeats: int) -> float:
    """CPU seconds of the quickest of several."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


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


def weka(path: Path, jars: Path, repeats: int, folder: Path) -> float:
    libraries = f"{jars}/*:{folder}"
    if not (folder / "WekaLoad.class").exists():
        subprocess.run(["javac", "-cp", libraries, "-d", folder, HERE / "WekaLoad.java"], check=True)
    command = ["java", "-Xmx3g", "-cp", libraries, "WekaLoad", str(path), str(repeats)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


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
    arguments.add_argument("--weka", type=Path, help="folder with weka.jar and the jars it needs")
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
        print("| file | MB | treeforge s | MB/s | x liac-arff | x Weka | x pandas CSV | peak / columns |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for path in paths:
            print(line(path, args, folder), flush=True)


def line(path: Path, args: argparse.Namespace, folder: Path) -> str:
    import pandas as pd

    size = path.stat().st_size
    csv = csv_of(path, folder)
    # alternating, so that a busy minute of the machine hits both
    ours = theirs = float("inf")
    for _ in range(args.repeats):
        ours = min(ours, best(lambda: read_arff(path), 2))
        theirs = min(theirs, best(lambda: pd.read_csv(csv), 1))
    cells = [path.stem, f"{size / 1e6:.1f}", f"{ours:.4f}", f"{size / ours / 1e6:.0f}"]
    if args.skip_liac:
        cells.append("")
    else:
        import arff

        cells.append(f"{best(lambda: arff.loads(path.read_text()), 1 if size > 1e7 else 3) / ours:.1f}")
    cells.append(f"{weka(path, args.weka, args.repeats, folder) / ours:.2f}" if args.weka else "")
    cells.append(f"{theirs / ours:.2f}")
    peak, columns = memory(path)
    cells.append(f"{peak / columns:.2f}")
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
