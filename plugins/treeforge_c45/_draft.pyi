from treeforge.core.table import Table
from treeforge.core.tree import Tree

class Draft:
    """What error-based pruning works on."""

    def __init__(self, tree: Tree, table: Table, confidence: float, raising: bool) -> None: ...
    def finished(self) -> Tree:
        """The draft as a tree, numbered anew."""
