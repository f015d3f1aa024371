"""Ensembles of trees that know nothing of one another: bagging and random forests (Breiman 1996, 2001)."""

from treeforge_forest.forest import BaggingEnsemble, RandomForestEnsemble

__all__ = ["BaggingEnsemble", "RandomForestEnsemble"]
