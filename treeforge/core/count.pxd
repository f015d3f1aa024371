"""What kernels get of a node's BYTES columns."""

from treeforge.core.histogram cimport Histograms
from treeforge.core.kernel cimport Counts, Node, index_t


cdef void open_node(Histograms* h, const Node* node) noexcept nogil
cdef void count(Histograms* h, const Node* node, const index_t* inputs, int n_inputs, Counts* out) noexcept nogil
