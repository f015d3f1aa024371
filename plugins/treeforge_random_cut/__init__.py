"""One random test an attribute, for extremely randomised trees."""

from treeforge_random_cut.splitter import RandomCutSplitter

__all__ = ["RandomCutSplitter"]
