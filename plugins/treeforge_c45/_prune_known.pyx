"""Error-based pruning where every training case ends in exactly one leaf.

The cases of a leaf are a linked list, so those of any subtree can be visited, and raising a branch need only
send the cases of the *other* branches: the leaves of the raised one keep what they have. A case is sent
again only when it is not in the largest branch, so at most about log2(n) times: no quadratic time.
After raising, only nodes that received a case are pruned again; for the others nothing has changed.
"""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._draft cimport Draft, branch_of, known_leaf
from treeforge_c45._trial cimport Trial, try_case

import numpy as np


cdef class Cases:
    """Which cases each node of a draft holds."""

    cdef Draft draft
    cdef const int32_t[::1] rows     # [n]
    cdef const double[::1] weight    # [n]
    cdef int32_t[::1] head           # [n_nodes]: first case of a leaf, -1 for none
    cdef int32_t[::1] tail
    cdef int32_t[::1] next           # [n]: the case after this one in the same leaf
    cdef int32_t[::1] top            # [n_nodes]: the leaf that a node of the grown tree lies in, or itself
    cdef uint8_t[::1] dirty          # [n_nodes]: to be pruned (again)
    cdef int32_t[::1] stack          # [n_nodes]
    cdef int32_t[::1] leaf_stack     # [n_nodes]
    cdef Trial trial

    def __cinit__(self, Draft draft, const int32_t[::1] rows, const double[::1] weight, const int32_t[::1] leaves):
        cdef int i, n = draft.tree.n_nodes
        self.draft, self.rows, self.weight = draft, rows, weight
        self.head, self.tail = np.full(n, -1, dtype=np.int32), np.full(n, -1, dtype=np.int32)
        self.next = np.full(rows.shape[0], -1, dtype=np.int32)
        self.dirty = np.ones(n, dtype=np.uint8)
        self.stack, self.leaf_stack = np.zeros(2 * n + 2, dtype=np.int32), np.zeros(n + 1, dtype=np.int32)
        self.trial = Trial(draft)
        self.top = np.arange(n, dtype=np.int32)
        for i in range(1, n):     # children come after their parent
            if not draft.step[self.top[draft.parent[i]]].kind:
                self.top[i] = self.top[draft.parent[i]]
        for i in range(rows.shape[0]):
            self.add(known_leaf(draft, 0, rows[i]) if leaves is None else self.top[leaves[rows[i]]], i)

    cdef void add(self, int leaf, int case) noexcept nogil:
        self.next[case] = -1
        if self.head[leaf] < 0:
            self.head[leaf] = case
        else:
            self.next[self.tail[leaf]] = case
        self.tail[leaf] = case

    cdef int gather(self, int node) noexcept nogil:
        """Move the cases of all leaves below a node into one list, ``head[node]`` to ``tail[node]``."""
        cdef int size = 1, at, b
        if not self.draft.step[node].kind:
            return self.head[node]
        self.head[node] = self.tail[node] = -1
        self.leaf_stack[0] = node
        while size:
            size -= 1
            at = self.leaf_stack[size]
            if self.draft.step[at].kind:
                for b in range(self.draft.n_branches(at) - 1, -1, -1):
                    self.leaf_stack[size] = self.draft.step[at].first + b
                    size += 1
            elif self.head[at] >= 0:
                if self.head[node] < 0:
                    self.head[node] = self.head[at]
                else:
                    self.next[self.tail[node]] = self.head[at]
                self.tail[node] = self.tail[at]
        return self.head[node]

    cdef double raised_errors(self, int node, int branch) noexcept nogil:
        """Expected errors if the branch took the node's place and got the others' cases, as far as they matter."""
        cdef int child = self.draft.step[node].first + branch, b
        self.trial.start(self.draft.limit(node) - self.draft.errors[child])
        for b in range(self.draft.n_branches(node)):
            if b != branch and not self.try_cases(self.draft.step[node].first + b, child):
                break
        return self.draft.errors[child] + self.trial.finish()

    cdef bint try_cases(self, int source, int target) noexcept nogil:
        """Count the cases below ``source`` at the leaves below ``target``, without moving them. False: enough seen."""
        cdef int size = 1, at, b, case
        self.leaf_stack[0] = source
        while size:
            size -= 1
            at = self.leaf_stack[size]
            if self.draft.step[at].kind:
                for b in range(self.draft.n_branches(at)):
                    self.leaf_stack[size] = self.draft.step[at].first + b
                    size += 1
                continue
            case = self.head[at]
            while case >= 0:
                if not try_case(self.trial, target, self.rows[case], self.weight[case]):
                    return False
                case = self.next[case]
        return True

    cdef void raise_branch(self, int node, int branch) noexcept nogil:
        """The branch takes the node's place; the cases of the others are sent down it for good."""
        cdef int first = self.draft.step[node].first, child = first + branch, n_branches = self.draft.n_branches(node)
        cdef int b, case, following, at, label
        cdef double weight, total
        for b in range(n_branches):
            if b == branch:
                continue
            case = self.gather(first + b)
            while case >= 0:
                following, weight, at = self.next[case], self.weight[case], child
                label = self.draft.labels[self.rows[case]]
                while True:
                    self.draft.weights[at, label] += weight
                    self.draft.total[at] += weight
                    self.dirty[at] = 1
                    if not self.draft.step[at].kind:
                        break
                    at = self.draft.step[at].first + branch_of(self.draft, &self.draft.step[at], self.rows[case])
                self.draft.empty[at] = 0
                self.add(at, case)
                case = following
        self.draft.step[node] = self.draft.step[child]
        for b in range(self.draft.n_branches(node)):
            at = self.draft.step[node].first + b
            self.refresh(at)
            total = self.draft.total[node]
            self.draft.share[at] = self.draft.total[at] / total if total > 0.0 else 0.0

    cdef void refresh(self, int node) noexcept nogil:
        """Expected errors of dirty leaves, and shares below dirty nodes, from their new class weights."""
        cdef int size = 1, at, b, child
        self.leaf_stack[0] = node
        while size:
            size -= 1
            at = self.leaf_stack[size]
            if not self.dirty[at]:
                continue
            if not self.draft.step[at].kind:
                self.draft.errors[at] = self.draft.own_errors(at)
                self.dirty[at] = 0
                continue
            for b in range(self.draft.n_branches(at)):
                child = self.draft.step[at].first + b
                self.draft.share[child] = self.draft.total[child] / self.draft.total[at]
                self.leaf_stack[size] = child
                size += 1

    cdef void prune(self) noexcept nogil:
        """Bottom-up, by a stack: a dirty node first waits for its dirty children."""
        cdef int size = 1, node, b, child, branch, waiting, verdict
        cdef double raised
        self.stack[0] = 0
        while size:
            node = self.stack[size - 1]
            if not self.draft.step[node].kind:
                self.dirty[node] = 0
                size -= 1
                continue
            waiting = size
            for b in range(self.draft.n_branches(node) - 1, -1, -1):
                child = self.draft.step[node].first + b
                if self.dirty[child] and self.draft.step[child].kind:
                    self.stack[size] = child
                    size += 1
            if size > waiting:
                continue
            branch, raised = 0, 0.0
            if self.draft.raising:
                branch = self.draft.largest_branch(node)
                if not self.draft.step[self.draft.step[node].first + branch].kind:
                    raised = self.draft.own_errors(node)
                else:
                    raised = self.raised_errors(node, branch)
            verdict = self.draft.decide(node, raised)
            if verdict == 2 and self.draft.step[self.draft.step[node].first + branch].kind:
                self.raise_branch(node, branch)
                continue
            if verdict == 1:
                self.gather(node)
                self.draft.make_leaf(node)
            self.dirty[node] = 0
            size -= 1


def prune(Draft draft, rows, weight, leaves=None):
    """Prune a draft.

    Parameters
    ----------
    draft : Draft
    rows : ndarray of int32, [n]
        The training cases.
    weight : ndarray of float64, [n]
    leaves : ndarray of int32, [n_rows of the table], or None
        The leaf of the grown tree where each row ended; None walks there.
    """
    cdef Cases cases = Cases(draft, rows, weight, leaves)
    with nogil:
        cases.prune()
