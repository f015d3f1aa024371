"""Error-based pruning where every training case ends in exactly one leaf.

After raising, only nodes that received a case are pruned again; for the others nothing has changed.
"""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._cases cimport Cases
from treeforge_c45._draft cimport Draft

import numpy as np


cdef class Known:
    """A draft, where its cases are, and which nodes are to be pruned."""

    cdef Draft draft
    cdef Cases cases
    cdef uint8_t[::1] dirty          # [n_nodes]: to be pruned (again)
    cdef int32_t[::1] stack          # [n_nodes]
    cdef int32_t[::1] refresh_stack  # [n_nodes]

    def __cinit__(self, Draft draft, rows, weight, leaves):
        cdef int i, n = draft.tree.n_nodes
        self.draft, self.cases = draft, Cases(draft, rows, weight, draft.weights, draft.total, draft.errors)
        self.cases.locate(leaves, False)
        self.dirty = self.cases.dirty
        self.stack, self.refresh_stack = np.zeros(2 * n + 2, dtype=np.int32), np.zeros(n + 1, dtype=np.int32)
        for i in range(n):
            self.dirty[i] = draft.step[i].kind != 0

    cdef double raised_errors(self, int node, int branch) noexcept nogil:
        """Expected errors if the branch took the node's place and got the others' cases, as far as they matter."""
        cdef double errors = self.draft.errors[self.draft.step[node].first + branch]
        self.cases.try_others(node, branch, self.draft.limit(node) - errors)
        return errors + self.cases.trial.finish()

    cdef void raise_branch(self, int node, int branch) noexcept nogil:
        """The branch takes the node's place; the cases of the others are sent down it for good."""
        cdef int child = self.draft.step[node].first + branch, b, at
        cdef double total
        self.cases.move_others(node, branch, child)
        self.draft.step[node] = self.draft.step[child]
        for b in range(self.draft.n_branches(node)):
            at = self.draft.step[node].first + b
            self.refresh(at)
            total = self.draft.total[node]
            self.draft.share[at] = self.draft.total[at] / total if total > 0.0 else 0.0

    cdef void refresh(self, int node) noexcept nogil:
        """Expected errors of dirty leaves, and shares below dirty nodes, from their new class weights."""
        cdef int size = 1, at, b, child
        self.refresh_stack[0] = node
        while size:
            size -= 1
            at = self.refresh_stack[size]
            if not self.dirty[at]:
                continue
            if not self.draft.step[at].kind:
                self.draft.errors[at] = self.draft.own_errors(at)
                self.draft.empty[at] = self.dirty[at] = 0
                continue
            for b in range(self.draft.n_branches(at)):
                child = self.draft.step[at].first + b
                self.draft.share[child] = self.draft.total[child] / self.draft.total[at]
                self.refresh_stack[size] = child
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
                self.cases.gather(node)
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
    cdef Known known = Known(draft, rows, weight, leaves)
    with nogil:
        known.prune()
