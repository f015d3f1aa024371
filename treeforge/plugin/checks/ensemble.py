"""What an ensemble must satisfy."""

from __future__ import annotations

import json

import numpy as np

from treeforge.plugin.checks import tables
from treeforge.plugin.checks.fitting import fit
from treeforge.plugin.interfaces import Ensemble


def threads_make_no_difference(plugin: Ensemble) -> None:
    """On one thread or four: the same model, bit for bit."""
    data = tables.mixed(unknown=0.1)
    one = fit(plugin, data, n_threads=1).predict_proba(data)
    four = fit(plugin, data, n_threads=4).predict_proba(data)
    assert np.array_equal(one, four), "four threads made another model"


def one_tree_is_a_tree_model(plugin: Ensemble) -> None:
    """The model is a ``TreeModel`` if the class says ``one_tree``, and only then."""
    found = type(fit(plugin, tables.mixed()).fitted).__name__
    assert (found == "TreeModel") == plugin.one_tree, f"one_tree is {plugin.one_tree}, the model is a {found}"


def the_same_again(plugin: Ensemble) -> None:
    """The same data and seed give the same model, whatever came between."""
    data = tables.mixed(unknown=0.1)
    first = fit(plugin, data, seed=3).predict_proba(data)
    fit(plugin, tables.mixed(90, seed=4), seed=5)
    assert np.array_equal(first, fit(plugin, data, seed=3).predict_proba(data)), "the same fit again differs"


def predictions_are_probabilities(plugin: Ensemble) -> None:
    """Probabilities for every case and every declared class, unknown values or not."""
    data = tables.mixed(unknown=0.2)
    answer = fit(plugin, data).predict_proba(tables.mixed(100, unknown=0.5, seed=8))
    assert answer.shape == (100, 3), f"the answer has the shape {answer.shape}"
    assert np.isfinite(answer).all()
    assert (answer >= 0).all()
    assert (answer.sum(axis=1) <= 1 + 1e-9).all(), "probabilities sum to more than 1"


def rare_classes_keep_their_column(plugin: Ensemble) -> None:
    """A class of one case, or of none, has its column in the model."""
    data = tables.mixed(60)
    codes = np.where(data.class_codes == 2, 0, data.class_codes)
    codes[7] = 2
    rare = tables.with_column(data, len(data.columns) - 1, codes.astype(np.int32))
    assert fit(plugin, rare).predict_proba(rare).shape == (60, 3)


def one_class(plugin: Ensemble) -> None:
    """Cases of one class alone are learned without complaint."""
    data = tables.mixed(40)
    pure = tables.with_column(data, len(data.columns) - 1, np.ones(40, dtype=np.int32))
    assert (fit(plugin, pure).predict_proba(pure).argmax(axis=1) == 1).all()


def weights_are_respected(plugin: Ensemble) -> None:
    """Rows of weight 0 do not decide: a class that has only such rows is never predicted."""
    data = tables.mixed(n_classes=2)
    weights = np.where(data.class_codes == 1, 0.0, 1.0)
    heavy = tables.weighted(data, weights)
    assert (fit(plugin, heavy).predict_proba(heavy).argmax(axis=1) == 0).all(), (
        "a class without weight was predicted"
    )


def specification_is_json(plugin: Ensemble) -> None:
    """The record of a fit, and what the ensemble measured, are JSON."""
    model = fit(plugin, tables.mixed())
    json.dumps(model.algorithm, allow_nan=False)
    json.dumps(getattr(model.fitted, "details", {}), allow_nan=False)
    assert all(np.isfinite(value) for value in model.measures().values())
