"""Why a model answers as it does: the paths, or the rule, that decide a case, and what would change the answer."""

from treeforge.explain.changes import Change
from treeforge.explain.explanation import Explanation, Path, Step, explain
from treeforge.explain.rules import RuleExplanation

__all__ = ["Change", "Explanation", "Path", "RuleExplanation", "Step", "explain"]
