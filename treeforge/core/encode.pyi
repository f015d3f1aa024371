from treeforge.core.table import Table

MOST_LABELS: int  # classes of a table, and categories of a column, that can be told apart

class Encoded:
    """The coded columns of one table. Read-only once made."""

    n_listed: int
    plain: bool
    def __init__(self, table: Table, n_threads: int = 1, plain: bool = False) -> None: ...
    def has_unknown(self, i: int) -> bool:
        """Whether some value of input i is unknown."""

def encoded(table: Table, n_threads: int = 1, plain: bool = False) -> Encoded:
    """The table's coded columns, made on first use, by several threads if asked; thread-safe.

    ``plain``: columns of many values stay as they are, for kernels that need no order; else they are ranked.
    """

def any_encoded(table: Table) -> Encoded:
    """Those that are there, for whoever reads bytes and nothing else."""
