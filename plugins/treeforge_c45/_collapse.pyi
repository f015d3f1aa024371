from treeforge.core.tree import Tree

def collapsed(tree: Tree) -> Tree:
    """The tree without tests that do not lower its error on the training cases (c45.md 6.1)."""
