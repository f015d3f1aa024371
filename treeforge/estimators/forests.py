"""The classifiers of many trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from treeforge.estimators.base import BaseClassifier


class ForestClassifier(BaseClassifier):
    """A random forest of trees of any splitter.

    Parameters
    ----------
    trees : int
    splitter : str or mapping, optional
        Unless given, what the ensemble goes with; ``"amsd"`` makes RF-AMSD.
    criterion, pruner : str or mapping, optional
    max_attributes : int, float, "sqrt" or "log2", optional
        Attributes looked at in a node, or a share of them below 1; unless given, what the ensemble chooses.
    min_branch : float
        Least weight of a branch.
    out_of_bag : bool
        Estimate the error from the cases that each tree did not train on: ``out_of_bag_error_``.
    max_depth, class_weight, cost_matrix, random_state, n_jobs
        As of TreeClassifier. The forest does not depend on n_jobs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ForestClassifier(20, out_of_bag=True).fit(X, y).out_of_bag_error_ < 0.1
    True
    """

    ensemble: ClassVar[str] = "random_forest"

    def __init__(
        self,
        trees: int = 100,
        *,
        splitter: str | Mapping[str, Any] | None = None,
        criterion: str | Mapping[str, Any] | None = None,
        pruner: str | Mapping[str, Any] | None = None,
        max_attributes: float | str | None = None,
        min_branch: float = 1.0,
        max_depth: int | None = None,
        out_of_bag: bool = False,
        class_weight: Any = None,
        cost_matrix: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.trees = trees
        self.splitter = splitter
        self.criterion = criterion
        self.pruner = pruner
        self.max_attributes = max_attributes
        self.min_branch = min_branch
        self.max_depth = max_depth
        self.out_of_bag = out_of_bag
        super().__init__(class_weight, cost_matrix, random_state, n_jobs)

    @property
    def out_of_bag_error_(self) -> float | None:
        """Share of the weight that trees which did not train on it get wrong; None if every tree saw every case."""
        check_is_fitted(self)
        details = self.model_.fitted.details
        if "out_of_bag_error" not in details:
            raise AttributeError("there is no out_of_bag_error_ without out_of_bag=True")
        error: float | None = details["out_of_bag_error"]
        return error

    def _parameters(self) -> dict[str, Any]:
        """Of the ensemble."""
        chosen = {} if self.max_attributes is None else {"max_attributes": self.max_attributes}
        return {"trees": self.trees, "out_of_bag": self.out_of_bag, **chosen}

    def _words(self) -> dict[str, Any]:
        return {
            "ensemble": {self.ensemble: self._parameters()},
            "splitter": self.splitter,
            "criterion": self.criterion,
            "pruner": self.pruner,
            "min_branch": self.min_branch,
            "max_depth": self.max_depth,
        }


class ExtraTreesClassifier(ForestClassifier):
    """Extremely randomised trees: each node takes the best of one random test of a few random attributes.

    Parameters
    ----------
    trees : int
    bootstrap : bool
        Grow each tree on a bootstrap sample, not on all cases; ``out_of_bag`` needs it.
    splitter, criterion, pruner, max_attributes, min_branch, max_depth, out_of_bag
        As of ForestClassifier.
    class_weight, cost_matrix, random_state, n_jobs
        As of TreeClassifier. The forest does not depend on n_jobs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ExtraTreesClassifier(20).fit(X, y).score(X, y)
    1.0
    """

    ensemble: ClassVar[str] = "extra_trees"

    def __init__(
        self,
        trees: int = 100,
        *,
        bootstrap: bool = False,
        splitter: str | Mapping[str, Any] | None = None,
        criterion: str | Mapping[str, Any] | None = None,
        pruner: str | Mapping[str, Any] | None = None,
        max_attributes: float | str | None = None,
        min_branch: float = 1.0,
        max_depth: int | None = None,
        out_of_bag: bool = False,
        class_weight: Any = None,
        cost_matrix: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            trees,
            splitter=splitter,
            criterion=criterion,
            pruner=pruner,
            max_attributes=max_attributes,
            min_branch=min_branch,
            max_depth=max_depth,
            out_of_bag=out_of_bag,
            class_weight=class_weight,
            cost_matrix=cost_matrix,
            random_state=random_state,
            n_jobs=n_jobs,
        )
        self.bootstrap = bootstrap

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), "bootstrap": self.bootstrap}
