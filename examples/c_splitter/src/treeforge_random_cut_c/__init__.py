"""Random cut c: a splitter whose work is written in C."""

from dataclasses import dataclass

from treeforge.plugin import Splitter

from treeforge_random_cut_c import _kernel


@dataclass(frozen=True)
class RandomCutCSplitter(Splitter):
    """The best of a few random cuts of a numeric attribute (after Geurts et al. 2006).

    Parameters
    ----------
    tries : int
        How many cuts are drawn.
    """

    meaning = 1  # raise it when the method changes: results that were kept are then made again

    tries: int = 3

    releases_gil = True
    waived = {"ties": "cuts are drawn at random: equal columns get different ones"}

    def __post_init__(self):
        if self.tries < 1:
            raise ValueError(f"tries must be at least 1, not {self.tries}")

    def kernel(self, table):
        return _kernel.kernel(self.tries)
