"""Fractions of cases added in J48's order, where the last bit of a sum decides (c45.md 12).

J48 sorts a node's cases on every numeric attribute in turn, by a quicksort that is not stable, and adds weights in the
order that this leaves. Here growing keeps the order of training, which is quicker, and sums of fractions may differ by
their last bit. Subtrees where that is seen (``_seen``) are summed once more, with the lists of cases as J48 has them
from the root down.
"""

from libc.float cimport DBL_MAX
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc

from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView, branch_of_row
from treeforge_c45._seen cimport mark

import numpy as np

cdef enum:
    MOST_VALUES = 50000       # of a table that is looked at: of larger ones it would cost more than growing
cdef double TINY = 1e-6       # c45.md 0.2


cdef struct Key:
    double value
    double weight             # of the case
    int32_t row


cdef inline void put_in_order(Key* first, Key* second) noexcept nogil:
    if first.value > second.value:
        first[0], second[0] = second[0], first[0]


cdef void quicksort(Key* keys, int n, int32_t* waiting) noexcept nogil:
    """By value, as c45.md 12.6 has it. ``waiting``: room for the bounds of 2 * n parts."""
    cdef int left, right, middle, i, j, size = 2
    cdef double pivot
    waiting[0], waiting[1] = 0, n - 1
    while size:
        size -= 2
        left, right = waiting[size], waiting[size + 1]
        if right <= left:
            continue
        middle = (left + right) // 2
        put_in_order(&keys[left], &keys[middle])    # of two cases only the next one does anything
        put_in_order(&keys[left], &keys[right])
        put_in_order(&keys[middle], &keys[right])
        if right - left <= 2:
            continue
        keys[middle], keys[right - 1] = keys[right - 1], keys[middle]
        pivot = keys[right - 1].value
        i, j = left, right - 1
        while True:
            i += 1
            while keys[i].value < pivot:
                i += 1
            j -= 1
            while keys[j].value > pivot:
                j -= 1
            if i >= j:
                break
            keys[i], keys[j] = keys[j], keys[i]
        keys[i], keys[right - 1] = keys[right - 1], keys[i]
        waiting[size], waiting[size + 1], waiting[size + 2], waiting[size + 3] = left, i - 1, i + 1, right
        size += 4


cdef class Lists:
    """The cases of nodes in J48's order, and a tree's sums over them."""

    cdef Tree tree
    cdef const TreeView* view
    cdef Table table
    cdef const int32_t[::1] labels        # [n_rows]
    cdef double[:, ::1] distribution      # [n_nodes, n_classes], made anew
    cdef double[::1] weight               # [n_nodes]
    cdef double[::1] share                # [n_nodes]
    cdef uint8_t[::1] matters             # [n_nodes]: is to be summed again, or leads to such nodes
    cdef uint8_t[::1] again               # [n_nodes]: is to be summed again
    cdef double[::1] of_branch            # [n_branches], of one test, as the next three (D of c45.md 0.4)
    cdef double[::1] part                 # [n_branches]: of a case that is shared out
    cdef double[::1] of_class             # [n_classes]
    cdef double total
    cdef Key* key                         # [n]: of the list that is sorted
    cdef int32_t* waiting                 # [4 * n]

    def __cinit__(self, Tree tree, Table table, int n, matters, again):
        most = max(1, int(tree.n_branches.max()))
        self.tree, self.view, self.table, self.labels = tree, &tree.view, table, table.classes
        self.distribution, self.weight, self.share = tree.distribution.copy(), tree.weight.copy(), tree.share.copy()
        self.matters, self.again = matters, again
        self.of_branch, self.part, self.of_class = np.empty(most), np.empty(most), np.empty(tree.n_classes)
        self.key, self.waiting = <Key*>malloc((n + 1) * sizeof(Key)), <int32_t*>malloc(4 * (n + 1) * sizeof(int32_t))
        if self.key == NULL or self.waiting == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.key)
        free(self.waiting)

    cdef list below(self, int node, int32_t[::1] rows, double[::1] weights):
        """Sum a node, if it is to be; lists of the branches that matter: (node, rows, weights) each."""
        with nogil:
            if self.view.attribute[node] < 0:
                self.sum_leaf(node, rows, weights)
            else:
                self.sum_test(node, rows, weights)
        return [] if self.view.attribute[node] < 0 else self.divided(node, rows, weights)

    cdef void sum_test(self, int node, int32_t[::1] rows, double[::1] weights) noexcept nogil:
        """Leaves the cases as J48's last sort does."""
        cdef int input
        for input in range(self.table.n_inputs):
            if self.table.numbers[input] != NULL:
                self.sort(input, rows, weights)
            if input == self.view.attribute[node]:      # its branches are counted before the next one sorts
                self.sum_known(node, rows, weights)
        self.sum_unknown(node, rows, weights)
        if self.again[node]:
            self.keep(node)

    cdef void sort(self, int input, int32_t[::1] rows, double[::1] weights) noexcept nogil:
        """The same cases by a column, unknown values last."""
        cdef int j, n = <int>rows.shape[0]
        cdef double value
        for j in range(n):
            value = self.table.numbers[input][rows[j]]
            self.key[j] = Key(DBL_MAX if value != value else value, weights[j], rows[j])
        quicksort(self.key, n, self.waiting)
        for j in range(n):
            rows[j], weights[j] = self.key[j].row, self.key[j].weight

    cdef void sum_leaf(self, int node, const int32_t[::1] rows, const double[::1] weights) noexcept nogil:
        cdef Py_ssize_t j
        self.distribution[node, :] = 0.0
        self.weight[node] = 0.0
        for j in range(rows.shape[0]):
            self.distribution[node, self.labels[rows[j]]] += weights[j]
            self.weight[node] += weights[j]

    cdef void sum_known(self, int node, const int32_t[::1] rows, const double[::1] weights) noexcept nogil:
        """Weights of branches and classes over the cases whose value is known (c45.md 12.3)."""
        cdef Py_ssize_t j
        cdef int b, label
        self.of_branch[:] = 0.0
        self.of_class[:] = 0.0
        self.total = 0.0
        for j in range(rows.shape[0]):
            b, label = branch_of_row(self.view, self.table, node, rows[j]), self.labels[rows[j]]
            if b >= 0:
                self.of_branch[b] += weights[j]
                self.of_class[label] += weights[j]
                self.total += weights[j]
        if self.table.numbers[self.view.attribute[node]] != NULL:
            self.total = 0.0
            for b in range(self.view.n_branches[node]):
                self.total += self.of_branch[b]

    cdef void sum_unknown(self, int node, const int32_t[::1] rows, const double[::1] weights) noexcept nogil:
        """Share the other cases out (c45.md 5.1)."""
        cdef Py_ssize_t j
        cdef int b, n_branches = self.view.n_branches[node]
        for b in range(n_branches):
            self.part[b] = self.of_branch[b] / self.total if self.total >= TINY else 1.0 / n_branches
        for j in range(rows.shape[0]):
            if branch_of_row(self.view, self.table, node, rows[j]) >= 0:
                continue
            for b in range(n_branches):
                self.of_branch[b] += self.part[b] * weights[j]
            self.of_class[self.labels[rows[j]]] += weights[j]
            self.total += weights[j]
        for b in range(n_branches):
            self.part[b] = self.of_branch[b] / self.total if self.total > 0.0 else 0.0

    cdef void keep(self, int node) noexcept nogil:
        cdef int b, c
        self.weight[node] = self.total
        for c in range(self.view.n_classes):
            self.distribution[node, c] = self.of_class[c]
        for b in range(self.view.n_branches[node]):
            self.share[self.view.first_child[node] + b] = self.part[b]

    cdef list divided(self, int node, const int32_t[::1] rows, const double[::1] weights):
        """Lists of the branches that matter (c45.md 5.2), a pass each: they are few."""
        cdef int b, child
        cdef Py_ssize_t n
        cdef int32_t[::1] new_rows
        cdef double[::1] new_weights
        lists = []
        for b in range(self.view.n_branches[node]):
            child = self.view.first_child[node] + b
            if not self.matters[child]:
                continue
            with nogil:
                n = self.fill(node, b, rows, weights, None, None)
            branch_rows, branch_weights = np.empty(n, dtype=np.int32), np.empty(n)
            new_rows, new_weights = branch_rows, branch_weights
            with nogil:
                self.fill(node, b, rows, weights, new_rows, new_weights)
            lists.append((child, branch_rows, branch_weights))
        return lists

    cdef Py_ssize_t fill(
        self, int node, int b, const int32_t[::1] rows, const double[::1] weights, int32_t[::1] new_rows,
        double[::1] new_weights
    ) noexcept nogil:
        """Put the cases of a branch into its list, or, without one, only count them."""
        cdef Py_ssize_t j, n = 0
        cdef int came
        for j in range(rows.shape[0]):
            came = branch_of_row(self.view, self.table, node, rows[j])
            if came != b and (came >= 0 or self.part[b] <= TINY):
                continue
            if new_rows is not None:
                new_rows[n], new_weights[n] = rows[j], weights[j] if came == b else weights[j] * self.part[b]
            n += 1
        return n


def decides(Tree tree, Table table, Py_ssize_t n_cases):
    cdef uint8_t[::1] scratch
    if tree.n_nodes == 1 or n_cases * table.n_inputs > MOST_VALUES:
        return False
    scratch = np.empty(2 * tree.n_nodes, dtype=np.uint8)
    return bool(mark(tree, table, &scratch[0], &scratch[tree.n_nodes]))


def summed_again(Tree tree, Table table, rows, weights):
    cdef uint8_t[::1] matters = np.empty(tree.n_nodes, dtype=np.uint8), again = np.empty(tree.n_nodes, dtype=np.uint8)
    cdef Lists lists
    if not mark(tree, table, &matters[0], &again[0]):
        return tree
    lists, waiting = Lists(tree, table, len(rows), matters, again), [(0, rows.copy(), weights.copy())]
    while waiting:
        node, rows, weights = waiting.pop()
        waiting += lists.below(node, rows, weights)
    arrays = tree.arrays() | {
        "distribution": np.asarray(lists.distribution),
        "weight": np.asarray(lists.weight),
        "share": np.asarray(lists.share),
    }
    looked_at = Tree(metadata=tree.metadata, **arrays)
    looked_at.training_leaves = tree.training_leaves
    return looked_at
