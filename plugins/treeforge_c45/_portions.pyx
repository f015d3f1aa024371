"""Lists of cases with weights, on a stack, and how a test divides them where values are unknown (c45.md 5).

A case of unknown value goes into the list of every branch, with that branch's share of its weight.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from treeforge_c45._cases cimport Cases, weight_of
from treeforge_c45._draft cimport Draft, Step, branch_of

import numpy as np

cdef double TINY = 1e-6

cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(uint64_t word) nogil


cdef class Portions:
    """A stack of lists of (row, weight)."""

    def __cinit__(self, Draft draft, Cases cases, const int32_t[::1] rows):
        cdef int i, most = 1
        self.draft, self.cases, self.training = draft, cases, rows
        self.place = np.zeros(draft.table.n_rows, dtype=np.int32)
        for i in range(rows.shape[0]):
            self.place[rows[i]] = i
        self.weight_at = np.zeros(rows.shape[0])
        self.listed = np.zeros(rows.shape[0] // 64 + 1, dtype=np.uint64)
        for i in range(draft.n_nodes):
            most = max(most, draft.step[i].n_branches)
        self.table = <double*>malloc(<size_t>(most + 1) * draft.n_classes * sizeof(double) + 8)
        self.branch_total = <double*>malloc(most * sizeof(double) + 8)
        self.at = <int*>malloc((most + 1) * sizeof(int))
        if self.table == NULL or self.branch_total == NULL or self.at == NULL or not self.room(1024):
            raise MemoryError

    def __dealloc__(self):
        free(self.rows)
        free(self.weight)
        free(self.branch)
        free(self.parts)
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

    cdef int tally(self, int node, int start, int n, const double* whole) noexcept nogil:
        """Class weights of the branches of a node's test (``table``) from a list; shares of 5.1 in ``branch_total``.

        ``whole``: what the branches hold besides, [n_branches, n_classes], or NULL.
        Returns how many cases are unknown; ``branch`` holds each case's branch, -1 there.
        """
        cdef int n_classes = self.draft.n_classes, n_branches = self.draft.step[node].n_branches, j, b, c, n_unknown = 0
        cdef double known = 0.0
        cdef Step step = self.draft.step[node]      # a copy: what is stored below cannot change it
        cdef const int32_t* labels = self.draft.labels
        cdef const int32_t* rows = self.rows
        cdef const double* weight = self.weight
        cdef int32_t* branch = self.branch
        cdef double* table = self.table
        cdef double* branch_total = self.branch_total
        cdef double* lost = table + <size_t>n_branches * n_classes
        memset(table, 0, <size_t>(n_branches + 1) * n_classes * sizeof(double))
        memset(branch_total, 0, n_branches * sizeof(double))
        for j in range(start, start + n):
            b = branch_of(self.draft, &step, rows[j])
            branch[j] = b
            if b >= 0:
                table[b * n_classes + labels[rows[j]]] += weight[j]
                branch_total[b] += weight[j]
            else:
                lost[labels[rows[j]]] += weight[j]
                n_unknown += 1
        if whole != NULL:
            for b in range(n_branches):
                for c in range(n_classes):
                    table[b * n_classes + c] += whole[b * n_classes + c]
                    branch_total[b] += whole[b * n_classes + c]
        for b in range(n_branches):
            known += self.branch_total[b]
        for b in range(n_branches):
            self.branch_total[b] = self.branch_total[b] / known if known >= TINY else 1.0 / n_branches
            if n_unknown:
                for c in range(n_classes):
                    self.table[b * n_classes + c] += self.branch_total[b] * lost[c]
        return n_unknown

    cdef bint copy_list(self, Part* part) noexcept nogil:
        """Copy a part's list to the top, where cases can be added to it. False: no memory."""
        cdef int j
        if not self.room(part.list_top + part.n_list):
            self.failed = True
            return False
        for j in range(part.n_list):
            self.rows[part.list_top + j] = self.rows[part.list + j]
            self.weight[part.list_top + j] = self.weight[part.list + j]
        part.list, part.list_top = part.list_top, part.list_top + part.n_list
        return True

    cdef bint add_own(self, Part* part, int node) noexcept nogil:
        """Add the whole cases that end in a node to a list on top. False: no memory."""
        cdef int c, r, at, last
        if not self.room(part.list_top + self.cases.n_own[node]):
            self.failed = True
            return False
        for c in range(self.draft.n_classes if self.cases.n_own[node] else 0):
            last = r = self.cases.last[<size_t>node * self.draft.n_classes + c]
            while last >= 0:
                r = self.cases.runs[r].next
                for at in range(self.cases.runs[r].start, self.cases.runs[r].start + self.cases.runs[r].n):
                    self.rows[part.list_top] = self.cases.rows[at]
                    self.weight[part.list_top] = weight_of(self.cases, at)
                    part.list_top += 1
                if r == last:
                    break
        part.n_list += self.cases.n_own[node]
        return True

    cdef bint add_below(self, Part* part, int node) noexcept nogil:
        """The same for all nodes of a subtree."""
        cdef int i, n_found = self.cases.visit(node, 0)
        for i in range(n_found):
            if not self.add_own(part, self.cases.found[i]):
                return False
        return True

    cdef bint complete(self, Part* part, bint all_came) noexcept nogil:
        """Make a part's list: the cases that came to its node and, unless these are all, those that end there."""
        part.list, part.n_list, part.list_top = part.start, part.n, part.top
        if all_came or self.cases.n_own[part.node] == 0:
            return True
        return self.copy_list(part) and self.add_own(part, part.node)

    cdef void put_in_order(self, Part* part) noexcept nogil:
        """The cases of a list as they follow one another in training: sums are to be those of growing."""
        cdef int j, place, word
        cdef uint64_t bits
        for j in range(part.list, part.list + part.n_list):
            place = self.place[self.rows[j]]
            self.listed[place >> 6] |= <uint64_t>1 << (place & 63)
            self.weight_at[place] = self.weight[j]
        j = part.list
        for word in range(self.listed.shape[0]):
            bits, self.listed[word] = self.listed[word], 0
            while bits:
                place = 64 * word + trailing_zeros(bits)
                bits &= bits - 1
                self.rows[j], self.weight[j] = self.training[place], self.weight_at[place]
                j += 1

    cdef bint divide(self, const Part* part, const double* share, int n_unknown, int first_part) noexcept nogil:
        """Lists of the branches above a part's own; ``parts[first_part + b]`` gets their places. False: no memory.

        Nobody asks for the list of a leaf: it gets none.
        """
        cdef int node = part.node, start = part.list, n = part.n_list, top = part.list_top
        cdef int j, b, k, n_branches = self.draft.step[node].n_branches
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
            self.at[b], top = top if child[b].kind else -1, top + self.parts[first_part + b].n
            self.parts[first_part + b].top = top
        if not self.room(top):
            self.failed = True
            return False
        branch, rows, weight = self.branch, self.rows, self.weight      # `room` may have moved them
        for j in range(start, start + n):
            b = branch[j]
            if b >= 0:
                k = at[b]
                if k >= 0:
                    rows[k], weight[k] = rows[j], weight[j]
                    at[b] = k + 1
                continue
            for b in range(n_branches):
                if share[b] > TINY and at[b] >= 0:
                    rows[at[b]], weight[at[b]] = rows[j], weight[j] * share[b]
                    at[b] += 1
        return True
