"""A case with unknown values goes down every branch of their tests, a share of it each, one case at a time."""

from libc.math cimport isnan
from libc.stdlib cimport realloc
from libc.string cimport memset

from treeforge.core.block cimport Source
from treeforge.core.tree cimport TreeView, branch_of_code, branch_of_number

cdef double TINY = 1e-6       # c45.md 0.2: weights below this count as none


cdef inline int branch_of_row(const TreeView* tree, const Source* values, int node, Py_ssize_t row) noexcept nogil:
    cdef int attribute = tree.attribute[node]
    cdef double number
    if values.codes[attribute] != NULL:
        return branch_of_code(tree, node, values.codes[attribute][row])
    number = values.numbers[attribute][row * values.stride]
    if tree.cut_start[node] < tree.cut_start[node + 1]:
        return branch_of_number(tree, node, number)
    return -1 if isnan(number) else branch_of_code(tree, node, <int>number)   # a code in a matrix


cdef int descend(
    const TreeView* tree, const Source* values, Py_ssize_t row, bint laplace, Walk* walk, double* out
) noexcept nogil:
    """Add a case's class probabilities to ``out``; sums nest as the tests do (c45.md 12.5). -1: no memory."""
    cdef int node = 0, depth = 0, branch, first, c, n = tree.n_classes
    cdef double part = 1.0
    cdef Frame* frame
    cdef double* sums = out
    while True:
        # follow known values from `node` to an answer, or to a test whose value is unknown
        branch = 0
        while tree.attribute[node] >= 0:
            branch = branch_of_row(tree, values, node, row)
            if branch < 0 or tree.empty[tree.first_child[node] + branch]:
                break
            node = tree.first_child[node] + branch
        if branch < 0:
            if depth == walk.size and deepen(walk, n) < 0:
                return -1
            walk.frames[depth].node = node
            walk.frames[depth].branch = 0
            walk.frames[depth].part = part
            depth += 1
            memset(&walk.sums[<size_t>(depth - 1) * n], 0, n * sizeof(double))
        else:
            answer(tree, node, part, laplace, out if depth == 0 else &walk.sums[<size_t>(depth - 1) * n])
        # go on with the next branch of the innermost unknown test
        while depth:
            frame = &walk.frames[depth - 1]
            first = tree.first_child[frame.node]
            while frame.branch < tree.n_branches[frame.node] and tree.empty[first + frame.branch]:
                frame.branch += 1
            if frame.branch < tree.n_branches[frame.node]:
                break
            depth -= 1
            sums = out if depth == 0 else &walk.sums[<size_t>(depth - 1) * n]
            for c in range(n):
                sums[c] += walk.sums[<size_t>depth * n + c]
        if depth == 0:
            return 0
        node = tree.first_child[frame.node] + frame.branch
        part = tree.share[node] * frame.part
        frame.branch += 1


cdef void answer(const TreeView* tree, int node, double part, bint laplace, double* sums) noexcept nogil:
    """Add the proportions of a node's own cases."""
    cdef int c, n = tree.n_classes
    cdef const double* weights = &tree.distribution[<size_t>node * n]
    cdef double total = tree.weight[node]
    if laplace:
        for c in range(n):
            sums[c] += part * ((weights[c] + 1.0) / (total + n))
    elif total >= TINY:
        for c in range(n):
            sums[c] += part * (weights[c] / total)


cdef int deepen(Walk* walk, int n_classes) noexcept nogil:
    cdef int size = 2 * walk.size + 16
    cdef Frame* frames = <Frame*>realloc(walk.frames, size * sizeof(Frame))
    if frames == NULL:
        return -1
    walk.frames = frames
    cdef double* sums = <double*>realloc(walk.sums, <size_t>size * n_classes * sizeof(double))
    if sums == NULL:
        return -1
    walk.sums = sums
    walk.size = size
    return 0
