"""Threads that wait for work on one tree: shares of few items, and threads that cannot be had."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mixed_table import assert_same, mixed_table

from treeforge.core.encode import encoded
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder

LARGE = 80_000  # its halves, too, are shared among threads


def grown(table: Table, n_threads: int) -> Tree:
    words = learner({"max_depth": 3, "pruner": "none"})
    return Builder(words, table, n_threads=n_threads).grow(Sample.whole(table.n_rows), 1)


def in_time(work: Callable[[], Any], seconds: float = 120) -> Any:
    """What it returns or raises; a thread that waits for ever fails the test instead of stopping all tests."""
    ended: list[Any] = []

    def run() -> None:
        try:
            ended.append(work())
        except BaseException as error:
            ended.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    assert ended, f"not done in {seconds} seconds"
    if isinstance(ended[0], BaseException):
        raise ended[0]
    return ended[0]


@pytest.mark.parametrize("n_inputs", [1, 2, 6])
def test_fewer_items_than_threads_after_more(n_inputs: int) -> None:
    """All inputs are loaded and asked; but all except the first are constant, so that one is left to be divided."""
    rng = np.random.default_rng(n_inputs)
    real = rng.normal(size=LARGE)
    classes = (np.abs(real) + rng.normal(scale=0.5, size=LARGE) > 0.7).astype(np.int32)
    table = Table([real, *[np.full(LARGE, 7.0)] * (n_inputs - 1)], [0] * n_inputs, classes, 2)
    one, other = grown(table, 1), in_time(lambda: grown(table, 5))
    assert one.depth == 3
    assert_same(one, other)


@pytest.mark.parametrize("n_started", [0, 1, 3])
def test_threads_that_cannot_be_had(n_started: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error, no thread that waits for ever, and nothing that stays broken."""
    table = mixed_table(0.05, 1, LARGE)
    encoded(table)  # by threads of its own, which are not what this is about
    expected, start = grown(table, 1), threading.Thread.start
    started: list[threading.Thread] = []

    def start_some(thread: threading.Thread) -> None:
        if thread.name.startswith("ThreadPoolExecutor"):
            if len(started) == n_started:
                raise RuntimeError("can't start new thread")
            started.append(thread)
        start(thread)

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start_some)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            in_time(lambda: grown(table, 5))
    assert len(started) == n_started
    assert not any(thread.is_alive() for thread in started)
    assert_same(expected, in_time(lambda: grown(table, 5)))
