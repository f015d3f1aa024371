"""CHAID: categories merged by chi-squared."""

from treeforge_chaid.splitter import ChaidSplitter

__all__ = ["ChaidSplitter"]
