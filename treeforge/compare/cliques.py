"""Groups of algorithms that were not found to differ: the bars of a critical-difference diagram.

A bar says "no difference was found between any two of these". So a group is a largest set of algorithms in
which every pair was tested and not told apart (a maximal clique of that graph), taken from the verdicts
themselves. Two groups that share a range of mean ranks, or members, stay two bars: joining them would claim
the opposite of the test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


def groups(algorithms: Sequence[str], alike: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The largest sets of two or more algorithms whose pairs are all in ``alike``.

    Members, and groups by their first members, stand in the order of ``algorithms`` (best mean rank first
    is usual).

    Examples
    --------
    >>> groups("ABCD", [("A", "B"), ("B", "C"), ("C", "A"), ("C", "D")])
    (('A', 'B', 'C'), ('C', 'D'))
    """
    near: dict[str, set[str]] = {name: set() for name in algorithms}
    for one, other in alike:
        near[one].add(other)
        near[other].add(one)
    place = {name: i for i, name in enumerate(algorithms)}
    found = []
    # Bron and Kerbosch (1973) with a pivot, on an explicit stack: (clique, candidates, already done)
    stack = [(frozenset[str](), frozenset(algorithms), frozenset[str]())]
    while stack:
        clique, candidates, done = stack.pop()
        if not candidates and not done:
            if len(clique) > 1:
                found.append(tuple(sorted(clique, key=place.__getitem__)))
            continue
        pivot = max(
            sorted(candidates | done, key=place.__getitem__), key=lambda name: len(near[name] & candidates)
        )
        for name in sorted(candidates - near[pivot], key=place.__getitem__):
            stack.append((clique | {name}, candidates & near[name], done & near[name]))
            candidates, done = candidates - {name}, done | {name}
    return tuple(sorted(found, key=lambda group: [place[name] for name in group]))


@dataclass(frozen=True)
class Bar:
    """A group on paper: from its best to its worst mean rank, at a height of its own.

    Other algorithms may have a mean rank in between without belonging to it, so members want a mark on the
    bar.
    """

    members: tuple[str, ...]
    start: float
    stop: float
    level: int


def bars(found: Iterable[tuple[str, ...]], ranks: Mapping[str, float], gap: float = 0.05) -> tuple[Bar, ...]:
    """Heights for the groups, from 0; two bars whose ranges touch (or nearly, by ``gap``) never share one.

    Examples
    --------
    >>> [bar.level for bar in bars([("a", "b"), ("c", "d")], {"a": 1.0, "b": 2.5, "c": 2.0, "d": 4.0})]
    [0, 1]
    """
    laid: list[Bar] = []
    for start, stop, members in sorted(
        (min(ranks[m] for m in group), max(ranks[m] for m in group), group) for group in found
    ):
        taken = {bar.level for bar in laid if bar.stop + gap >= start and stop + gap >= bar.start}
        laid.append(Bar(members, start, stop, min(set(range(len(taken) + 1)) - taken)))
    return tuple(laid)
