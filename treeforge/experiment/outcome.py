"""What a model answered on the test part, checked and counted: the ground that metrics stand on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.errors import PluginError

#: how far sums of probabilities may be off; a row may sum to less than one (c45.md 7.1), never to more
TOLERANCE = 1e-6


def check_probabilities(answer: Any, n_rows: int, n_classes: int) -> NDArray[np.float64]:
    """The probabilities as [n_rows, n_classes] floats; PluginError says what is wrong with them."""
    try:
        found = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise PluginError(f"the model returned a {type(answer).__name__} in place of probabilities") from None
    if found.shape != (n_rows, n_classes):
        raise PluginError(
            f"the model returned probabilities of shape {found.shape}, not {(n_rows, n_classes)}"
        )
    if not np.isfinite(found).all():
        raise PluginError("the model returned probabilities that are not finite numbers")
    if found.size and (found.min() < -TOLERANCE or found.sum(axis=1).max() > 1 + TOLERANCE):
        raise PluginError("the model returned probabilities below zero, or that sum to more than one")
    return found


def check_measures(answer: Any) -> dict[str, float]:
    """The model's counts: names with finite numbers."""
    if not isinstance(answer, Mapping):
        raise PluginError(f"the model returned a {type(answer).__name__} in place of measures")
    return {str(name): check_number(value, f"measure '{name}'") for name, value in answer.items()}


def check_number(value: Any, what: str) -> float:
    """A finite number, whole ones as int."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise PluginError(f"{what} is {value!r}, not a finite number")
    return value


def check_metric(value: Any, name: str) -> float | None:
    """A metric's value: a finite number, or None for undefined, which NaN also means."""
    if value is None or (isinstance(value, (float, np.floating)) and math.isnan(value)):
        return None
    return check_number(value, f"metric '{name}'")


def count(
    truth: NDArray[np.int32],
    probabilities: NDArray[np.float64],
    weights: NDArray[np.float64],
    decide: Callable[[NDArray[np.float64]], NDArray[np.int32]] | None = None,
) -> dict[str, Any]:
    """Predicted classes and the table of true against predicted.

    The first class of largest probability is predicted; a case without any probability stays unclassified
    (c45.md 7.2) and is counted apart. ``decide`` says otherwise for a model that knows the costs of mistakes.
    """
    n_classes = probabilities.shape[1]
    if decide is not None:
        predicted = decide(probabilities)
    else:
        predicted = probabilities.argmax(axis=1).astype(np.int32)
        predicted[probabilities.max(axis=1) <= 0] = -1
    # one column more for the unclassified; bincount adds in row order, so the sums are the same everywhere
    cells = truth.astype(np.int64) * (n_classes + 1) + np.where(predicted < 0, n_classes, predicted)
    sums = np.bincount(cells, weights, n_classes * (n_classes + 1)).astype(np.float64)  # of nothing: integers
    table = sums.reshape(n_classes, n_classes + 1)
    return {
        "truth": truth,
        "probabilities": probabilities,
        "predicted": predicted,
        "weights": weights,
        "confusion": table[:, :-1].copy(),
        "unclassified": table[:, -1].copy(),
    }


def plain(table: NDArray[np.float64]) -> Any:
    """Nested lists for JSON, whole numbers without a decimal point."""
    return (table.astype(np.int64) if (table == np.floor(table)).all() else table).tolist()


def plain_json(value: Any) -> Any:
    """A value as JSON can hold it; what it cannot hold (an infinite limit, an object) as its text."""
    if isinstance(value, Mapping):
        return {str(name): plain_json(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(one) for one in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else repr(value)
