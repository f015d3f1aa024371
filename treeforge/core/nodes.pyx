"""The nodes of a tree while it grows: arrays that double, made into a ``Tree`` at the end."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from treeforge.core.kernel cimport Split
from treeforge.core.tree cimport Tree, TreeView, blank


cdef int add_nodes(Nodes* nodes, int count, int parent) noexcept nogil:
    """The first of ``count`` new leaves without cases; -1: no memory."""
    cdef int first = nodes.n, i, capacity = nodes.capacity
    if first + count > capacity:
        capacity = 2 * capacity + count + 16
        if (widen(<void**>&nodes.attribute, capacity, 4) or widen(<void**>&nodes.parent, capacity, 4)
                or widen(<void**>&nodes.first_child, capacity, 4) or widen(<void**>&nodes.n_branches, capacity, 4)
                or widen(<void**>&nodes.cut_at, capacity, 4) or widen(<void**>&nodes.n_cuts, capacity, 4)
                or widen(<void**>&nodes.cell_at, capacity, 4) or widen(<void**>&nodes.n_cells, capacity, 4)
                or widen(<void**>&nodes.closed_left, capacity, 1) or widen(<void**>&nodes.empty, capacity, 1)
                or widen(<void**>&nodes.weight, capacity, 8) or widen(<void**>&nodes.share, capacity, 8)
                or widen(<void**>&nodes.distribution, <size_t>capacity * nodes.n_classes, 8)):
            return -1
        nodes.capacity = capacity
    nodes.n += count
    for i in range(first, first + count):
        nodes.attribute[i], nodes.parent[i], nodes.first_child[i], nodes.n_branches[i] = -1, parent, -1, 0
        nodes.cut_at[i] = nodes.n_cuts[i] = nodes.cell_at[i] = nodes.n_cells[i] = 0
        nodes.closed_left[i] = nodes.empty[i] = 0
        nodes.weight[i] = nodes.share[i] = 0.0
    return first


cdef inline bint widen(void** array, size_t count, size_t size) noexcept nogil:
    """True: no memory."""
    cdef void* moved = realloc(array[0], count * size + 8)
    if moved == NULL:
        return True
    array[0] = moved
    return False


cdef int set_test(
    Nodes* nodes, int node, int attribute, const Split* split, int n_cells, int first_child
) noexcept nogil:
    """Make a leaf a test. -1: no memory."""
    cdef int i
    if nodes.cuts_used + split.n_cuts > nodes.cuts_capacity:
        nodes.cuts_capacity = 2 * nodes.cuts_capacity + split.n_cuts + 16
        if widen(<void**>&nodes.cuts, nodes.cuts_capacity, 8):
            return -1
    if nodes.cells_used + n_cells > nodes.cells_capacity:
        nodes.cells_capacity = 2 * nodes.cells_capacity + n_cells + 16
        if widen(<void**>&nodes.branch_of, nodes.cells_capacity, 4):
            return -1
    nodes.attribute[node], nodes.first_child[node], nodes.n_branches[node] = attribute, first_child, split.n_branches
    nodes.closed_left[node] = <uint8_t>split.closed_left
    nodes.cut_at[node], nodes.n_cuts[node] = nodes.cuts_used, split.n_cuts
    nodes.cell_at[node], nodes.n_cells[node] = nodes.cells_used, n_cells
    for i in range(split.n_cuts):
        nodes.cuts[nodes.cuts_used + i] = split.cuts[i]
    for i in range(n_cells):
        nodes.branch_of[nodes.cells_used + i] = i if split.identity else split.branch_of[i]
    nodes.cuts_used += split.n_cuts
    nodes.cells_used += n_cells
    return 0


cdef int copy_node(Nodes* nodes, int node, const Nodes* source, int at) noexcept nogil:
    """A node of another array, all but its place in the tree. -1: no memory."""
    cdef Split test
    cdef size_t n_classes = nodes.n_classes
    memcpy(
        nodes.distribution + node * n_classes, source.distribution + at * n_classes, n_classes * sizeof(double)
    )
    nodes.weight[node], nodes.share[node], nodes.empty[node] = source.weight[at], source.share[at], source.empty[at]
    if source.n_branches[at] == 0:
        return 0
    test.n_branches, test.n_cuts, test.closed_left = source.n_branches[at], source.n_cuts[at], source.closed_left[at]
    test.identity = 0
    test.cuts, test.branch_of = source.cuts + source.cut_at[at], source.branch_of + source.cell_at[at]
    return set_test(nodes, node, source.attribute[at], &test, source.n_cells[at], -1)


cdef void discard_nodes(Nodes* nodes) noexcept nogil:
    free(nodes.attribute)
    free(nodes.parent)
    free(nodes.first_child)
    free(nodes.n_branches)
    free(nodes.cut_at)
    free(nodes.n_cuts)
    free(nodes.cell_at)
    free(nodes.n_cells)
    free(nodes.closed_left)
    free(nodes.empty)
    free(nodes.weight)
    free(nodes.share)
    free(nodes.distribution)
    free(nodes.cuts)
    free(nodes.branch_of)


cdef object finish(Nodes* nodes, metadata):
    """The finished tree. Other threads run while it is written: of many classes it is large, a forest has many."""
    cdef Tree tree = blank(nodes.n, nodes.n_classes, nodes.cuts_used, nodes.cells_used, metadata)
    with nogil:
        write(nodes, &tree.view)
    return tree


cdef void write(const Nodes* nodes, TreeView* view) noexcept nogil:
    """Cuts and cells come in the order of the nodes."""
    cdef int i, j, n = nodes.n, n_cuts = 0, n_cells = 0
    memcpy(<void*>view.attribute, nodes.attribute, n * sizeof(int32_t))
    memcpy(<void*>view.parent, nodes.parent, n * sizeof(int32_t))
    memcpy(<void*>view.first_child, nodes.first_child, n * sizeof(int32_t))
    memcpy(<void*>view.n_branches, nodes.n_branches, n * sizeof(int32_t))
    memcpy(<void*>view.closed_left, nodes.closed_left, n)
    memcpy(<void*>view.distribution, nodes.distribution, <size_t>n * nodes.n_classes * sizeof(double))
    memcpy(<void*>view.weight, nodes.weight, n * sizeof(double))
    memcpy(<void*>view.share, nodes.share, n * sizeof(double))
    memcpy(<void*>view.empty, nodes.empty, n)
    for i in range(n):
        (<int32_t*>view.cut_start)[i], (<int32_t*>view.cell_start)[i] = n_cuts, n_cells
        for j in range(nodes.n_cuts[i]):
            (<double*>view.cuts)[n_cuts + j] = nodes.cuts[nodes.cut_at[i] + j]
        for j in range(nodes.n_cells[i]):
            (<int32_t*>view.branch_of)[n_cells + j] = nodes.branch_of[nodes.cell_at[i] + j]
        n_cuts += nodes.n_cuts[i]
        n_cells += nodes.n_cells[i]
    (<int32_t*>view.cut_start)[n], (<int32_t*>view.cell_start)[n] = n_cuts, n_cells
