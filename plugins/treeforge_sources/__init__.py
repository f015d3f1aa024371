"""Generators of data sets: the made-up workloads of the literature, seeded, of any length.

Each is a plugin of kind ``source``: ``{generate: agrawal, function: 2, rows: 100000}`` in a pipeline,
``treeforge data generate agrawal --set function=2 --rows 100000`` on the command line.
"""

from treeforge_sources.agrawal import Agrawal
from treeforge_sources.led import Led
from treeforge_sources.random_rbf import RandomRbf
from treeforge_sources.random_tree import RandomTree
from treeforge_sources.waveform import Waveform

__all__ = ["Agrawal", "Led", "RandomRbf", "RandomTree", "Waveform"]
