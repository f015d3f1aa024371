"""An explanation as a picture: the way through the tree, with what lies beside it in the background."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treeforge.explain.words import answer
from treeforge.export.conditions import one_line
from treeforge.export.flat import proportions
from treeforge.export.nodes import nodes
from treeforge.export.svg import drawing
from treeforge.learn.costs import decide

if TYPE_CHECKING:
    from treeforge.explain.explanation import Explanation


def to_svg(found: Explanation) -> str:
    """The paths as SVG; branches are as thick as the part of the case that takes them. Of several trees the first."""
    tree = found.model.trees[0]
    drawn, muted = [], set()
    costs = found.model.algorithm.get("cost_matrix")
    # by costs a leaf may say another class than its most frequent one
    says = (
        {}
        if costs is None
        else dict(enumerate(decide(proportions(tree, found.model.laplace), costs).tolist()))
    )
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
        elif node.is_leaf and (code := says.get(node.number, -1)) >= 0:
            node = replace(node, title=one_line(found.classes[code]), class_code=code)
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
