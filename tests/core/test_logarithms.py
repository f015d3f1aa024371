"""The table of x ln x, which all fits of a process share: a larger one takes its place while fits hold on to it."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: Says the digest of a tree for each size of a table. Every process begins with no logarithms at all.
PROGRAM = """
import hashlib, sys, threading
import numpy as np
from treeforge.core.table import Table
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder

SIZES = [int(size) for size in sys.argv[2:]]
digests = {}
start = threading.Barrier(len(SIZES) if sys.argv[1] == "at once" else 1)

def fit(size):
    rng = np.random.default_rng(size)
    columns = [rng.normal(size=size).round(3), rng.integers(0, 50, size).astype(float)]
    classes = rng.integers(0, 3, size) * (columns[0] > 0)
    table = Table(columns, [0, 0], classes.astype(np.int32), 3)
    builder = Builder(learner({}), table)
    start.wait(60)
    arrays = builder.tree(Sample.whole(size), 1).arrays()
    digests[size] = hashlib.sha256(b"".join(values.tobytes() for values in arrays.values())).hexdigest()

if sys.argv[1] == "at once":
    threads = [threading.Thread(target=fit, args=(size,)) for size in SIZES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
else:
    for size in SIZES:
        fit(size)
for size in sorted(SIZES):
    print(size, digests[size])
"""

SIZES = [60, 20_000, 300, 9000, 1, 2000, 40_000, 5000]


def digests(how: str, sizes: list[int]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how, *map(str, sizes)],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def expected() -> list[str]:
    """From the smallest: each fit replaces the table."""
    return digests("one by one", sorted(SIZES))


@pytest.mark.parametrize(
    ("how", "sizes"),
    [("one by one", sorted(SIZES, reverse=True)), ("at once", SIZES), ("at once", sorted(SIZES))],
    ids=["from the largest", "at once", "at once, the smallest first"],
)
def test_trees_do_not_depend_on_who_made_the_table(how: str, sizes: list[int], expected: list[str]) -> None:
    assert len(expected) == len(SIZES)
    assert digests(how, sizes) == expected
