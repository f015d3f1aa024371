"""Tests cut by the moments or the median of a numeric attribute: MSD, AMSD and VFC4.5."""

from treeforge_moments.msd import AmsdSplitter, MsdSplitter
from treeforge_moments.vfc45 import Vfc45Splitter

__all__ = ["AmsdSplitter", "MsdSplitter", "Vfc45Splitter"]
