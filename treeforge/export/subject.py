"""What is to be exported: the trees, how they are put together, and the schema that names things."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.model import SoftTreeModel, TreeModel, VoteModel
from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError

#: Lower and upper bounds of a tree's cuts, each [n_cuts].
Bounds = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Subject:
    """A model taken apart.

    Parameters
    ----------
    schema : Schema
    fitted : TreeModel, SoftTreeModel, VoteModel or RuleModel
    algorithm : dict
        What the model was fitted with, where it is known.
    """

    schema: Schema
    fitted: TreeModel | SoftTreeModel | VoteModel | RuleModel
    algorithm: dict[str, Any] = field(default_factory=dict)

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The tree, or the trees; an error where there are rules instead."""
        if isinstance(self.fitted, RuleModel):
            raise ModelError(
                "this can be made of trees only; the model is a set of rules (it can be text, json, html)"
            )
        return self.fitted.trees if isinstance(self.fitted, VoteModel) else (self.fitted.tree,)

    @property
    def tree(self) -> Tree:
        """The one tree; an error where there are several."""
        if isinstance(self.fitted, VoteModel):
            raise ModelError(f"this can be made of one tree only; the model has {len(self.trees)} that vote")
        return self.trees[0]

    @property
    def bounds(self) -> Bounds | None:
        """Lower and upper bound of each cut of the one tree; None where thresholds are hard."""
        return (self.fitted.lower, self.fitted.upper) if isinstance(self.fitted, SoftTreeModel) else None

    @property
    def laplace(self) -> bool:
        return self.fitted.laplace

    @property
    def inputs(self) -> tuple[Attribute, ...]:
        return self.schema.inputs

    @property
    def classes(self) -> tuple[str, ...]:
        return self.schema.classes


def subject(thing: Any, schema: Schema | None = None) -> Subject:
    """Take apart a Model, an estimator, or what is in them (a TreeModel, a Tree ...), which needs a schema.

    Raises
    ------
    NotFittedError
        An estimator that is not fitted yet.
    ModelError
        Anything else that is no tree, trees or rules.
    """
    if isinstance(thing, Subject):
        return thing
    thing = getattr(thing, "model_", thing)  # an estimator keeps its model there
    algorithm: dict[str, Any] = {}
    if hasattr(thing, "fitted"):
        schema, algorithm, thing = schema or thing.schema, dict(thing.algorithm), thing.fitted
    if isinstance(thing, Tree):
        thing = TreeModel(thing)
    if not isinstance(thing, TreeModel | SoftTreeModel | VoteModel | RuleModel):
        name = type(thing).__name__
        if hasattr(thing, "get_params"):
            from sklearn.utils.validation import check_is_fitted  # heavy, and needed for estimators only

            check_is_fitted(thing)
        if hasattr(thing, "predict_proba"):
            raise ModelError(
                f"a {name} predicts, and can be evaluated, but cannot be shown or saved as a tree"
            )
        raise ModelError(f"a tree or a model was expected, not {name}")
    if schema is None:
        raise ModelError("a bare tree has no names: give the schema as well")
    return Subject(schema, thing, algorithm)


def errors(tree: Tree) -> NDArray[np.float64]:
    """Weight of the training cases at each node that are not of its class, [n_nodes]."""
    of_class = tree.distribution[np.arange(tree.n_nodes), tree.majority]
    wrong: NDArray[np.float64] = tree.weight - of_class
    return wrong
