"""The attempt to split a leaf: the best test of each input, and Hoeffding's bound on the best two."""

from libc.math cimport INFINITY, fabs, log, log2, sqrt
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from treeforge_streams._nodes cimport HNode, Tree, add_nodes, majority, open_leaf
from treeforge_streams._observer cimport COUNT, CUBES, FIELDS, HIGH, LOW, MEAN, SQUARES, merge, weight_below_cut


cdef struct Candidate:
    int attribute
    int n_branches
    int n_cuts
    double[3] cuts
    double gain


cdef inline int try_to_split(Tree* tree, int at) noexcept nogil:
    cdef HNode* node = &tree.nodes[at]
    cdef Candidate best, second, tried
    cdef double bound
    cdef int i
    if node.classes[majority(tree, node)] >= node.weight - 1e-9:    # of one class
        return 0
    best.gain = second.gain = 0.0    # splitting on nothing gains nothing
    best.attribute = -1
    for i in range(tree.n_inputs):
        best_of(tree, node, i, &tried)
        if tried.gain > best.gain:
            second = best
            best = tried
            memcpy(tree.best_table, tree.table, <size_t>best.n_branches * tree.n_classes * sizeof(double))
        elif tried.gain > second.gain:
            second = tried
    if best.attribute < 0:
        return 0
    bound = log2(<double>max(tree.n_classes, 2))
    bound = sqrt(bound * bound * log(1.0 / tree.settings.delta) / (2.0 * node.weight))
    if best.gain - second.gain > bound or bound < tree.settings.tie_threshold:
        return split(tree, at, &best)
    return 0


cdef inline int split(Tree* tree, int at, const Candidate* best) noexcept nogil:
    """Make the leaf a test; its branches begin with the class weights that the observers expect."""
    cdef int first = add_nodes(tree, best.n_branches, at), b, c, j
    cdef HNode* node = &tree.nodes[at]     # add_nodes may have moved it
    cdef HNode* child
    if first < 0:
        return -1
    for b in range(best.n_branches):
        child = &tree.nodes[first + b]
        for c in range(tree.n_classes):
            child.classes[c] = tree.best_table[b * tree.n_classes + c]
            child.weight += child.classes[c]
        child.born = child.checked = child.weight
        if open_leaf(tree, first + b) < 0:
            return -1
    node.attribute, node.first_child, node.n_branches = best.attribute, first, best.n_branches
    node.n_cuts = best.n_cuts
    for j in range(best.n_cuts):
        node.cuts[j] = best.cuts[j]
    free(node.stats)
    node.stats = NULL
    return 0


cdef inline void best_of(Tree* tree, const HNode* node, int input, Candidate* best) noexcept nogil:
    """The best test of an input; afterwards ``table`` has its branches."""
    cdef const double* observer = node.stats + tree.offset[input]
    best.attribute, best.gain, best.n_cuts = input, -INFINITY, 0
    if tree.categories[input]:
        best.n_branches = tree.categories[input]
        memcpy(tree.table, observer, <size_t>best.n_branches * tree.n_classes * sizeof(double))
        best.gain = gain_of_table(tree, node, best.n_branches)
    elif tree.settings.bins:
        best_bin(tree, node, observer, best)
    else:
        moment_cuts(tree, node, observer, best)


cdef inline void best_bin(Tree* tree, const HNode* node, const double* observer, Candidate* best) noexcept nogil:
    """The best of evenly spaced cuts between the least and the largest value."""
    cdef double low = INFINITY, high = -INFINITY, cut, gain
    cdef int c, j
    best.n_branches, best.n_cuts = 2, 1
    for c in range(tree.n_classes):
        low, high = min(low, observer[FIELDS * c + LOW]), max(high, observer[FIELDS * c + HIGH])
    if not low < high:
        return
    for j in range(tree.settings.bins):
        cut = low + (high - low) / (tree.settings.bins + 1) * (j + 1)
        if not low < cut < high:
            continue
        expect(tree, observer, &cut, 1)
        gain = gain_of_table(tree, node, 2)
        if gain > best.gain:
            best.gain, best.cuts[0] = gain, cut
    if best.gain > -INFINITY:
        expect(tree, observer, best.cuts, 1)


cdef inline void moment_cuts(Tree* tree, const HNode* node, const double* observer, Candidate* best) noexcept nogil:
    """AMSD's three cuts, from the moments of all classes merged."""
    cdef double[6] whole
    cdef double sd, g, a
    cdef int c
    memset(whole, 0, sizeof(whole))
    for c in range(tree.n_classes):
        merge(whole, observer + FIELDS * c)
    best.n_branches, best.n_cuts = 4, 3
    if not whole[SQUARES] > 0.0:
        return
    sd = sqrt(whole[SQUARES] / whole[COUNT])
    g = whole[CUBES] / whole[COUNT] / (sd * sd * sd)
    a = tree.settings.alpha * min(fabs(g), tree.settings.gamma_max)
    if not g > 0.0:
        a = -a
    best.cuts[0], best.cuts[1], best.cuts[2] = (
        whole[MEAN] - (1.0 - a) * sd, whole[MEAN], whole[MEAN] + (1.0 + a) * sd
    )
    expect(tree, observer, best.cuts, 3)
    best.gain = gain_of_table(tree, node, 4)


cdef inline void expect(Tree* tree, const double* observer, const double* cuts, int n_cuts) noexcept nogil:
    """Fill ``table`` with the class weights between the cuts, each class being normal within its range."""
    cdef int c, j
    cdef double below, before
    cdef const double* of_class
    for c in range(tree.n_classes):
        of_class, before = observer + FIELDS * c, 0.0
        for j in range(n_cuts):
            below = weight_below_cut(of_class, cuts[j], n_cuts == 1)
            tree.table[j * tree.n_classes + c] = max(below - before, 0.0)
            before = max(below, before)
        tree.table[n_cuts * tree.n_classes + c] = max(of_class[COUNT] - before, 0.0)


cdef inline double gain_of_table(Tree* tree, const HNode* node, int n_branches) noexcept nogil:
    """Information gain of ``table`` in bits a case observed here; -infinity if fewer than two branches count."""
    cdef double known = 0.0, value = 0.0, weight, of_class, x
    cdef int b, c, heavy = 0
    for b in range(n_branches):
        weight = 0.0
        for c in range(tree.n_classes):
            x = tree.table[b * tree.n_classes + c]
            weight += x
            value += xlogx(x)
        value -= xlogx(weight)
        known += weight
    for b in range(n_branches):
        weight = 0.0
        for c in range(tree.n_classes):
            weight += tree.table[b * tree.n_classes + c]
        heavy += weight > tree.settings.least_share * known
    if heavy < 2:
        return -INFINITY
    for c in range(tree.n_classes):
        of_class = 0.0
        for b in range(n_branches):
            of_class += tree.table[b * tree.n_classes + c]
        value -= xlogx(of_class)
    value += xlogx(known)
    return value / ((node.weight - node.born) * 0.6931471805599453)


cdef inline double xlogx(double x) noexcept nogil:
    return x * log(x) if x > 0.0 else 0.0
