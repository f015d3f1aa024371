"""A declared comparison, as it stands in a pipeline file, on a table of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeforge.compare.bayes import BayesianCorrelatedTTest, BayesianSignedRankTest
from treeforge.compare.comparison import Comparison, Tester
from treeforge.compare.corrected_t import CorrectedTTest
from treeforge.compare.friedman import FriedmanTest
from treeforge.compare.sign_test import SignTest
from treeforge.compare.table import ScoreTable
from treeforge.compare.wilcoxon import WilcoxonTest
from treeforge.errors import ParameterError

#: our own tests by name; a pipeline finds these, and others, as plugins
TESTS: dict[str, type[Tester]] = {
    "bayesian_correlated_t": BayesianCorrelatedTTest,
    "bayesian_signed_rank": BayesianSignedRankTest,
    "corrected_t": CorrectedTTest,
    "friedman": FriedmanTest,
    "sign": SignTest,
    "wilcoxon": WilcoxonTest,
}


def tester(spec: Mapping[str, Any]) -> Tester:
    """The test that a mapping names: ``{"test": "wilcoxon", "alpha": 0.01}``; ``metric`` is passed over."""
    words = {key: value for key, value in spec.items() if key not in ("test", "metric")}
    name = spec.get("test", "wilcoxon")
    if name not in TESTS:
        raise ParameterError(f"no test is called '{name}' (tests: {', '.join(TESTS)})")
    try:
        return TESTS[name](**words)
    except TypeError as wrong:
        raise ParameterError(f"{name}: {wrong}") from None


def compare(table: ScoreTable, spec: Mapping[str, Any] | Tester) -> Comparison:
    """Carry out a comparison.

    Parameters
    ----------
    table : ScoreTable
        Of the metric that is compared.
    spec : mapping or Tester
        A mapping names one of our own tests; an object brings its own ``compare`` (a test plugin).

    Examples
    --------
    >>> table = ScoreTable(("a", "b", "c"), ("x", "y"), [[1, 0], [1, 0], [1, 0]])
    >>> compare(table, {"test": "wilcoxon"}).warnings
    ('Nothing can be significant with this few data sets, whatever the scores.',)
    """
    if isinstance(spec, Mapping):
        metric = spec.get("metric", table.metric)
        if metric != table.metric:
            raise ParameterError(f"the comparison is about {metric}, the table about {table.metric}")
        return tester(spec).compare(table)
    return spec.compare(table)
