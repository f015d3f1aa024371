"""A tree as a query: class and probabilities of every row of a table, unknown (NULL) values included.

Three forms, all in SQL that SQLite, DuckDB, PostgreSQL and others share:

``case``
    One expression a class: at each test ``share * (left) + share * (right)``, where the share is 1 or 0 for a
    known value and the trained share for NULL or a category never seen. Nothing is written twice, so the query
    is as long as the tree; databases limit how deep an expression may be.
``cte``
    The tree as rows, walked by a recursive common table expression. Any depth, any size.
``plain``
    The nested CASE that people read. A row that meets an unknown value gets NULL: this form cannot express the
    shares, and says so instead of guessing.

Sums are added in another order than ``predict`` adds them: probabilities agree to about 15 digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal

from treeforge.core.tree import Tree
from treeforge.data import Attribute
from treeforge.errors import ModelError
from treeforge.export.conditions import Condition, conditions
from treeforge.export.flat import can_answer, proportions, single_tree
from treeforge.export.sql_words import commas, double, literal, most_probable, probability, quoted, threshold
from treeforge.export.subject import Subject

#: SQLite and DuckDB refuse expressions that are 1000 levels deep.
DEEPEST = 900

Form = Literal["case", "cte", "plain"]


def to_sql(model: Any, schema: Any = None, *, table: str = "data", form: Form = "case") -> str:
    """A SELECT that gives all columns of ``table``, ``prediction``, and (not ``plain``) ``probability of CLASS``."""
    found = single_tree(model, schema, "SQL")
    forms: dict[str, Callable[[Subject, str], str]] = {"case": _case, "cte": _cte, "plain": _plain}
    if form not in forms:
        raise ModelError(f"there is no SQL form '{form}' (forms: {', '.join(forms)})")
    return forms[form](found, quoted(table))


# one expression a class


def _case(found: Subject, table: str) -> str:
    classes = found.classes
    terms = [
        f"    ({text}) AS {probability(c)}" for c, text in zip(classes, _class_terms(found), strict=True)
    ]
    return (
        f"SELECT p.*,\n{most_probable(classes, 'p.')} AS {quoted('prediction')}\n"
        f"FROM (\n  SELECT d.*,\n{commas(terms)}\n  FROM {table} AS d\n) AS p\n"
    )


def _class_terms(found: Subject) -> list[str]:
    """The probability of each class as an expression, built from the leaves up."""
    tree, answers = found.tree, proportions(found.tree, found.laplace)
    terms: list[list[str] | None] = [None] * tree.n_nodes  # a term a class, '' where it is 0
    depth = [0] * tree.n_nodes
    for node in range(tree.n_nodes - 1, -1, -1):
        own = ["" if p == 0 else double(p) for p in answers[node].tolist()]
        if tree.attribute[node] < 0:
            terms[node] = own
            continue
        sums: list[list[str]] = [[] for _ in found.classes]
        attribute = found.inputs[int(tree.attribute[node])]
        for branch, condition in enumerate(conditions(tree, node, attribute)):
            child = int(tree.first_child[node]) + branch
            share = 0.0 if tree.empty[child] else float(tree.share[child])
            part = _part(condition, attribute, share)
            below = terms[child]
            assert below is not None, "children come after their parent"
            terms[child] = None  # each is used once: texts of a large tree are not kept
            for code, term in enumerate(own if tree.empty[child] else below):
                if term:
                    sums[code].append(f"{part} * {term}" if term[0].isdigit() else f"{part} * ({term})")
            depth[node] = max(depth[node], depth[child] + 3 + branch)
        terms[node] = [" + ".join(parts) for parts in sums]
    if depth[0] > DEEPEST:
        raise ModelError(
            f"the tree is too deep ({tree.depth} levels) for one SQL expression: use the form 'cte'"
        )
    top = terms[0]
    assert top is not None
    return [term or "0.0e0" for term in top]


def _part(condition: Condition, attribute: Attribute, share: float) -> str:
    """Which part of a row takes a branch: 1, 0, or the share where the value is unknown."""
    column, weight = f"d.{quoted(attribute.name)}", double(share)
    if condition.categories is None:
        return f"(CASE WHEN {column} IS NULL THEN {weight} WHEN {_holds(condition, column)} THEN 1.0e0 ELSE 0.0e0 END)"
    others = Condition(condition.attribute, condition.others)
    rest = f" WHEN {_holds(others, column, attribute)} THEN 0.0e0" if condition.others else ""
    return f"(CASE WHEN {_holds(condition, column, attribute)} THEN 1.0e0{rest} ELSE {weight} END)"


def _holds(condition: Condition, column: str, attribute: Attribute | None = None) -> str:
    """The condition as SQL; false or unknown for NULL."""
    if condition.categories is not None:
        assert attribute is not None
        labels = [literal(attribute.categories[code]) for code in condition.categories]
        return f"{column} = {labels[0]}" if len(labels) == 1 else f"{column} IN ({', '.join(labels)})"
    below, above = ("<", ">=") if condition.closed_left else ("<=", ">")
    parts = []
    for low, high in condition.intervals:
        ends = [f"{column} {above} {threshold(low)}"] if low > -math.inf else []
        ends += [f"{column} {below} {threshold(high)}"] if high < math.inf else []
        parts.append(" AND ".join(ends) or f"{column} IS NOT NULL")
    return parts[0] if len(parts) == 1 else "(" + " OR ".join(f"({part})" for part in parts) + ")"


# the tree as rows


def _cte(found: Subject, table: str) -> str:
    tree, classes = found.tree, found.classes
    if tree.n_nodes == 1:  # nothing to walk
        return _case(found, table)
    tested = sorted({int(a) for a in tree.attribute.tolist() if a >= 0})
    if len(tested) > 500:
        raise ModelError(
            f"the tree tests {len(tested)} attributes, more than the 500 that a UNION may have in SQLite"
        )
    codes = [
        f"({place}, {code}, {literal(label)})"
        for place in tested
        for code, label in enumerate(found.inputs[place].categories)
    ]
    codes = codes or ["(-1, -1, '')"]
    facts = "\n    UNION ALL ".join(_fact(place, found.inputs[place]) for place in tested)
    needed = can_answer(tree)
    rows = proportions(tree, found.laplace).tolist()
    answers = [f"({-1 - i}, {', '.join(double(p) for p in row)})" for i, row in enumerate(rows) if needed[i]]
    names = [f"p{code}" for code in range(len(classes))]
    sums = [f"    SUM(w.part * a.{n}) AS {probability(c)}" for n, c in zip(names, classes, strict=True)]
    return f"""WITH RECURSIVE
  cases AS (SELECT row_number() OVER () AS {quoted("case number")}, d.* FROM {table} AS d),
  labels(input, code, label) AS (VALUES
    {commas(codes, 4)}),
  facts(item, input, code, number) AS (
    {facts}),
  -- a step from a node: for a code, or for numbers within the ends that are not NULL; code -1 is unknown
  steps(node, input, code, above, at_least, at_most, below, child, share) AS (VALUES
    {commas(list(_steps(found)), 4)}),
  answers(node, {", ".join(names)}) AS (VALUES
    {commas(answers, 4)}),
  walk(item, node, part) AS (
    SELECT {quoted("case number")}, 0, 1.0e0 FROM cases
    UNION ALL
    SELECT w.item, s.child, w.part * s.share
    FROM walk AS w
    JOIN steps AS s ON s.node = w.node
    JOIN facts AS f ON f.item = w.item AND f.input = s.input
    WHERE f.code = s.code
      AND (s.above IS NULL OR f.number > s.above) AND (s.at_least IS NULL OR f.number >= s.at_least)
      AND (s.at_most IS NULL OR f.number <= s.at_most) AND (s.below IS NULL OR f.number < s.below)),
  sums AS (
    SELECT w.item,
{commas(sums)}
    FROM walk AS w JOIN answers AS a ON a.node = w.node
    GROUP BY w.item)
SELECT c.*, {", ".join("s." + probability(c) for c in classes)},
{most_probable(classes, "s.")} AS {quoted("prediction")}
FROM cases AS c JOIN sums AS s ON s.item = c.{quoted("case number")}
"""


def _fact(place: int, attribute: Attribute) -> str:
    """One input of every case: its code (-1 unknown; 0 for a known number) and its number."""
    number, column = quoted("case number"), f"c.{quoted(attribute.name)}"
    if attribute.is_nominal:
        return (
            f"SELECT c.{number}, {place}, COALESCE(l.code, -1), 0.0e0 FROM cases AS c "
            f"LEFT JOIN labels AS l ON l.input = {place} AND l.label = {column}"
        )
    return (
        f"SELECT c.{number}, {place}, CASE WHEN {column} IS NULL THEN -1 ELSE 0 END, {column} FROM cases AS c"
    )


def _steps(found: Subject) -> Iterator[str]:
    """All steps; a child of -1 - node is the answer of that node, where the walk ends."""
    tree = found.tree
    for node in range(tree.n_nodes):
        if tree.attribute[node] < 0:
            continue
        place = int(tree.attribute[node])
        attribute = found.inputs[place]
        unknown = [-1]
        if attribute.is_nominal:  # categories that the test does not know
            unknown += range(
                int(tree.cell_start[node + 1] - tree.cell_start[node]), len(attribute.categories)
            )
        for branch, condition in enumerate(conditions(tree, node, attribute)):
            child = int(tree.first_child[node]) + branch
            goes = f"{-1 - node if tree.empty[child] else _target(tree, child)}, 1.0e0"
            for code in condition.categories or ():
                yield f"({node}, {place}, {code}, NULL, NULL, NULL, NULL, {goes})"
            for low, high in condition.intervals:
                lower, upper = (threshold(x) if math.isfinite(x) else "NULL" for x in (low, high))
                ends = (
                    f"NULL, {lower}, NULL, {upper}"
                    if condition.closed_left
                    else f"{lower}, NULL, {upper}, NULL"
                )
                yield f"({node}, {place}, 0, {ends}, {goes})"
            if not tree.empty[child]:
                for code in unknown:
                    yield (
                        f"({node}, {place}, {code}, NULL, NULL, NULL, NULL, "
                        f"{_target(tree, child)}, {double(float(tree.share[child]))})"
                    )


def _target(tree: Tree, child: int) -> int:
    return -1 - child if tree.attribute[child] < 0 else child


# what people read


def _plain(found: Subject, table: str) -> str:
    tree = found.tree
    if tree.depth > DEEPEST // 3:
        raise ModelError(
            f"the tree is too deep ({tree.depth} levels) for nested CASE expressions: use the form 'cte'"
        )
    answers = proportions(tree, found.laplace)
    lines: list[str] = []
    waiting: list[tuple[int, int, str, str]] = [(0, 1, "", "")]  # node, indent, before it, after it

    def label(node: int) -> str:
        row = answers[node].tolist()
        return literal(found.classes[row.index(max(row))]) if max(row) > 0 else "NULL"

    while waiting:
        node, indent, before, after = waiting.pop()
        pad = "  " * indent
        if node < 0:
            lines.append(pad + after)
        elif tree.attribute[node] < 0:
            lines.append(f"{pad}{before}{label(node)}{after}")
        else:
            lines.append(f"{pad}{before}CASE")
            waiting.append((-1, indent, "", f"END{after}"))
            attribute = found.inputs[int(tree.attribute[node])]
            below = list(enumerate(conditions(tree, node, attribute)))
            for branch, condition in reversed(below):
                child = int(tree.first_child[node]) + branch
                test = _holds(condition, f"d.{quoted(attribute.name)}", attribute)
                if tree.empty[child]:
                    waiting.append((-1, indent + 1, "", f"WHEN {test} THEN {label(node)}"))
                else:
                    waiting.append((child, indent + 1, f"WHEN {test} THEN ", ""))
    body = "\n".join(lines)
    heading = "-- a row that meets an unknown value gets NULL"
    return f"{heading}\nSELECT d.*,\n{body} AS {quoted('prediction')}\nFROM {table} AS d\n"
