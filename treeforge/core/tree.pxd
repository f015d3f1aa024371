"""A grown tree as pointers, for those who walk it without the GIL."""

from libc.stdint cimport int32_t, uint8_t

from treeforge.core.table cimport Table


cdef struct TreeView:
    int n_nodes
    int n_classes
    const int32_t* attribute     # [n_nodes]; -1 at a leaf
    const int32_t* parent        # [n_nodes]; -1 at the root
    const int32_t* first_child   # [n_nodes]; branch b leads to first_child + b
    const int32_t* n_branches    # [n_nodes]
    const uint8_t* closed_left   # [n_nodes]; a value equal to a cut goes right
    const int32_t* cut_start     # [n_nodes + 1]
    const int32_t* cell_start    # [n_nodes + 1]
    const double* cuts
    const int32_t* branch_of     # cell -> branch
    const double* distribution   # [n_nodes, n_classes]
    const double* weight         # [n_nodes]
    const double* share          # [n_nodes]
    const uint8_t* empty         # [n_nodes]


cdef class Tree:
    cdef TreeView view
    cdef readonly int n_nodes
    cdef readonly int n_classes
    cdef readonly object attribute, parent, first_child, n_branches, closed_left
    cdef readonly object cut_start, cell_start, cuts, branch_of
    cdef readonly object distribution, weight, share, empty
    cdef readonly dict metadata
    cdef public object training_leaves   # int32 [n_rows of the table], or None; see grow
    cdef object prepared   # what predicts, made on first use


cdef Tree blank(int n_nodes, int n_classes, int n_cuts, int n_cells, metadata)
cdef Tree regrow(
    Tree tree, const TreeView* nodes, int n, const int32_t* source, const int32_t* test, const int32_t* first,
    const int32_t* parent
)


cdef inline int branch_of_number(const TreeView* tree, int node, double value) noexcept nogil:
    """Branch of a number, -1 when it is unknown."""
    cdef int start = tree.cut_start[node], low = 0, high = tree.cut_start[node + 1] - start, middle
    cdef const double* cuts = tree.cuts + start
    if value != value:
        return -1
    if high == 1 and not tree.closed_left[node]:
        return tree.branch_of[tree.cell_start[node] + (value > cuts[0])]
    while low < high:   # the first cut that the value does not lie beyond
        middle = (low + high) >> 1
        if cuts[middle] < value or (tree.closed_left[node] and cuts[middle] == value):
            low = middle + 1
        else:
            high = middle
    return tree.branch_of[tree.cell_start[node] + low]


cdef inline int branch_of_code(const TreeView* tree, int node, int code) noexcept nogil:
    """Branch of a category, -1 when it is unknown or not one of the test's."""
    cdef int start = tree.cell_start[node]
    return tree.branch_of[start + code] if 0 <= code < tree.cell_start[node + 1] - start else -1


cdef inline int branch_of_row(const TreeView* tree, Table table, int node, int row) noexcept nogil:
    """Branch of a table's row, -1 as above."""
    cdef int attribute = tree.attribute[node]
    if table.numbers[attribute] != NULL:
        return branch_of_number(tree, node, table.numbers[attribute][row])
    return branch_of_code(tree, node, table.codes[attribute][row])
