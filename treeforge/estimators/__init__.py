"""Estimators for scikit-learn: trees, forests and rules that take mixed, incomplete tables as they are."""

from treeforge.estimators.classifiers import (
    AMSDClassifier,
    C45Classifier,
    C45RulesClassifier,
    TreeClassifier,
)
from treeforge.estimators.document import from_document
from treeforge.estimators.forests import ExtraTreesClassifier, ForestClassifier

__all__ = [
    "AMSDClassifier",
    "C45Classifier",
    "C45RulesClassifier",
    "ExtraTreesClassifier",
    "ForestClassifier",
    "TreeClassifier",
    "from_document",
]
