"""Kernels that do wrong: the guard says what, and a run without them never knows."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from treeforge.core import declarations, guard
from treeforge.core.capsule import splitter_capsule
from treeforge.errors import PluginError
from treeforge.plugin import Splitter, registry
from treeforge.plugin.checks import check, fitting, rooms, tables

PROPOSE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
PROPOSE_ALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
TABULATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
SCORE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
JUDGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
INPUT = 2  # a number
MAX_CUTS = 3
ELSEWHERE = (ctypes.c_double * 8)()
TOO_MANY_CUTS = "answered a number of cuts that is not 0 to max_cuts for a number, 0 for a category"
NO_SUCH_BRANCH = "sent a cell to a branch that its split does not have"


class Record:
    """A struct in memory, its fields by name."""

    def __init__(self, name: str, address: int) -> None:
        kind = declarations.record(name)
        raw = (ctypes.c_ubyte * kind.itemsize).from_address(address)
        object.__setattr__(self, "view", np.frombuffer(raw, dtype=kind))
        object.__setattr__(self, "address", address)

    def __getattr__(self, field: str) -> int:
        return int(self.view[field][0])

    def __setattr__(self, field: str, value: float) -> None:
        self.view[field][0] = value


Deed = Callable[[Record, Record], None]


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


def cut_that_is_unknown(node: Record, split: Record) -> None:
    doubles(split.cuts)[0] = math.nan


def infinite_cuts(node: Record, split: Record) -> None:
    """Right: a column may have infinite values, and so may midpoints."""
    split.n_cuts, split.n_branches = 3, 4
    doubles(split.cuts)[0:3] = [-math.inf, 0.0, math.inf]


def no_such_branch(node: Record, split: Record) -> None:
    split.identity = 0
    words(split.branch_of)[0:2] = [0, 2]


def other_cuts(node: Record, split: Record) -> None:
    split.cuts = ctypes.addressof(ELSEWHERE)


def other_cells(node: Record, split: Record) -> None:
    split.branch_of = ctypes.addressof(ELSEWHERE)


def tabulated_astray(node: Record, split: Record) -> None:
    no_such_branch(node, split)
    TABULATE(node.tabulate)(node.address, INPUT, None, split.address)


def scored_astray(node: Record, split: Record) -> None:
    too_many_cuts(node, split)
    SCORE(node.score)(node.address, INPUT, split.address)


def judged_beyond_the_table(node: Record, split: Record) -> None:
    TABULATE(node.tabulate)(node.address, INPUT, None, split.address)
    split.n_branches = 1_000_000
    JUDGE(node.judge)(node.address, split.address)


def judged_before_it_was_tabulated(node: Record, split: Record) -> None:
    JUDGE(node.judge)(node.address, split.address)


def two_faults(node: Record, split: Record) -> None:
    beyond_scratch(node, split)
    tabulated_astray(node, split)


def scored(node: Record, split: Record) -> None:
    SCORE(node.score)(node.address, INPUT, split.address)


def tabulated_and_judged(node: Record, split: Record) -> None:
    TABULATE(node.tabulate)(node.address, INPUT, None, split.address)
    JUDGE(node.judge)(node.address, split.address)


def nothing(node: Record, split: Record) -> None:
    pass


@dataclass(frozen=True)
class Wrong(Splitter):
    """One threshold for a number, and something that it must not do; for each input, or for all in one call."""

    propose_one: ClassVar[Any]
    propose_all: ClassVar[Any]
    at_once: bool

    def kernel(self, table: object) -> object:
        one, several = (
            ctypes.cast(f, ctypes.c_void_p).value or 0 for f in (self.propose_one, self.propose_all)
        )
        return splitter_capsule(one, several if self.at_once else 0, MAX_CUTS, False, b"")


def wrong(deed: Deed, *, at_once: bool = False) -> Splitter:
    def answer(node: int, out: int) -> None:
        split = Record("Split", out)
        threshold(split)
        deed(Record("Node", node), split)

    def propose_one(params: int, node: int, place: int, out: int) -> int:
        if place == INPUT:
            answer(node, out)
        return 0

    def propose_all(params: int, node: int, outs: int) -> int:
        if INPUT in candidates(Record("Node", node)):
            answer(node, outs + INPUT * declarations.record("Split").itemsize)
        return 0

    functions = {"propose_one": PROPOSE(propose_one), "propose_all": PROPOSE_ALL(propose_all)}
    return dataclass(frozen=True)(type("Wrong", (Wrong,), functions))(at_once)


def candidates(node: Record) -> list[int]:
    return words(node.candidates)[: node.n_candidates]


@pytest.mark.parametrize("at_once", [False, True], ids=["propose", "propose_all"])
@pytest.mark.parametrize(
    ("deed", "message"),
    [
        (beyond_cuts, "wrote beyond the room of 'cuts', which has the max_cuts that it asked for"),
        (beyond_cells, "wrote beyond the room of 'branch_of', one place a cell"),
        (beyond_scratch, "wrote beyond 'scratch', which is [4, n_classes]"),
        (too_many_cuts, TOO_MANY_CUTS),
        (cuts_that_fall, "answered cuts that do not ascend"),
        (cut_that_is_unknown, "answered cuts that do not ascend"),
        (branches_without_cells, "answered a number of branches that its cells cannot fill"),
        (no_such_branch, NO_SUCH_BRANCH),
        (other_cuts, "put other memory in the place of 'cuts' or 'branch_of'"),
        (other_cells, "put other memory in the place of 'cuts' or 'branch_of'"),
        (tabulated_astray, NO_SUCH_BRANCH),
        (scored_astray, TOO_MANY_CUTS),
        (judged_beyond_the_table, "had more branches judged than it had tabulated"),
        (judged_before_it_was_tabulated, "had more branches judged than it had tabulated"),
        (two_faults, NO_SUCH_BRANCH),
    ],
)
def test_kernel_that_does_wrong_ends_its_own_run_with_one_line(
    deed: Deed, message: str, at_once: bool
) -> None:
    data = tables.mixed(60)
    nobody_knows = at_once and deed in (
        beyond_scratch,
        judged_beyond_the_table,
        judged_before_it_was_tabulated,
    )
    where = "" if nobody_knows else f" (input {INPUT}, from 0)"
    with pytest.raises(PluginError) as caught:
        fitting.tree(rooms._Guarded(wrong(deed, at_once=at_once)), data)
    assert str(caught.value) == f"the splitter's kernel {message}{where}"
    assert fitting.tree(registry.create("splitter", "c45"), data).n_nodes > 1


def test_answer_for_an_input_that_is_no_candidate_is_refused_and_harms_nobody() -> None:
    """An answer that another input gave before, or gives in another thread, would be lost."""

    def answer_for_first(node: Record, split: Record) -> None:
        threshold(Record("Split", split.address - INPUT * declarations.record("Split").itemsize))

    with pytest.raises(PluginError, match=r"answered for an input that was no candidate \(input 0, from 0\)"):
        fitting.tree(
            rooms._Guarded(wrong(answer_for_first, at_once=True)), tables.mixed(60), max_attributes=1
        )


@pytest.mark.parametrize("at_once", [False, True], ids=["propose", "propose_all"])
@pytest.mark.parametrize("deed", [nothing, infinite_cuts, scored, tabulated_and_judged])
def test_kernel_that_does_right_grows_the_same_tree_under_guard(deed: Deed, at_once: bool) -> None:
    data, plugin = tables.mixed(60), wrong(deed, at_once=at_once)
    watched = fitting.tree(rooms._Guarded(plugin), data, max_depth=1)
    assert watched.n_nodes == (5 if deed is infinite_cuts else 3)
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
