"""The grown tree: a flat array of nodes, read-only. Children always come after their parent.

A node's test maps a value to a cell and the cell to a branch. The cells of a number are the intervals
between ascending cuts, those of a nominal value are its categories. An unknown value, or a category that
the test does not know, goes down every branch with that branch's share of the weight.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cimport numpy as cnp

from treeforge.core.arrays cimport bytes_of, doubles, ints
from treeforge.core.table cimport Table, chosen_rows

import numpy as np

cnp.import_array()

cdef double TINY = 1e-6   # c45.md 0.2: weights below this count as none

FIELDS = {
    "attribute": np.int32, "parent": np.int32, "first_child": np.int32, "n_branches": np.int32,
    "closed_left": np.uint8, "cut_start": np.int32, "cell_start": np.int32, "cuts": np.float64,
    "branch_of": np.int32, "distribution": np.float64, "weight": np.float64, "share": np.float64,
    "empty": np.uint8,
}


cdef class Tree:
    """See ``tree.pyi`` for the fields, their shapes and units."""

    def __init__(self, *, metadata=None, **arrays):
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
        view.parent = ints(self.parent)
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
        from treeforge.core.predict import predict_proba

        return predict_proba(self.walker(), table, rows, laplace=laplace, n_threads=n_threads)

    def walker(self):
        """The tree in the form that predicts, made once."""
        if self.prepared is None:
            from treeforge.core.steps import Walker

            self.prepared = Walker((self,))
        return self.prepared

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
        cdef int node, branch, label, waiting, first, child
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
                    first = self.view.first_child[node]
                    for child in range(first, first + self.view.n_branches[node]):
                        if branch >= 0 and child != first + branch:
                            continue
                        if branch < 0 and self.view.share[child] <= TINY:
                            continue
                        nodes[waiting] = child
                        parts[waiting] = part if branch >= 0 else part * self.view.share[child]
                        waiting += 1
        return out

    def with_leaves(self, nodes):
        cdef int b, old, kept = 1, i = 0
        cdef const uint8_t[::1] mark = np.ascontiguousarray(nodes, dtype=bool).view(np.uint8)
        # new node -> old node
        cdef int32_t* source = <int32_t*>malloc(3 * <size_t>self.n_nodes * sizeof(int32_t))
        cdef int32_t* first = source + self.n_nodes
        cdef int32_t* parent = first + self.n_nodes
        if mark.shape[0] != self.n_nodes:
            free(source)
            raise ValueError(f"{mark.shape[0]} marks for {self.n_nodes} nodes")
        if source == NULL:
            raise MemoryError
        source[0], parent[0] = 0, -1
        while i < kept:
            old, first[i] = source[i], -1
            if self.view.attribute[old] >= 0 and not mark[old]:
                first[i] = kept
                for b in range(self.view.n_branches[old]):
                    source[kept], parent[kept] = self.view.first_child[old] + b, i
                    kept += 1
            i += 1
        try:
            return regrow(self, &self.view, kept, source, source, first, parent)
        finally:
            free(source)


def _from_arrays(arrays, metadata):
    return Tree(metadata=metadata, **arrays)


# ------------------------------------------------------------------ trees from native code

cdef Tree blank(int n_nodes, int n_classes, int n_cuts, int n_cells, metadata):
    """A tree whose arrays are to be filled at once, through ``view``: a small tree costs a microsecond to make."""
    cdef Tree tree = Tree.__new__(Tree)
    cdef TreeView* view = &tree.view
    tree.n_nodes, tree.n_classes, tree.metadata = n_nodes, n_classes, dict(metadata or {})
    view.n_nodes, view.n_classes = n_nodes, n_classes
    tree.attribute = reserved(cnp.NPY_INT32, n_nodes, 0, <const void**>&view.attribute)
    tree.parent = reserved(cnp.NPY_INT32, n_nodes, 0, <const void**>&view.parent)
    tree.first_child = reserved(cnp.NPY_INT32, n_nodes, 0, <const void**>&view.first_child)
    tree.n_branches = reserved(cnp.NPY_INT32, n_nodes, 0, <const void**>&view.n_branches)
    tree.closed_left = reserved(cnp.NPY_UINT8, n_nodes, 0, <const void**>&view.closed_left)
    tree.cut_start = reserved(cnp.NPY_INT32, n_nodes + 1, 0, <const void**>&view.cut_start)
    tree.cell_start = reserved(cnp.NPY_INT32, n_nodes + 1, 0, <const void**>&view.cell_start)
    tree.cuts = reserved(cnp.NPY_FLOAT64, n_cuts, 0, <const void**>&view.cuts)
    tree.branch_of = reserved(cnp.NPY_INT32, n_cells, 0, <const void**>&view.branch_of)
    tree.distribution = reserved(cnp.NPY_FLOAT64, n_nodes, n_classes, <const void**>&view.distribution)
    tree.weight = reserved(cnp.NPY_FLOAT64, n_nodes, 0, <const void**>&view.weight)
    tree.share = reserved(cnp.NPY_FLOAT64, n_nodes, 0, <const void**>&view.share)
    tree.empty = reserved(cnp.NPY_UINT8, n_nodes, 0, <const void**>&view.empty)
    return tree


cdef object reserved(int kind, Py_ssize_t count, Py_ssize_t width, const void** data):
    """An array, read-only for Python, of one dimension or (``width``) two."""
    cdef cnp.npy_intp[2] shape
    shape[0], shape[1] = count, width
    array = cnp.PyArray_EMPTY(2 if width else 1, shape, kind, 0)
    data[0] = cnp.PyArray_DATA(array)
    cnp.PyArray_CLEARFLAGS(array, cnp.NPY_ARRAY_WRITEABLE)
    return array


cdef Tree regrow(
    Tree tree, const TreeView* nodes, int n, const int32_t* source, const int32_t* test, const int32_t* first,
    const int32_t* parent
):
    """A tree of other links: node i has the cases of ``nodes``' source[i] and the test of ``tree``'s test[i].

    A node without a first child is a leaf.
    """
    cdef const TreeView* old = &tree.view
    cdef int i, t, n_cuts = 0, n_cells = 0, n_classes = tree.n_classes
    for i in range(n):
        if first[i] >= 0:
            n_cuts += old.cut_start[test[i] + 1] - old.cut_start[test[i]]
            n_cells += old.cell_start[test[i] + 1] - old.cell_start[test[i]]
    cdef Tree grown = blank(n, n_classes, n_cuts, n_cells, tree.metadata)
    cdef TreeView* new = &grown.view
    n_cuts = n_cells = 0
    for i in range(n):
        t = test[i]
        (<int32_t*>new.parent)[i], (<int32_t*>new.first_child)[i] = parent[i], first[i]
        (<int32_t*>new.cut_start)[i], (<int32_t*>new.cell_start)[i] = n_cuts, n_cells
        (<double*>new.weight)[i], (<double*>new.share)[i] = nodes.weight[source[i]], nodes.share[source[i]]
        (<uint8_t*>new.empty)[i] = nodes.empty[source[i]]
        memcpy(<double*>new.distribution + <size_t>i * n_classes, nodes.distribution + <size_t>source[i] * n_classes,
               n_classes * sizeof(double))
        if first[i] < 0:
            (<int32_t*>new.attribute)[i], (<int32_t*>new.n_branches)[i], (<uint8_t*>new.closed_left)[i] = -1, 0, 0
            continue
        (<int32_t*>new.attribute)[i], (<int32_t*>new.n_branches)[i] = old.attribute[t], old.n_branches[t]
        (<uint8_t*>new.closed_left)[i] = old.closed_left[t]
        n_cuts += append(new.cuts, n_cuts, old.cuts, old.cut_start[t], old.cut_start[t + 1], sizeof(double))
        n_cells += append(
            new.branch_of, n_cells, old.branch_of, old.cell_start[t], old.cell_start[t + 1], sizeof(int32_t)
        )
    (<int32_t*>new.cut_start)[n], (<int32_t*>new.cell_start)[n] = n_cuts, n_cells
    return grown


cdef inline int append(const void* target, int at, const void* source, int start, int stop, size_t size) noexcept nogil:
    """Copy ``source[start:stop]``; returns how many."""
    memcpy(<char*>target + at * size, <const char*>source + start * size, (stop - start) * size)
    return stop - start


cdef int largest_share(const TreeView* tree, int node) noexcept nogil:
    cdef int b, best = 0, first = tree.first_child[node]
    for b in range(1, tree.n_branches[node]):
        if tree.share[first + b] > tree.share[first + best]:
            best = b
    return best
