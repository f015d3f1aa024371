"""Kernels that do wrong: the guard says what, and a run without them never knows."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from treeforge.core import declarations, guard
from treeforge.core.capsule import splitter_capsule
from treeforge.errors import PluginError
from treeforge.plugin import Splitter, registry
from treeforge.plugin.checks import check, fitting, rooms, tables

PROPOSE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
INPUT = 2  # a number
MAX_CUTS = 3


class Record:
    """A struct in memory, its fields by name."""

    def __init__(self, name: str, address: int) -> None:
        kind = declarations.record(name)
        raw = (ctypes.c_ubyte * kind.itemsize).from_address(address)
        object.__setattr__(self, "view", np.frombuffer(raw, dtype=kind))

    def __getattr__(self, field: str) -> int:
        return int(self.view[field][0])

    def __setattr__(self, field: str, value: float) -> None:
        self.view[field][0] = value


def doubles(address: int) -> ctypes.Array[ctypes.c_double]:
    return (ctypes.c_double * 100).from_address(address)


def words(address: int) -> ctypes.Array[ctypes.c_int32]:
    return (ctypes.c_int32 * 100).from_address(address)


def threshold(split: Record) -> None:
    """A sound answer: value <= 0, value > 0."""
    split.n_branches, split.n_cuts, split.identity = 2, 1, 1
    split.gain = split.score = 1.0
    doubles(split.cuts)[0] = 0.0


def beyond_cuts(node: Record, split: Record) -> None:
    doubles(split.cuts)[MAX_CUTS] = 1.0


def beyond_cells(node: Record, split: Record) -> None:
    words(split.branch_of)[MAX_CUTS + 1] = 0


def beyond_scratch(node: Record, split: Record) -> None:
    doubles(node.scratch)[4 * node.n_classes] = 1.0


def too_many_cuts(node: Record, split: Record) -> None:
    split.n_cuts = MAX_CUTS + 1


def cuts_that_fall(node: Record, split: Record) -> None:
    split.n_cuts, split.n_branches = 2, 3
    doubles(split.cuts)[0:2] = [1.0, 0.0]


def branches_without_cells(node: Record, split: Record) -> None:
    split.n_branches = 40


def no_such_branch(node: Record, split: Record) -> None:
    split.identity = 0
    words(split.branch_of)[0:2] = [0, 2]


def nothing(node: Record, split: Record) -> None:
    pass


@dataclass(frozen=True)
class Wrong(Splitter):
    """One threshold for a number, and something that it must not do."""

    deed: ClassVar[Callable[[Record, Record], None]]

    def kernel(self, table: object) -> object:
        return splitter_capsule(ctypes.cast(self.called, ctypes.c_void_p).value or 0, 0, MAX_CUTS, False, b"")


def wrong(deed: Callable[[Record, Record], None]) -> Splitter:
    def propose(params: int, node: int, place: int, out: int) -> int:
        split = Record("Split", out)
        if place == INPUT:
            threshold(split)
            deed(Record("Node", node), split)
        return 0

    return dataclass(frozen=True)(type("Wrong", (Wrong,), {"called": PROPOSE(propose)}))()


@pytest.mark.parametrize(
    ("deed", "message"),
    [
        (beyond_cuts, "wrote beyond the room of 'cuts'"),
        (beyond_cells, "wrote beyond the room of 'branch_of'"),
        (beyond_scratch, "wrote beyond 'scratch'"),
        (too_many_cuts, "answered a number of cuts"),
        (cuts_that_fall, "answered cuts that are not finite and ascending"),
        (branches_without_cells, "answered a number of branches"),
        (no_such_branch, "sent a cell to a branch that its split does not have"),
    ],
)
def test_kernel_that_does_wrong_ends_its_own_run_with_one_line(
    deed: Callable[[Record, Record], None], message: str
) -> None:
    data = tables.mixed(60)
    with pytest.raises(PluginError, match=message) as caught:
        fitting.tree(rooms._Guarded(wrong(deed)), data)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(f"(input {INPUT}, from 0)") or deed is beyond_scratch
    assert fitting.tree(registry.create("splitter", "c45"), data).n_nodes > 1


def test_kernel_that_does_right_grows_the_same_tree_under_guard() -> None:
    data, plugin = tables.mixed(60), wrong(nothing)
    watched = fitting.tree(rooms._Guarded(plugin), data, max_depth=1)
    assert watched.n_nodes == 3
    fitting.assert_same(fitting.tree(plugin, data, max_depth=1), watched, "under guard")


def test_contract_says_it_and_tries_nothing_more() -> None:
    last = check(wrong(beyond_cuts))[-1]
    assert (last.check.name, last.status) == ("it_keeps_to_its_rooms", "failed")
    assert "wrote beyond the room of 'cuts'" in last.message


def test_debug_build_guards_every_kernel() -> None:
    if not guard.ALWAYS:
        pytest.skip("a build without TREEFORGE_DEBUG=1 trusts its kernels")
    with pytest.raises(PluginError, match="wrote beyond the room of 'cuts'"):
        fitting.tree(wrong(beyond_cuts), tables.mixed(60))


def test_guard_lets_pass_what_is_no_kernel_of_this_interface() -> None:
    """The loop has the words for it."""
    assert guard.guarded("no capsule") == "no capsule"
