"""What a model says, and with a cost matrix why it is not the most probable class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Dataset
from treeforge.learn.costs import decide


@dataclass(frozen=True)
class Answer:
    """Probabilities of a model, and how it chooses a class.

    Parameters
    ----------
    proba : function of a Dataset
        Class probabilities, [n_rows, n_classes].
    costs : sequence of sequences of float, optional
        ``costs[i][j]`` of saying class j where class i is true.
    """

    proba: Callable[[Dataset], NDArray[np.float64]]
    costs: Sequence[Sequence[float]] | None = None

    def codes(self, probabilities: NDArray[np.float64]) -> list[int]:
        """The class said for each row of probabilities; -1 where there are none."""
        said: list[int] = decide(probabilities, self.costs).tolist()
        return said

    def label(self, probabilities: NDArray[np.float64], classes: Sequence[str]) -> str | None:
        """The class said for one row; None where there are no probabilities."""
        (code,) = self.codes(probabilities[None, :])
        return classes[code] if code >= 0 else None

    def expected_costs(self, probabilities: NDArray[np.float64]) -> tuple[float, ...] | None:
        """Of saying each class for one row; None without costs or probabilities."""
        if self.costs is None or not probabilities.any():
            return None
        return tuple((probabilities @ np.asarray(self.costs, dtype=np.float64)).tolist())
