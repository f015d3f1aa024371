"""What the leaves of a subtree would come to hold if it received more cases; nothing of the draft changes.

What a leaf is expected to make never falls when it receives a case. So a trial may end as soon as more
errors have been added than could still matter.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from treeforge_c45._draft cimport BLOCK, Draft, ask_for, ends
from treeforge_c45._estimate cimport errors_of, expected_errors, majority_of

cdef enum:
    FIRST = 4

cdef double WRONG = 1.25     # errors that a case not of its leaf's class adds to the leaf's, about


cdef class Trial:
    """Class weights of the leaves that the cases tried have reached."""

    def __cinit__(self, Draft draft):
        cdef size_t n = draft.n_nodes
        self.draft = draft
        self.reached = <Reached*>malloc(n * sizeof(Reached))
        self.place = <int32_t*>malloc(2 * n * sizeof(int32_t))
        if self.reached == NULL or self.place == NULL:
            raise MemoryError
        self.doubtful = self.place + n
        memset(self.place, -1, n * sizeof(int32_t))

    def __dealloc__(self):
        free(self.reached)
        free(self.place)
        free(self.weights)

    cdef void start(self, int target, double spare) noexcept nogil:
        self.target, self.spare, self.added, self.doubt, self.over = target, spare, 0.0, 0.0, spare < 0.0
        self.n_reached, self.n_doubtful, self.n_block, self.width, self.stuck = 0, 0, 0, FIRST, False

    cdef void add(self, int row, int label, double weight) noexcept nogil:
        """One more case for the next block; there must be room."""
        self.rows[self.n_block], self.label[self.n_block], self.weight[self.n_block] = row, label, weight
        self.n_block += 1
        ask_for(&self.draft.step[self.target], row)

    cdef void try_block(self) noexcept nogil:
        """Count the cases of the block at their leaves; those that meet a test they have no value for, nowhere."""
        cdef int32_t leaves[BLOCK]
        cdef int k, at, label, n = self.n_block
        cdef Reached* leaf
        cdef double* weights
        ends(self.draft, self.target, self.rows, n, leaves)
        self.n_block = self.wrong = 0
        self.width = min(2 * self.width, BLOCK)
        for k in range(n):
            if self.draft.step[leaves[k]].kind:
                self.stuck = True
                continue
            at, label = self.place[leaves[k]], self.label[k]
            if at < 0:
                at = self.reach(leaves[k])
                if at < 0:
                    return
            leaf, weights = &self.reached[at], self.weights + <size_t>at * self.draft.n_classes
            weights[label] += self.weight[k]
            leaf.total += self.weight[k]
            if label == leaf.majority:
                continue
            self.wrong += 1
            self.doubt += self.weight[k]
            if not leaf.doubtful:
                leaf.doubtful, self.doubtful[self.n_doubtful] = True, at
                self.n_doubtful += 1
            if weights[label] > weights[leaf.majority]:
                leaf.majority = label
        if self.added + WRONG * self.doubt > self.spare:
            self.settle()

    cdef int reach(self, int leaf) noexcept nogil:
        """Where a leaf comes to be in ``reached``. -1: no memory."""
        cdef int n_classes = self.draft.n_classes, at = self.n_reached
        cdef const double* before = self.before + <size_t>leaf * n_classes
        cdef Reached* new = &self.reached[at]
        cdef void* moved
        if at == self.capacity:
            moved = realloc(self.weights, (2 * <size_t>at + 16) * n_classes * sizeof(double))
            if moved == NULL:
                self.failed = self.over = True
                return -1
            self.weights, self.capacity = <double*>moved, 2 * at + 16
        memcpy(self.weights + <size_t>at * n_classes, before, n_classes * sizeof(double))
        new.leaf, new.doubtful, new.total, new.errors = leaf, False, self.total[leaf], self.least[leaf]
        new.majority = majority_of(before, n_classes, new.total)
        self.place[leaf] = at
        self.n_reached += 1
        return at

    cdef void settle(self) noexcept nogil:
        """Look at the errors of doubtful leaves."""
        cdef int i
        cdef double errors
        cdef Reached* leaf
        for i in range(self.n_doubtful):
            leaf = &self.reached[self.doubtful[i]]
            errors = errors_of(
                &self.draft.confidence, leaf.total,
                self.weights[<size_t>self.doubtful[i] * self.draft.n_classes + leaf.majority]
            )
            self.added += errors - leaf.errors
            leaf.errors, leaf.doubtful = errors, False
        self.n_doubtful, self.doubt = 0, 0.0
        self.over = self.added > self.spare

    cdef double finish(self) noexcept nogil:
        """Expected errors of the leaves reached, less what they were before; INFINITY if they cannot be spared."""
        cdef double errors = 0.0
        cdef int i, n_classes = self.draft.n_classes
        if not self.over:
            self.try_block()
        for i in range(self.n_reached):
            self.place[self.reached[i].leaf] = -1
        if self.over:
            return INFINITY
        for i in range(self.n_reached):
            errors += expected_errors(&self.draft.confidence, self.weights + <size_t>i * n_classes, n_classes)
            errors -= self.least[self.reached[i].leaf]
        return errors
