"""What a model says of a case, and with a cost matrix why it is not the most probable class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Dataset
from treeforge.learn.costs import decide

if TYPE_CHECKING:
    from treeforge.explain.changes import Change


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

    def told(self, case: Dataset, row: int, classes: tuple[str, ...]) -> dict[str, Any]:
        """What is said of a case of one row, as the fields of ``Answered``."""
        (probabilities,) = self.proba(case)
        return {
            "row": row,
            "classes": classes,
            "probabilities": tuple(probabilities.tolist()),
            "predicted": self.label(probabilities, classes),
            "expected_costs": self.expected_costs(probabilities),
        }


@dataclass(frozen=True)
class Answered:
    """What every explanation tells: the answer, and what would change it.

    Parameters
    ----------
    row : int
        Place of the case in its data, from 0.
    classes : tuple of str
    probabilities : tuple of float
    predicted : str or None
        None when the model cannot say.
    expected_costs : tuple of float, or None
        Of saying each class, where the model has a cost matrix: the least is said.
    changes : tuple of Change
        What would change the answer, smallest changes first.
    unseen : tuple of (str, str)
        Attribute and category, where the case has one that the model's training data did not declare: it counts
        as unknown.
    """

    row: int
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]
    predicted: str | None
    expected_costs: tuple[float, ...] | None
    changes: tuple[Change, ...]
    unseen: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        costs = self.expected_costs
        return {
            "row": self.row,
            "predicted": self.predicted,
            "probabilities": dict(zip(self.classes, self.probabilities, strict=True)),
            "expected_costs": None if costs is None else dict(zip(self.classes, costs, strict=True)),
            "unseen": dict(self.unseen),
            **self._reasons(),
            "changes": [asdict(change) for change in self.changes],
        }

    def _reasons(self) -> dict[str, Any]:
        """What stands between the answer and the changes, as JSON values."""
        raise NotImplementedError

    def to_text(self) -> str:
        """All of it in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.to_text()
