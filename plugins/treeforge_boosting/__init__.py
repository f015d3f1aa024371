"""Boosting of any splitter and pruner: AdaBoost.M1, SAMME and C5.0's way."""

from treeforge_boosting.adaboost import AdaBoostM1Ensemble, SammeEnsemble
from treeforge_boosting.c50 import C50BoostEnsemble

__all__ = ["AdaBoostM1Ensemble", "C50BoostEnsemble", "SammeEnsemble"]
