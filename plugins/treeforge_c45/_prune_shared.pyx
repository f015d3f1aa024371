"""Error-based pruning where cases with unknown values are shared out among branches.

A node's cases are a list of (row, weight). Pruning goes down with the lists, as growing did, and at each node
sends the whole list down the largest branch: the shares of unknown values at the tests below depend on all
the cases that arrive, so nothing that the branch knows about itself can be kept (c45.md 6.4). A branch whose
tests are all of attributes without unknown values is *plain*: its leaves keep what they have, and only the
cases of the other branches need be tried.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc

from treeforge_c45._draft cimport BLOCK, Draft, Step, branch_of
from treeforge_c45._estimate cimport expected_errors
from treeforge_c45._portions cimport Part, Portions
from treeforge_c45._trial cimport Trial

import numpy as np

cdef double TINY = 1e-6


cdef class Sharing:
    """A draft, the lists of its open nodes, and which of its subtrees are plain."""

    cdef Draft draft
    cdef Portions lists
    cdef Trial trial
    cdef uint8_t[::1] plain  # [n_nodes], of nodes whose branches are pruned
    cdef double[::1] least   # [n_nodes], of the same: errors to expect below, whatever cases come in addition
    cdef int* open           # [n_nodes]: parts being pruned, from the root down

    def __cinit__(self, Draft draft, const int32_t[::1] rows, const double[::1] weight):
        self.draft, self.lists, self.trial = draft, Portions(draft, rows, weight), Trial(draft)
        self.plain, self.least = np.ones(draft.tree.n_nodes, dtype=np.uint8), draft.errors.copy()
        self.open = <int*>malloc((draft.tree.n_nodes + 1) * sizeof(int))
        if self.open == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.open)

    cdef double send(self, int root, const Part* source, bint keep, double limit) noexcept nogil:
        """Send a list down a subtree: expected errors of its leaves; ``keep``: its class weights become these.

        Ends early when the errors cannot but end beyond the limit.
        """
        cdef int n_classes = self.draft.n_classes, bottom = self.lists.n_parts, n_unknown, n_branches
        cdef int node, b, c, child, first
        cdef double errors = 0.0, waiting = self.least[root]    # of leaves reached; at least, of branches on the stack
        cdef Part part = Part(node=root, start=source.start, n=source.n, top=source.top, branch=0, superset=1, parts=-1)
        if self.lists.new_parts(1) < 0:
            return 0.0
        self.lists.parts[bottom] = part
        while self.lists.n_parts > bottom and errors + waiting <= limit:
            self.lists.n_parts -= 1
            part = self.lists.parts[self.lists.n_parts]
            node = part.node
            if part.superset:
                waiting -= self.least[node]
            if not self.draft.step[node].kind:      # the root itself is a leaf: its table is its own list's
                return self.draft.own_errors(node)
            n_branches = self.draft.n_branches(node)
            n_unknown = self.lists.tally(node, part.start, part.n)
            first = self.lists.new_parts(n_branches)
            if first < 0 or not self.lists.divide(
                node, part.start, part.n, part.top, self.lists.branch_total, n_unknown, first
            ):
                self.lists.n_parts = bottom
                return 0.0
            for b in range(n_branches):
                child = self.draft.step[node].first + b
                if keep:
                    self.draft.share[child], self.draft.total[child] = self.lists.branch_total[b], 0.0
                    for c in range(n_classes):
                        self.draft.weights[child, c] = self.lists.table[b * n_classes + c]
                        self.draft.total[child] += self.draft.weights[child, c]
                    if not self.draft.step[child].kind:
                        self.draft.errors[child] = self.draft.own_errors(child)
                        if self.draft.total[child] >= TINY:
                            self.draft.empty[child] = 0
                if not self.draft.step[child].kind:
                    errors += expected_errors(&self.draft.confidence, self.lists.table + b * n_classes, n_classes)
            waiting += self.stack_branches(node, first, part.superset and n_unknown == 0)
        if self.lists.n_parts > bottom:
            errors += waiting
        self.lists.n_parts = bottom
        return errors

    cdef double stack_branches(self, int node, int first, bint superset) noexcept nogil:
        """Keep the parts of branches with tests below; returns the errors to expect there at least.

        Plain branches come last: what is certain of them is counted already.
        """
        cdef int b, child, n_branches = self.draft.n_branches(node), n_kept = 0, n_plain = 0
        cdef int top = self.lists.parts[first + n_branches - 1].top
        cdef Part* kept = &self.lists.parts[first]
        cdef Part part
        cdef double least = 0.0
        for b in range(n_branches):
            child = self.draft.step[node].first + b
            if not self.draft.step[child].kind:
                continue
            part = kept[b]
            part.node, part.top, part.superset = child, top, superset
            kept[n_kept] = part
            if self.plain[child]:
                kept[n_kept], kept[n_plain] = kept[n_plain], part
                n_plain += 1
            n_kept += 1
            if superset:
                least += self.least[child]
        self.lists.n_parts = first + n_kept
        return least

    cdef bint open_branches(self, int at) noexcept nogil:
        """Give the branches of an open node their lists. False: no memory."""
        cdef Part part = self.lists.parts[at]
        cdef int b, n_branches = self.draft.n_branches(part.node), top
        cdef int n_unknown = self.lists.tally(part.node, part.start, part.n), first = self.lists.new_parts(n_branches)
        cdef const double* share = &self.draft.share[self.draft.step[part.node].first]
        if first < 0 or not self.lists.divide(
            part.node, part.start, part.n, part.top, share, n_unknown, first
        ):
            return False
        top = self.lists.parts[first + n_branches - 1].top
        for b in range(n_branches):   # what a branch needs goes above the lists of all its siblings
            self.lists.parts[first + b].node = self.draft.step[part.node].first + b
            self.lists.parts[first + b].top, self.lists.parts[first + b].parts = top, -1
        self.lists.parts[at].parts, self.lists.parts[at].branch = first, 0
        return True

    cdef void prune(self, int n) noexcept nogil:
        """Bottom-up with a stack of open nodes; a node that was raised starts again."""
        cdef int size = 1, at, node, branch, verdict
        cdef Part* part
        if self.lists.new_parts(1) < 0:
            return
        self.lists.parts[0] = Part(node=0, start=0, n=n, top=n, branch=0, superset=1, parts=-1)
        self.open[0] = 0
        while size and not self.lists.failed:
            at = self.open[size - 1]
            part = &self.lists.parts[at]
            node = part.node
            if not self.draft.step[node].kind:
                size -= 1
            elif part.parts < 0:
                self.open_branches(at)
            elif part.branch < self.draft.n_branches(node):
                self.open[size] = part.parts + part.branch
                part.branch += 1
                size += 1
            else:
                self.lists.n_parts = part.parts
                verdict = self.judge(node, at, &branch)
                if verdict == 2:
                    self.draft.step[node] = self.draft.step[self.draft.step[node].first + branch]
                    self.send(node, &self.lists.parts[at], True, INFINITY)
                    self.lists.parts[at].parts = -1
                    continue
                if verdict == 1:
                    self.draft.make_leaf(node)
                self.look_below(node)
                size -= 1

    cdef int judge(self, int node, int part, int* branch) noexcept nogil:
        """The verdict on a node whose branches are pruned."""
        cdef double raised = 0.0
        cdef int child
        branch[0] = 0
        if self.draft.raising:
            branch[0] = self.draft.largest_branch(node)
            child = self.draft.step[node].first + branch[0]
            raised = self.draft.own_errors(node)
            if self.draft.step[child].kind:
                if self.plain[child]:
                    raised = self.try_others(node, branch[0], &self.lists.parts[part])
                else:
                    raised = self.send(child, &self.lists.parts[part], False, self.draft.limit(node))
        cdef int verdict = self.draft.decide(node, raised)
        return 0 if verdict == 2 and not self.draft.step[self.draft.step[node].first + branch[0]].kind else verdict

    cdef void look_below(self, int node) noexcept nogil:
        """Set ``plain`` and ``least`` of a node whose branches are pruned.

        Below a test that can meet unknown values, more cases may change the shares: nothing is certain there.
        """
        cdef const Step* step = &self.draft.step[node]
        cdef int child
        self.plain[node], self.least[node] = 1, 0.0
        if not step.kind:
            return
        if self.draft.coded.columns[self.draft.view.attribute[step.test]].has_unknown:
            self.plain[node] = 0
            return
        for child in range(step.first, step.first + self.draft.n_branches(node)):
            self.plain[node] = self.plain[node] and self.plain[child]
            self.least[node] += self.least[child] if self.draft.step[child].kind else self.draft.errors[child]

    cdef double try_others(self, int node, int branch, const Part* part) noexcept nogil:
        """Expected errors if a plain branch took the node's place, as far as they matter."""
        cdef const Step* step = &self.draft.step[node]
        cdef int child = step.first + branch, j, b
        cdef double share = self.draft.share[child], weight
        self.trial.start(child, self.draft.limit(node) - self.draft.errors[child])
        for j in range(part.start, part.start + part.n):
            b = branch_of(self.draft, step, self.lists.rows[j])
            if b == branch:
                continue
            weight = self.lists.weight[j]
            if b < 0 and share > TINY:
                weight -= weight * share        # what the branch has of it already
            self.trial.add(self.lists.rows[j], weight)
            if self.trial.n_block == BLOCK:
                self.trial.try_block()
                if self.trial.over:
                    break
        return self.draft.errors[child] + self.trial.finish()


def prune(Draft draft, rows, weight):
    """Prune a draft.

    Parameters
    ----------
    draft : Draft
    rows : ndarray of int32, [n]
        The training cases.
    weight : ndarray of float64, [n]
    """
    cdef Sharing sharing = Sharing(draft, rows, weight)
    cdef int n = len(rows)
    with nogil:
        sharing.prune(n)
    if sharing.lists.failed:
        raise MemoryError
