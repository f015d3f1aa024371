"""Who is better: the statistical tests, their corrections and effect sizes.

A comparison is declared (a test with its parameters), a table of scores goes in, and a ``Comparison`` comes
out whose verdicts hold numbers and plain words. Every formula and decision is in ``docs/statistics.md``.
"""

from treeforge.compare.comparison import (
    Comparison,
    Effect,
    Estimate,
    Omnibus,
    Probabilities,
    Tester,
    Verdict,
)
from treeforge.compare.corrections import adjust
from treeforge.compare.declared import compare, tester
from treeforge.compare.groups import Bar, bars, groups
from treeforge.compare.signed_rank import SignedRank, signed_rank
from treeforge.compare.table import FoldScores, ScoreTable
from treeforge.compare.wilcoxon import WilcoxonTest

__all__ = [
    "Bar",
    "Comparison",
    "Effect",
    "Estimate",
    "FoldScores",
    "Omnibus",
    "Probabilities",
    "ScoreTable",
    "SignedRank",
    "Tester",
    "Verdict",
    "WilcoxonTest",
    "adjust",
    "bars",
    "compare",
    "groups",
    "signed_rank",
    "tester",
]
