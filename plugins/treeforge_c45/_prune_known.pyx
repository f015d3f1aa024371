"""Error-based pruning where every training case ends in exactly one leaf.

The cases of a leaf are linked lists, so those of any subtree can be visited, and raising a branch need only
send the cases of the *other* branches: the leaves of the raised one keep what they have. A case is sent
again only when it is not in the largest branch, so at most about log2(n) times: no quadratic time.
After raising, only nodes that received a case are pruned again; for the others nothing has changed.
"""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._draft cimport BLOCK, Draft, branch_of, known_leaves
from treeforge_c45._trial cimport Trial

import numpy as np

cdef enum:
    FEW = BLOCK // 2


cdef class Cases:
    """Which cases each node of a draft holds."""

    cdef Draft draft
    cdef const int32_t[::1] rows     # [n]
    cdef const double[::1] weight    # [n]
    cdef int32_t[::1] majority       # [n_nodes]: of leaves
    cdef int32_t[:, ::1] head        # [n_nodes, 2]: first case of a leaf not of its majority, of its majority; or -1
    cdef int32_t[:, ::1] tail
    cdef int32_t[::1] next           # [n]: the case after this one in the same list
    cdef int32_t[::1] top            # [n_nodes]: the leaf that a node of the grown tree lies in, or itself
    cdef uint8_t[::1] dirty          # [n_nodes]: to be pruned (again)
    cdef int32_t[::1] stack          # [n_nodes]
    cdef int32_t[::1] leaf_stack     # [n_nodes]
    cdef int32_t[::1] waiting        # in a trial, cases from which on a list is not tried yet
    cdef int n_waiting
    cdef Trial trial

    def __cinit__(self, Draft draft, const int32_t[::1] rows, const double[::1] weight, const int32_t[::1] leaves):
        cdef int i, n = draft.tree.n_nodes
        self.draft, self.rows, self.weight = draft, rows, weight
        self.head, self.tail = np.full((n, 2), -1, dtype=np.int32), np.full((n, 2), -1, dtype=np.int32)
        self.majority = np.zeros(n, dtype=np.int32)
        self.next = np.full(rows.shape[0], -1, dtype=np.int32)
        self.dirty = np.ones(n, dtype=np.uint8)
        self.stack, self.leaf_stack = np.zeros(2 * n + 2, dtype=np.int32), np.zeros(n + 1, dtype=np.int32)
        self.waiting, self.trial = np.zeros(rows.shape[0] // BLOCK, dtype=np.int32), Trial(draft)
        self.top = np.arange(n, dtype=np.int32)
        for i in range(1, n):     # children come after their parent
            if not draft.step[self.top[draft.parent[i]]].kind:
                self.top[i] = self.top[draft.parent[i]]
            if not draft.step[i].kind:
                self.majority[i] = draft.majority(i)
        for i in range(0, rows.shape[0], BLOCK):
            self.locate(i, min(BLOCK, rows.shape[0] - i), leaves)

    cdef int locate(self, int start, int n, const int32_t[::1] leaves) except -1:
        """Give a block of cases to their leaves."""
        cdef int32_t found[BLOCK]
        cdef int k
        if leaves is None:
            known_leaves(self.draft, 0, &self.rows[start], n, found)
        for k in range(n):
            self.add(found[k] if leaves is None else self.top[leaves[self.rows[start + k]]], start + k)
        return 0

    cdef void add(self, int leaf, int case) noexcept nogil:
        self.next[case] = -1
        self.append(leaf, self.draft.labels[self.rows[case]], case, case)

    cdef inline void append(self, int leaf, int label, int head, int tail) noexcept nogil:
        cdef int kind = label == self.majority[leaf]
        if self.head[leaf, kind] < 0:
            self.head[leaf, kind] = head
        else:
            self.next[self.tail[leaf, kind]] = head
        self.tail[leaf, kind] = tail

    cdef void gather(self, int node) noexcept nogil:
        """Move the cases of all leaves below a node into its own lists, whole lists by the class of their first."""
        cdef int size = 1, at, b, k, case
        if not self.draft.step[node].kind:
            return
        self.head[node, 0] = self.head[node, 1] = -1
        self.majority[node] = self.draft.majority(node)
        self.leaf_stack[0] = node
        while size:
            size -= 1
            at = self.leaf_stack[size]
            if self.draft.step[at].kind:
                for b in range(self.draft.n_branches(at) - 1, -1, -1):
                    self.leaf_stack[size] = self.draft.step[at].first + b
                    size += 1
                continue
            for k in range(2):
                case = self.head[at, k]
                if case >= 0:
                    self.append(node, self.draft.labels[self.rows[case]], case, self.tail[at, k])

    cdef double raised_errors(self, int node, int branch) noexcept nogil:
        """Expected errors if the branch took the node's place and got the others' cases, as far as they matter."""
        cdef int child = self.draft.step[node].first + branch, b, i, n_lists, patience = BLOCK
        self.trial.start(child, self.draft.limit(node) - self.draft.errors[child])
        self.n_waiting = 0
        for b in range(self.draft.n_branches(node)):
            if b != branch:
                self.try_leaves(self.draft.step[node].first + b)
        while self.n_waiting and not self.trial.over:
            patience, n_lists, self.n_waiting = 2 * patience, self.n_waiting, 0
            for i in range(n_lists):
                self.try_list(self.waiting[i], patience)
        return self.draft.errors[child] + self.trial.finish()

    cdef void try_leaves(self, int source) noexcept nogil:
        """Try the cases below a node, without moving them."""
        cdef int size = 1, at, b
        self.leaf_stack[0] = source
        while size and not self.trial.over:
            size -= 1
            at = self.leaf_stack[size]
            if self.draft.step[at].kind:
                for b in range(self.draft.n_branches(at)):
                    self.leaf_stack[size] = self.draft.step[at].first + b
                    size += 1
            else:
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

    cdef void raise_branch(self, int node, int branch) noexcept nogil:
        """The branch takes the node's place; the cases of the others are sent down it for good."""
        cdef int first = self.draft.step[node].first, child = first + branch, b, at
        cdef double total
        for b in range(self.draft.n_branches(node)):
            if b != branch:
                self.gather(first + b)
                self.move_list(self.head[first + b, 0], child)
                self.move_list(self.head[first + b, 1], child)
        self.draft.step[node] = self.draft.step[child]
        for b in range(self.draft.n_branches(node)):
            at = self.draft.step[node].first + b
            self.refresh(at)
            total = self.draft.total[node]
            self.draft.share[at] = self.draft.total[at] / total if total > 0.0 else 0.0

    cdef void move_list(self, int case, int target) noexcept nogil:
        """Send a case and those after it down a subtree."""
        cdef int following, at, label
        while case >= 0:
            following, at, label = self.next[case], target, self.draft.labels[self.rows[case]]
            while True:
                self.draft.weights[at, label] += self.weight[case]
                self.draft.total[at] += self.weight[case]
                self.dirty[at] = 1
                if not self.draft.step[at].kind:
                    break
                at = self.draft.step[at].first + branch_of(self.draft, &self.draft.step[at], self.rows[case])
            self.draft.empty[at] = 0
            self.add(at, case)
            case = following

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
