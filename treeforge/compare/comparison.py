"""What a comparison says: verdicts with their numbers and words. Reports render these and compute nothing."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from treeforge.compare.table import ScoreTable
from treeforge.errors import ParameterError


@dataclass(frozen=True)
class Estimate:
    """A size with its interval, of left minus right in the metric's own unit.

    ``low`` and ``high`` are None when so few data admit no interval of that level.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    level: float


@dataclass(frozen=True)
class Effect:
    """A size without a unit; positive when left is higher, unless its name says otherwise."""

    name: str
    value: float
    words: str


@dataclass(frozen=True)
class Probabilities:
    """Posterior probabilities of a Bayesian test: which is better, or both practically equal."""

    left: float
    equal: float
    right: float
    rope: float


@dataclass(frozen=True)
class Verdict:
    """What was found about two algorithms.

    Attributes
    ----------
    left, right : str
        The algorithms; ``right`` is the control where there is one.
    dataset : str or None
        For tests on one data set.
    n : int
        Data sets (or folds) that were compared.
    zeros : int
        Those with equal scores.
    method : str
        How p was found: exact, normal, t, ...
    statistic : mapping
        The test's own numbers by name.
    p, adjusted_p : float or None
        None: not defined, or a Bayesian test.
    minimum_p, minimum_adjusted_p : float or None
        The smallest that could have come out of so few data.
    significant : bool or None
    better : str or None
        The better algorithm, where one was found.
    wins, ties, losses : int
        Of left; where neither direction is better, a win is a higher score.
    sentence : str
        The verdict in plain words, ready to print.
    """

    left: str
    right: str
    n: int
    zeros: int
    method: str
    sentence: str
    dataset: str | None = None
    statistic: Mapping[str, float | None] = field(default_factory=dict)
    p: float | None = None
    adjusted_p: float | None = None
    minimum_p: float | None = None
    minimum_adjusted_p: float | None = None
    significant: bool | None = None
    better: str | None = None
    estimate: Estimate | None = None
    effect: Effect | None = None
    probabilities: Probabilities | None = None
    wins: int = 0
    ties: int = 0
    losses: int = 0
    left_out: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def tested(self) -> bool:
        """Whether there was anything to compare."""
        return self.p is not None or self.probabilities is not None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; undefined numbers are None."""
        return plain(self)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Omnibus:
    """A test of all algorithms at once."""

    name: str
    n: int
    statistic: Mapping[str, float | None]
    p: float | None
    significant: bool | None
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """All verdicts of one declared comparison.

    Attributes
    ----------
    test : str
        Name of the test in a pipeline.
    title : str
        What was done, as a heading: ``"Wilcoxon signed-rank test, Holm correction"``.
    parameters : mapping
        The resolved parameters of the test.
    datasets : tuple of str
        Data sets on which every algorithm has a score; means and ranks are over these.
    left_out : tuple of str
        The other data sets.
    means, mean_ranks : mapping
        By algorithm; rank 1 is best (highest, where neither direction is better).
    groups : tuple of tuple of str
        Largest sets of algorithms with no difference found between any two, as this comparison's verdicts
        say: the bars of a critical-difference diagram.
    critical_difference : float or None
        Of mean ranks, for tests that have one.
    summary : str
        One or two sentences.
    notes, warnings : tuple of str
        About missing scores; about how to read the verdicts.
    references : tuple of str
        To cite.
    """

    test: str
    title: str
    metric: str
    larger_is_better: bool | None
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]
    alpha: float
    parameters: Mapping[str, Any]
    verdicts: tuple[Verdict, ...]
    summary: str
    control: str | None = None
    correction: str | None = None
    means: Mapping[str, float] = field(default_factory=dict)
    mean_ranks: Mapping[str, float] = field(default_factory=dict)
    groups: tuple[tuple[str, ...], ...] = ()
    omnibus: Omnibus | None = None
    critical_difference: float | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    def verdict(self, one: str, other: str, dataset: str | None = None) -> Verdict:
        """The verdict on two algorithms, whichever is left."""
        for verdict in self.verdicts:
            if {verdict.left, verdict.right} == {one, other} and verdict.dataset == dataset:
                return verdict
        raise ParameterError(f"{one} and {other} were not compared")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; undefined numbers are None."""
        return plain(self)  # type: ignore[no-any-return]


class Tester(Protocol):
    """Anything that compares: our own test classes, and test plugins."""

    def compare(self, table: ScoreTable) -> Comparison: ...


def plain(value: Any) -> Any:
    """Dataclasses, mappings and numbers as JSON has them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value
