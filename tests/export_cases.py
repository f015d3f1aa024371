"""Models and tables on which every export must answer as ``predict`` does.

Names are of the nasty kind: quotes, commas, keywords, markup, emoji. The tables have unknown values and
categories that no model has seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from build_trees import Leaf, Test, tree

from treeforge.core.model import TreeModel, VoteModel
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Attribute, Schema
from treeforge.export.subject import Subject

SCHEMA = Schema(
    (
        Attribute('a "number", or <b>so</b>'),
        Attribute("select", "nominal", ("select", 'd"quoted"', "it's", "back\\slash\\", "comma, semicolon;")),
        Attribute(
            "%s {0} ${x} @DATA@ \\u0022",
            "nominal",
            ("</script>", "-->", "*/", "??/", "line\nbreak", "🍉", "é"),
        ),
        Attribute("when", "date"),
        Attribute("__proto__", "nominal", ("constructor", "__proto__")),
        Attribute("class", "nominal", ("no; drop table", 'yes \'n "all"', "🍉\\")),
    ),
    5,
)
UNSEEN = "never seen"


def random_tree(rng: np.random.Generator, depth: int = 4, **metadata: Any) -> Tree:
    """A tree of all forms of test, with empty leaves here and there."""

    def node(level: int) -> Test | Leaf:
        if level == depth or (level and rng.random() < 0.2):
            return Leaf(
                (rng.integers(1, 9, 3) * rng.choice([0, 1, 1 / 3], 3)).tolist()
                if rng.random() < 0.85
                else [0.0] * 3
            )
        place = int(rng.integers(5))
        attribute = SCHEMA.inputs[place]
        if attribute.is_nominal:
            n_cells, cuts = len(attribute.categories), []
        else:
            cuts = sorted(
                {round(float(c), int(rng.integers(0, 4))) for c in rng.normal(0, 2, int(rng.integers(1, 4)))}
            )
            n_cells = len(cuts) + 1
        n_branches = int(rng.integers(2, n_cells + 1))
        branch_of = rng.permutation([*range(n_branches), *rng.integers(0, n_branches, n_cells - n_branches)])
        if rng.random() < 0.5:
            branch_of = np.sort(branch_of)
        children = [node(level + 1) for _ in range(n_branches)]
        if not any(isinstance(c, Test) or sum(c.counts) for c in children):
            children[0] = Leaf([1.0, 0, 2])
        return Test(place, children, cuts, branch_of.tolist(), bool(rng.integers(2)))

    return tree(node(0), **metadata)


def single(seed: int, *, laplace: bool = False) -> Subject:
    return Subject(SCHEMA, TreeModel(random_tree(np.random.default_rng(seed)), laplace))


def forest(seed: int, *, votes: bool = False) -> Subject:
    rng = np.random.default_rng(seed)
    trees = tuple(random_tree(rng) for _ in range(5))
    return Subject(SCHEMA, VoteModel(trees, rng.random(5) if seed % 2 else None, votes))


def lone_leaf() -> Subject:
    return Subject(SCHEMA, TreeModel(tree(Leaf([1.0, 2, 0]))))


def small() -> Subject:
    """A tree that every format can express: no empty leaf, at most two branches a test."""
    right = Test(1, [Leaf([0, 4, 1]), Leaf([2, 0, 5])], branch_of=[0, 1, 0, 0, 1])
    return Subject(SCHEMA, TreeModel(tree(Test(0, [Leaf([3, 1, 0]), right], cuts=[0.1]))))


def cases(n: int, seed: int = 0) -> list[dict[str, Any]]:
    """Rows as values by name: None is unknown, and some categories were never declared."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        row: dict[str, Any] = {}
        for attribute in SCHEMA.inputs:
            if rng.random() < 0.2:
                row[attribute.name] = None
            elif attribute.is_nominal:
                row[attribute.name] = str(rng.choice(np.array([*attribute.categories, UNSEEN], dtype=object)))
            else:
                row[attribute.name] = round(float(rng.normal(0, 2)), int(rng.integers(0, 4)))
        rows.append(row)
    return rows


def expected(model: Subject, rows: list[dict[str, Any]]) -> tuple[np.ndarray, list[str | None]]:
    """What ``predict`` says: probabilities, and the class or None."""
    columns = []
    for attribute in SCHEMA.inputs:
        values = [row[attribute.name] for row in rows]
        if attribute.is_nominal:
            columns.append(np.array([-1 if v is None else attribute.code(v) for v in values], dtype=np.int32))
        else:
            columns.append(np.array([np.nan if v is None else v for v in values]))
    table = Table(columns, [len(a.categories) for a in SCHEMA.inputs], None, 3)
    probabilities = model.fitted.predict_proba(table)
    labels = [SCHEMA.classes[p.argmax()] if p.max() > 0 else None for p in probabilities]
    return probabilities, labels


SINGLES = [*(single(seed, laplace=seed % 3 == 0) for seed in range(8)), small(), lone_leaf()]
FORESTS = [forest(0), forest(1), forest(2, votes=True), forest(3, votes=True)]
