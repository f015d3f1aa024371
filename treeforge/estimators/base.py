"""What all classifiers share: from scikit-learn's words to a learner's, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treeforge.core.model import SoftTreeModel, TreeModel
from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Dataset
from treeforge.errors import ParameterError
from treeforge.estimators.intake import Intake
from treeforge.estimators.paths import paths
from treeforge.explain import Explanation, RuleExplanation, explain
from treeforge.export.html import NOTEBOOK, to_html
from treeforge.export.rule_list import RuleList
from treeforge.export.rules import to_rules
from treeforge.export.subject import subject
from treeforge.learn.build import learner
from treeforge.learn.costs import check_costs, decide
from treeforge.learn.importance import impurity_importance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ONE_TREE = (TreeModel, SoftTreeModel)


class BaseClassifier(ClassifierMixin, Intake):  # type: ignore[misc]
    """Fit and predict by a learner; a subclass says which in ``_words``.

    Attributes
    ----------
    classes_ : ndarray
        The classes as they were given.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where X had names.
    model_ : Model
        The fitted model: what ``treeforge.to_text``, ``save`` and all exports take too.
    tree_ : Tree
        The tree; only of a single one.
    trees_ : tuple of Tree
        Empty where the model is a set of rules.
    """

    def __init__(self, class_weight: Any, cost_matrix: Any, random_state: Any, n_jobs: int | None) -> None:
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _words(self) -> dict[str, Any]:
        """What stands in a pipeline file for this algorithm; None is left out."""
        raise NotImplementedError

    def _learner(self) -> Any:
        words = {key: _plain(value) for key, value in self._words().items() if value is not None}
        if self.cost_matrix is not None:
            words["cost_matrix"] = [list(row) for row in check_costs(self.cost_matrix, len(self.classes_))]
        return learner(words)

    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Any:
        """Fit to a matrix or frame and its classes, or to a Dataset, which brings its own.

        Parameters
        ----------
        X : array-like, data frame or Dataset, [n_rows, n_attributes]
            None and NaN are unknown. Columns of text are nominal.
        y : array-like, [n_rows]
            Classes; left out with a Dataset.
        sample_weight : array-like, [n_rows], optional
        """
        if isinstance(X, Dataset):
            dataset = self._take_dataset(X, y, sample_weight)
        else:
            dataset = self._take_matrix(X, y, sample_weight)
        seed = 1 if self.random_state is None else self._seed()
        self.model_ = self._learner().fit(dataset, seed=seed, n_threads=self._threads())
        self._set_trees()
        if not hasattr(self, "trees_"):
            self._commonest = int(np.bincount(dataset.class_codes[dataset.class_codes >= 0]).argmax())
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, or the one of least expected cost.

        A row that the model cannot say anything about gets the most frequent class of the training cases.
        """
        if self.cost_matrix is not None:
            codes = decide(self.predict_proba(X), self.cost_matrix)
        elif hasattr(self._fitted(), "predict_codes"):
            codes = self._fitted().predict_codes(self._source(X), n_threads=self._threads())
        else:
            codes = self.model_.decide(self.predict_proba(X))
        if len(codes) and codes.min() < 0:
            codes[codes < 0] = self._commonest
        predicted: NDArray[Any] = self.classes_[codes]
        return predicted

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]; zeros where the model cannot say."""
        found: NDArray[np.float64] = self._fitted().predict_proba(self._source(X), n_threads=self._threads())
        return found

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The node where each row ends, [n_rows] or, of several trees, [n_rows, n_trees].

        With an unknown value a row follows the branch of the largest share. Of rules, the place of the one that
        decides; their number where none does.
        """
        check_is_fitted(self)
        table = self._table(X)
        if isinstance(self.model_.fitted, RuleModel):
            return self.model_.fitted.rules.first(table)
        ends = [tree.apply(table) for tree in self.trees_]
        return ends[0] if isinstance(self.model_.fitted, ONE_TREE) else np.column_stack(ends)

    def decision_path(self, X: Any) -> Any:
        """The nodes that each row comes to, as a sparse matrix, [n_rows, n_nodes].

        An entry is the part of the row that comes there: 1, or less below a test of an unknown value, or of a number
        near a soft threshold. Of several trees the matrices stand side by side, and the places where each begins are
        returned as well.
        """
        self._check_trees("decision_path")
        table = self._table(X)
        found = [paths(tree, table, subject(self.model_).bounds) for tree in self.trees_]
        if isinstance(self.model_.fitted, ONE_TREE):
            return found[0]
        from scipy.sparse import hstack

        return csr_matrix(hstack(found)), np.cumsum([0] + [tree.n_nodes for tree in self.trees_])

    def get_depth(self) -> int:
        """Tests on the longest path; of several trees the greatest."""
        self._check_trees("get_depth")
        return max(tree.depth for tree in self.trees_)

    def get_n_leaves(self) -> int:
        """Leaves, of all trees together."""
        self._check_trees("get_n_leaves")
        return sum(tree.n_leaves for tree in self.trees_)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The part of each attribute in the impurity that all tests take away; zeros when there is no test.

        See ``treeforge.impurity_importance``; ``treeforge.permutation_importance`` is often the better measure.
        """
        self._check_trees("feature_importances_")
        return impurity_importance(self)

    def explain(self, X: Any, row: int = 0, *, max_trees: int = 3) -> Explanation | RuleExplanation:
        """Why the model says what it says about one row, counted from 0.

        An ensemble tells how its trees vote, and then the paths of its first ``max_trees`` trees, 0 or more.
        """
        check_is_fitted(self)
        return explain(self.model_, self._as_dataset(X), row, max_trees=max_trees)

    def to_rules(self, data: Dataset | None = None) -> RuleList:
        """The model as rules: its own, or one for each leaf of its tree; with ``data`` measured on that, too."""
        check_is_fitted(self)
        return to_rules(self.model_, data)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the one tree with matplotlib, in ``ax`` or a figure of its own: see ``treeforge.export.plot``."""
        from treeforge.export.plot import plot

        check_is_fitted(self)
        return plot(self.model_, ax=ax)

    def to_document(self) -> dict[str, Any]:
        """What a model file keeps of the estimator besides its model."""
        from treeforge.estimators.document import to_document

        return to_document(self)

    # parameters

    def _fitted(self) -> Any:
        if "model_" not in self.__dict__:
            check_is_fitted(self)  # says so, in scikit-learn's words
        return self.model_.fitted

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _threads(self) -> int:
        if self.n_jobs is None:
            return 1
        if self.n_jobs == 0:
            raise ParameterError("n_jobs == 0 has no meaning; -1 means all processors")
        return self.n_jobs if self.n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + self.n_jobs)

    def _set_trees(self) -> None:
        fitted = self.model_.fitted
        for name in ("tree_", "trees_"):
            self.__dict__.pop(name, None)  # of an earlier fit with other parameters
        if isinstance(fitted, ONE_TREE):
            self.tree_ = fitted.tree
            self.trees_: tuple[Tree, ...] = (fitted.tree,)
        elif isinstance(fitted, RuleModel):
            self.trees_ = ()
        elif not hasattr(fitted, "trees"):  # VFDT's model predicts in a way of its own, and from tables
            self._all_numeric = False
            return
        else:
            self.trees_ = fitted.trees
        self._all_numeric = all(attribute.is_numeric for attribute in self.model_.schema.inputs)
        training = (
            fitted.decided
            if isinstance(fitted, RuleModel)
            else np.array([tree.distribution[0] for tree in self.trees_])
        )
        self._commonest = int(training.sum(axis=0).argmax())

    def _check_trees(self, name: str) -> None:
        check_is_fitted(self)
        if not getattr(self, "trees_", ()):
            raise AttributeError(
                f"{name} is of trees, and the model has none: {type(self.model_.fitted).__name__}"
            )

    # what is shown

    def _html_repr(self) -> str:
        """In a notebook: scikit-learn's box, and below it the fitted tree as an outline that folds, or the rules."""
        box: str = super()._html_repr()
        return box + to_html(self.model_, most_nodes=NOTEBOOK) if hasattr(self, "trees_") else box

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        # texts are taken too, but the tag for them would promise objects of every kind
        return tags


def _plain(value: Any) -> Any:
    """A parameter as a pipeline file would have it: grids of numpy give numbers of its own types."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return value.item() if isinstance(value, np.generic) else value
