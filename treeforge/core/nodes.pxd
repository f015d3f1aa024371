"""The nodes of a tree while it grows."""

from libc.stdint cimport int32_t, uint8_t

from treeforge.core.kernel cimport Split


cdef struct Nodes:
    int n
    int capacity
    int n_classes
    int32_t* attribute
    int32_t* parent
    int32_t* first_child
    int32_t* n_branches
    int32_t* cut_at          # where a node's cuts start in `cuts`
    int32_t* n_cuts
    int32_t* cell_at         # where a node's cells start in `branch_of`
    int32_t* n_cells
    uint8_t* closed_left
    uint8_t* empty
    double* weight
    double* share
    double* distribution     # [capacity, n_classes]
    double* cuts
    int cuts_used
    int cuts_capacity
    int32_t* branch_of
    int cells_used
    int cells_capacity


cdef int add_nodes(Nodes* nodes, int count, int parent) noexcept nogil
cdef int set_test(
    Nodes* nodes, int node, int attribute, const Split* split, int n_cells, int first_child
) noexcept nogil
cdef int copy_node(Nodes* nodes, int node, const Nodes* source, int at) noexcept nogil
cdef void discard_nodes(Nodes* nodes) noexcept nogil
cdef object finish(Nodes* nodes, metadata)
