"""How much each attribute counts: by the impurity that its tests take away, and by what is lost without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.model import SoftTreeModel, TreeModel, VoteModel
from treeforge.core.tree import Tree
from treeforge.data import Dataset
from treeforge.data.matching import match
from treeforge.errors import DataError, ModelError
from treeforge.learn.costs import decide

Array = NDArray[np.float64]


def impurity_importance(model: Any) -> Array:
    """The part of each attribute in the impurity that all tests take away (mean decrease in impurity).

    A test takes away the impurity of its node less those of its branches, each times the weight of its cases. A
    case with an unknown value counts in each branch with the part of it that went there. The parts of a tree sum
    to 1; of several trees they are averaged, by the weights of the trees where these have some. The impurity is
    the Gini index where the criterion ``gini`` grew the trees, and the entropy with any other. Many values or
    categories make an attribute look more important than it is, as its tests fit noise more easily.

    Parameters
    ----------
    model : Model or fitted estimator
        Of trees; ModelError for another.

    Returns
    -------
    ndarray, [n_attributes]
        In the order of the model's inputs; zeros when there is no test at all.

    References
    ----------
    L. Breiman et al., Classification and regression trees (1984), section 5.3.4.
    """
    model = getattr(model, "model_", model)
    fitted = model.fitted
    if not isinstance(fitted, TreeModel | SoftTreeModel | VoteModel):
        raise ModelError(f"{type(fitted).__name__} has no trees whose tests could be counted")
    trees = fitted.trees if isinstance(fitted, VoteModel) else (fitted.tree,)
    weights = getattr(fitted, "weights", None)
    if weights is None:
        weights = np.ones(len(trees))
    impurity = gini if model.algorithm.get("criterion", {}).get("name") == "gini" else entropy
    total = np.zeros(len(model.schema.inputs))
    for tree, weight in zip(trees, weights, strict=True):
        gained = gained_by_input(tree, len(total), impurity)
        if gained.sum() > 0:
            total += weight * gained / gained.sum()
    whole = total.sum()
    return total / whole if whole > 0 else total


def gained_by_input(tree: Tree, n_inputs: int, impurity: Callable[[Array], Array]) -> Array:
    """Impurity that the tests of each input take away, times weight, [n_inputs]."""
    here = impurity(tree.distribution)
    below = np.zeros(tree.n_nodes)
    np.add.at(below, tree.parent[1:], here[1:])
    inner = tree.attribute >= 0
    # impurity is concave and the branches together are the node, so only rounding can make a difference negative
    gained = np.zeros(n_inputs)
    np.add.at(gained, tree.attribute[inner], np.maximum(here - below, 0)[inner])
    return gained


def entropy(distribution: Array) -> Array:
    """Weight times class entropy in bits, [n_nodes, n_classes] -> [n_nodes]."""
    weight = distribution.sum(axis=1, keepdims=True)
    share = np.divide(distribution, weight, out=np.ones_like(distribution), where=distribution > 0)
    bits: Array = -(distribution * np.log2(share)).sum(axis=1)
    return bits


def gini(distribution: Array) -> Array:
    """Weight times Gini index, [n_nodes, n_classes] -> [n_nodes]."""
    weight = distribution.sum(axis=1)
    squares = np.square(distribution).sum(axis=1)
    found: Array = weight - np.divide(squares, weight, out=np.zeros_like(weight), where=weight > 0)
    return found


def permutation_importance(
    model: Any, dataset: Dataset, *, repeats: int = 10, seed: int = 1, n_threads: int = 1
) -> Array:
    """The accuracy that is lost when the values of one attribute are shuffled among the cases.

    Measured on the cases of known class, with their weights. Use data that the model was not trained on: on the
    training cases it tells what the model clings to, not what helps it. Attributes that say the same thing stand in
    for each other, and then none of them seems important.

    Parameters
    ----------
    model : Model or fitted estimator
    dataset : Dataset
    repeats : int
        How often each attribute is shuffled.
    seed : int
    n_threads : int
        For predicting; the numbers do not depend on it.

    Returns
    -------
    ndarray, [n_attributes, repeats]
        In the order of the model's inputs, parts of 1; below 0 where the shuffled values did better by chance.

    References
    ----------
    L. Breiman, Random forests, Machine Learning 45 (2001), section 10.
    """
    model = getattr(model, "model_", model)
    if repeats < 1:
        raise ModelError(f"repeats must be at least 1, not {repeats}")
    data = match(dataset, model.schema)
    weights = np.ones(data.n_rows) if data.weights is None else data.weights
    data = data.take(np.flatnonzero((data.class_codes >= 0) & (weights > 0)))
    if data.n_rows == 0:
        raise DataError("no case has a class to compare with", file=dataset.source or None)
    whole = _accuracy(model, data, n_threads)
    lost = np.empty((len(model.schema.inputs), repeats))
    for place, index in enumerate(model.schema.input_indices):
        generator = np.random.default_rng(np.random.SeedSequence(entropy=seed, spawn_key=(place,)))
        columns = list(data.columns)
        for repeat in range(repeats):
            columns[index] = data.columns[index][generator.permutation(data.n_rows)]
            shuffled = replace(data, columns=tuple(columns))
            lost[place, repeat] = whole - _accuracy(model, shuffled, n_threads)
    return lost


def _accuracy(model: Any, data: Dataset, n_threads: int) -> float:
    """Share of the weight that is classified right; what is left unclassified is not."""
    probabilities = model.predict_proba(data, n_threads=n_threads)
    said = getattr(model, "decide", lambda answer: decide(answer, None))(probabilities)
    return float(np.average(said == data.class_codes, weights=data.weights))
