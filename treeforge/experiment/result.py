"""What one cell came to: its measures, or the reason why there are none; and its form on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from treeforge.errors import ResultError

FORMAT = 1

#: parts of a record that differ when the same cell is computed again; all the rest is the same to the bit
VOLATILE = ("times", "trace")


@dataclass(frozen=True)
class Result:
    """The outcome of a cell.

    Parameters
    ----------
    key : str
        Names the record: content, data set, algorithm, repeat and fold.
    content : str
        What was computed, whatever it is called: hashes of data and split, specification, seed, versions.
    spec : dict
        The algorithm as resolved (``Learner.spec``).
    status : {'ok', 'failed'}
    reason : str
        Of a failure, in one line.
    metrics : dict
        Name -> value; None is undefined. Measures of time stand in ``times`` instead.
    per_class : dict
        Name -> one value a class, for metrics that have such.
    metric_specs : dict
        Name -> metric with its parameters: a metric that changed is measured anew.
    measures : dict
        What the model counted: leaves, size, depth ...
    confusion : list of list, [n_classes, n_classes]
        Weight of the cases of class i that were predicted as j.
    unclassified : list, [n_classes]
        Weight of the cases of each class for which the model had no answer.
    n_train, n_test : int
        Rows of the training part; rows of the test part whose class is known.
    times : dict
        Seconds of thread time (``fit_seconds``, ``predict_seconds``) and on the clock (``wall_seconds``).
    time_limit : float or None
        The limit in seconds that the cell was stopped at, if it was.
    trace : str
        The traceback of a failure.
    """

    key: str
    content: str
    dataset: str
    data_hash: str
    algorithm: str
    spec: dict[str, Any]
    repeat: int
    fold: int
    seed: int
    split_hash: str
    status: Literal["ok", "failed"]
    reason: str = ""
    metrics: dict[str, float | None] = field(default_factory=dict)
    per_class: dict[str, list[float | None]] = field(default_factory=dict)
    metric_specs: dict[str, str] = field(default_factory=dict)
    measures: dict[str, float] = field(default_factory=dict)
    confusion: list[list[float]] = field(default_factory=list)
    unclassified: list[float] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    n_train: int = 0
    n_test: int = 0
    versions: dict[str, str] = field(default_factory=dict)
    time_limit: float | None = None
    times: dict[str, float] = field(default_factory=dict)
    trace: str = ""

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    def value(self, metric: str) -> float | None:
        """A measure by name; None where it is undefined or the cell failed."""
        return self.metrics[metric] if metric in self.metrics else self.times.get(metric)

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON can hold it."""
        return {"format": FORMAT, **{f.name: getattr(self, f.name) for f in fields(self)}}

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> Result:
        """The result of a record; ResultError when it is of another format."""
        if record.get("format") != FORMAT:
            raise ResultError(
                f"a result record of format {record.get('format')}; this version of treeforge reads {FORMAT}"
            )
        known = {f.name for f in fields(Result)}
        try:
            return Result(**{name: value for name, value in record.items() if name in known})
        except TypeError as wrong:
            raise ResultError(f"a result record that is not complete: {wrong}") from None

    def encode(self) -> bytes:
        """One line of JSON that ends with the SHA-256 of what stands before, so that damage shows."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        body = text.encode()[:-1]
        return body + _TAIL % hashlib.sha256(body).hexdigest().encode()

    @staticmethod
    def decode(data: bytes) -> Result:
        """The opposite of ``encode``; ResultError when anything is missing or altered."""
        body, tail = data[:-_TAIL_LENGTH], data[-_TAIL_LENGTH:]
        if tail != _TAIL % hashlib.sha256(body).hexdigest().encode():
            raise ResultError("half-written or altered")
        return Result.from_dict(json.loads(body + b"}"))

    def stable(self) -> dict[str, Any]:
        """The record without what changes from one computation to the next."""
        return {name: value for name, value in self.to_dict().items() if name not in VOLATILE}


_TAIL = b',"sha256":"%s"}\n'
_TAIL_LENGTH = len(_TAIL % (b"0" * 64))
