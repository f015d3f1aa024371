"""Equal parts: a splitter."""

from dataclasses import dataclass

from treeforge.plugin import Splitter


@dataclass(frozen=True)
class EqualPartsSplitter(Splitter):
    """Cut the range of a numeric attribute into equal parts.

    Parameters
    ----------
    parts : int
        How many parts.
    """

    meaning = 1  # raise it when the method changes: results that were kept are then made again

    parts: int = 2

    def __post_init__(self):
        if self.parts < 2:
            raise ValueError(f"parts must be at least 2, not {self.parts}")

    def propose(self, node, attribute):
        if not node.is_numeric(attribute):
            return
        values = node.values(attribute)  # the known ones
        if values.size and values.min() < values.max():
            step = (values.max() - values.min()) / self.parts
            yield [values.min() + step * i for i in range(1, self.parts)]
