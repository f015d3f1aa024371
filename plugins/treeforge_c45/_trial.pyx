"""What the leaves of a subtree would come to hold if it received more cases; nothing of the draft changes.

What a leaf is expected to make never falls when it receives a case. So a trial may end as soon as more
errors have been added than could still matter.
"""

from libc.stdint cimport int32_t

from treeforge_c45._draft cimport BLOCK, Draft, ask_for, ends
from treeforge_c45._estimate cimport expected_errors

import numpy as np


cdef class Trial:
    """Class weights of the leaves that the cases tried have reached."""

    def __cinit__(self, Draft draft, before, least):
        cdef int n = draft.tree.n_nodes
        self.draft, self.before, self.least = draft, before, least
        self.reached, self.is_reached = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.uint8)
        self.majority, self.weights = np.zeros(n, dtype=np.int32), np.zeros((n, draft.n_classes))

    cdef void start(self, int target, double spare) noexcept nogil:
        self.target = target
        self.spare, self.tried, self.n_reached, self.n_block, self.over, self.stuck = spare, 0, 0, 0, False, False

    cdef void add(self, int row, double weight) noexcept nogil:
        """One more case for the next block; there must be room."""
        self.rows[self.n_block], self.weight[self.n_block] = row, weight
        self.n_block += 1
        ask_for(&self.draft.step[self.target], row)

    cdef void try_block(self) noexcept nogil:
        """Count the cases of the block at their leaves; those that meet a test they have no value for, nowhere."""
        cdef int32_t leaves[BLOCK]
        cdef int k, leaf, label, n = self.n_block
        ends(self.draft, self.target, self.rows, n, leaves)
        self.n_block = 0
        self.wrong = 0
        for k in range(n):
            leaf, label = leaves[k], self.draft.labels[self.rows[k]]
            if self.draft.step[leaf].kind:
                self.stuck = True
                continue
            if not self.is_reached[leaf]:
                self.reach(leaf)
            self.weights[leaf, label] += self.weight[k]
            if label != self.majority[leaf]:
                self.wrong += 1
                if self.weights[leaf, label] > self.weights[leaf, self.majority[leaf]]:
                    self.majority[leaf] = label
        self.tried += n
        if self.tried >= 64 and self.tried >= 4 * self.n_reached:   # seldom enough to cost little
            self.tried = 0
            self.over = self.added() > self.spare

    cdef void reach(self, int leaf) noexcept nogil:
        cdef int c
        self.is_reached[leaf], self.reached[self.n_reached] = 1, leaf
        self.n_reached += 1
        for c in range(self.draft.n_classes):
            self.weights[leaf, c] = self.before[leaf, c]
        self.majority[leaf] = self.draft.majority(leaf)

    cdef double added(self) noexcept nogil:
        """Expected errors of the leaves reached, less what they were before."""
        cdef double errors = 0.0
        cdef int i, leaf
        for i in range(self.n_reached):
            leaf = self.reached[i]
            errors += expected_errors(&self.draft.confidence, &self.weights[leaf, 0], self.draft.n_classes)
            errors -= self.least[leaf]
        return errors

    cdef double finish(self) noexcept nogil:
        """The same, at the end."""
        cdef double errors
        cdef int i
        self.try_block()
        errors = self.added()
        for i in range(self.n_reached):
            self.is_reached[self.reached[i]] = 0
        return errors
