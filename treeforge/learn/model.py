"""What a learner returns: a fitted model together with the schema that it was trained on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treeforge.core.model import SoftTreeModel, TreeModel, VoteModel
from treeforge.core.rule_model import RuleModel
from treeforge.data import Dataset, Schema
from treeforge.data.matching import match
from treeforge.learn.costs import decide
from treeforge.learn.encode import encode

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treeforge.export.rule_list import RuleList


class Predictor(Protocol):
    """What an experiment needs of a model, whoever made it."""

    schema: Schema

    def predict_proba(
        self, dataset: Dataset, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n, n_classes] in declared order; a row of zeros is an unclassified case."""

    def measures(self) -> dict[str, float]:
        """``leaves``, ``size``, ``depth`` and whatever else can be counted; absent where it has no meaning."""


@dataclass(frozen=True, eq=False)
class Model:
    """A tree, trees that vote, or rules, with the schema of the training data.

    Parameters
    ----------
    schema : Schema
    fitted : TreeModel, SoftTreeModel, VoteModel or RuleModel
    algorithm : dict
        The resolved plugins, parameters, limits and seed, and the versions of the packages they came from.
    """

    schema: Schema
    fitted: TreeModel | SoftTreeModel | VoteModel | RuleModel
    algorithm: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Kind, size and class; ``treeforge.to_text`` prints the whole."""
        target = "none" if self.schema.class_index is None else repr(self.schema.class_attribute.name)
        counts = {name: value for name, value in self.measures().items() if name != "model_bytes"}
        size = "".join(f", {name} {value:g}" for name, value in counts.items())
        return f"<Model {type(self.fitted).__name__}{size}, class {target}>"

    def predict_proba(
        self, dataset: Dataset, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n, n_classes] in declared order. Attributes and categories are matched by name."""
        return self.fitted.predict_proba(encode(match(dataset, self.schema)), rows, n_threads)

    def predict(self, dataset: Dataset, n_threads: int = 1) -> NDArray[np.object_]:
        """The class of each row as its text, [n_rows]; None where the model cannot say.

        What ``treeforge predict`` writes: the most probable class, or the one of least expected cost.
        """
        codes = self.decide(self.predict_proba(dataset, n_threads=n_threads))
        found: NDArray[np.object_] = np.array([*self.schema.classes, None], dtype=object)[codes]
        return found  # code -1 took the last

    def decide(self, probabilities: NDArray[np.float64]) -> NDArray[np.int32]:
        """Class said for each row of probabilities, [n]; -1 where there are none.

        The most probable one, or the one of least expected cost where the algorithm has a ``cost_matrix``.
        """
        return decide(probabilities, self.algorithm.get("cost_matrix"))

    def to_rules(self, data: Dataset | None = None) -> RuleList:
        """The model as rules: its own, or one for each leaf of its tree; with ``data`` measured on that, too."""
        from treeforge.export.rules import to_rules

        return to_rules(self, data)

    def measures(self) -> dict[str, float]:
        return self.fitted.measures()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the one tree with matplotlib: see ``treeforge.export.plot``."""
        from treeforge.export.plot import plot

        return plot(self, ax=ax)

    def _repr_html_(self) -> str | None:
        """In a notebook: the tree, or the first of several, as an outline that folds, or the rules; else None."""
        from treeforge.export.html import NOTEBOOK, to_html

        if not isinstance(self.fitted, TreeModel | SoftTreeModel | VoteModel | RuleModel):
            return None
        return to_html(self, most_nodes=NOTEBOOK)
