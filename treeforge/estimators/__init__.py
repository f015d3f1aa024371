"""Estimators for scikit-learn: trees and forests that take mixed, incomplete tables as they are."""

from treeforge.estimators.classifiers import AMSDClassifier, C45Classifier, TreeClassifier
from treeforge.estimators.document import from_document
from treeforge.estimators.forests import ExtraTreesClassifier, ForestClassifier

__all__ = [
    "AMSDClassifier",
    "C45Classifier",
    "ExtraTreesClassifier",
    "ForestClassifier",
    "TreeClassifier",
    "from_document",
]
