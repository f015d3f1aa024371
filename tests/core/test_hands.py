"""Which kernels several threads ask at once about a large node, and what becomes of their failures."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from treeforge.core.capsule import splitter_capsule
from treeforge.core.grow import grow
from treeforge.core.python_kernel import criterion_kernel, splitter_kernel
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.errors import PluginError
from treeforge.plugin import Criterion, Splitter, registry

LARGE = 40_000
PROPOSE_ALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def table_of(n: int) -> Table:
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=n) for _ in range(12)]
    return Table(columns, [0] * 12, (columns[3] > 0).astype(np.int32), 2)


@dataclass
class Calls:
    """A kernel that proposes nothing, and notes which threads call it; the first is held until there is another.

    Where only one is right there is none to wait for, so ``patience`` (in seconds) is short unless told otherwise.
    """

    status: Callable[[], int] = lambda: 0
    patience: float = 0.05
    threads: set[int] = field(default_factory=set)
    another: threading.Event = field(default_factory=threading.Event)

    def capsule(self) -> object:
        def propose_all(params: int, node: int, splits: int) -> int:
            self.threads.add(threading.get_ident())
            if len(self.threads) > 1:
                self.another.set()
            else:
                self.another.wait(self.patience)
            return self.status()

        self.pointer = PROPOSE_ALL(propose_all)
        address = ctypes.cast(self.pointer, ctypes.c_void_p).value
        assert address is not None
        return splitter_capsule(0, address, 1, False, b"")


def tree_of(table: Table, splitter: object, criterion: object, n_threads: int = 3) -> Tree:
    rows: NDArray[np.int32] = np.arange(table.n_rows, dtype=np.int32)
    return grow(table, splitter, criterion, rows, max_depth=1, n_threads=n_threads)


def kernel_of(criterion: str, table: Table) -> object:
    return registry.load("criterion", criterion)().kernel(table)


@pytest.mark.parametrize("criterion", ["gain_ratio", "gini"])
def test_several_threads_ask_about_a_large_node(criterion: str) -> None:
    calls, table = Calls(patience=60), table_of(LARGE)
    assert tree_of(table, calls.capsule(), kernel_of(criterion, table)).n_nodes == 1
    assert 1 < len(calls.threads) <= 3


def test_one_thread_asks_about_a_smaller_node() -> None:
    calls, table = Calls(), table_of(LARGE // 2)
    tree_of(table, calls.capsule(), kernel_of("gain_ratio", table))
    assert calls.threads == {threading.get_ident()}


class Error(Criterion):
    def score(self, counts: NDArray[np.float64], total: float) -> float:
        return float(counts.max(axis=1).sum() / total)


def test_one_thread_asks_where_the_criterion_is_in_python() -> None:
    calls, criterion = Calls(), Error()
    tree_of(table_of(LARGE), calls.capsule(), criterion_kernel(criterion))
    assert calls.threads == {threading.get_ident()}


class Half(Splitter):
    def __init__(self) -> None:
        self.threads: set[int] = set()

    def propose(self, node, attribute):
        self.threads.add(threading.get_ident())
        return [[0.0]]


def test_one_thread_asks_a_splitter_in_python() -> None:
    splitter, table = Half(), table_of(LARGE)
    tree = tree_of(table, splitter_kernel(splitter, table), kernel_of("gain_ratio", table))
    assert tree.attribute[0] == 3
    assert splitter.threads == {threading.get_ident()}


def test_a_kernel_that_gives_up_ends_growing() -> None:
    calls, table = Calls(status=lambda: -7), table_of(LARGE)
    with pytest.raises(PluginError, match="gave up with status -7"):
        tree_of(table, calls.capsule(), kernel_of("gain_ratio", table))
