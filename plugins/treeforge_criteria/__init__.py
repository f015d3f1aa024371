"""Criteria: information gain, Gini, DKM, misclassification, Hellinger distance and chi-squared."""

from treeforge_criteria.chi_squared import ChiSquaredCriterion
from treeforge_criteria.hellinger import HellingerCriterion
from treeforge_criteria.impurity import (
    DkmCriterion,
    GiniCriterion,
    InformationGainCriterion,
    MisclassificationCriterion,
)

__all__ = [
    "ChiSquaredCriterion",
    "DkmCriterion",
    "GiniCriterion",
    "HellingerCriterion",
    "InformationGainCriterion",
    "MisclassificationCriterion",
]
