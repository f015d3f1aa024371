"""Statistical tests that a pipeline can name.

The parameters and the work are in ``treeforge.compare``; here they get the face of a plugin. A test of your
own subclasses ``treeforge.plugin.Test`` and returns a ``treeforge.compare.Comparison``, or extends one of
these.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeforge.compare import WilcoxonTest
from treeforge.plugin import Test


@dataclass(frozen=True)
class Wilcoxon(WilcoxonTest, Test):
    __doc__ = WilcoxonTest.__doc__
