"""Who is better: the statistical tests, their corrections and effect sizes.

A comparison is declared (a test with its parameters), a table of scores goes in, and a ``Comparison`` comes
out whose verdicts hold numbers and plain words. Every formula and decision is in ``docs/statistics.md``.
"""

from treeforge.compare.bayes import BayesianCorrelatedTTest, BayesianSignedRankTest
from treeforge.compare.cliques import Bar, bars, groups
from treeforge.compare.comparison import (
    Comparison,
    Effect,
    Estimate,
    Omnibus,
    Probabilities,
    Tester,
    Verdict,
)
from treeforge.compare.corrected_t import CorrectedT, CorrectedTTest, corrected_t_test
from treeforge.compare.corrections import adjust
from treeforge.compare.declared import compare, tester
from treeforge.compare.effect import hodges_lehmann
from treeforge.compare.friedman import FriedmanTest
from treeforge.compare.pairwise import PairwiseTest
from treeforge.compare.posterior import correlated_t_posterior, signed_rank_posterior
from treeforge.compare.rank_tests import RankTest, rank_test
from treeforge.compare.ranks import rank_rows
from treeforge.compare.sign_test import SignTest, sign_p
from treeforge.compare.signed_ranks import SignedRank, signed_rank
from treeforge.compare.table import FoldScores, ScoreTable
from treeforge.compare.wilcoxon import WilcoxonTest

__all__ = [
    "Bar",
    "BayesianCorrelatedTTest",
    "BayesianSignedRankTest",
    "Comparison",
    "CorrectedT",
    "CorrectedTTest",
    "Effect",
    "Estimate",
    "FoldScores",
    "FriedmanTest",
    "Omnibus",
    "PairwiseTest",
    "Probabilities",
    "RankTest",
    "ScoreTable",
    "SignTest",
    "SignedRank",
    "Tester",
    "Verdict",
    "WilcoxonTest",
    "adjust",
    "bars",
    "compare",
    "corrected_t_test",
    "correlated_t_posterior",
    "groups",
    "hodges_lehmann",
    "rank_rows",
    "rank_test",
    "sign_p",
    "signed_rank",
    "signed_rank_posterior",
    "tester",
]
