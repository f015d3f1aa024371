"""Why a model answers as it does: the paths that a case takes, and what would change the answer."""

from treeforge.explain.changes import Change
from treeforge.explain.explanation import Explanation, Path, Step, explain

__all__ = ["Change", "Explanation", "Path", "Step", "explain"]
