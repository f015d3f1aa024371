"""``python -m treeforge`` is the command."""

from treeforge.cli import script

if __name__ == "__main__":
    script()
