from treeforge.core.table import Table

MOST_LABELS: int  # classes of a table, and categories of a column, that can be told apart

class Encoded:
    """The coded columns of one table. Read-only once made."""

    n_listed: int
    def __init__(self, table: Table, n_threads: int = 1) -> None: ...
    def has_unknown(self, i: int) -> bool:
        """Whether some value of input i is unknown."""

def encoded(table: Table, n_threads: int = 1) -> Encoded:
    """The table's coded columns, made on first use, by several threads if asked; thread-safe."""
