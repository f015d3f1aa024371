"""TreeForge, the laboratory for decision trees.

Everything here is imported when it is first used: ``import treeforge`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treeforge.core.declarations import get_include
    from treeforge.data import (
        Attribute,
        Dataset,
        Sample,
        Schema,
        read_arff,
        read_dataset,
        write_arff,
        write_dataset,
    )
    from treeforge.errors import TreeForgeError
    from treeforge.estimators import (
        AMSDClassifier,
        C45Classifier,
        C45RulesClassifier,
        ExtraTreesClassifier,
        ForestClassifier,
        TreeClassifier,
    )
    from treeforge.export.code import to_c, to_java, to_javascript, to_python
    from treeforge.export.dot import to_dot
    from treeforge.export.html import to_html
    from treeforge.export.json import to_json
    from treeforge.export.onnx import to_onnx
    from treeforge.export.pmml import to_pmml
    from treeforge.export.rules import to_rules
    from treeforge.export.sql import to_sql
    from treeforge.export.svg import to_svg
    from treeforge.export.table import to_table
    from treeforge.export.text import to_text
    from treeforge.learn.build import learner
    from treeforge.learn.importance import impurity_importance, permutation_importance
    from treeforge.learn.model import Model
    from treeforge.learn.rules import rules_from_tree
    from treeforge.model_files import load, save
    from treeforge.pipeline.run import run

#: public name -> the module that has it
_PLACES = {
    "AMSDClassifier": "treeforge.estimators",
    "Attribute": "treeforge.data",
    "C45Classifier": "treeforge.estimators",
    "C45RulesClassifier": "treeforge.estimators",
    "Dataset": "treeforge.data",
    "ExtraTreesClassifier": "treeforge.estimators",
    "ForestClassifier": "treeforge.estimators",
    "Model": "treeforge.learn.model",
    "Sample": "treeforge.data",
    "Schema": "treeforge.data",
    "TreeClassifier": "treeforge.estimators",
    "TreeForgeError": "treeforge.errors",
    "get_include": "treeforge.core.declarations",
    "impurity_importance": "treeforge.learn.importance",
    "learner": "treeforge.learn.build",
    "load": "treeforge.model_files",
    "permutation_importance": "treeforge.learn.importance",
    "read_arff": "treeforge.data",
    "read_dataset": "treeforge.data",
    "rules_from_tree": "treeforge.learn.rules",
    "run": "treeforge.pipeline.run",
    "save": "treeforge.model_files",
    "to_c": "treeforge.export.code",
    "to_dot": "treeforge.export.dot",
    "to_html": "treeforge.export.html",
    "to_java": "treeforge.export.code",
    "to_javascript": "treeforge.export.code",
    "to_json": "treeforge.export.json",
    "to_onnx": "treeforge.export.onnx",
    "to_pmml": "treeforge.export.pmml",
    "to_python": "treeforge.export.code",
    "to_rules": "treeforge.export.rules",
    "to_sql": "treeforge.export.sql",
    "to_svg": "treeforge.export.svg",
    "to_table": "treeforge.export.table",
    "to_text": "treeforge.export.text",
    "write_arff": "treeforge.data",
    "write_dataset": "treeforge.data",
}

__all__ = [
    "AMSDClassifier",
    "Attribute",
    "C45Classifier",
    "C45RulesClassifier",
    "Dataset",
    "ExtraTreesClassifier",
    "ForestClassifier",
    "Model",
    "Sample",
    "Schema",
    "TreeClassifier",
    "TreeForgeError",
    "get_include",
    "impurity_importance",
    "learner",
    "load",
    "permutation_importance",
    "read_arff",
    "read_dataset",
    "rules_from_tree",
    "run",
    "save",
    "to_c",
    "to_dot",
    "to_html",
    "to_java",
    "to_javascript",
    "to_json",
    "to_onnx",
    "to_pmml",
    "to_python",
    "to_rules",
    "to_sql",
    "to_svg",
    "to_table",
    "to_text",
    "write_arff",
    "write_dataset",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("treeforge")
    if name not in _PLACES:
        raise AttributeError(f"module 'treeforge' has no attribute '{name}'")
    found = getattr(importlib.import_module(_PLACES[name]), name)
    globals()[name] = found  # the next time it is simply there
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
