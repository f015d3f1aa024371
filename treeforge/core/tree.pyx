"""The grown tree: a flat array of nodes, read-only. Children always come after their parent.

A node's test maps a value to a cell and the cell to a branch. The cells of a number are the intervals
between ascending cuts, those of a nominal value are its categories. An unknown value, or a category that
the test does not know, goes down every branch with that branch's share of the weight.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from treeforge.core.table cimport Table

import numpy as np

cdef double TINY = 1e-6   # c45.md 0.2: weights below this count as none

FIELDS = {
    "attribute": np.int32, "parent": np.int32, "first_child": np.int32, "n_branches": np.int32,
    "closed_left": np.uint8, "cut_start": np.int32, "cell_start": np.int32, "cuts": np.float64,
    "branch_of": np.int32, "distribution": np.float64, "weight": np.float64, "share": np.float64,
    "empty": np.uint8,
}


cdef class Tree:
    """See ``tree.pyi`` for the fields, their shapes and units."""

    def __cinit__(self, *, metadata=None, **arrays):
        if set(arrays) != set(FIELDS):
            raise TypeError(f"a tree is made of {sorted(FIELDS)}, not of {sorted(arrays)}")
        for name, kind in FIELDS.items():
            array = np.ascontiguousarray(arrays[name], dtype=kind)
            if array.flags.writeable:
                array = array.view() if array is not arrays[name] else array.copy()
                array.flags.writeable = False
            arrays[name] = array
        self.attribute, self.parent = arrays["attribute"], arrays["parent"]
        self.first_child, self.n_branches = arrays["first_child"], arrays["n_branches"]
        self.closed_left, self.empty = arrays["closed_left"], arrays["empty"]
        self.cut_start, self.cell_start = arrays["cut_start"], arrays["cell_start"]
        self.cuts, self.branch_of = arrays["cuts"], arrays["branch_of"]
        self.distribution, self.weight, self.share = arrays["distribution"], arrays["weight"], arrays["share"]
        self.metadata = dict(metadata or {})
        self.n_nodes = len(self.attribute)
        self.n_classes = self.distribution.shape[1]
        self._point()

    def _point(self):
        """Fill the struct that code without the GIL reads."""
        cdef TreeView* view = &self.view
        view.n_nodes, view.n_classes = self.n_nodes, self.n_classes
        view.attribute = ints(self.attribute)
        view.first_child = ints(self.first_child)
        view.n_branches = ints(self.n_branches)
        view.closed_left = bytes_of(self.closed_left)
        view.cut_start = ints(self.cut_start)
        view.cell_start = ints(self.cell_start)
        view.cuts = doubles(self.cuts)
        view.branch_of = ints(self.branch_of)
        view.distribution = doubles(self.distribution.reshape(-1))
        view.weight = doubles(self.weight)
        view.share = doubles(self.share)
        view.empty = bytes_of(self.empty)

    def __reduce__(self):
        return _from_arrays, (self.arrays(), self.metadata)

    def arrays(self):
        return {name: getattr(self, name) for name in FIELDS}

    @property
    def n_leaves(self):
        return int((self.attribute < 0).sum())

    @property
    def depth(self):
        """Tests on the longest path."""
        cdef int32_t[::1] level = np.zeros(self.n_nodes, dtype=np.int32)
        cdef const int32_t[::1] parent = self.parent
        cdef int i, deepest = 0
        for i in range(1, self.n_nodes):
            level[i] = level[parent[i]] + 1
            if level[i] > deepest:
                deepest = level[i]
        return deepest

    @property
    def majority(self):
        """Class of each node (c45.md 0.4): near-ties to the lower index; an empty leaf takes its parent's."""
        cdef int32_t[::1] label = np.zeros(self.n_nodes, dtype=np.int32)
        cdef const double[:, ::1] weights = self.distribution
        cdef const int32_t[::1] parent = self.parent
        cdef int i, c
        cdef double best
        for i in range(self.n_nodes):
            if i and self.view.weight[i] <= TINY:
                label[i] = label[parent[i]]
                continue
            best = 0.0
            for c in range(self.n_classes):
                if weights[i, c] - best > TINY:
                    best = weights[i, c]
                    label[i] = c
        return np.asarray(label)

    def predict_proba(self, Table table, rows=None, *, bint laplace=False, int n_threads=1):
        cdef const int32_t[::1] picked = chosen_rows(table, rows)
        cdef Py_ssize_t i, n = picked.shape[0]
        out = np.zeros((n, self.n_classes))
        cdef double[:, ::1] probabilities = out
        cdef Walk walk
        cdef int failed = 0
        memset(&walk, 0, sizeof(Walk))
        if n == 0:
            return out
        with nogil:
            for i in range(n):
                if descend(&self.view, table, picked[i], laplace, &walk, &probabilities[i, 0]) < 0:
                    failed = 1
                    break
        free(walk.frames)
        free(walk.sums)
        if failed:
            raise MemoryError
        return out

    def apply(self, Table table, rows=None):
        cdef const int32_t[::1] picked = chosen_rows(table, rows)
        cdef Py_ssize_t i, n = picked.shape[0]
        out = np.zeros(n, dtype=np.int32)
        cdef int32_t[::1] ends = out
        cdef int node, branch
        with nogil:
            for i in range(n):
                node = 0
                while self.view.attribute[node] >= 0:
                    branch = branch_of_row(&self.view, table, node, picked[i])
                    node = self.view.first_child[node] + (branch if branch >= 0 else largest_share(&self.view, node))
                ends[i] = node
        return out

    def reach(self, Table table, sample):
        cdef const int32_t[::1] picked = chosen_rows(table, sample.rows)
        cdef const int32_t[::1] classes = table.classes
        cdef const double[::1] weights = table.weights_of(sample)
        cdef int32_t[::1] nodes = np.zeros(self.n_nodes, dtype=np.int32)   # still to visit: each node at most once
        cdef double[::1] parts = np.zeros(self.n_nodes)
        out = np.zeros((self.n_nodes, self.n_classes))
        cdef double[:, ::1] reached = out
        cdef int node, branch, label, waiting, child
        cdef double part
        cdef Py_ssize_t i
        with nogil:
            for i in range(picked.shape[0]):
                label = classes[picked[i]]
                if label < 0:
                    continue
                nodes[0], parts[0], waiting = 0, weights[i], 1
                while waiting:
                    waiting -= 1
                    node, part = nodes[waiting], parts[waiting]
                    reached[node, label] += part
                    if self.view.attribute[node] < 0:
                        continue
                    branch = branch_of_row(&self.view, table, node, picked[i])
                    for child in range(self.view.first_child[node], self.view.first_child[node] + self.view.n_branches[node]):
                        if branch >= 0 and child != self.view.first_child[node] + branch:
                            continue
                        if branch < 0 and self.view.share[child] <= TINY:
                            continue
                        nodes[waiting] = child
                        parts[waiting] = part if branch >= 0 else part * self.view.share[child]
                        waiting += 1
        return out

    def with_leaves(self, nodes):
        cdef int i, b, old, kept = 1
        marked = np.asarray(nodes, dtype=bool)
        cdef int32_t[::1] source = np.zeros(self.n_nodes, dtype=np.int32)   # new node -> old node
        cdef int32_t[::1] first = np.full(self.n_nodes, -1, dtype=np.int32)
        cdef int32_t[::1] parent = np.full(self.n_nodes, -1, dtype=np.int32)
        cdef const uint8_t[::1] mark = marked.view(np.uint8)
        i = 0
        while i < kept:
            old = source[i]
            if self.view.attribute[old] >= 0 and not mark[old]:
                first[i] = kept
                for b in range(self.view.n_branches[old]):
                    source[kept] = self.view.first_child[old] + b
                    parent[kept] = i
                    kept += 1
            i += 1
        return self.regrown(np.asarray(source)[:kept], np.asarray(first)[:kept], np.asarray(parent)[:kept])

    def regrown(self, source, first, parent, **changed):
        """A tree of the nodes ``source`` with other links; a node without children is a leaf."""
        leaf = first < 0
        cut_counts = np.where(leaf, 0, np.diff(self.cut_start)[source])
        cell_counts = np.where(leaf, 0, np.diff(self.cell_start)[source])
        arrays = {
            "attribute": np.where(leaf, -1, self.attribute[source]), "parent": parent, "first_child": first,
            "n_branches": np.where(leaf, 0, self.n_branches[source]),
            "closed_left": np.where(leaf, 0, self.closed_left[source]),
            "cut_start": np.concatenate([[0], np.cumsum(cut_counts)]),
            "cell_start": np.concatenate([[0], np.cumsum(cell_counts)]),
            "cuts": self.cuts[gathered(self.cut_start[:-1][source], cut_counts)],
            "branch_of": self.branch_of[gathered(self.cell_start[:-1][source], cell_counts)],
            "distribution": self.distribution[source], "weight": self.weight[source],
            "share": self.share[source], "empty": self.empty[source],
        }
        return Tree(metadata=self.metadata, **{**arrays, **changed})


def _from_arrays(arrays, metadata):
    return Tree(metadata=metadata, **arrays)


def gathered(starts, counts):
    """Indices of several ranges, one after the other."""
    total = int(counts.sum())
    ends = np.cumsum(counts)
    return np.arange(total) + np.repeat(starts - (ends - counts), counts)


cdef const int32_t* ints(array) except? NULL:
    cdef const int32_t[::1] view = array
    return &view[0] if view.shape[0] else NULL


cdef const uint8_t* bytes_of(array) except? NULL:
    cdef const uint8_t[::1] view = array
    return &view[0] if view.shape[0] else NULL


cdef const double* doubles(array) except? NULL:
    cdef const double[::1] view = array
    return &view[0] if view.shape[0] else NULL


cdef const int32_t[::1] chosen_rows(Table table, rows):
    if rows is None:
        return np.arange(table.n_rows, dtype=np.int32)
    rows = np.ascontiguousarray(rows, dtype=np.int32)
    if len(rows) and (rows.min() < 0 or rows.max() >= table.n_rows):
        raise IndexError(f"a row outside 0..{table.n_rows - 1}")
    return rows


cdef inline int branch_of_row(const TreeView* tree, Table table, int node, int row) noexcept nogil:
    cdef int attribute = tree.attribute[node]
    if table.numbers[attribute] != NULL:
        return branch_of_number(tree, node, table.numbers[attribute][row])
    return branch_of_code(tree, node, table.codes[attribute][row])


cdef int largest_share(const TreeView* tree, int node) noexcept nogil:
    cdef int b, best = 0, first = tree.first_child[node]
    for b in range(1, tree.n_branches[node]):
        if tree.share[first + b] > tree.share[first + best]:
            best = b
    return best


cdef struct Frame:      # a test whose value is unknown: its branches are answered one after the other
    int node
    int branch
    double part


cdef struct Walk:
    Frame* frames       # [size]
    double* sums        # [size, n_classes]: what a frame's branches add up to
    int size


cdef int descend(
    const TreeView* tree, Table table, int row, bint laplace, Walk* walk, double* out
) noexcept nogil:
    """Add a case's class probabilities to ``out``; sums nest as the tests do (c45.md 12.5). -1: no memory."""
    cdef int node = 0, depth = 0, branch, c, n = tree.n_classes
    cdef double part = 1.0
    cdef Frame* frame
    cdef double* sums = out
    while True:
        # follow known values from `node` to an answer, or to a test whose value is unknown
        branch = 0
        while tree.attribute[node] >= 0:
            branch = branch_of_row(tree, table, node, row)
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
            while frame.branch < tree.n_branches[frame.node] and tree.empty[tree.first_child[frame.node] + frame.branch]:
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
