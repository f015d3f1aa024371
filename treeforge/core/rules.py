"""Rules: tests that must all hold, and the class that is then said.

A rule's test has the form of a node's (``Tree``): cuts make cells, and each cell is admitted or not; the cells of
a nominal attribute are its categories. An unknown value passes no test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.table import Table

if TYPE_CHECKING:
    from treeforge.core.predict import Source
    from treeforge.core.tree import Tree


@dataclass(frozen=True)
class CellTest:
    """A test of one attribute.

    Parameters
    ----------
    attribute : int
        Place among the inputs.
    cuts : tuple of float, or None
        Ascending; k cuts make k + 1 cells. None for a nominal attribute.
    admitted : tuple of bool
        For each cell whether its values pass.
    closed_left : bool
        True: a value equal to a cut belongs to the cell above it; False: to the one below.
    """

    attribute: int
    cuts: tuple[float, ...] | None
    admitted: tuple[bool, ...]
    closed_left: bool = False

    @property
    def is_nominal(self) -> bool:
        return self.cuts is None

    def passed(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which values (codes, or numbers) pass, [n]; unknown ones do not."""
        if self.cuts is None:
            known = (values >= 0) & (values < len(self.admitted))
            codes = np.where(known, values, len(self.admitted)).astype(np.int64)
            inside: NDArray[np.bool_] = np.array((*self.admitted, False))[codes]
            return inside
        if (
            len(self.cuts) == 1 and self.admitted[0] != self.admitted[1]
        ):  # nearly all tests; five times as fast
            cut = self.cuts[0]
            if self.admitted[0]:
                below: NDArray[np.bool_] = values < cut if self.closed_left else values <= cut
                return below
            above: NDArray[np.bool_] = values >= cut if self.closed_left else values > cut
            return above
        cells = np.searchsorted(self.cuts, values, side="right" if self.closed_left else "left")
        passed: NDArray[np.bool_] = np.array(self.admitted)[cells] & ~np.isnan(values)
        return passed


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules as flat arrays, in order; ``start[r]:start[r + 1]`` are the tests of rule r.

    classes     int32 [n_rules]       the class that each says
    start       int32 [n_rules + 1]
    attribute   int32 [n_tests]       input tested
    nominal     uint8 [n_tests]       1: the cells are categories
    closed_left uint8 [n_tests]
    cut_start   int32 [n_tests + 1]   cuts[cut_start[i]:cut_start[i + 1]] are test i's
    cell_start  int32 [n_tests + 1]   admitted[cell_start[i]:cell_start[i + 1]] are test i's
    cuts        float64
    admitted    uint8
    """

    classes: NDArray[np.int32]
    start: NDArray[np.int32]
    attribute: NDArray[np.int32]
    nominal: NDArray[np.uint8]
    closed_left: NDArray[np.uint8]
    cut_start: NDArray[np.int32]
    cell_start: NDArray[np.int32]
    cuts: NDArray[np.float64]
    admitted: NDArray[np.uint8]

    @staticmethod
    def of(tests: Iterable[Sequence[CellTest]], classes: Sequence[int]) -> Rules:
        """Rules from the tests of each, and their classes."""
        listed = [list(of_rule) for of_rule in tests]
        flat = [test for of_rule in listed for test in of_rule]
        cuts = [test.cuts or () for test in flat]
        return Rules(
            classes=np.array(classes, dtype=np.int32),
            start=starts(len(of_rule) for of_rule in listed),
            attribute=np.array([test.attribute for test in flat], dtype=np.int32),
            nominal=np.array([test.is_nominal for test in flat], dtype=np.uint8),
            closed_left=np.array([test.closed_left for test in flat], dtype=np.uint8),
            cut_start=starts(map(len, cuts)),
            cell_start=starts(len(test.admitted) for test in flat),
            cuts=np.array([cut for of_test in cuts for cut in of_test], dtype=np.float64),
            admitted=np.array([cell for test in flat for cell in test.admitted], dtype=np.uint8),
        )

    @property
    def n_rules(self) -> int:
        return len(self.classes)

    @property
    def n_tests(self) -> int:
        return len(self.attribute)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def tests(self, rule: int) -> list[CellTest]:
        """The tests of one rule."""
        return [self._test(i) for i in range(int(self.start[rule]), int(self.start[rule + 1]))]

    def _test(self, i: int) -> CellTest:
        cuts = tuple(self.cuts[self.cut_start[i] : self.cut_start[i + 1]].tolist())
        cells = self.admitted[self.cell_start[i] : self.cell_start[i + 1]].astype(bool).tolist()
        return CellTest(
            int(self.attribute[i]), None if self.nominal[i] else cuts, tuple(cells), bool(self.closed_left[i])
        )

    @cached_property
    def _used(self) -> NDArray[np.int64]:
        """The inputs that some rule tests, ascending."""
        return np.unique(self.attribute).astype(np.int64)

    @cached_property
    def _column(self) -> NDArray[np.int32]:
        """For each test the column of ``matrix`` that it reads, [n_tests]."""
        return np.searchsorted(self._used, self.attribute).astype(np.int32)

    def matrix(self, source: Source, rows: NDArray[np.int32] | None = None) -> NDArray[np.float64]:
        """The values of the inputs that are tested, [n, n_used]; a category as its code, unknown NaN or -1."""
        if isinstance(source, Table):
            n_rows = source.n_rows if rows is None else len(rows)
            found = np.empty((n_rows, len(self._used)))
            for place, attribute in enumerate(self._used.tolist()):
                column = source.columns[attribute]
                found[:, place] = column if rows is None else column[rows]
            return found
        picked = source[:, self._used] if rows is None else source[np.ix_(rows, self._used)]
        return np.ascontiguousarray(picked)

    def first(self, source: Source, rows: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """The first rule of which all tests hold, [n]; ``n_rules`` where there is none."""
        from treeforge.core.match import first_rule

        return first_rule(self, self._column, self.matrix(source, rows))

    def count(
        self,
        source: Source,
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
        n_classes: int,
        rows: NDArray[np.int32] | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Class weights of the cases that each rule covers, and of those that it is the first to cover.

        Parameters
        ----------
        classes, weights : ndarray, [n]
            Of the cases counted; those of class -1 are left out.

        Returns
        -------
        covered : ndarray, [n_rules, n_classes]
        decided : ndarray, [n_rules + 1, n_classes]
            The last row has the cases that no rule covers.
        """
        from treeforge.core.match import count_rules

        return count_rules(self, self._column, self.matrix(source, rows), classes, weights, n_classes)

    def with_cuts(self, cuts: Sequence[NDArray[np.float64] | None]) -> Rules:
        """A copy whose tests of a discretised input, now nominal, have the cuts of that input."""
        found = [
            [_with_cuts(test, cuts[test.attribute]) for test in self.tests(r)] for r in range(self.n_rules)
        ]
        return Rules.of(found, self.classes.tolist())


def _with_cuts(test: CellTest, cuts: NDArray[np.float64] | None) -> CellTest:
    return test if cuts is None else CellTest(test.attribute, tuple(cuts.tolist()), test.admitted)


def starts(sizes: Iterable[int]) -> NDArray[np.int32]:
    """Where each of several stretches begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))]).astype(np.int32)


def branch_tests(tree: Tree, node: int, nominal: bool) -> list[CellTest]:
    """The test of each branch of a node, in branch order."""
    cells = tree.branch_of[tree.cell_start[node] : tree.cell_start[node + 1]]
    cuts = None if nominal else tuple(tree.cuts[tree.cut_start[node] : tree.cut_start[node + 1]].tolist())
    place, closed = int(tree.attribute[node]), bool(tree.closed_left[node])
    return [
        CellTest(place, cuts, tuple((cells == branch).tolist()), closed)
        for branch in range(int(tree.n_branches[node]))
    ]


def both(one: CellTest, other: CellTest) -> CellTest:
    """The test that a value passes if it passes both, which are of the same attribute and closed on one side."""
    if one.cuts is None or other.cuts is None:
        size = max(len(one.admitted), len(other.admitted))
        pairs = zip(_padded(one.admitted, size), _padded(other.admitted, size), strict=True)
        return CellTest(one.attribute, None, tuple(a and b for a, b in pairs))
    cuts = sorted({*one.cuts, *other.cuts})
    # the cell between two neighbouring cuts lies within one cell of either test
    first = [one.admitted[cell] for cell in _cells_within(one.cuts, cuts)]
    second = [other.admitted[cell] for cell in _cells_within(other.cuts, cuts)]
    kept, admitted = [], [first[0] and second[0]]
    for cut, a, b in zip(cuts, first[1:], second[1:], strict=True):
        if (a and b) != admitted[-1]:  # a cut between cells of the same answer says nothing
            kept.append(cut)
            admitted.append(a and b)
    return CellTest(one.attribute, tuple(kept), tuple(admitted), one.closed_left)


def _padded(cells: tuple[bool, ...], size: int) -> tuple[bool, ...]:
    return cells + (False,) * (size - len(cells))


def _cells_within(cuts: tuple[float, ...], finer: list[float]) -> list[int]:
    """For each cell of the finer cuts the cell of the coarser ones that it lies in."""
    return [0, *(np.searchsorted(cuts, finer, side="right").tolist())]


def leaf_rules(tree: Tree, nominal: Sequence[bool]) -> Iterator[tuple[int, list[CellTest]]]:
    """Every leaf with the tests on the path to it, depth first in branch order."""
    first_child, attribute = tree.first_child.tolist(), tree.attribute.tolist()
    waiting: list[tuple[int, tuple[Any, ...]]] = [
        (0, ())
    ]  # a path is (path above, test), shared by all below
    while waiting:
        node, path = waiting.pop()
        if attribute[node] < 0:
            yield node, _unrolled(path)
            continue
        below = branch_tests(tree, node, nominal[attribute[node]])
        for branch in range(len(below) - 1, -1, -1):
            waiting.append((first_child[node] + branch, (path, below[branch])))


def _unrolled(path: tuple[Any, ...]) -> list[CellTest]:
    found = []
    while path:
        path, test = path
        found.append(test)
    return found[::-1]
