"""Error-based pruning where cases with unknown values are shared out among branches.

A node's cases are a list of (row, weight). Pruning goes down with the lists, as growing did, and at each node
sends the whole list down the largest branch: the shares of unknown values at the tests below depend on all
the cases that arrive, so nothing that the branch knows about itself can be kept (c45.md 6.4).
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from treeforge_c45._draft cimport Draft, Step, branch_of
from treeforge_c45._estimate cimport expected_errors

cdef double TINY = 1e-6


cdef struct Part:           # a node's cases: rows[start:start + n] and their weights
    int node
    int start
    int n
    int top                 # from here on nothing is in use
    int branch              # the next branch to prune
    int parts               # where its branches' parts start, -1 before they are made


cdef class Cases:
    """A stack of lists of (row, weight)."""

    cdef Draft draft
    cdef int32_t* rows       # [capacity]
    cdef double* weight      # [capacity]
    cdef int32_t* branch     # [capacity]: of the cases being divided
    cdef int capacity
    cdef Part* parts
    cdef int n_parts
    cdef int parts_capacity
    cdef int* open           # [n_nodes]: parts being pruned, from the root down
    cdef double* table       # [most branches + 1, n_classes]
    cdef double* branch_total
    cdef int* at
    cdef bint failed

    def __cinit__(self, Draft draft, const int32_t[::1] rows, const double[::1] weight):
        cdef int i, n = rows.shape[0], most = 1
        self.draft = draft
        for i in range(draft.tree.n_nodes):
            most = max(most, draft.view.n_branches[i])
        self.table = <double*>malloc(<size_t>(most + 1) * draft.n_classes * sizeof(double) + 8)
        self.branch_total = <double*>malloc(most * sizeof(double) + 8)
        self.at = <int*>malloc((most + 1) * sizeof(int))
        self.open = <int*>malloc((draft.tree.n_nodes + 1) * sizeof(int))
        if (self.open == NULL or self.table == NULL or self.branch_total == NULL or self.at == NULL
                or not self.room(2 * n + 16)):
            raise MemoryError
        for i in range(n):
            self.rows[i], self.weight[i] = rows[i], weight[i]

    def __dealloc__(self):
        free(self.rows)
        free(self.weight)
        free(self.branch)
        free(self.parts)
        free(self.open)
        free(self.table)
        free(self.branch_total)
        free(self.at)

    cdef bint room(self, int capacity) noexcept nogil:
        """False: no memory."""
        cdef void* moved
        if capacity <= self.capacity:
            return True
        capacity += capacity // 2
        moved = realloc(self.rows, <size_t>capacity * sizeof(int32_t))
        if moved == NULL:
            return False
        self.rows = <int32_t*>moved
        moved = realloc(self.weight, <size_t>capacity * sizeof(double))
        if moved == NULL:
            return False
        self.weight = <double*>moved
        moved = realloc(self.branch, <size_t>capacity * sizeof(int32_t))
        if moved == NULL:
            return False
        self.branch = <int32_t*>moved
        self.capacity = capacity
        return True

    cdef int new_parts(self, int count) noexcept nogil:
        cdef void* moved
        cdef int first = self.n_parts
        if first + count > self.parts_capacity:
            self.parts_capacity = 2 * (first + count) + 64
            moved = realloc(self.parts, self.parts_capacity * sizeof(Part))
            if moved == NULL:
                self.failed = True
                return -1
            self.parts = <Part*>moved
        self.n_parts += count
        return first

    cdef int tally(self, int node, int start, int n) noexcept nogil:
        """Class weights of the branches of a node's test (``table``) from a list; shares of 5.1 in ``branch_total``.

        Returns how many cases are unknown; ``branch`` holds each case's branch, -1 there.
        """
        cdef int n_classes = self.draft.n_classes, n_branches = self.draft.n_branches(node), j, b, c, n_unknown = 0
        cdef double known = 0.0
        cdef const Step* step = &self.draft.step[node]
        cdef const int32_t* labels = &self.draft.labels[0]
        cdef const int32_t* rows = self.rows
        cdef const double* weight = self.weight
        cdef int32_t* branch = self.branch
        cdef double* table = self.table
        cdef double* branch_total = self.branch_total
        cdef double* lost = table + <size_t>n_branches * n_classes
        memset(table, 0, <size_t>(n_branches + 1) * n_classes * sizeof(double))
        memset(branch_total, 0, n_branches * sizeof(double))
        for j in range(start, start + n):
            b = branch_of(self.draft, step, rows[j])
            branch[j] = b
            if b >= 0:
                table[b * n_classes + labels[rows[j]]] += weight[j]
                branch_total[b] += weight[j]
            else:
                lost[labels[rows[j]]] += weight[j]
                n_unknown += 1
        for b in range(n_branches):
            known += self.branch_total[b]
        for b in range(n_branches):
            self.branch_total[b] = self.branch_total[b] / known if known >= TINY else 1.0 / n_branches
            if n_unknown:
                for c in range(n_classes):
                    self.table[b * n_classes + c] += self.branch_total[b] * lost[c]
        return n_unknown

    cdef bint divide(
        self, int node, int start, int n, int top, const double* share, int n_unknown, int first_part
    ) noexcept nogil:
        """Lists of the branches from ``top`` on; ``parts[first_part + b]`` gets their places. False: no memory.

        Nobody asks for the list of a leaf: it gets none.
        """
        cdef int j, b, k, n_branches = self.draft.n_branches(node)
        cdef const Step* child = &self.draft.step[self.draft.step[node].first]
        cdef const int32_t* branch = self.branch
        cdef int* at = self.at
        cdef int32_t* rows
        cdef double* weight
        for b in range(n_branches):
            at[b] = 0
        for j in range(start, start + n):
            if branch[j] >= 0:
                at[branch[j]] += 1
        for b in range(n_branches):
            self.parts[first_part + b].start = top
            self.parts[first_part + b].n = 0
            if child[b].kind:
                self.parts[first_part + b].n = self.at[b] + (n_unknown if share[b] > TINY else 0)
            self.at[b], top = top, top + self.parts[first_part + b].n
            self.parts[first_part + b].top = top
        if not self.room(top):
            self.failed = True
            return False
        branch, rows, weight = self.branch, self.rows, self.weight      # `room` may have moved them
        for j in range(start, start + n):
            b = branch[j]
            if b >= 0:
                if child[b].kind:
                    k = at[b]
                    rows[k], weight[k] = rows[j], weight[j]
                    at[b] = k + 1
                continue
            for b in range(n_branches):
                if share[b] > TINY and child[b].kind:
                    rows[at[b]], weight[at[b]] = rows[j], weight[j] * share[b]
                    at[b] += 1
        return True

    cdef double send(self, int root, const Part* source, bint keep, double limit) noexcept nogil:
        """Send a list down a subtree: expected errors of its leaves; ``keep``: its class weights become these.

        Ends early when the errors are beyond the limit.
        """
        cdef int n_classes = self.draft.n_classes, bottom = self.n_parts, n_unknown, n_branches
        cdef int node, b, c, child, first
        cdef double errors = 0.0
        cdef Part part = Part(node=root, start=source.start, n=source.n, top=source.top, branch=0, parts=-1)
        if self.new_parts(1) < 0:
            return 0.0
        self.parts[bottom] = part
        while self.n_parts > bottom and errors <= limit:
            self.n_parts -= 1
            part = self.parts[self.n_parts]
            node = part.node
            if not self.draft.step[node].kind:      # the root itself is a leaf: its table is its own list's
                return self.draft.own_errors(node)
            n_branches = self.draft.n_branches(node)
            n_unknown = self.tally(node, part.start, part.n)
            first = self.new_parts(n_branches)
            if first < 0 or not self.divide(
                node, part.start, part.n, part.top, self.branch_total, n_unknown, first
            ):
                self.n_parts = bottom
                return 0.0
            for b in range(n_branches):
                child = self.draft.step[node].first + b
                if keep:
                    self.draft.share[child], self.draft.total[child] = self.branch_total[b], 0.0
                    for c in range(n_classes):
                        self.draft.weights[child, c] = self.table[b * n_classes + c]
                        self.draft.total[child] += self.draft.weights[child, c]
                    if not self.draft.step[child].kind:
                        self.draft.errors[child] = self.draft.own_errors(child)
                        if self.draft.total[child] >= TINY:
                            self.draft.empty[child] = 0
                if not self.draft.step[child].kind:
                    errors += expected_errors(&self.draft.confidence, self.table + b * n_classes, n_classes)
            # only branches with tests below stay on the stack
            self.n_parts = first
            for b in range(n_branches):
                child = self.draft.step[node].first + b
                if self.draft.step[child].kind:
                    self.parts[self.n_parts] = self.parts[first + b]
                    self.parts[self.n_parts].node = child
                    self.n_parts += 1
        self.n_parts = bottom
        return errors

    cdef void prune(self, int n) noexcept nogil:
        """Bottom-up with a stack of open nodes; a node that was raised starts again."""
        cdef int size = 1, at, node, child, branch, verdict, n_branches, n_unknown, first, b, top
        if self.new_parts(1) < 0:
            return
        self.parts[0] = Part(node=0, start=0, n=n, top=n, branch=0, parts=-1)
        self.open[0] = 0
        while size and not self.failed:
            at = self.open[size - 1]
            node = self.parts[at].node
            if not self.draft.step[node].kind:
                size -= 1
                continue
            n_branches = self.draft.n_branches(node)
            if self.parts[at].parts < 0:
                n_unknown = self.tally(node, self.parts[at].start, self.parts[at].n)
                first = self.new_parts(n_branches)
                if first < 0 or not self.divide(
                    node, self.parts[at].start, self.parts[at].n, self.parts[at].top,
                    &self.draft.share[self.draft.step[node].first], n_unknown, first
                ):
                    return
                self.parts[at].parts, self.parts[at].branch = first, 0
                top = self.parts[first + n_branches - 1].top
                for b in range(n_branches):   # what a branch needs goes above the lists of all its siblings
                    self.parts[first + b].node, self.parts[first + b].top = self.draft.step[node].first + b, top
                    self.parts[first + b].parts = -1
            elif self.parts[at].branch < n_branches:
                self.open[size] = self.parts[at].parts + self.parts[at].branch
                self.parts[at].branch += 1
                size += 1
            else:
                self.n_parts = self.parts[at].parts
                verdict = self.judge(node, at, &branch)
                if verdict == 2:
                    child = self.draft.step[node].first + branch
                    self.draft.step[node] = self.draft.step[child]
                    self.send(node, &self.parts[at], True, INFINITY)
                    self.parts[at].parts = -1
                    continue
                if verdict == 1:
                    self.draft.make_leaf(node)
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
                raised = self.send(child, &self.parts[part], False, self.draft.limit(node))
        cdef int verdict = self.draft.decide(node, raised)
        return 0 if verdict == 2 and not self.draft.step[self.draft.step[node].first + branch[0]].kind else verdict


def prune(Draft draft, rows, weight):
    """Prune a draft.

    Parameters
    ----------
    draft : Draft
    rows : ndarray of int32, [n]
        The training cases.
    weight : ndarray of float64, [n]
    """
    cdef Cases cases = Cases(draft, rows, weight)
    cdef int n = len(rows)
    with nogil:
        cases.prune(n)
    if cases.failed:
        raise MemoryError
