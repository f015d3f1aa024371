"""What holds for anything that decides how a tree grows: splitters and criteria alike."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treeforge.core.model import TreeModel
from treeforge.core.tree import Tree
from treeforge.learn.encode import encode
from treeforge.plugin.checks import tables
from treeforge.plugin.checks.fitting import (
    assert_same,
    assert_same_tests,
    assert_sound,
    compiled_learner,
    fit,
    tree,
)
from treeforge.plugin.interfaces import Criterion, Plugin, Splitter


def row_order(plugin: Plugin) -> None:
    """The rows in another order grow the same tree."""
    for unknown in (0.0, 0.15):
        data = tables.mixed(unknown=unknown)
        assert_same(tree(plugin, data), tree(plugin, tables.permuted(data)), "rows in another order")


def class_labels(plugin: Plugin) -> None:
    """Classes declared in another order grow the same tests."""
    data = tables.mixed()
    order = np.array([2, 0, 1])
    turned = tables.relabelled(data, len(data.columns) - 1, order)
    one, other = tree(plugin, data), tree(plugin, turned)
    assert_same_tests(one, other, "classes in another order")
    assert np.allclose(one.distribution[:, order], other.distribution), (
        "class weights do not follow the classes"
    )


def category_labels(plugin: Plugin) -> None:
    """Categories declared in another order predict the same."""
    data = tables.mixed()
    turned = tables.relabelled(data, 1, np.array([2, 0, 3, 1]))
    one, other = fit(plugin, data), fit(plugin, turned)
    same = np.allclose(one.predict_proba(data), other.predict_proba(turned))
    assert same, "categories in another order predict otherwise"


def doubled_rows(plugin: Plugin) -> None:
    """A row that stands twice is a row of weight 2."""
    data = tables.mixed()
    twice = tree(plugin, tables.doubled(data), min_branch=4)
    heavy = tree(plugin, tables.weighted(data, np.full(data.n_rows, 2.0)), min_branch=4)
    assert_same(twice, heavy, "rows twice against rows of weight 2")


def weight_scale(plugin: Plugin) -> None:
    """All weights (and ``min_branch``) times a number grow the same tests."""
    data = tables.mixed()
    plain = tree(plugin, data, min_branch=2)
    heavy = tree(plugin, tables.weighted(data, np.full(data.n_rows, 4.0)), min_branch=8)
    assert_same_tests(plain, heavy, "all weights times 4")


def zero_weight(plugin: Plugin) -> None:
    """Rows of weight 0 change nothing."""
    data = tables.mixed()
    extra = tables.mixed(60, seed=9)
    both = data.take(np.arange(data.n_rows))
    columns = tuple(np.concatenate(pair) for pair in zip(both.columns, extra.columns, strict=True))
    weights = np.append(np.ones(data.n_rows), np.zeros(extra.n_rows))
    assert_same(
        tree(plugin, data), tree(plugin, replace(data, columns=columns, weights=weights)), "rows of weight 0"
    )


def one_class(plugin: Plugin) -> None:
    """Where all cases are of one class, the tree is a leaf."""
    data = tables.mixed()
    place = len(data.columns) - 1
    pure = tables.with_column(data, place, np.ones(data.n_rows, dtype=np.int32))
    assert tree(plugin, pure).n_nodes == 1, "a pure node was split"


def useless_columns(plugin: Plugin) -> None:
    """A column that is constant, or unknown throughout, is never tested."""
    data = tables.mixed()
    useless: dict[int, list[Any]] = {
        0: [np.zeros(data.n_rows), np.full(data.n_rows, np.nan)],
        1: [np.zeros(data.n_rows, dtype=np.int32), np.full(data.n_rows, -1, dtype=np.int32)],
    }
    for place, columns in useless.items():
        for column in columns:
            grown = tree(plugin, tables.with_column(data, place, column))
            assert place not in grown.attribute.tolist(), f"column {place} says nothing and was tested"


def few_rows(plugin: Plugin) -> None:
    """One row, two rows, and rows without any known value grow a tree without complaint."""
    data = tables.mixed()
    for n in (1, 2, 3):
        assert_sound(tree(plugin, data.take(np.arange(n))), f"{n} rows")
    blank = data
    for place in range(len(data.columns) - 1):
        column = data.columns[place]
        unknown = (
            np.full(data.n_rows, np.nan) if column.dtype == np.float64 else np.full(data.n_rows, -1, np.int32)
        )
        blank = tables.with_column(blank, place, unknown)
    assert tree(plugin, blank).n_nodes == 1, "a tree was grown out of unknown values"


def unknown_values(plugin: Plugin) -> None:
    """With unknown values no case is lost, and probabilities are probabilities."""
    data = tables.mixed(unknown=0.2)
    model = fit(plugin, data)
    assert_sound(model.fitted.tree, "unknown values")  # type: ignore[union-attr]
    answer = model.predict_proba(tables.mixed(unknown=0.5, seed=8))
    assert np.isfinite(answer).all(), "a probability is not finite"
    assert ((answer >= 0) & (answer <= 1 + 1e-9)).all(), "a probability lies outside of 0 to 1"
    assert (answer.sum(axis=1) <= 1 + 1e-9).all(), "probabilities sum to more than 1"


def ties(plugin: Plugin) -> None:
    """Of two equal columns the first is tested."""
    data = tables.mixed()
    twins = tables.with_column(data, 2, data.columns[0])
    assert 2 not in tree(plugin, twins).attribute.tolist(), "the second of two equal columns was tested"


def no_memory(plugin: Plugin) -> None:
    """What it was asked before changes nothing: the same data and seed give the same tree."""
    data, other = tables.mixed(unknown=0.1), tables.mixed(90, seed=11, n_classes=2)
    first = tree(plugin, data, seed=4)
    tree(plugin, other, seed=9)
    assert_same(first, tree(plugin, data, seed=4), "the same fit again")


def threads(plugin: Plugin) -> None:
    """Four threads at once grow the trees that one would."""
    data = [tables.mixed(unknown=0.1, seed=seed) for seed in range(4)]
    alone = [tree(plugin, each, seed=7) for each in data]
    found: list[Any] = [None] * 4

    def work(place: int) -> None:
        try:
            found[place] = tree(plugin, data[place], seed=7)
        except BaseException as fault:
            found[place] = fault

    workers = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for one, other in zip(alone, found, strict=True):
        if isinstance(other, BaseException):
            raise AssertionError(f"a thread failed: {other!r}") from other
        assert_same(one, other, "four threads")


def the_gil_is_released(plugin: Plugin) -> None:
    """If it claims to work without the GIL, Python goes on while a tree grows."""
    if not plugin.releases_gil:
        return
    data = tables.mixed(20_000, seed=2)
    compiled = getattr(plugin, "kernel", lambda table: None)(encode(data))
    assert compiled is not None, "it claims to work without the GIL, and works in Python"
    fast = compiled_learner(plugin)
    fast.fit(data)  # columns are encoded once
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        # a growth that holds the lock leaves a step before it and one after; a busy machine may leave none at all
        for _ in range(20):
            if (steps := _steps_meanwhile(lambda: fast.fit(data))) > 5:
                break
    finally:
        sys.setswitchinterval(interval)
    assert steps > 5, f"{steps} steps of Python were made while a tree grew"


def _steps_meanwhile(action: Callable[[], Any]) -> int:
    """How often this thread gets its turn while another one does something."""
    ended = threading.Event()

    def work() -> None:
        action()
        ended.set()

    steps = 0
    threading.Thread(target=work).start()
    while not ended.is_set():
        steps += 1
        time.sleep(1e-5)
    return steps


def specification_is_json(plugin: Plugin) -> None:
    """The record of a fit is JSON, and the tree made again from its arrays predicts the same."""
    data = tables.mixed(unknown=0.1)
    model = fit(plugin, data)
    json.dumps(model.algorithm, allow_nan=False)
    grown = model.fitted.tree  # type: ignore[union-attr]
    again = TreeModel(Tree(**grown.arrays(), metadata=grown.metadata))
    same = np.array_equal(again.predict_proba(encode(data)), model.predict_proba(data))
    assert same, "the tree made again predicts otherwise"


def twins_agree(plugin: Plugin) -> None:
    """Its twin in Python grows the same tree: the one it names, or what it says in Python itself."""
    other = _twin(plugin)
    if other is None:
        return
    for data in (tables.mixed(), tables.mixed(unknown=0.15), tables.mixed(700, seed=3)):
        assert_same(tree(plugin, data), tree(other, data), "its twin in Python")


def _twin(plugin: Plugin) -> Plugin | None:
    """The named twin; else the plugin without its kernel, if it has both that and a method in Python."""
    cls = type(plugin)
    if (named := getattr(cls, "twin", None)) is not None:
        twin: Plugin = named(**plugin.parameters())
        return twin
    base: type[Any] = Splitter if plugin.kind == "splitter" else Criterion
    method = "propose" if plugin.kind == "splitter" else "score"
    if getattr(cls, method) is getattr(base, method) or getattr(cls, "kernel") is base.kernel:  # noqa: B009
        return None
    bare: type[Plugin] = dataclass(frozen=True)(
        type(cls.__name__, (cls,), {"kernel": lambda self, table: None})
    )
    return bare(**plugin.parameters())
