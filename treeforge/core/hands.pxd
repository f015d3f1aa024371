"""Threads that let the inputs of a large node propose, side by side."""

from treeforge.core.loop cimport Loop


cdef int join_hands(Loop* loop) noexcept nogil
cdef bint ask_together(Loop* loop) noexcept nogil
cdef void release_hands(Loop* loop) noexcept nogil
