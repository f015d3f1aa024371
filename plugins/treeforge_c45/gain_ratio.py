"""Gain ratio, and how C4.5 compares attributes by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treeforge.plugin import Criterion, Table
from treeforge_c45 import _gain_ratio


@dataclass(frozen=True)
class GainRatioCriterion(Criterion):
    """Information gain as a share of the information of the split itself.

    Cuts of one attribute are compared by gain, attributes by ratio.

    Parameters
    ----------
    average_rule : bool
        Only attributes of at least average gain compete: a ratio can be large because the split says little.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2.
    """

    average_rule: bool = True

    releases_gil: ClassVar[bool] = True

    def kernel(self, table: Table) -> object:
        return _gain_ratio.kernel(self.average_rule)
