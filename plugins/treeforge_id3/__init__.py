"""ID3: one branch a category, numbers refused."""

from treeforge_id3.splitter import Id3Splitter

__all__ = ["Id3Splitter"]
