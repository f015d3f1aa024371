"""A case with unknown values goes down every branch of their tests, a share of it each, one case at a time.

So does one whose number lies between the bounds of a soft threshold, down both branches. Each cut Z may have two
bounds, ``lower <= Z <= upper``. Where they coincide with it the test is hard. Elsewhere a number up to ``lower`` takes
the lower side whole, one from ``upper`` on the upper side, and between them the part of the lower side falls in two
straight lines, from 1 at ``lower`` to 1/2 at Z to 0 at ``upper``. A bound that is Z itself leaves no line on its side.
"""

from libc.math cimport INFINITY, isnan
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from treeforge.core.block cimport Source
from treeforge.core.tree cimport TreeView, branch_of_code, branch_of_number

cdef double TINY = 1e-6       # c45.md 0.2: weights below this count as none


cdef double part_below(double value, double lower, double cut, double upper, bint closed_left) noexcept nogil:
    """The part of a case that goes to the lower side of a cut: see ``soft.pyi``."""
    cdef bint is_below = value < cut or (value == cut and not closed_left)
    cdef double end = lower if is_below else upper
    cdef double width = end - cut, way = value - cut
    if (value <= end) if is_below else (value >= end):
        return is_below
    if width == INFINITY or width == -INFINITY:
        width, way = 0.5 * end - 0.5 * cut, 0.5 * value - 0.5 * cut
    return 0.5 + 0.5 * (way / width) if is_below else 0.5 - 0.5 * (way / width)


cdef inline int branch_of_row(
    const TreeView* tree, const Bounds* soft, const Source* values, int node, Py_ssize_t row, double* below
) noexcept nogil:
    """Branch of a case, -1 when its value is unknown; ``below`` is its part below the cut if it is parted, else -1."""
    cdef int attribute = tree.attribute[node], cut = tree.cut_start[node]
    cdef double number
    below[0] = -1.0
    if values.codes[attribute] != NULL:
        return branch_of_code(tree, node, values.codes[attribute][row])
    number = values.numbers[attribute][row * values.stride]
    if isnan(number):
        return -1
    if cut == tree.cut_start[node + 1]:      # a code in a matrix
        return branch_of_code(tree, node, <int>number)
    if soft != NULL and soft.lower[cut] < soft.upper[cut]:
        below[0] = part_below(number, soft.lower[cut], tree.cuts[cut], soft.upper[cut], tree.closed_left[node])
        if below[0] == 0.0 or below[0] == 1.0:   # a whole case
            below[0] = -1.0
    return branch_of_number(tree, node, number)


cdef int descend(
    const TreeView* tree, const Bounds* soft, const Source* values, Py_ssize_t row, int root, bint laplace, Walk* walk,
    double* out
) noexcept nogil:
    """Add a case's class probabilities to ``out``; sums nest as the tests do (c45.md 12.5). -1: no memory.

    ``soft`` is NULL where thresholds are hard; ``root`` is the node at which the case begins.
    """
    cdef int node = root, depth = 0, branch, c, n = tree.n_classes
    cdef double part = 1.0, below
    cdef Frame* top
    cdef double* sums
    while True:
        # follow the case whole from `node` to an answer, or to a test that parts it
        branch, below = 0, -1.0
        while tree.attribute[node] >= 0:
            branch = branch_of_row(tree, soft, values, node, row, &below)
            if branch < 0 or below >= 0.0 or tree.empty[tree.first_child[node] + branch]:
                break
            node = tree.first_child[node] + branch
        if branch < 0 or below >= 0.0:
            if depth == walk.size and deepen(walk, n) < 0:
                return -1
            walk.frames[depth] = Frame(node, 0, part, below)
            memset(&walk.sums[<size_t>depth * n], 0, n * sizeof(double))
            depth += 1
        else:
            answer(tree, node, part, laplace, out if depth == 0 else &walk.sums[<size_t>(depth - 1) * n])
        # go on with the next branch of the innermost test at which the case is parted
        while depth:
            top = &walk.frames[depth - 1]
            if top.branch < tree.n_branches[top.node]:
                node = tree.first_child[top.node] + top.branch
                part = share_of(tree, top) * top.part
                top.branch += 1
                if not tree.empty[node]:
                    break
                if top.below >= 0.0:   # a known value at an empty leaf: the node above answers
                    answer(tree, top.node, part, laplace, &walk.sums[<size_t>(depth - 1) * n])
                continue
            depth -= 1
            sums = out if depth == 0 else &walk.sums[<size_t>(depth - 1) * n]
            for c in range(n):
                sums[c] += walk.sums[<size_t>depth * n + c]
        if depth == 0:
            return 0


cdef inline double share_of(const TreeView* tree, const Frame* top) noexcept nogil:
    """The part of a case that takes the next branch of the test at which it is parted."""
    if top.below < 0.0:
        return tree.share[tree.first_child[top.node] + top.branch]
    return top.below if top.branch == tree.branch_of[tree.cell_start[top.node]] else 1.0 - top.below


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


cdef void close_walk(Walk* walk) noexcept:
    free(walk.frames)
    free(walk.sums)
