"""A tree as J48 prints it: one line a branch, children below it (c45.md, section 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Schema
from treeforge.export.conditions import conditions, one_line, words
from treeforge.export.numbers import java_double, shortest, weka_number, weka_weight
from treeforge.export.rules import to_rules
from treeforge.export.subject import Bounds, errors, subject

#: Deeper levels are counted instead of drawn: 10,000 levels drawn in full would fill 400 MB.
DRAWN_LEVELS = 200


def to_text(model: Any, schema: Schema | None = None, *, exact: bool = False) -> str:
    """The printed tree, or the printed trees of an ensemble, each below a heading; of rules, the list of them.

    Parameters
    ----------
    model : Model, estimator, TreeModel, VoteModel, RuleModel or Tree
    schema : Schema, optional
        Needed for a model that does not bring its own.
    exact : bool
        Thresholds in the shortest form that restores the double, not rounded to six decimals as Weka does.

    Notes
    -----
    A line reads ``attribute test``, and at a leaf ``: class (weight)`` or ``: class (weight/errors)``. The
    levels above a line are drawn as ``|`` and three blanks each; of more than 200 only their number is printed.
    Bounds of a soft threshold follow it: ``humidity <= 75 [70, 80]``.
    """
    found = subject(model, schema)
    if isinstance(found.fitted, RuleModel):
        return to_rules(found).to_text()
    if len(found.trees) == 1:
        return "\n".join(tree_lines(found.trees[0], found.schema, exact=exact, bounds=found.bounds)) + "\n"
    parts = []
    for number, tree in enumerate(found.trees, 1):
        parts.append(f"tree {number} of {len(found.trees)}\n")
        parts.extend(line + "\n" for line in tree_lines(tree, found.schema, exact=exact))
        parts.append("\n")
    return "".join(parts[:-1])


def tree_lines(
    tree: Tree, schema: Schema, *, exact: bool = False, bounds: Bounds | None = None
) -> Iterator[str]:
    """The lines of one tree, without line ends. ``bounds`` are those of its cuts where thresholds are soft."""
    binary = bool(tree.metadata.get("binary"))  # J48's option B changes how labels and thresholds are written
    number = shortest if exact else java_double if binary else weka_number
    inputs, classes = schema.inputs, schema.classes
    majority, weight, wrong = tree.majority.tolist(), tree.weight.tolist(), errors(tree).tolist()

    def outcome(node: int) -> str:
        text = weka_weight(weight[node])
        if wrong[node] > 1e-6:
            text += "/" + weka_weight(wrong[node])
        return f": {one_line(classes[majority[node]])} ({text})"

    if tree.n_nodes == 1:
        yield outcome(0)
        return
    attribute, first_child = tree.attribute.tolist(), tree.first_child.tolist()
    open_nodes: list[tuple[int, int, str]] = []  # (node, level, its branch in words), the next on top

    def push(node: int, level: int) -> None:
        tested = inputs[attribute[node]]
        for branch, condition in reversed(list(enumerate(conditions(tree, node, tested, bounds)))):
            # with B, branch 0 is one label and branch 1 all the rest
            text = words(condition, tested, number, other=binary and branch == 1)
            open_nodes.append((first_child[node] + branch, level, text))

    push(0, 0)
    while open_nodes:
        node, level, text = open_nodes.pop()
        indent = "|   " * level if level <= DRAWN_LEVELS else f"|   ...({level}) "
        if attribute[node] < 0:
            yield indent + text + outcome(node)
        else:
            yield indent + text
            push(node, level + 1)
