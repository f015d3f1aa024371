"""Which node of a draft each training case ends in: a leaf, or the first test that its value is unknown for.

The cases of one class that end in one node are a list of runs, so those of any subtree can be visited, and raising
a branch need only send the cases of the *other* branches: those of the raised one stay where they are. A case is
sent again only when it is not in the largest branch, so at most about log2(n) times: no quadratic time.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from treeforge_c45._draft cimport BLOCK, Draft, Step, branch_of, carve, walked
from treeforge_c45._trial cimport Trial

cdef enum:
    FEW = BLOCK // 2


cdef class Cases:
    """``held`` and ``total`` are kept up as cases move."""

    def __cinit__(self, Draft draft, const int32_t[::1] rows, const double[::1] weight, leaves):
        """``leaves``: the node of the grown tree where each row of the table ended; None walks there."""
        self.draft, self.trial = draft, Trial(draft)
        self.allocate(rows.shape[0], weight is not None)
        self.sort(rows, weight, walked(draft, rows) if leaves is None else leaves)

    def __dealloc__(self):
        free(self.memory)
        free(self.runs)

    cdef int allocate(self, size_t n, bint weighted) except -1:
        cdef size_t nodes = self.draft.n_nodes, n_lists = nodes * self.draft.n_classes
        cdef char* left
        self.memory = malloc(
            n * (12 if weighted else 4) + (n_lists + 2 * nodes + self.draft.n_classes) * 4 + nodes
            + (n // BLOCK + 1) * sizeof(Rest) + 64
        )
        if self.memory == NULL:
            raise MemoryError
        left = <char*>self.memory
        self.weight = <double*>carve(&left, n * sizeof(double)) if weighted else NULL
        self.rows = <int32_t*>carve(&left, n * 4)
        self.last = <int32_t*>carve(&left, n_lists * 4)
        self.n_own, self.found = <int32_t*>carve(&left, nodes * 4), <int32_t*>carve(&left, nodes * 4)
        self.labels = <int32_t*>carve(&left, self.draft.n_classes * 4)
        self.waiting = <Rest*>carve(&left, (n // BLOCK + 1) * sizeof(Rest))
        self.dirty = <uint8_t*>carve(&left, nodes)
        memset(self.last, 0, n_lists * 4)
        memset(self.n_own, 0, nodes * 4)
        memset(self.dirty, 0, nodes)
        return 0

    cdef int sort(self, const int32_t[::1] rows, const double[::1] weight, const int32_t[::1] leaves) except -1:
        """Put the cases in the order of the nodes that they end in, and of their classes there."""
        cdef int i, row, n_classes = self.draft.n_classes
        cdef const int32_t* label = self.draft.labels
        cdef const int32_t* place = self.draft.place
        cdef int32_t* last = self.last
        cdef Run* run
        for i in range(rows.shape[0]):
            row = rows[i]
            last[<size_t>place[leaves[row]] * n_classes + label[row]] += 1
        self.make_runs(rows.shape[0])
        for i in range(rows.shape[0]):
            row = rows[i]
            run = &self.runs[last[<size_t>place[leaves[row]] * n_classes + label[row]]]
            self.rows[run.start + run.n] = row
            if self.weight != NULL:
                self.weight[run.start + run.n] = weight[i]
            run.n += 1
        return 0

    cdef int make_runs(self, size_t n) except -1:
        """One empty run for each list, with room for as many cases as ``last`` says."""
        cdef size_t k, n_lists = <size_t>self.draft.n_nodes * self.draft.n_classes
        cdef int count, start = 0
        cdef int32_t* last = self.last
        self.capacity = <int>min(n, n_lists) + 64
        self.runs = <Run*>malloc(self.capacity * sizeof(Run))
        if self.runs == NULL:
            raise MemoryError
        for k in range(n_lists):
            count, last[k] = last[k], -1
            if count:
                self.runs[self.n_runs] = Run(start=start, n=0, next=self.n_runs)
                last[k] = self.n_runs
                self.n_runs += 1
                self.n_own[k // self.draft.n_classes] += count
                start += count
        return 0

    cdef void watch(self, double* held, double* total, const double* least) noexcept nogil:
        """``least``: errors to expect of leaves for what is held, [n_nodes]."""
        self.held, self.total = held, total
        self.trial.before, self.trial.total, self.trial.least = held, total, least

    # -------------------------------------------------------------- lists

    cdef int add_run(self, int node, int label, int start, int n) noexcept nogil:
        """Add cases to the list of a node, as a run of its own. -1: no memory."""
        cdef void* moved
        if self.n_runs == self.capacity:
            moved = realloc(self.runs, 2 * <size_t>self.capacity * sizeof(Run))
            if moved == NULL:
                self.failed = True
                return -1
            self.runs, self.capacity = <Run*>moved, 2 * self.capacity
        self.runs[self.n_runs] = Run(start=start, n=n, next=self.n_runs)
        self.n_runs += 1
        self.link(node, label, self.n_runs - 1)
        self.n_own[node] += n
        return self.n_runs - 1

    cdef void link(self, int node, int label, int last) noexcept nogil:
        """Put a whole list behind that of a node; ``last`` is its last run."""
        cdef int32_t* own = &self.last[<size_t>node * self.draft.n_classes + label]
        if own[0] >= 0:
            self.runs[own[0]].next, self.runs[last].next = self.runs[last].next, self.runs[own[0]].next
        own[0] = last

    cdef int visit(self, int node, int n_found) noexcept nogil:
        """Add a node and those below to ``found``, which has ``n_found`` already; returns how many there are then."""
        cdef int size = n_found + 1, b
        cdef const Step* step
        self.found[n_found] = node
        while n_found < size:
            step = &self.draft.step[self.found[n_found]]
            for b in range(step.n_branches):
                self.found[size + b] = step.first + b
            size += step.n_branches
            n_found += 1
        return size

    cdef void gather(self, int node) noexcept nogil:
        """Move the cases of all nodes below into a node's own lists."""
        cdef int i, c, at, n_found = self.visit(node, 0)
        cdef int32_t* last
        for i in range(1, n_found):
            at = self.found[i]
            if self.n_own[at] == 0:
                continue
            last = self.last + <size_t>at * self.draft.n_classes
            for c in range(self.draft.n_classes):
                if last[c] >= 0:
                    self.link(node, c, last[c])
                    last[c] = -1
            self.n_own[node] += self.n_own[at]
            self.n_own[at] = 0

    cdef void take(self, int node, int source) noexcept nogil:
        """The lists of another node become those of a node that has none."""
        cdef size_t n_classes = self.draft.n_classes
        memcpy(self.last + node * n_classes, self.last + source * n_classes, n_classes * sizeof(int32_t))
        memset(self.last + source * n_classes, -1, n_classes * sizeof(int32_t))
        self.n_own[node], self.n_own[source] = self.n_own[source], 0

    cdef void count(self, int node, double* counts) noexcept nogil:
        """Add the cases that end in a node to its class weights."""
        cdef int c, r, at, last
        for c in range(self.draft.n_classes if self.n_own[node] else 0):
            last = r = self.last[<size_t>node * self.draft.n_classes + c]
            while last >= 0:
                r = self.runs[r].next
                for at in range(self.runs[r].start, self.runs[r].start + self.runs[r].n):
                    counts[c] += weight_of(self, at)
                if r == last:
                    break

    # -------------------------------------------------------------- raising

    cdef void move_others(self, int node, int branch, int target) noexcept nogil:
        """Send the cases of the other branches of a node down a subtree for good."""
        cdef int b, i, n_found = 0
        for b in range(self.draft.step[node].n_branches):
            if b != branch:
                n_found = self.visit(self.draft.step[node].first + b, n_found)
        for i in range(n_found):
            self.move(self.found[i], target)

    cdef void move(self, int source, int target) noexcept nogil:
        """Send the cases that end in a node down a subtree; they are new to its root as well."""
        cdef int c, r
        cdef Run run
        cdef int32_t* last = self.last + <size_t>source * self.draft.n_classes
        if self.n_own[source] == 0:
            return
        self.n_own[source] = 0
        for c in range(self.draft.n_classes):
            r = last[c]
            while last[c] >= 0:
                r = self.runs[r].next
                run = self.runs[r]      # a copy: `runs` may move
                if r == last[c]:
                    last[c] = -1
                self.move_run(run.start, run.n, c, target)

    cdef void move_run(self, int start, int n, int label, int target) noexcept nogil:
        """Cases that follow one another to the same node stay a run."""
        cdef int at, node, run = -1, end = -1
        for at in range(start, start + n):
            node = self.send(target, label, at)
            if node == end:
                self.runs[run].n += 1
                self.n_own[node] += 1
                continue
            run, end = self.add_run(node, label, at, 1), node
            if run < 0:
                return

    cdef int send(self, int target, int label, int at) noexcept nogil:
        """Count a case in all nodes that it comes to, down to the one that it ends in."""
        cdef int node = target, b
        cdef double weight = weight_of(self, at)
        while True:
            self.held[<size_t>node * self.draft.n_classes + label] += weight
            self.total[node] += weight
            self.dirty[node] = 1
            b = branch_of(self.draft, &self.draft.step[node], self.rows[at]) if self.draft.step[node].kind else -1
            if b < 0:
                return node
            node = self.draft.step[node].first + b

    # -------------------------------------------------------------- trials

    cdef void try_others(self, int node, int branch) noexcept nogil:
        """In a trial that has begun, try the cases of the other branches of a node, as far as they matter."""
        cdef int b, i, l, n_labels, n_waiting, n_found = 0, n_ends = 0, patience = BLOCK
        for b in range(self.draft.step[node].n_branches):
            if b != branch:
                n_found = self.visit(self.draft.step[node].first + b, n_found)
        for i in range(n_found):
            if self.n_own[self.found[i]]:
                self.found[n_ends] = self.found[i]
                n_ends += 1
        n_labels, self.n_waiting = self.order_labels(node, self.draft.step[node].first + branch), 0
        for l in range(n_labels):
            for i in range(n_ends):
                if self.trial.over:
                    return
                self.try_list(self.found[i], self.labels[l])
        while self.n_waiting and not self.trial.over:
            patience, n_waiting, self.n_waiting = 2 * patience, self.n_waiting, 0
            for i in range(n_waiting):
                self.try_run(self.waiting[i].start, self.waiting[i].n, self.waiting[i].label, patience)

    cdef int order_labels(self, int node, int child) noexcept nogil:
        """Set ``labels`` to the classes of which a node has more cases than its child; how many there are.

        Any order would do, and the sooner errors show, the sooner the trial is over: so the classes that the child
        has least of come first.
        """
        cdef const double* all_held = self.held + <size_t>node * self.draft.n_classes
        cdef const double* held = self.held + <size_t>child * self.draft.n_classes
        cdef int c, i, n = 0
        for c in range(self.draft.n_classes):
            if all_held[c] <= held[c]:
                continue
            i = n
            while i and held[self.labels[i - 1]] > held[c]:
                self.labels[i] = self.labels[i - 1]
                i -= 1
            self.labels[i] = c
            n += 1
        return n

    cdef void try_list(self, int node, int label) noexcept nogil:
        cdef int last = self.last[<size_t>node * self.draft.n_classes + label], r = last
        while r >= 0 and not self.trial.over:
            r = self.runs[r].next
            self.try_run(self.runs[r].start, self.runs[r].n, label, BLOCK)
            if r == last:
                return

    cdef void try_run(self, int start, int n, int label, int patience) noexcept nogil:
        """Try the cases of a run; once hardly any of so many are classified wrongly, the others wait."""
        cdef int at, tried = 0, wrong = 0
        for at in range(start, start + n):
            if self.trial.over:
                return
            self.trial.add(self.rows[at], label, weight_of(self, at))
            tried += 1
            if self.trial.n_block < self.trial.width:
                continue
            self.trial.try_block()
            wrong += self.trial.wrong
            if tried >= patience:
                if wrong < FEW and at + 1 < start + n:
                    self.waiting[self.n_waiting] = Rest(start=at + 1, n=start + n - at - 1, label=label)
                    self.n_waiting += 1
                    return
                tried = wrong = 0
