"""The classifiers of one tree, and of any plugins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeforge.estimators.base import BaseClassifier


class TreeClassifier(BaseClassifier):
    """A tree, or an ensemble of trees, put together from plugins by name, as in a pipeline file.

    Parameters
    ----------
    splitter : str or mapping, optional
        ``"c45"``, or with parameters ``{"c45": {"binary": True}}``. Unless given, what the ensemble goes with,
        else ``"c45"``.
    criterion, pruner : str or mapping, optional
        Unless given, what the ensemble or the splitter goes with.
    ensemble : str or mapping, optional
    min_branch : float, optional
        Least weight of a branch; at least two must have it. Unless given, what the ensemble goes with, else 2.
    min_split, max_depth, max_attributes : optional
        Further limits of growth.
    laplace : bool
        Smooth the class probabilities of leaves.
    soft_thresholds : bool
        A number near a threshold goes both ways, by parts; of a single tree.
    class_weight : dict, "balanced" or None
        Factor of the weights of each class's cases.
    cost_matrix : array-like, [n_classes, n_classes], optional
        ``cost_matrix[i][j]`` is the cost of saying class j where class i is true; ``predict`` then gives the
        class of least expected cost. Probabilities do not change.
    random_state : int, RandomState or None
        None is 1: the same data give the same model.
    n_jobs : int, optional
        Threads; -1 means all processors. The model does not depend on it.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([["sunny", 85], ["rainy", 70], ["overcast", 83], ["rainy", 65]] * 3, dtype=object)
    >>> tree = TreeClassifier(pruner="none").fit(X, ["no", "yes", "yes", "no"] * 3)
    >>> from treeforge.export.text import to_text
    >>> print(to_text(tree), end="")
    x0 = overcast: yes (3.0)
    x0 = rainy
    |   x1 <= 65: no (3.0)
    |   x1 > 65: yes (3.0)
    x0 = sunny: no (3.0)
    """

    def __init__(
        self,
        splitter: str | Mapping[str, Any] | None = None,
        *,
        criterion: str | Mapping[str, Any] | None = None,
        pruner: str | Mapping[str, Any] | None = None,
        ensemble: str | Mapping[str, Any] | None = None,
        min_branch: float | None = None,
        min_split: float | None = None,
        max_depth: int | None = None,
        max_attributes: int | None = None,
        laplace: bool = False,
        soft_thresholds: bool = False,
        class_weight: Any = None,
        cost_matrix: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.splitter = splitter
        self.criterion = criterion
        self.pruner = pruner
        self.ensemble = ensemble
        self.min_branch = min_branch
        self.min_split = min_split
        self.max_depth = max_depth
        self.max_attributes = max_attributes
        self.laplace = laplace
        self.soft_thresholds = soft_thresholds
        super().__init__(class_weight, cost_matrix, random_state, n_jobs)

    def _words(self) -> dict[str, Any]:
        return {
            "splitter": self.splitter,
            "criterion": self.criterion,
            "pruner": self.pruner,
            "ensemble": self.ensemble,
            "min_branch": self.min_branch,
            "min_split": self.min_split,
            "max_depth": self.max_depth,
            "max_attributes": self.max_attributes,
            "laplace": self.laplace,
            "soft_thresholds": self.soft_thresholds,
        }


class C45Classifier(BaseClassifier):
    """C4.5 as J48 in Weka computes it.

    Parameters
    ----------
    confidence : float
        Of error-based pruning; smaller prunes more (J48 -C).
    min_branch : float
        Least weight of a branch; at least two must have it (J48 -M).
    pruning : {"error_based", "reduced_error", "none"}
        J48: error_based is the default, reduced_error is -R, none is -U.
    folds : int
        Of reduced-error pruning; one of them is held back (J48 -N).
    binary : bool
        One category against the rest, not a branch for each (J48 -B).
    mdl_correction : bool
        Charge numeric tests for the choice of their threshold (J48 -J switches it off).
    subtree_raising : bool
        J48 -S switches it off.
    collapse : bool
        Drop subtrees that do not lower the training error before pruning (J48 -O switches it off).
    laplace : bool
        Smooth the class probabilities of leaves (J48 -A).
    soft_thresholds : bool
        A number near a threshold goes both ways, by parts (C4.5 -p).
    class_weight, cost_matrix, random_state, n_jobs
        As of TreeClassifier.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> C45Classifier().fit(X, y).get_n_leaves()
    5
    """

    def __init__(
        self,
        confidence: float = 0.25,
        *,
        min_branch: float = 2.0,
        pruning: str = "error_based",
        folds: int = 3,
        binary: bool = False,
        mdl_correction: bool = True,
        subtree_raising: bool = True,
        collapse: bool = True,
        laplace: bool = False,
        soft_thresholds: bool = False,
        class_weight: Any = None,
        cost_matrix: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.confidence = confidence
        self.min_branch = min_branch
        self.pruning = pruning
        self.folds = folds
        self.binary = binary
        self.mdl_correction = mdl_correction
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.laplace = laplace
        self.soft_thresholds = soft_thresholds
        super().__init__(class_weight, cost_matrix, random_state, n_jobs)

    def _words(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {"collapse": self.collapse}
        if self.pruning == "error_based":
            parameters |= {"confidence": self.confidence, "subtree_raising": self.subtree_raising}
        elif self.pruning == "reduced_error":
            parameters = {"folds": self.folds}
        return {
            "splitter": {"c45": {"binary": self.binary, "mdl_correction": self.mdl_correction}},
            "pruner": {self.pruning: parameters},
            "min_branch": self.min_branch,
            "laplace": self.laplace,
            "soft_thresholds": self.soft_thresholds,
        }


class C45RulesClassifier(BaseClassifier):
    """Rules from an unpruned C4.5 tree, in the order in which they are asked, with a default class.

    Parameters
    ----------
    confidence : float
        Of the estimated error of a rule; smaller ones generalise more.
    redundancy : float
        How much the attributes tell one another; above 1 more rules are kept.
    splitter : str or mapping
        Of the tree that the rules are made from.
    min_branch, max_depth : optional
        Limits of its growth.
    class_weight, cost_matrix, random_state, n_jobs
        As of TreeClassifier.

    Attributes
    ----------
    n_rules_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rules = C45RulesClassifier().fit(X, y)
    >>> [(rule.texts, rule.said) for rule in rules.to_rules()][0]
    (('petal width (cm) <= 0.6',), '0')
    """

    def __init__(
        self,
        confidence: float = 0.25,
        *,
        redundancy: float = 1.0,
        splitter: str | Mapping[str, Any] = "c45",
        min_branch: float = 2.0,
        max_depth: int | None = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.confidence = confidence
        self.redundancy = redundancy
        self.splitter = splitter
        self.min_branch = min_branch
        self.max_depth = max_depth
        super().__init__(class_weight, cost_matrix, random_state, n_jobs)

    @property
    def n_rules_(self) -> int:
        """How many rules there are; the default is not among them."""
        return int(self._fitted().n_rules)

    def _words(self) -> dict[str, Any]:
        return {
            "ensemble": {"c45_rules": {"confidence": self.confidence, "redundancy": self.redundancy}},
            "splitter": self.splitter,
            "min_branch": self.min_branch,
            "max_depth": self.max_depth,
        }


class AMSDClassifier(BaseClassifier):
    """A tree with adaptive mean and standard deviation splits of numeric attributes.

    Parameters
    ----------
    alpha, gamma_max : float
        Of the splitter ``amsd``.
    pruner : str or mapping, optional
    min_branch, max_depth, laplace, class_weight, cost_matrix, random_state, n_jobs
        As of TreeClassifier.
    """

    def __init__(
        self,
        alpha: float = 0.25,
        gamma_max: float = 2.0,
        *,
        pruner: str | Mapping[str, Any] | None = None,
        min_branch: float = 2.0,
        max_depth: int | None = None,
        laplace: bool = False,
        class_weight: Any = None,
        cost_matrix: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.gamma_max = gamma_max
        self.pruner = pruner
        self.min_branch = min_branch
        self.max_depth = max_depth
        self.laplace = laplace
        super().__init__(class_weight, cost_matrix, random_state, n_jobs)

    def _words(self) -> dict[str, Any]:
        return {
            "splitter": {"amsd": {"alpha": self.alpha, "gamma_max": self.gamma_max}},
            "pruner": self.pruner,
            "min_branch": self.min_branch,
            "max_depth": self.max_depth,
            "laplace": self.laplace,
        }
