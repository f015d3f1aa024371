"""A tree in the language of Graphviz."""

from __future__ import annotations

import re
from typing import Any

from treeforge.export.flat import single_tree
from treeforge.export.nodes import nodes
from treeforge.export.palette import colour, ink


def to_dot(model: Any, schema: Any = None) -> str:
    """A directed graph: attributes in boxes, classes in their colours, branches as thick as their cases."""
    found = single_tree(model, schema, "DOT", soft=True)
    total = max(float(found.tree.weight[0]), 1e-300)
    lines = [
        "digraph tree {",
        '    graph [rankdir=TB, bgcolor="transparent"];',
        '    node [shape=box, style="rounded,filled", fillcolor="#F4F4F4", fontname="Helvetica"];',
        '    edge [fontname="Helvetica", fontsize=11, arrowhead=none, color="#888888"];',
    ]
    for node in nodes(found.tree, found.schema, found.bounds):
        if node.is_leaf:
            fill = colour(node.class_code)
            looks = f', fillcolor="{fill}", fontcolor="{ink(fill)}"'
            label = f"{node.title}\n({node.cases})"
        else:
            looks, label = "", node.title
        lines.append(f"    n{node.number} [label={_quoted(label)}{looks}];")
        if node.parent >= 0:
            width = 1 + 7 * node.weight / total
            lines.append(
                f"    n{node.parent} -> n{node.number} [label={_quoted(node.short)}, penwidth={width:.2f}];"
            )
    lines.append("}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A label that shows just this text: Graphviz reads backslashes as escapes and resolves ``&name;``."""
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
