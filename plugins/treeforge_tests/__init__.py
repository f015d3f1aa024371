"""Statistical tests that a pipeline can name.

The parameters and the work are in ``treeforge.compare``; here they get the face of a plugin. A test of your
own subclasses ``treeforge.plugin.Test`` and returns a ``treeforge.compare.Comparison``, or extends one of
these.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeforge.compare import (
    BayesianCorrelatedTTest,
    BayesianSignedRankTest,
    CorrectedTTest,
    FriedmanTest,
    SignTest,
    WilcoxonTest,
)
from treeforge.plugin import Test


@dataclass(frozen=True)
class Wilcoxon(WilcoxonTest, Test):
    __doc__ = WilcoxonTest.__doc__


@dataclass(frozen=True)
class Friedman(FriedmanTest, Test):
    __doc__ = FriedmanTest.__doc__


@dataclass(frozen=True)
class Sign(SignTest, Test):
    __doc__ = SignTest.__doc__


@dataclass(frozen=True)
class CorrectedT(CorrectedTTest, Test):
    __doc__ = CorrectedTTest.__doc__


@dataclass(frozen=True)
class BayesianSignedRank(BayesianSignedRankTest, Test):
    __doc__ = BayesianSignedRankTest.__doc__


@dataclass(frozen=True)
class BayesianCorrelatedT(BayesianCorrelatedTTest, Test):
    __doc__ = BayesianCorrelatedTTest.__doc__
