"""Tests that do not lower the training error."""

from libc.stdint cimport uint8_t

from treeforge.core.tree cimport Tree


cdef int mark_useless(Tree tree, uint8_t* marked) except -1
