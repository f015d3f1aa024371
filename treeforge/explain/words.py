"""An explanation in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treeforge.explain.values import unseen_lines
from treeforge.export.conditions import one_line
from treeforge.export.numbers import brief
from treeforge.export.rules_text import percent

if TYPE_CHECKING:
    from treeforge.explain.changes import Change
    from treeforge.explain.explanation import Explanation
    from treeforge.explain.votes import Votes
    from treeforge.explain.ways import Path

#: Paths shown of one tree, and inputs asked by several; the rest is summed up.
SHOWN = 12


def to_text(found: Explanation) -> str:
    """The answer, the votes and the paths behind it, and what would change it."""
    lines = [f"row {found.row}: {answer(found)}", *_costs(found), *unseen_lines(found.unseen)]
    if found.votes is not None:
        lines += _vote_lines(found.votes, found.n_trees)
    for tree in sorted(set(found.trees)):
        paths = [p for p, number in zip(found.paths, found.trees, strict=True) if number == tree]
        if found.n_trees > 1:
            lines.append(f"tree {tree} of {found.n_trees}")
        for path in paths[:SHOWN]:
            lines += _path_lines(path, several=len(paths) > 1)
        if len(paths) > SHOWN:
            rest = paths[SHOWN:]
            lines.append(
                f"  {len(rest)} more paths, with {brief(sum(p.share for p in rest))} of the case together"
            )
    untold = "nothing that the model tests" if found.votes is None else "no attribute alone"
    lines += change_lines(found.changes, f"{untold} would change the answer")
    return "\n".join(lines) + "\n"


def _vote_lines(votes: Votes, n_trees: int) -> list[str]:
    """How many trees say what, and which inputs they ask most."""
    equal = all(abs(n / n_trees - share) < 1e-9 for n, share in zip(votes.trees, votes.shares, strict=True))
    said = sorted(zip(votes.shares, votes.trees, votes.classes, strict=True), key=lambda vote: -vote[0])
    told = [
        f"{n} {'says' if n == 1 else 'say'} {one_line(name)}"
        + ("" if equal else f" (weight {percent(share)})")
        for share, n, name in said
        if n
    ]
    if silent := n_trees - sum(votes.trees):
        told.append(f"{silent} cannot say")
    lines = [f"  of {n_trees} trees {', '.join(told)}", "inputs tested most on the way:"]
    for asked in votes.asked[:SHOWN]:
        value = "unknown" if asked.value is None else asked.value
        tests = f"{brief(round(asked.tests, 2))} test{'s' * (asked.tests != 1)}"
        trees = f"{asked.trees} tree{'s' * (asked.trees != 1)}"
        lines.append(f"  {one_line(asked.attribute)} (it is {value}): {tests} in {trees}")
    if len(votes.asked) > SHOWN:
        lines.append(f"  {len(votes.asked) - SHOWN} more inputs")
    return lines if votes.asked else lines[:1]


def change_lines(changes: Sequence[Change], none: str) -> list[str]:
    """What would change the answer, a line each; ``none`` where nothing was found."""
    if not changes:
        return [none]
    lines = ["what would change the answer:"]
    for change in changes:
        text = " and ".join(map(one_line, change.conditions))
        lines.append(f"  {text}: {one_line(change.predicted)} ({brief(round(change.probability, 6))})")
    return lines


def answer(found: Explanation) -> str:
    """The predicted class with all probabilities that are not 0."""
    if found.predicted is None:
        return "the model cannot say"
    likely = sorted(zip(found.probabilities, found.classes, strict=True), key=lambda pair: -pair[0])
    shown = ", ".join(f"{one_line(name)} {brief(round(p, 6))}" for p, name in likely[:6] if p > 0)
    return f"{one_line(found.predicted)} ({shown})"


def _costs(found: Explanation) -> list[str]:
    """Why another class than the most probable one is said."""
    likeliest = found.classes[found.probabilities.index(max(found.probabilities))]
    if found.expected_costs is None or found.predicted in (None, likeliest):
        return []
    cost = dict(zip(found.classes, found.expected_costs, strict=True))
    said, other = (brief(round(cost[name], 6)) for name in (found.predicted, likeliest))
    return [
        f"  {one_line(likeliest)} is more probable, but to say so would cost {other} on average, "
        f"to say {one_line(str(found.predicted))} costs {said}"
    ]


def _path_lines(path: Path, *, several: bool) -> list[str]:
    lines = [f"  {brief(round(path.share, 6))} of the case goes this way:"] if several else []
    for step in path.steps:
        name = one_line(step.attribute)
        value = f"{name} is {step.value}" if step.value is not None else f"{name} is unknown"
        part = brief(round(step.share, 6))
        share = (
            f", {part} of such cases" if step.value is None else f", {part} of it" if step.share < 1 else ""
        )
        lines.append(f"    {step.condition}    ({value}{share})")
    what = "cannot say" if path.predicted is None else one_line(path.predicted)
    lines.append(f"    -> {what} ({path.cases})")
    return lines
