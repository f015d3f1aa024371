"""Why a model answers as it does: the paths, or the rule, that decide a case, and what would change the answer."""

from treeforge.explain.changes import Change
from treeforge.explain.explanation import Explanation, explain
from treeforge.explain.rules import RuleExplanation
from treeforge.explain.votes import Asked, Votes
from treeforge.explain.ways import Path, Step

__all__ = ["Asked", "Change", "Explanation", "Path", "RuleExplanation", "Step", "Votes", "explain"]
