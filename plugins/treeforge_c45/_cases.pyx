"""Which node of a draft each training case ends in: a leaf, or the first test that its value is unknown for.

The cases that end in a node are two linked lists, so those of any subtree can be visited, and raising a branch
need only send the cases of the *other* branches: those of the raised one stay where they are. A case is
sent again only when it is not in the largest branch, so at most about log2(n) times: no quadratic time.
"""

from libc.stdint cimport int32_t

from treeforge_c45._draft cimport BLOCK, Draft, branch_of, ends
from treeforge_c45._trial cimport Trial

import numpy as np

cdef enum:
    FEW = BLOCK // 2


cdef class Cases:
    """``held`` and ``total`` are kept up as cases move; ``least``: errors to expect of leaves for what is held."""

    def __cinit__(self, Draft draft, const int32_t[::1] rows, const double[::1] weight, held, total, least):
        cdef int i, n = draft.tree.n_nodes
        self.draft, self.rows, self.weight, self.held, self.total = draft, rows, weight, held, total
        self.head, self.tail = np.full((n, 2), -1, dtype=np.int32), np.full((n, 2), -1, dtype=np.int32)
        self.majority = np.zeros(n, dtype=np.int32)
        self.next = np.empty(rows.shape[0], dtype=np.int32)
        self.dirty, self.node_stack = np.zeros(n, dtype=np.uint8), np.zeros(n + 1, dtype=np.int32)
        self.waiting = np.zeros(rows.shape[0] // BLOCK, dtype=np.int32)
        self.trial = Trial(draft, held, least)
        for i in range(n):
            if not draft.step[i].kind:
                self.majority[i] = draft.majority(i)

    def locate(self, leaves, bint count):
        """Find where every case ends. ``leaves``: the node of the grown tree where each row did; None walks there.

        ``count``: add them to what the nodes hold in which they end.
        """
        cdef const int32_t[::1] grown = leaves
        cdef const int32_t[::1] top = None if leaves is None else self.draft.leaves_now()
        cdef int32_t found[BLOCK]
        cdef int i, k, n = self.rows.shape[0]
        for i in range(0, n, BLOCK):
            if grown is None:
                ends(self.draft, 0, &self.rows[i], min(BLOCK, n - i), found)
            for k in range(min(BLOCK, n - i)):
                if grown is not None:
                    found[k] = top[grown[self.rows[i + k]]]
                self.add(found[k], i + k)
                if count:
                    self.held[found[k], self.draft.labels[self.rows[i + k]]] += self.weight[i + k]

    cdef void add(self, int node, int case) noexcept nogil:
        self.next[case] = -1
        self.append(node, self.draft.labels[self.rows[case]], case, case)

    cdef void append(self, int node, int label, int head, int tail) noexcept nogil:
        cdef int kind = label == self.majority[node]
        if self.head[node, kind] < 0:
            self.head[node, kind] = head
        else:
            self.next[self.tail[node, kind]] = head
        self.tail[node, kind] = tail

    cdef void gather(self, int node) noexcept nogil:
        """Move the cases of all nodes below into a node's own lists, whole lists by the class of their first."""
        cdef int size = 1, at, b, k
        cdef int32_t[2] head, tail
        if not self.draft.step[node].kind:
            return
        self.majority[node] = self.draft.majority(node)
        self.node_stack[0] = node
        while size:
            size -= 1
            at = self.node_stack[size]
            if self.draft.step[at].kind:
                for b in range(self.draft.n_branches(at) - 1, -1, -1):
                    self.node_stack[size] = self.draft.step[at].first + b
                    size += 1
            head[0], head[1], tail[0], tail[1] = self.head[at, 0], self.head[at, 1], self.tail[at, 0], self.tail[at, 1]
            self.head[at, 0] = self.head[at, 1] = -1
            for k in range(2):
                if head[k] >= 0:
                    self.append(node, self.draft.labels[self.rows[head[k]]], head[k], tail[k])

    cdef void move_others(self, int node, int branch, int target) noexcept nogil:
        """Send the cases of the other branches of a node down a subtree for good."""
        cdef int b, other
        for b in range(self.draft.n_branches(node)):
            if b != branch:
                other = self.draft.step[node].first + b
                self.gather(other)
                self.move_list(self.head[other, 0], target)
                self.move_list(self.head[other, 1], target)

    cdef void move_list(self, int case, int target) noexcept nogil:
        """Send a case and those after it down a subtree; they are new to its root as well."""
        cdef int following, at, label, b
        while case >= 0:
            following, at, label = self.next[case], target, self.draft.labels[self.rows[case]]
            while True:
                self.held[at, label] += self.weight[case]
                self.total[at] += self.weight[case]
                self.dirty[at] = 1
                b = branch_of(self.draft, &self.draft.step[at], self.rows[case]) if self.draft.step[at].kind else -1
                if b < 0:
                    break
                at = self.draft.step[at].first + b
            self.add(at, case)
            case = following

    cdef void try_others(self, int node, int branch, double spare) noexcept nogil:
        """A trial: what would the cases of the other branches add to a branch?"""
        cdef int b, i, n_lists, patience = BLOCK
        self.trial.start(self.draft.step[node].first + branch, spare)
        self.n_waiting = 0
        for b in range(self.draft.n_branches(node)):
            if b != branch:
                self.try_lists(self.draft.step[node].first + b)
        while self.n_waiting and not self.trial.over:
            patience, n_lists, self.n_waiting = 2 * patience, self.n_waiting, 0
            for i in range(n_lists):
                self.try_list(self.waiting[i], patience)

    cdef void try_lists(self, int source) noexcept nogil:
        """Try the cases of a node and those below, without moving them."""
        cdef int size = 1, at, b
        self.node_stack[0] = source
        while size and not self.trial.over:
            size -= 1
            at = self.node_stack[size]
            if self.draft.step[at].kind:
                for b in range(self.draft.n_branches(at)):
                    self.node_stack[size] = self.draft.step[at].first + b
                    size += 1
            self.try_list(self.head[at, 0], BLOCK)
            self.try_list(self.head[at, 1], BLOCK)

    cdef void try_list(self, int case, int patience) noexcept nogil:
        """Try a case and those after it; once hardly any of so many are classified wrongly, the others wait.

        Any order would do, and the sooner errors show, the sooner the trial is over.
        """
        cdef int n = 0, wrong = 0
        while case >= 0 and not self.trial.over:
            self.trial.add(self.rows[case], self.weight[case])
            case, n = self.next[case], n + 1
            if self.trial.n_block < BLOCK:
                continue
            self.trial.try_block()
            wrong += self.trial.wrong
            if n >= patience:
                if wrong < FEW and case >= 0:
                    self.waiting[self.n_waiting] = case
                    self.n_waiting += 1
                    return
                n = wrong = 0
