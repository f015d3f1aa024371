"""Error-based pruning where every training case ends in exactly one leaf.

After raising, only nodes that received a case are pruned again; for the others nothing has changed.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc

from treeforge_c45._cases cimport Cases
from treeforge_c45._draft cimport Draft, Step


cdef class Known:
    """A draft, where its cases are, and which nodes are to be pruned."""

    cdef Draft draft
    cdef Cases cases
    cdef uint8_t* dirty          # [n_nodes]: to be pruned (again)
    cdef int32_t* stack          # [n_nodes + 1]: waiting to be pruned
    cdef int32_t* refreshing     # [n_nodes + 1]

    def __cinit__(self, Draft draft, rows, weight, leaves):
        cdef int i, n = draft.n_nodes
        self.draft, self.cases = draft, Cases(draft, rows, weight, leaves)
        self.cases.watch(draft.weights, draft.total, draft.errors)
        draft.expect(weight is None)
        self.dirty = self.cases.dirty
        self.stack = <int32_t*>malloc(2 * (<size_t>n + 1) * sizeof(int32_t))
        if self.stack == NULL:
            raise MemoryError
        self.refreshing = self.stack + n + 1
        for i in range(n):
            self.dirty[i] = draft.step[i].kind != 0

    def __dealloc__(self):
        free(self.stack)

    cdef double raised_errors(self, int node, int branch, double limit) noexcept nogil:
        """Expected errors if the branch took the node's place and got the others' cases, as far as they matter."""
        cdef double errors = self.draft.errors[self.draft.step[node].first + branch]
        self.cases.trial.start(self.draft.step[node].first + branch, limit - errors)
        if not self.cases.trial.over:
            self.cases.try_others(node, branch)
        return errors + self.cases.trial.finish()

    cdef void raise_branch(self, int node, int branch) noexcept nogil:
        """The branch takes the node's place; the cases of the others are sent down it for good."""
        cdef int child = self.draft.step[node].first + branch, b, at
        cdef double total
        self.cases.move_others(node, branch, child)
        self.draft.step[node] = self.draft.step[child]
        for b in range(self.draft.step[node].n_branches):
            at = self.draft.step[node].first + b
            self.refresh(at)
            total = self.draft.total[node]
            self.draft.share[at] = self.draft.total[at] / total if total > 0.0 else 0.0

    cdef void refresh(self, int node) noexcept nogil:
        """Expected errors of dirty leaves, and shares below dirty nodes, from their new class weights."""
        cdef int size = 1, at, b, child
        self.refreshing[0] = node
        while size:
            size -= 1
            at = self.refreshing[size]
            if not self.dirty[at]:
                continue
            if not self.draft.step[at].kind:
                self.draft.errors[at] = self.draft.own_errors(at)
                self.draft.empty[at] = self.dirty[at] = 0
                continue
            for b in range(self.draft.step[at].n_branches):
                child = self.draft.step[at].first + b
                self.draft.share[child] = self.draft.total[child] / self.draft.total[at]
                self.refreshing[size] = child
                size += 1

    cdef int wait_for_branches(self, int size) noexcept nogil:
        """Put the dirty branches of the last waiting node behind it; how many are waiting then."""
        cdef const Step* step = &self.draft.step[self.stack[size - 1]]
        cdef int child
        for child in range(step.first + step.n_branches - 1, step.first - 1, -1):
            if self.dirty[child] and self.draft.step[child].kind:
                self.stack[size] = child
                size += 1
        return size

    cdef void prune(self) noexcept nogil:
        """Bottom-up, by a stack: a dirty node first waits for its dirty children."""
        cdef int size = 1, node, waiting
        self.stack[0] = 0
        while size and not self.cases.failed and not self.cases.trial.failed:
            node = self.stack[size - 1]
            if self.draft.step[node].kind:
                waiting = self.wait_for_branches(size)
                if waiting > size:
                    size = waiting
                    continue
                if self.judge(node):
                    continue
            self.dirty[node] = 0
            size -= 1

    cdef bint judge(self, int node) noexcept nogil:
        """What becomes of a node whose branches are pruned. True: it has been raised, and is to be pruned again."""
        cdef double as_leaf = self.draft.own_errors(node), below = self.draft.errors_below(node), raised = as_leaf
        cdef int branch = 0, verdict
        cdef bint is_test = False
        if self.draft.raising:
            branch = self.draft.largest_branch(node)
            is_test = self.draft.step[self.draft.step[node].first + branch].kind != 0
            if is_test:
                raised = self.raised_errors(node, branch, self.draft.limit(as_leaf, below))
        verdict = self.draft.decide(as_leaf, below, raised)
        self.draft.errors[node] = as_leaf if verdict == 1 else below
        if verdict == 2 and is_test:
            self.raise_branch(node, branch)
            return True
        if verdict == 1:
            self.cases.gather(node)
            self.draft.make_leaf(node)
        return False


def prune(Draft draft, rows, weight, leaves=None):
    """Prune a draft.

    Parameters
    ----------
    draft : Draft
    rows : ndarray of int32, [n]
        The training cases.
    weight : ndarray of float64, [n], or None
        None: all are 1.
    leaves : ndarray of int32, [n_rows of the table], or None
        The leaf of the grown tree where each row ended; None walks there.
    """
    cdef Known known = Known(draft, rows, weight, leaves)
    with nogil:
        known.prune()
    if known.cases.failed or known.cases.trial.failed:
        raise MemoryError
