"""C4.5rules: production rules from an unpruned tree."""

from treeforge_rules.ensemble import C45RulesEnsemble

__all__ = ["C45RulesEnsemble"]
