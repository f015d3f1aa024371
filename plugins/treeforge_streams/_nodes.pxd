"""The nodes of a Hoeffding tree, and the memory that it owns.

``nodes`` is one growing array; the branches of a test stand side by side. An open leaf owns a block ``stats``:
input i has it from ``offset[i]``, a number as [n_classes, FIELDS] (``_observer``), a category as [arity, n_classes].
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from treeforge_streams._observer cimport FIELDS, open_observer


cdef struct Settings:
    double grace_period
    double delta
    double tie_threshold
    double least_share       # of the weight, that two branches of a test must have
    int bins                 # candidate cuts of a number; 0: AMSD's three cuts
    double alpha
    double gamma_max
    int leaf                 # 0 majority, 1 naive Bayes, 2 whichever has been right more often


cdef struct HNode:
    int attribute            # -1: a leaf
    int parent
    int first_child
    int n_branches
    int n_cuts
    double[3] cuts           # value <= cut goes left, or value < cut when there are three
    double* classes          # weight of each class, [n_classes]
    double* stats            # observers of an open leaf, else NULL
    double weight
    double born              # weight that it was expected to have when its test was made
    double checked           # weight when the tests were last compared
    double majority_right
    double bayes_right


cdef struct Walk:            # scratch of one case's way through the tree
    double* votes            # [n_classes]
    int* waiting             # nodes still to visit, [capacity]
    double* parts            # with this part of the case, [capacity]


cdef struct Tree:
    Settings settings
    int n_inputs
    int n_classes
    int n_nodes
    int capacity             # nodes that there is room for
    HNode* nodes
    int32_t* categories      # 0 for a number, [n_inputs]
    size_t* offset           # of each input in ``stats``, [n_inputs]
    size_t stats_size
    double* table            # class weights of a test's branches, [most branches, n_classes]
    double* best_table
    Walk walk                # of learning


cdef inline void free_walk(Walk* walk) noexcept nogil:
    free(walk.votes)
    free(walk.waiting)
    free(walk.parts)


cdef inline void free_tree(Tree* tree) noexcept nogil:
    cdef int i
    for i in range(tree.n_nodes):
        free(tree.nodes[i].classes)
        free(tree.nodes[i].stats)
    free(tree.nodes)
    free(tree.categories)
    free(tree.offset)
    free(tree.table)
    free(tree.best_table)
    free_walk(&tree.walk)


cdef inline bint make_room(Tree* tree, int n_nodes) noexcept nogil:
    """False: no memory, and the tree is as it was."""
    cdef int capacity = tree.capacity
    cdef void* moved
    if n_nodes <= capacity:
        return True
    while n_nodes > capacity:
        capacity = 2 * capacity + 16
    moved = realloc(tree.nodes, capacity * sizeof(HNode))
    if moved == NULL:
        return False
    tree.nodes = <HNode*>moved
    moved = realloc(tree.walk.waiting, capacity * sizeof(int))
    if moved == NULL:
        return False
    tree.walk.waiting = <int*>moved
    moved = realloc(tree.walk.parts, capacity * sizeof(double))
    if moved == NULL:
        return False
    tree.walk.parts = <double*>moved
    tree.capacity = capacity
    return True


cdef inline int add_nodes(Tree* tree, int n, int parent) noexcept nogil:
    """New leaves side by side, without observers; the place of the first, -1: no memory."""
    cdef int first = tree.n_nodes
    cdef HNode* node
    if not make_room(tree, first + n):
        return -1
    while tree.n_nodes < first + n:
        node = &tree.nodes[tree.n_nodes]
        memset(node, 0, sizeof(HNode))
        node.attribute, node.parent, node.first_child = -1, parent, -1
        node.classes = <double*>calloc(tree.n_classes + 1, sizeof(double))
        if node.classes == NULL:
            return -1
        tree.n_nodes += 1
    return first


cdef inline int open_leaf(Tree* tree, int at) noexcept nogil:
    """Give a leaf its observers. -1: no memory."""
    cdef double* stats = <double*>calloc(tree.stats_size + 1, sizeof(double))
    cdef int i, c
    if stats == NULL:
        return -1
    tree.nodes[at].stats = stats
    for i in range(tree.n_inputs):
        for c in range(tree.n_classes if tree.categories[i] == 0 else 0):
            open_observer(stats + tree.offset[i] + FIELDS * c)
    return 0


cdef inline int majority(const Tree* tree, const HNode* node) noexcept nogil:
    cdef int c, best = 0
    for c in range(1, tree.n_classes):
        if node.classes[c] > node.classes[best]:
            best = c
    return best
