"""Ensembles of trees that know nothing of one another: bagging, random forests and Extra-Trees."""

from treeforge_forest.forest import BaggingEnsemble, ExtraTreesEnsemble, RandomForestEnsemble

__all__ = ["BaggingEnsemble", "ExtraTreesEnsemble", "RandomForestEnsemble"]
