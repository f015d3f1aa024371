"""Rules of a tree that is there already, such as a saved one."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.model import TreeModel
from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Dataset, Sample
from treeforge.data.matching import match
from treeforge.errors import DataError, ModelError, ParameterError
from treeforge.learn.build import learner
from treeforge.learn.encode import encode
from treeforge.learn.learner import Learner
from treeforge.learn.model import Model
from treeforge.plugin import Grow, TreeBuilder


def rules_from_tree(model: Any, training: Dataset, ensemble: str | Mapping[str, Any] = "c45_rules") -> Model:
    """Make rules of a fitted tree, as the ensemble does of the one that it grows.

    Release 8's c4.5rules takes the tree before pruning: one fitted with the pruner ``none``.

    Parameters
    ----------
    model : Model or estimator
        One tree with hard thresholds.
    training : Dataset
        The cases that it was grown on. There is a warning where the weights of their classes are others.
    ensemble : str or mapping
        The plugin that makes the rules, or its name with parameters, as in a pipeline file.

    Returns
    -------
    Model
        Whose ``fitted`` is a RuleModel.

    Raises
    ------
    ModelError
        When there is no single tree, or its thresholds are soft.
    DataError
        When no case of ``training`` has a class of the model.
    ParameterError
        When the ensemble makes no rules.

    Examples
    --------
    >>> import treeforge as tf
    >>> data = tf.read_arff("arff_data/weather.arff")
    >>> tree = tf.learner({"pruner": "none"}).fit(data)
    >>> rules_from_tree(tree, data).fitted.n_rules
    4
    """
    found: Model = getattr(model, "model_", model)
    if not isinstance(found.fitted, TreeModel):
        kind = "rules already" if isinstance(found.fitted, RuleModel) else "no single tree of hard thresholds"
        raise ModelError(f"rules can be made of one tree with hard thresholds only; the model is {kind}")
    making = learner({"ensemble": ensemble})
    assert isinstance(making, Learner)
    assert making.ensemble is not None
    table = encode(match(training, found.schema))
    sample = Sample.whole(table.n_rows)
    known = table.classes >= 0
    weights = table.weights_of(sample)[known]
    here = np.bincount(table.classes[known], weights, table.n_classes).astype(np.float64)
    if not here.any():
        raise DataError("no row has a class of the model: no rules can be made", file=training.source or None)
    grown_on = found.fitted.tree.distribution[0]
    if not np.allclose(here, grown_on, rtol=1e-6):
        warnings.warn(
            f"the tree was grown on other cases ({_listed(grown_on, found.schema.classes)}) "
            f"than {training.name or 'these'} has ({_listed(here, found.schema.classes)})",
            stacklevel=2,
        )
    fitted = making.ensemble.build(Grown(found.fitted.tree), table, sample, 0, 1)
    if not isinstance(fitted, RuleModel):
        raise ParameterError(f"the ensemble {making.names['ensemble']} makes no rules")
    return Model(found.schema, fitted, {**found.algorithm, "ensemble": making.spec()["ensemble"]})


class Grown(TreeBuilder):
    """Has its tree already, whatever it is asked to grow."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def grow(self, sample: Sample, seed: int, held: NDArray[np.int32] | None = None) -> Tree:
        return self._tree

    def tree(self, sample: Sample, seed: int, grow: Grow | None = None) -> Tree:
        return self._tree

    def with_limits(self, **limits: Any) -> Grown:
        return self


def _listed(weights: NDArray[np.float64], classes: tuple[str, ...]) -> str:
    """Weights of the first classes in words."""
    told = [f"{name} {weight:g}" for name, weight in zip(classes[:5], weights.tolist(), strict=False)]
    return ", ".join([*told, *["..."] * (len(classes) > len(told))])
