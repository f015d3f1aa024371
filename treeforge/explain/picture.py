"""An explanation as a picture: the way through the tree, with what lies beside it in the background."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treeforge.explain.words import answer
from treeforge.export.nodes import nodes
from treeforge.export.svg import drawing

if TYPE_CHECKING:
    from treeforge.explain.explanation import Explanation


def to_svg(found: Explanation) -> str:
    """The paths as SVG; branches are as thick as the part of the case that takes them. Of several trees the first."""
    tree = found.model.trees[0]
    drawn, muted = [], set()
    for node in nodes(tree, found.model.schema, found.model.bounds):
        if node.number not in found.shares and node.parent not in found.shares:
            continue
        share = found.shares.get(node.number, 0.0)
        if share == 0:
            muted.add(node.number)
        if (
            not node.is_leaf and share == 0
        ):  # a branch that the case does not take: what is below it is not drawn
            node = replace(node, is_leaf=True, title=f"{node.title}? …")
        drawn.append((node, share))
    which = f", tree 1 of {found.n_trees}" if found.n_trees > 1 else ""
    return drawing(
        [node for node, _ in drawn],
        found.classes,
        f"Row {found.row}: {answer(found)}{which}",
        found.to_text(),
        thickness={node.number: share for node, share in drawn},
        muted=frozenset(muted),
    )
