"""Estimators for scikit-learn: trees and forests that take mixed, incomplete tables as they are."""

from treeforge.estimators.classifiers import (
    AMSDClassifier,
    C45Classifier,
    ForestClassifier,
    TreeClassifier,
)
from treeforge.estimators.document import from_document

__all__ = ["AMSDClassifier", "C45Classifier", "ForestClassifier", "TreeClassifier", "from_document"]
