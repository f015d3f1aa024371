"""Groups of a critical-difference diagram are what the verdicts say, and each gets a bar of its own."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from treeforge.compare import bars, groups

NAMES = "ABCDEF"


@settings(max_examples=200, deadline=None)
@given(st.sets(st.sampled_from(list(combinations(NAMES, 2)))))
def test_groups_are_the_largest_sets_without_a_difference(alike: set[tuple[str, str]]) -> None:
    def clique(names: tuple[str, ...]) -> bool:
        return all(pair in alike for pair in combinations(names, 2))

    cliques = [set(c) for size in range(2, 7) for c in combinations(NAMES, size) if clique(c)]
    largest = {tuple(sorted(c)) for c in cliques if not any(c < other for other in cliques)}
    assert set(groups(NAMES, alike)) == largest


def test_an_untested_pair_joins_nothing() -> None:
    assert groups("AB", []) == ()


def test_case_s08_overlapping_groups_are_two_bars(shared: Path) -> None:
    case = json.loads((shared / "cases/S08_groups.json").read_text())
    alike = [pair for group in case["not_different"] for pair in combinations(group, 2)]
    by_rank = sorted(case["ranks"], key=case["ranks"].get)
    found = groups(by_rank, alike)
    assert {frozenset(group) for group in found} == {frozenset(group) for group in case["not_different"]}
    one, two = bars(found, case["ranks"])
    assert (one.start, one.stop, two.start, two.stop) == (1.0, 3.1, 2.6, 5.2)
    assert one.level != two.level
