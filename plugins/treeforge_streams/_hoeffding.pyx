"""A tree that grows from a stream: each case is looked at once, and only sums are kept at the leaves.

A leaf holds, for each class, the weight of its cases and for each input an *observer*: of a number the
count, moments and range of each class, of a category the weight of each class with it. Every ``grace_period`` of
weight the inputs' best tests are compared, and the leaf becomes a test when the Hoeffding bound says that more cases
would hardly change which one wins.

Here are the doors; ``_walk`` says where a case goes, ``_leaf`` what happens there, ``_split`` when a leaf becomes a
test, ``_nodes`` and ``_observer`` what is kept.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

import numpy as np

from treeforge_streams._leaf cimport answer_at, observe_case
from treeforge_streams._nodes cimport (
    HNode, Settings, Tree, Walk, add_nodes, free_tree, free_walk, open_leaf,
)
from treeforge_streams._observer cimport FIELDS
from treeforge_streams._split cimport try_to_split
from treeforge_streams._walk cimport Inputs, go_on, start


cdef class HoeffdingTree:
    """See ``vfdt.py`` for the parameters; ``arity`` is an input's number of categories, 0 for a number."""

    cdef Tree tree
    cdef readonly object arity           # int32, [n_inputs]

    def __cinit__(
        self, arity, int n_classes, *, double grace_period, double delta, double tie_threshold,
        double least_share, int bins, double alpha, double gamma_max, int leaf,
    ):
        self.arity = np.ascontiguousarray(arity, dtype=np.int32)
        self.tree.n_inputs, self.tree.n_classes = len(self.arity), n_classes
        self.tree.settings = Settings(grace_period, delta, tie_threshold, least_share, bins, alpha, gamma_max, leaf)
        self.lay_out()
        if add_nodes(&self.tree, 1, -1) < 0 or open_leaf(&self.tree, 0) < 0:
            raise MemoryError

    def __dealloc__(self):
        free_tree(&self.tree)

    cdef int lay_out(self) except -1:
        """Where each input has its observers, and scratch for the tests."""
        cdef Tree* tree = &self.tree
        cdef int i, most_branches = 4
        cdef size_t table_size
        tree.categories = <int32_t*>malloc((tree.n_inputs + 1) * sizeof(int32_t))
        tree.offset = <size_t*>malloc((tree.n_inputs + 1) * sizeof(size_t))
        if tree.categories == NULL or tree.offset == NULL:
            raise MemoryError
        for i in range(tree.n_inputs):
            tree.categories[i] = self.arity[i]
            most_branches = max(most_branches, tree.categories[i])
            tree.offset[i] = tree.stats_size
            tree.stats_size += <size_t>(tree.categories[i] if tree.categories[i] else FIELDS) * tree.n_classes
        table_size = <size_t>(most_branches + 1) * tree.n_classes * sizeof(double)
        tree.table = <double*>malloc(table_size)
        tree.best_table = <double*>malloc(table_size)
        tree.walk.votes = <double*>malloc((tree.n_classes + 1) * sizeof(double))
        if tree.table == NULL or tree.best_table == NULL or tree.walk.votes == NULL:
            raise MemoryError
        return 0

    @property
    def n_inputs(self):
        return self.tree.n_inputs

    @property
    def n_classes(self):
        return self.tree.n_classes

    @property
    def n_nodes(self):
        return self.tree.n_nodes

    def learn(self, columns, const int32_t[::1] classes, const int32_t[::1] rows, const double[::1] weights):
        """Learn from rows of a table in this order; those of unknown class or no weight are passed over."""
        cdef Columns view = Columns(columns, self.arity)
        cdef Py_ssize_t i
        cdef int status = 0
        with nogil:
            for i in range(rows.shape[0]):
                if classes[rows[i]] >= 0 and weights[i] > 0.0:
                    status = learn_case(&self.tree, &view.inputs, rows[i], classes[rows[i]], weights[i])
                    if status < 0:
                        break
        if status < 0:
            raise MemoryError

    def predict(self, columns, const int32_t[::1] rows):
        """Class probabilities, [n, n_classes]; a row of zeros before anything has been learnt."""
        cdef Columns view = Columns(columns, self.arity)
        cdef int n = self.tree.n_classes, c
        cdef Py_ssize_t i
        cdef double total
        cdef Walk walk        # its own: several threads may ask at once
        out = np.zeros((rows.shape[0], n))
        cdef double[:, ::1] answer = out
        walk.votes = <double*>malloc((n + 1) * sizeof(double))
        walk.waiting = <int*>malloc((self.tree.n_nodes + 1) * sizeof(int))
        walk.parts = <double*>malloc((self.tree.n_nodes + 1) * sizeof(double))
        if walk.votes == NULL or walk.waiting == NULL or walk.parts == NULL:
            free_walk(&walk)
            raise MemoryError
        with nogil:
            for i in range(rows.shape[0]):
                answer_case(&self.tree, &view.inputs, rows[i], &walk, &answer[i, 0])
                total = 0.0
                for c in range(n):
                    total += answer[i, c]
                for c in range(n if total > 0.0 else 0):
                    answer[i, c] /= total
        free_walk(&walk)
        return out

    def structure(self):
        """The tree as arrays: attribute, parent, first child, branches, cuts, weight and classes of each node."""
        cdef int i, j, n = self.tree.n_nodes
        cdef const HNode* node
        attribute, parent, first, branches = (np.zeros(n, dtype=np.int32) for _ in range(4))
        cuts = []
        for i in range(n):
            node = &self.tree.nodes[i]
            attribute[i], parent[i] = node.attribute, node.parent
            first[i], branches[i] = node.first_child, node.n_branches
            cuts.append([node.cuts[j] for j in range(node.n_cuts)])
        return {
            "attribute": attribute, "parent": parent, "first_child": first, "n_branches": branches,
            "cuts": cuts, "classes": self.classes(),
        }

    def state(self):
        """All that was learnt, as bytes and arrays."""
        cdef Tree* tree = &self.tree
        cdef int i
        cdef const unsigned char[::1] raw = <unsigned char[:tree.n_nodes * sizeof(HNode)]><unsigned char*>tree.nodes
        open_leaves = [i for i in range(tree.n_nodes) if tree.nodes[i].stats != NULL]
        stats = np.zeros((len(open_leaves), tree.stats_size))
        cdef double[:, ::1] stats_view = stats
        for i in range(len(open_leaves) if tree.stats_size else 0):
            memcpy(&stats_view[i, 0], tree.nodes[<int>open_leaves[i]].stats, tree.stats_size * sizeof(double))
        return {"nodes": bytes(raw), "classes": self.classes(), "open": open_leaves, "stats": stats}

    def restore(self, state):
        """Take over what ``state`` gave, in a tree of the same parameters that has learnt nothing.

        ValueError for a state of another tree, or one that is damaged; this tree is as it was then.
        """
        cdef Tree* tree = &self.tree
        cdef int i, n = len(state["classes"]), n_open = len(state["open"])
        cdef const double[:, ::1] classes = state["classes"]
        cdef const double[:, ::1] stats = state["stats"]
        cdef const unsigned char[::1] raw = state["nodes"]
        cdef double* kept
        if tree.n_nodes > 1:
            raise ValueError("a state is for a tree that has learnt nothing")
        if n < 1:
            raise ValueError("the state has no nodes: a tree has one at least, its root")
        if (raw.shape[0] != n * <Py_ssize_t>sizeof(HNode) or classes.shape[1] != tree.n_classes
                or stats.shape[0] != n_open or stats.shape[1] != <Py_ssize_t>tree.stats_size):
            raise ValueError("the state is not one of this tree")
        for place in state["open"]:
            if not 0 <= place < n:
                raise ValueError(f"the state has an open leaf at node {place}, but its nodes are 0 to {n - 1}")
        if add_nodes(tree, n - tree.n_nodes, -1) < 0:
            raise MemoryError
        free(tree.nodes[0].stats)
        for i in range(n):
            kept = tree.nodes[i].classes
            memcpy(&tree.nodes[i], &raw[i * sizeof(HNode)], sizeof(HNode))
            tree.nodes[i].classes, tree.nodes[i].stats = kept, NULL
            memcpy(kept, &classes[i, 0], tree.n_classes * sizeof(double))
        for i, place in enumerate(state["open"]):
            if open_leaf(tree, place) < 0:
                raise MemoryError
            if tree.stats_size:
                memcpy(tree.nodes[<int>place].stats, &stats[i, 0], tree.stats_size * sizeof(double))

    cdef object classes(self):
        """Class weights of each node, [n_nodes, n_classes]."""
        cdef int i
        found = np.zeros((self.tree.n_nodes, self.tree.n_classes))
        cdef double[:, ::1] view = found
        for i in range(self.tree.n_nodes):
            memcpy(&view[i, 0], self.tree.nodes[i].classes, self.tree.n_classes * sizeof(double))
        return found


cdef class Columns:
    """The inputs as pointers; keeps their arrays alive."""

    cdef Inputs inputs
    cdef list kept

    def __cinit__(self, columns, arity):
        cdef const double[::1] number_view
        cdef const int32_t[::1] code_view
        cdef int i, n = len(arity)
        if len(columns) != n:
            raise ValueError(f"{len(columns)} columns where {n} are expected")
        self.inputs.numbers = <const double**>calloc(n + 1, sizeof(void*))
        self.inputs.codes = <const int32_t**>calloc(n + 1, sizeof(void*))
        if self.inputs.numbers == NULL or self.inputs.codes == NULL:
            raise MemoryError
        self.kept = [
            np.ascontiguousarray(column, dtype=np.int32 if categories else np.float64)
            for column, categories in zip(columns, arity, strict=True)
        ]
        for i in range(n):
            if len(self.kept[i]) == 0:
                continue
            if arity[i]:
                code_view = self.kept[i]
                self.inputs.codes[i] = &code_view[0]
            else:
                number_view = self.kept[i]
                self.inputs.numbers[i] = &number_view[0]

    def __dealloc__(self):
        free(self.inputs.numbers)
        free(self.inputs.codes)


cdef int learn_case(Tree* tree, const Inputs* inputs, int row, int label, double weight) noexcept nogil:
    """-1: no memory."""
    cdef int n = 1, at
    start(&tree.walk, weight)
    while n:
        n -= 1
        at = tree.walk.waiting[n]
        if tree.nodes[at].attribute >= 0:
            n = go_on(tree, &tree.walk, n, inputs, row)
        elif learn_at(tree, at, inputs, row, label, tree.walk.parts[n]) < 0:
            return -1
    return 0


cdef int learn_at(Tree* tree, int at, const Inputs* inputs, int row, int label, double weight) noexcept nogil:
    cdef HNode* node = &tree.nodes[at]
    observe_case(tree, node, inputs, row, label, weight)
    if node.weight - node.checked > tree.settings.grace_period:
        node.checked = node.weight
        return try_to_split(tree, at)
    return 0


cdef void answer_case(const Tree* tree, const Inputs* inputs, int row, Walk* walk, double* out) noexcept nogil:
    cdef int n = 1, at
    start(walk, 1.0)
    while n:
        n -= 1
        at = walk.waiting[n]
        if tree.nodes[at].attribute >= 0:
            n = go_on(tree, walk, n, inputs, row)
        else:
            answer_at(tree, &tree.nodes[at], inputs, row, walk.parts[n], walk.votes, out)
