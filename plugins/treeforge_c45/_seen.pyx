"""Where the last bit of a sum of fractions is seen in a tree.

Where two classes have the same weight it says which is predicted: in a leaf, or, if the value that a node tests is
unknown, in all its branches together. And it says which hundredth is printed of a weight half way between two.
"""

from libc.math cimport fabs, floor
from libc.stdint cimport uint8_t

from treeforge.core.encode cimport any_encoded
from treeforge.core.kernel cimport Column
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView

cdef double ROUNDING = 1e-9   # what sums in two orders differ by, at most and relatively


cdef inline bint is_tie(double a, double b) noexcept nogil:
    return fabs(a - b) <= ROUNDING * (a + b)


cdef inline bint is_half(double weight) noexcept nogil:
    """Whether it lies half way between two hundredths, unless all its bits are known."""
    cdef double hundredths = 100.0 * weight
    return is_tie(hundredths - floor(hundredths), 0.5) and 1024.0 * weight != floor(1024.0 * weight)


cdef bint has_parts(const TreeView* view, int node) noexcept nogil:
    """Whether a node's sums look rounded: not those of whole cases, nor of parts as a few halvings make them.

    Other parts may happen to add up to such: those are passed over, as looking at all would cost as much as growing.
    """
    cdef const double* weights = view.distribution + <size_t>node * view.n_classes
    cdef int c
    for c in range(view.n_classes):
        if 1024.0 * weights[c] != floor(1024.0 * weights[c]):
            return True
    return False


cdef void mark_parts(const TreeView* view, uint8_t* come, uint8_t* below) noexcept nogil:
    """Nodes that parts of cases may have come to, and nodes with such below."""
    cdef int i, b, first
    cdef bint shared
    for i in range(view.n_nodes - 1, -1, -1):       # children come after their parent
        come[i], below[i], first, shared = has_parts(view, i), 0, view.first_child[i], False
        for b in range(view.n_branches[i]):
            shared |= come[first + b]
            below[i] |= come[first + b] | below[first + b]
        if shared and not come[i]:                  # this test shares cases out: a branch's parts may add up to wholes
            for b in range(view.n_branches[i]):
                come[first + b] = 1


cdef bint is_seen(const TreeView* view, int node) noexcept nogil:
    """Whether the last bit of a node's sums is: it chooses a class, or a printed hundredth."""
    cdef const double* weights = view.distribution + <size_t>node * view.n_classes
    cdef double first = 0.0, second = 0.0
    cdef int c
    for c in range(view.n_classes):
        if weights[c] > first:
            first, second = weights[c], first
        elif weights[c] > second:
            second = weights[c]
    return second > 0.0 and is_tie(first, second) or is_half(view.weight[node]) or is_half(view.weight[node] - first)


cdef bint mark(Tree tree, Table table, uint8_t* matters, uint8_t* again) except -1:
    """Which nodes are to be summed again, which lead to such; whether there are any.

    A leaf says what its sums are; a node with a test says what those of its branches come to, if the value is unknown.
    """
    cdef const TreeView* view = &tree.view
    cdef uint8_t* below = again
    cdef int i
    cdef bint found = False
    cdef const Column* columns = any_encoded(table).columns
    mark_parts(view, matters, below)
    for i in range(view.n_nodes):
        if i and again[view.parent[i]]:
            again[i] = matters[i] or below[i]
        elif view.attribute[i] < 0:
            again[i] = matters[i] and is_seen(view, i)
        else:
            again[i] = below[i] and is_seen(view, i) and columns[view.attribute[i]].has_unknown
        found |= again[i]
    for i in range(view.n_nodes):
        matters[i] = again[i]
    for i in range(view.n_nodes - 1, 0, -1):
        matters[view.parent[i]] |= matters[i]
    return found
