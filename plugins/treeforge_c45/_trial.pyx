"""What the leaves of a subtree would come to hold if it received more cases; nothing of the draft changes.

What a leaf is expected to make never falls when it receives a case. So a trial may end as soon as more
errors have been added than could still matter.
"""

from treeforge_c45._draft cimport Draft
from treeforge_c45._estimate cimport expected_errors

import numpy as np


cdef class Trial:
    """Class weights of the leaves that the cases tried have reached."""

    def __cinit__(self, Draft draft):
        cdef int n = draft.tree.n_nodes
        self.draft = draft
        self.reached, self.is_reached = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.uint8)
        self.weights = np.zeros((n, draft.n_classes))

    cdef void start(self, double spare) noexcept nogil:
        self.spare, self.tried, self.n_reached = spare, 0, 0

    cdef void reach(self, int leaf) noexcept nogil:
        cdef int c
        self.is_reached[leaf], self.reached[self.n_reached] = 1, leaf
        self.n_reached += 1
        for c in range(self.draft.n_classes):
            self.weights[leaf, c] = self.draft.weights[leaf, c]

    cdef double added(self) noexcept nogil:
        """Expected errors of the leaves reached, less what they were before."""
        cdef double errors = 0.0
        cdef int i, leaf
        for i in range(self.n_reached):
            leaf = self.reached[i]
            errors += expected_errors(&self.draft.confidence, &self.weights[leaf, 0], self.draft.n_classes)
            errors -= self.draft.errors[leaf]
        return errors

    cdef double finish(self) noexcept nogil:
        """The same, at the end."""
        cdef double errors = self.added()
        cdef int i
        for i in range(self.n_reached):
            self.is_reached[self.reached[i]] = 0
        return errors
