"""A tree as a fragment of a page: an outline that folds, without scripts.

Every test is a ``<details>`` element, so it opens and closes by mouse, finger and keyboard, prints open where
the reader left it open, and works wherever HTML is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np

from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Schema
from treeforge.export.conditions import one_line, words
from treeforge.export.nodes import Node, nodes, number_of
from treeforge.export.numbers import weka_weight
from treeforge.export.palette import colour
from treeforge.export.rules import to_rules
from treeforge.export.subject import Subject, subject

#: Browsers flatten what is nested deeper than some 500 elements.
DEEPEST = 200
#: Nodes that a notebook shows: some two megabytes of page.
NOTEBOOK = 5000

_STYLE = (
    "<style>.tf-outline{font:14px/1.6 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;overflow-x:auto}"
    ".tf-outline details,.tf-outline .tf-leaf{margin-left:1.1em;white-space:nowrap}"
    ".tf-outline summary{cursor:pointer;margin-left:-1.1em}"
    ".tf-outline summary:focus-visible{outline:2px solid #0072B2}"
    ".tf-outline b{font-weight:600}.tf-outline small{opacity:.7}"
    ".tf-outline .tf-bar{display:inline-flex;width:3.4em;height:.75em;margin:0 .5em;vertical-align:baseline;"
    "outline:1px solid rgba(128,128,128,.5)}</style>"
)


def to_html(
    model: Any, schema: Any = None, *, open_levels: int = 3, style: bool = True, most_nodes: int | None = None
) -> str:
    """The outline of a tree, or of each tree of an ensemble; of rules, the table of them.

    Parameters
    ----------
    open_levels : int
        How many levels are unfolded to begin with.
    style : bool
        False leaves the style sheet out, for a page that holds several trees.
    most_nodes : int, optional
        Of a larger tree the upper levels are shown, of a larger ensemble the first trees; the page says so.
    """
    found = subject(model, schema)
    if isinstance(found.fitted, RuleModel):
        return to_rules(found).to_html()
    parts = [_STYLE] if style else []
    left = sum(tree.n_nodes for tree in found.trees) if most_nodes is None else most_nodes
    for number, tree in enumerate(found.trees, 1):
        if left <= 0:
            rest = len(found.trees) - number + 1
            parts.append(
                f'<div class="tf-outline">… ({rest} more {"trees are" if rest > 1 else "tree is"} left out)</div>'
            )
            break
        label = "Decision tree" if len(found.trees) == 1 else f"Tree {number} of {len(found.trees)}"
        outline = "".join(_outline(tree, found, open_levels, _levels(tree, left)))
        left -= tree.n_nodes
        if len(found.trees) == 1:
            parts.append(f'<div class="tf-outline" role="group" aria-label="{label}">{outline}</div>')
        else:
            counts = f"{tree.n_leaves} leaves, {tree.n_nodes} nodes"
            parts.append(
                f'<div class="tf-outline"><details><summary>{label} <small>{counts}</small></summary>'
                f"{outline}</details></div>"
            )
    return "\n".join(parts) + "\n"


def _levels(tree: Tree, most_nodes: int) -> int:
    """The last level that can be shown: no deeper than browsers take it, and with so many nodes above it."""
    level = [0] * tree.n_nodes
    for node, parent in enumerate(tree.parent.tolist()[1:], 1):
        level[node] = level[parent] + 1
    shown = np.cumsum(np.bincount(level))
    return min(DEEPEST, max(0, int(np.searchsorted(shown, most_nodes, side="right")) - 1))


def _outline(tree: Tree, found: Subject, open_levels: int, deepest: int) -> Iterator[str]:
    unfolded = 0  # details elements that are open so far
    schema = found.schema
    for node in nodes(tree, schema, found.bounds):
        if node.level > deepest:
            continue
        while unfolded > node.level:
            yield "</details>"
            unfolded -= 1
        branch = ""
        if node.condition is not None:
            above = schema.inputs[node.condition.attribute]
            told = words(node.condition, above, number_of(above))
            exact = f' title="{escape(node.branch)}"' if told != node.branch else ""
            branch = f"<span{exact}>{escape(told)}</span>: "
        if node.is_leaf:
            yield f'<div class="tf-leaf">{branch}{_bar(node, schema)}<b>{escape(node.title)}</b> {_cases(node)}</div>'
        elif node.level == deepest:
            yield f'<div class="tf-leaf">{branch}<b>{escape(node.title)}</b>? … (deeper levels are left out)</div>'
        else:
            opened = " open" if node.level < open_levels else ""
            yield (
                f"<details{opened}><summary>{branch}{_bar(node, schema)}<b>{escape(node.title)}</b>? "
                f"{_cases(node)}</summary>"
            )
            unfolded += 1
    yield "</details>" * unfolded


def _cases(node: Node) -> str:
    return f"<small>({escape(node.cases)})</small>"


def _bar(node: Node, schema: Schema) -> str:
    """The classes of the node's training cases, side by side; what they are is in the tooltip and for readers."""
    if node.weight < 1e-6:
        return '<span class="tf-bar" title="no training cases"></span>'
    parts, said = [], []
    for code, weight in enumerate(node.distribution):
        if weight > 0:
            parts.append(
                f'<span style="width:{100 * weight / node.weight:.1f}%;background:{colour(code)}"></span>'
            )
            said.append(f"{weka_weight(weight)} {one_line(schema.classes[code])}")
    told = escape(", ".join(said[:8]) + (" ..." if len(said) > 8 else ""))
    return f'<span class="tf-bar" role="img" title="{told}" aria-label="{told}">{"".join(parts)}</span>'
