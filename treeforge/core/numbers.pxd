"""NUMBERS columns: from a split to its class weights, and to the branch of every case; the cases of each class."""

from libc.stdint cimport uint64_t

from treeforge.core.histogram cimport Histograms
from treeforge.core.kernel cimport Node, Split, index_t
from treeforge.core.loop cimport Loop


cdef void tabulate_numbers(Loop* loop, index_t input, const Split* split) noexcept nogil
cdef void branch_numbers(Loop* loop, index_t input, const Split* split) noexcept nogil
cdef const uint64_t* planes(Histograms* h, const Node* node) noexcept nogil
