"""A tree as a table: one row a node, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from typing import Any

from treeforge.export.nodes import nodes
from treeforge.export.subject import subject


def to_table(model: Any, schema: Any = None) -> list[dict[str, Any]]:
    """One row a node, depth first, as dictionaries: ``pandas.DataFrame(to_table(tree))`` makes a frame.

    Columns are ``tree`` (from 1), ``node``, ``parent`` (None at the root), ``level``, ``branch`` (the test that
    leads here, in words), ``attribute`` (tested here; None at a leaf), ``class``, ``weight``, ``errors``,
    ``share`` (the part of a case with an unknown value that comes here), and ``weight of NAME`` for each class.
    """
    found = subject(model, schema)
    rows = []
    for number, tree in enumerate(found.trees, 1):
        share = tree.share.tolist()
        for node in nodes(tree, found.schema, found.bounds):
            row = {
                "tree": number,
                "node": node.number,
                "parent": None if node.parent < 0 else node.parent,
                "level": node.level,
                "branch": node.branch,
                "attribute": None if node.is_leaf else found.inputs[int(tree.attribute[node.number])].name,
                "class": found.classes[node.class_code],
                "weight": node.weight,
                "errors": node.errors,
                "share": share[node.number],
            }
            for name, weight in zip(found.classes, node.distribution, strict=True):
                row[f"weight of {name}"] = weight
            rows.append(row)
    return rows


def to_csv(model: Any, schema: Any = None) -> str:
    """The table as CSV with a heading; None is an empty field."""
    rows = to_table(model, schema)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
