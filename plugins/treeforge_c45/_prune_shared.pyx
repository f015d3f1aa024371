"""Error-based pruning where cases with unknown values are shared out among branches.

A case is *whole* down to the first test that its value is unknown for, where it ends (``Cases``); from there on it
comes to several branches, with part of its weight. The whole cases are counted once, like those of a tree
that meets no unknown value; only lists of the others go down with pruning, as growing did with all. When a branch
is tried in its node's place the shares at the tests below depend on all the cases that arrive, so those lists are
made anew (c45.md 6.4), unless what the whole cases add is too much already, or nobody below is shared out.
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from treeforge_c45._cases cimport Cases
from treeforge_c45._draft cimport Draft, Step, carve, weights_of
from treeforge_c45._estimate cimport expected_errors
from treeforge_c45._portions cimport Part, Portions
from treeforge_c45._trial cimport Trial


cdef class Sharing:
    """A draft, where its whole cases end, and the lists of its open nodes."""

    cdef Draft draft
    cdef Portions lists
    cdef Cases cases
    cdef Trial trial
    cdef double* whole               # [n_nodes, n_classes]: class weights of the whole cases
    cdef double* whole_total         # [n_nodes]
    cdef double* least               # [n_nodes], of nodes that are pruned: errors to expect below of whole cases alone
    cdef uint8_t* mixed              # [n_nodes], of the same: some case ends in the node or below at a test
    cdef int* open                   # [n_nodes + 1]: parts being pruned, from the root down
    cdef void* memory

    def __cinit__(self, Draft draft, rows, weight, leaves):
        self.draft, self.cases = draft, Cases(draft, rows, weight, leaves)
        self.trial = self.cases.trial
        self.allocate()
        self.cases.watch(self.whole, self.whole_total, self.least)
        self.lists = Portions(draft, self.cases, rows)
        self.count_whole()
        draft.expect(False)

    def __dealloc__(self):
        free(self.memory)

    cdef int allocate(self) except -1:
        cdef size_t n = self.draft.n_nodes, n_weights = n * self.draft.n_classes
        cdef char* left
        self.memory = calloc(8 * (n_weights + 2 * n) + 4 * (n + 1) + n + 32, 1)
        if self.memory == NULL:
            raise MemoryError
        left = <char*>self.memory
        self.whole = <double*>carve(&left, 8 * n_weights)
        self.whole_total, self.least = <double*>carve(&left, 8 * n), <double*>carve(&left, 8 * n)
        self.open = <int*>carve(&left, 4 * (n + 1))
        self.mixed = <uint8_t*>carve(&left, n)
        return 0

    cdef void count_whole(self) noexcept nogil:
        """What ends below a node reaches it as well."""
        cdef int node, b, c, n_classes = self.draft.n_classes
        cdef double* here
        cdef const double* below
        for node in range(self.draft.n_nodes - 1, -1, -1):      # children come after their parent
            here = self.whole + <size_t>node * n_classes
            self.cases.count(node, here)
            below = self.whole + <size_t>self.draft.step[node].first * n_classes
            for b in range(self.draft.step[node].n_branches):
                for c in range(n_classes):
                    here[c] += below[b * n_classes + c]
            for c in range(n_classes):
                self.whole_total[node] += here[c]

    cdef double send(self, int root, const Part* source, bint keep, double limit) noexcept nogil:
        """Send a list down a subtree, to its whole cases: expected errors of its leaves.

        Ends early when the errors cannot but end beyond the limit. ``keep``: the list is all cases, and the class
        weights of the subtree become theirs.
        """
        cdef int n_classes = self.draft.n_classes, bottom = self.lists.n_parts, n_unknown, n_branches
        cdef int node, b, child, first
        cdef double errors = 0.0, waiting = self.least[root]    # of leaves reached; at least, of branches on the stack
        cdef const double* whole = NULL
        cdef Part part = source[0]
        part.node, part.start, part.n, part.top = root, source.list, source.n_list, source.list_top
        if self.lists.new_parts(1) < 0:
            return 0.0
        self.lists.parts[bottom] = part
        while self.lists.n_parts > bottom and errors + waiting <= limit:
            self.lists.n_parts -= 1
            part = self.lists.parts[self.lists.n_parts]
            node = part.node
            waiting -= self.least[node]
            n_branches, child = self.draft.step[node].n_branches, self.draft.step[node].first
            if not keep:
                whole = self.whole + <size_t>child * n_classes
            first = -1
            if self.lists.complete(&part, keep):
                n_unknown = self.lists.tally(node, part.list, part.n_list, whole)
                first = self.lists.new_parts(n_branches)
            if first < 0 or not self.lists.divide(&part, self.lists.branch_total, n_unknown, first):
                self.lists.n_parts = bottom
                return 0.0
            if keep:
                self.keep_table(node)
            for b in range(n_branches):
                if not self.draft.step[child + b].kind:
                    errors += expected_errors(&self.draft.confidence, self.lists.table + b * n_classes, n_classes)
            waiting += self.stack_branches(node, first, keep)
        errors += waiting
        self.lists.n_parts = bottom
        return errors

    cdef void keep_table(self, int node) noexcept nogil:
        """What was just counted becomes the class weights of a node's branches."""
        cdef int b, child = self.draft.step[node].first, n_classes = self.draft.n_classes
        for b in range(self.draft.step[node].n_branches):
            self.draft.receive(child + b, self.lists.table + b * n_classes, self.lists.branch_total[b])

    cdef double stack_branches(self, int node, int first, bint keep) noexcept nogil:
        """Keep the parts of branches with tests below; returns the errors to expect there at least.

        Where only whole cases come that end in leaves, those are all there are.
        """
        cdef int b, child, n_branches = self.draft.step[node].n_branches, n_kept = 0
        cdef int top = self.lists.parts[first + n_branches - 1].top
        cdef Part* kept = &self.lists.parts[first]
        cdef Part part
        cdef double least = 0.0
        for b in range(n_branches):
            child = self.draft.step[node].first + b
            if not self.draft.step[child].kind:
                continue
            least += self.least[child]
            part = kept[b]
            if part.n or self.mixed[child] or keep:
                part.node, part.top = child, top
                kept[n_kept] = part
                n_kept += 1
        self.lists.n_parts = first + n_kept
        return least

    cdef bint open_branches(self, int at) noexcept nogil:
        """Give the branches of an open node their lists. False: no memory."""
        cdef Part part = self.lists.parts[at]
        cdef int b, n_branches = self.draft.step[part.node].n_branches, top, n_unknown, first
        if not self.lists.complete(&part, False):
            return False
        n_unknown, first = self.lists.tally(part.node, part.list, part.n_list, NULL), self.lists.new_parts(n_branches)
        if first < 0 or not self.lists.divide(
            &part, &self.draft.share[self.draft.step[part.node].first], n_unknown, first
        ):
            return False
        top = self.lists.parts[first + n_branches - 1].top
        for b in range(n_branches):   # what a branch needs goes above the lists of all its siblings
            self.lists.parts[first + b].node = self.draft.step[part.node].first + b
            self.lists.parts[first + b].top, self.lists.parts[first + b].parts = top, -1
        part.parts, part.branch = first, 0
        self.lists.parts[at] = part
        return True

    cdef void prune(self) noexcept nogil:
        """Bottom-up with a stack of open nodes; a node that was raised starts again."""
        cdef int size = 1, at, node, branch, verdict
        cdef Part* part
        if self.lists.new_parts(1) < 0:
            return
        self.lists.parts[0] = Part(node=0, start=0, n=0, top=0, list=0, n_list=0, list_top=0, branch=0, parts=-1)
        self.open[0] = 0
        while size and not (self.lists.failed or self.cases.failed or self.trial.failed):
            at = self.open[size - 1]
            part = &self.lists.parts[at]
            node = part.node
            if not self.draft.step[node].kind:
                self.look_below(node)
                size -= 1
            elif part.parts < 0:
                self.open_branches(at)
            elif part.branch < self.draft.step[node].n_branches:
                self.open[size] = part.parts + part.branch
                part.branch += 1
                size += 1
            else:
                self.lists.n_parts = part.parts
                verdict = self.judge(node, at, &branch)
                if verdict == 2:
                    self.raise_branch(node, branch, at)
                    continue
                if verdict == 1:
                    self.cases.gather(node)
                    self.draft.make_leaf(node)
                self.look_below(node)
                size -= 1

    cdef int judge(self, int node, int at, int* branch) noexcept nogil:
        """The verdict on a node whose branches are pruned."""
        cdef double as_leaf = self.draft.own_errors(node), below = self.draft.errors_below(node), raised = as_leaf
        cdef int verdict
        cdef bint is_test = False
        branch[0] = 0
        if self.draft.raising:
            branch[0] = self.draft.largest_branch(node)
            is_test = self.draft.step[self.draft.step[node].first + branch[0]].kind != 0
            if is_test:
                raised = self.raised_errors(node, branch[0], at, self.draft.limit(as_leaf, below))
        verdict = self.draft.decide(as_leaf, below, raised)
        self.draft.errors[node] = as_leaf if verdict == 1 else below
        return 0 if verdict == 2 and not is_test else verdict

    cdef double raised_errors(self, int node, int branch, int at, double limit) noexcept nogil:
        """Expected errors if the branch took the node's place and got all its cases, as far as they matter.

        Leaves hold at least their whole cases, so these alone may show that the others do not matter.
        """
        cdef Part part = self.lists.parts[at]
        cdef int child = self.draft.step[node].first + branch, b, j
        cdef double errors
        self.trial.start(child, limit - self.least[child])
        if not self.trial.over:
            self.cases.try_others(node, branch)
        for j in range(part.list, part.list + part.n_list):
            if self.trial.over:
                break
            self.trial.add(self.lists.rows[j], self.draft.labels[self.lists.rows[j]], self.lists.weight[j])
            if self.trial.n_block >= self.trial.width:
                self.trial.try_block()
        errors = self.least[child] + self.trial.finish()
        if errors > limit or not (self.trial.stuck or self.mixed[child]):
            return errors
        if not self.lists.copy_list(&part):
            return INFINITY
        for b in range(self.draft.step[node].n_branches):
            if b != branch and not self.lists.add_below(&part, self.draft.step[node].first + b):
                return INFINITY
        return self.send(child, &part, False, limit)

    cdef void raise_branch(self, int node, int branch, int at) noexcept nogil:
        """The branch takes the node's place and gets all its cases."""
        cdef Part part = self.lists.parts[at]
        cdef int child = self.draft.step[node].first + branch, b
        if not self.lists.copy_list(&part):
            return
        for b in range(self.draft.step[node].n_branches):
            if not self.lists.add_below(&part, self.draft.step[node].first + b):
                return
        self.lists.put_in_order(&part)
        self.cases.move_others(node, branch, child)
        self.cases.move(node, child)
        self.draft.step[node] = self.draft.step[child]
        self.cases.take(node, child)
        self.send(node, &part, True, INFINITY)
        self.lists.parts[at].parts = -1

    cdef void look_below(self, int node) noexcept nogil:
        """Set ``least`` and ``mixed`` of a node that is pruned."""
        cdef const Step* step = &self.draft.step[node]
        cdef int child, n_classes = self.draft.n_classes
        cdef const double* whole = self.whole + <size_t>node * n_classes
        if not step.kind:
            self.mixed[node], self.least[node] = 0, self.draft.errors[node]
            if memcmp(whole, weights_of(self.draft, node), n_classes * sizeof(double)):
                self.least[node] = expected_errors(&self.draft.confidence, whole, n_classes)
            return
        self.mixed[node] = self.cases.n_own[node] > 0
        self.least[node] = 0.0
        for child in range(step.first, step.first + step.n_branches):
            self.mixed[node] = self.mixed[node] or self.mixed[child]
            self.least[node] += self.least[child]


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
        The node of the grown tree where each row ended: a leaf, or the first test that its value is unknown
        for. None walks there.
    """
    cdef Sharing sharing = Sharing(draft, rows, weight, leaves)
    with nogil:
        sharing.prune()
    if sharing.lists.failed or sharing.cases.failed or sharing.trial.failed:
        raise MemoryError
