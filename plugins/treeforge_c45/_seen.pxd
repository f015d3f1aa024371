"""Where the last bit of a sum of fractions is seen in a tree."""

from libc.stdint cimport uint8_t

from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree


cdef bint mark(Tree tree, Table table, uint8_t* matters, uint8_t* again) except -1
