"""The explanation of one case by trees, as plain data; ``words`` and ``picture`` show it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

import numpy as np

from treeforge.core.model import VoteModel
from treeforge.core.rule_model import RuleModel
from treeforge.data import Dataset
from treeforge.data.matching import match
from treeforge.errors import DataError
from treeforge.explain.answer import Answer, Answered
from treeforge.explain.changes import changes
from treeforge.explain.rules import RuleExplanation, explain_rules
from treeforge.explain.values import unseen
from treeforge.explain.votes import Votes, votes_of
from treeforge.explain.ways import Path, paths_of, ways
from treeforge.export.subject import Subject, subject


@dataclass(frozen=True)
class Explanation(Answered):
    """Why a tree, or several that vote, answer as they do for one case.

    Parameters
    ----------
    paths : tuple of Path
        Largest share first; of several trees, the paths of the first come first.
    trees : tuple of int
        For each path the tree that it belongs to, from 1.
    n_trees : int
    votes : Votes or None
        How the trees vote; None where there is one alone.
    """

    paths: tuple[Path, ...]
    trees: tuple[int, ...]
    n_trees: int
    votes: Votes | None
    model: Subject = field(repr=False, compare=False)
    shares: dict[int, float] = field(repr=False, compare=False)  # of the first tree: node -> part of the case

    def _reasons(self) -> dict[str, Any]:
        return {
            "trees": self.n_trees,
            **({} if self.votes is None else self.votes.to_dict()),
            "paths": [
                {"tree": tree, **asdict(path)} for tree, path in zip(self.trees, self.paths, strict=True)
            ],
        }

    def to_text(self) -> str:
        from treeforge.explain.words import to_text

        return to_text(self)

    def to_svg(self) -> str:
        from treeforge.explain.picture import to_svg

        return to_svg(self)

    def _repr_html_(self) -> str:
        """The picture of a tree alone; of several, whose first one would say little, the words."""
        return self.to_svg() if self.votes is None else f"<pre>{escape(self.to_text())}</pre>"


def explain(
    model: Any, dataset: Dataset, row: int = 0, *, max_trees: int = 3
) -> Explanation | RuleExplanation:
    """Explain what a model says about one row of a dataset.

    Parameters
    ----------
    model : Model
    dataset : Dataset
        Attributes are matched by name.
    row : int
        From 0.
    max_trees : int
        Of how many trees of an ensemble, the first ones, the paths are told after the votes; 0: of none. A tree
        alone always tells its own.

    Raises
    ------
    DataError
        There is no such row, or ``max_trees`` is negative.
    """
    if max_trees < 0:
        raise DataError(f"max_trees is {max_trees}; it must be at least 0")
    found = subject(model)
    if not 0 <= row < dataset.n_rows:
        raise DataError(f"there is no row {row}; rows are counted from 0 to {dataset.n_rows - 1}")
    given = dataset.take(np.array([row]))
    case = match(given, found.schema)
    lost = unseen(given, case)
    predict = Answer(model.predict_proba, found.algorithm.get("cost_matrix"))
    if isinstance(found.fitted, RuleModel):
        return explain_rules(found, found.fitted, case, row, predict, lost)
    reached = [ways(tree, found, case) for tree in found.trees]
    shown = len(reached) if not isinstance(found.fitted, VoteModel) else max_trees
    told = [
        paths_of(tree, found, way, predict) for tree, way in zip(found.trees, reached[:shown], strict=False)
    ]
    return Explanation(
        **predict.told(case, row, found.classes),
        changes=changes(found, case, predict),
        unseen=lost,
        paths=tuple(path for paths in told for path in paths),
        trees=tuple(number for number, paths in enumerate(told, 1) for _ in paths),
        n_trees=len(found.trees),
        votes=votes_of(found, found.fitted, case, reached) if isinstance(found.fitted, VoteModel) else None,
        model=found,
        shares={node: here.share for node, here in reached[0].items()},
    )
