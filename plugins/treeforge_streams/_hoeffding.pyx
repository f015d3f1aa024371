"""A tree that grows from a stream: each case is looked at once, and only sums are kept at the leaves.

A leaf holds, for each class, the weight of its cases and for each input an *observer*: of a number the
count, mean, sums of squared and cubed deviations, least and largest value of each class; of a category the
weight of each class with it. Every ``grace_period`` of weight the inputs' best tests are compared, and the leaf becomes
a test when the Hoeffding bound says that more cases would hardly change which one wins.

Layout. ``nodes`` is one growing array; the branches of a test stand side by side. An open leaf owns a block
``stats``: input i has it from ``offset[i]``, a number as [n_classes, 6], a category as [arity, n_classes].
"""

from libc.math cimport INFINITY, erfc, exp, fabs, isnan, log, log2, sqrt
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

cdef enum:
    COUNT = 0        # fields of a number's observer
    MEAN = 1
    SQUARES = 2      # sum of squared deviations from the mean
    CUBES = 3
    LOW = 4
    HIGH = 5
    FIELDS = 6

cdef double LEAST_VARIANCE = 1e-6    # of a density (Weka's floor): a class that has had one value may meet another
cdef double TINY = 1e-9


cdef struct Settings:
    double grace_period
    double delta
    double tie_threshold
    double least_share       # of the weight, that two branches of a test must have
    int bins                 # candidate cuts of a number; 0: AMSD's three cuts
    double alpha
    double gamma_max
    int leaf                 # 0 majority, 1 naive Bayes, 2 whichever has been right more often


cdef struct HNode:
    int attribute            # -1: a leaf
    int parent
    int first_child
    int n_branches
    int n_cuts
    double[3] cuts           # value <= cut goes left, or value < cut when there are three
    double* classes          # weight of each class, [n_classes]
    double* stats            # observers of an open leaf, else NULL
    double weight
    double born              # weight that it was expected to have when its test was made
    double checked           # weight when the tests were last compared
    double majority_right
    double bayes_right


cdef struct Walk:            # scratch of one case's way through the tree
    double* votes            # [n_classes]
    int* waiting             # nodes still to visit, [n_nodes]
    double* parts            # with this part of the case, [n_nodes]


cdef struct Candidate:
    int attribute
    int n_branches
    int n_cuts
    double[3] cuts
    double gain


cdef class HoeffdingTree:
    """See ``hoeffding.py`` for the parameters; this is the part that loops."""

    cdef Settings settings
    cdef readonly int n_inputs, n_classes, n_nodes
    cdef readonly object arity           # int32 [n_inputs]: categories, 0 for a number
    cdef int32_t* categories
    cdef size_t* offset
    cdef size_t stats_size
    cdef int capacity, most_branches
    cdef HNode* nodes
    cdef double* table                   # class weights of a test's branches, [most_branches, n_classes]
    cdef double* best_table
    cdef Walk walk                       # of learning

    def __cinit__(
        self, arity, int n_classes, *, double grace_period, double delta, double tie_threshold,
        double least_share, int bins, double alpha, double gamma_max, int leaf,
    ):
        cdef int i
        self.arity = np.ascontiguousarray(arity, dtype=np.int32)
        self.n_inputs, self.n_classes = len(self.arity), n_classes
        self.settings = Settings(grace_period, delta, tie_threshold, least_share, bins, alpha, gamma_max, leaf)
        self.categories = <int32_t*>malloc((self.n_inputs + 1) * sizeof(int32_t))
        self.offset = <size_t*>malloc((self.n_inputs + 1) * sizeof(size_t))
        if self.categories == NULL or self.offset == NULL:
            raise MemoryError
        self.most_branches = 4
        for i in range(self.n_inputs):
            self.categories[i] = self.arity[i]
            self.most_branches = max(self.most_branches, self.categories[i])
            self.offset[i] = self.stats_size
            self.stats_size += <size_t>(self.categories[i] if self.categories[i] else FIELDS) * n_classes
        self.table = <double*>malloc(<size_t>(self.most_branches + 1) * n_classes * sizeof(double))
        self.best_table = <double*>malloc(<size_t>(self.most_branches + 1) * n_classes * sizeof(double))
        self.walk.votes = <double*>malloc((n_classes + 1) * sizeof(double))
        if self.table == NULL or self.best_table == NULL or self.walk.votes == NULL or self.add_nodes(1, -1) < 0:
            raise MemoryError
        if self.open_leaf(0) < 0:
            raise MemoryError

    def __dealloc__(self):
        cdef int i
        for i in range(self.n_nodes):
            free(self.nodes[i].classes)
            free(self.nodes[i].stats)
        free(self.nodes)
        free(self.categories)
        free(self.offset)
        free(self.table)
        free(self.best_table)
        free_walk(&self.walk)

    # -------------------------------------------------------------- doors

    def learn(self, columns, const int32_t[::1] classes, const int32_t[::1] rows, const double[::1] weights):
        """Learn from rows of a table in this order; those of unknown class or no weight are passed over."""
        cdef Columns view = Columns(columns, self.arity)
        cdef Py_ssize_t i
        cdef int status = 0
        with nogil:
            for i in range(rows.shape[0]):
                if classes[rows[i]] >= 0 and weights[i] > 0.0:
                    status = self.learn_case(view, rows[i], classes[rows[i]], weights[i])
                    if status < 0:
                        break
        if status < 0:
            raise MemoryError

    def predict(self, columns, const int32_t[::1] rows):
        """Class probabilities, [n, n_classes]; a row of zeros before anything has been learnt."""
        cdef Columns view = Columns(columns, self.arity)
        cdef Py_ssize_t i
        cdef int c
        cdef double total
        cdef Walk walk        # its own: several threads may ask at once
        out = np.zeros((rows.shape[0], self.n_classes))
        cdef double[:, ::1] answer = out
        walk.votes = <double*>malloc((self.n_classes + 1) * sizeof(double))
        walk.waiting = <int*>malloc((self.n_nodes + 1) * sizeof(int))
        walk.parts = <double*>malloc((self.n_nodes + 1) * sizeof(double))
        if walk.votes == NULL or walk.waiting == NULL or walk.parts == NULL:
            free_walk(&walk)
            raise MemoryError
        with nogil:
            for i in range(rows.shape[0]):
                self.answer_case(view, rows[i], &walk, &answer[i, 0])
                total = 0.0
                for c in range(self.n_classes):
                    total += answer[i, c]
                for c in range(self.n_classes if total > 0.0 else 0):
                    answer[i, c] /= total
        free_walk(&walk)
        return out

    def structure(self):
        """The tree as arrays: attribute, parent, first child, branches, cuts, weight and classes of each node."""
        cdef int i, c, j
        attribute, parent, first = (np.zeros(self.n_nodes, dtype=np.int32) for _ in range(3))
        branches = np.zeros(self.n_nodes, dtype=np.int32)
        classes = np.zeros((self.n_nodes, self.n_classes))
        cuts = []
        for i in range(self.n_nodes):
            attribute[i], parent[i] = self.nodes[i].attribute, self.nodes[i].parent
            first[i], branches[i] = self.nodes[i].first_child, self.nodes[i].n_branches
            cuts.append([self.nodes[i].cuts[j] for j in range(self.nodes[i].n_cuts)])
            for c in range(self.n_classes):
                classes[i, c] = self.nodes[i].classes[c]
        return {
            "attribute": attribute, "parent": parent, "first_child": first, "n_branches": branches,
            "cuts": cuts, "classes": classes,
        }

    def state(self):
        """All that was learnt, as bytes and arrays."""
        cdef int i
        cdef const unsigned char[::1] raw = <unsigned char[:self.n_nodes * sizeof(HNode)]><unsigned char*>self.nodes
        classes = np.zeros((self.n_nodes, self.n_classes))
        open_leaves = [i for i in range(self.n_nodes) if self.nodes[i].stats != NULL]
        stats = np.zeros((len(open_leaves), self.stats_size))
        cdef double[:, ::1] class_view = classes
        cdef double[:, ::1] stats_view = stats
        for i in range(self.n_nodes):
            memcpy(&class_view[i, 0], self.nodes[i].classes, self.n_classes * sizeof(double))
        for i in range(len(open_leaves)):
            if self.stats_size:
                memcpy(&stats_view[i, 0], self.nodes[<int>open_leaves[i]].stats, self.stats_size * sizeof(double))
        return {"nodes": bytes(raw), "classes": classes, "open": open_leaves, "stats": stats}

    def restore(self, state):
        """Take over what ``state`` gave, in a tree of the same parameters."""
        cdef int i, n = len(state["classes"])
        cdef const double[:, ::1] classes = state["classes"]
        cdef const double[:, ::1] stats = state["stats"]
        cdef const unsigned char[::1] raw = state["nodes"]
        if raw.shape[0] != n * <Py_ssize_t>sizeof(HNode) or (n and classes.shape[1] != self.n_classes):
            raise ValueError("the state is not one of this tree")
        if self.add_nodes(n - self.n_nodes, -1) < 0:
            raise MemoryError
        free(self.nodes[0].stats)
        for i in range(n):
            kept = <size_t>self.nodes[i].classes
            memcpy(&self.nodes[i], &raw[i * sizeof(HNode)], sizeof(HNode))
            self.nodes[i].classes, self.nodes[i].stats = <double*><size_t>kept, NULL
            memcpy(self.nodes[i].classes, &classes[i, 0], self.n_classes * sizeof(double))
        for i, place in enumerate(state["open"]):
            if self.open_leaf(place) < 0:
                raise MemoryError
            if self.stats_size:
                memcpy(self.nodes[<int>place].stats, &stats[i, 0], self.stats_size * sizeof(double))

    # -------------------------------------------------------------- nodes

    cdef int add_nodes(self, int n, int parent) noexcept nogil:
        """New leaves side by side, without observers; the place of the first, -1: no memory."""
        cdef int first = self.n_nodes, capacity = self.capacity
        cdef HNode* node
        cdef void* moved
        while self.n_nodes + n > capacity:
            capacity = 2 * capacity + 16
        if capacity > self.capacity:
            moved = realloc(self.nodes, capacity * sizeof(HNode))
            if moved == NULL:
                return -1
            self.nodes = <HNode*>moved
            moved = realloc(self.walk.waiting, capacity * sizeof(int))
            if moved == NULL:
                return -1
            self.walk.waiting = <int*>moved
            moved = realloc(self.walk.parts, capacity * sizeof(double))
            if moved == NULL:
                return -1
            self.walk.parts = <double*>moved
            self.capacity = capacity
        while self.n_nodes < first + n:
            node = &self.nodes[self.n_nodes]
            memset(node, 0, sizeof(HNode))
            node.attribute, node.parent, node.first_child = -1, parent, -1
            node.classes = <double*>calloc(self.n_classes + 1, sizeof(double))
            if node.classes == NULL:
                return -1
            self.n_nodes += 1
        return first

    cdef int open_leaf(self, int at) noexcept nogil:
        """Give a leaf its observers. -1: no memory."""
        cdef double* stats = <double*>calloc(self.stats_size + 1, sizeof(double))
        cdef double* observer
        cdef int i, c
        if stats == NULL:
            return -1
        self.nodes[at].stats = stats
        for i in range(self.n_inputs):
            for c in range(self.n_classes if self.categories[i] == 0 else 0):
                observer = stats + self.offset[i] + FIELDS * c
                observer[LOW], observer[HIGH] = INFINITY, -INFINITY
        return 0

    cdef inline int branch_of(
        self, const HNode* node, const double* numbers, const int32_t* codes, int row
    ) noexcept nogil:
        """-1 for an unknown value."""
        cdef int b = 0
        if codes != NULL:
            return codes[row] if codes[row] < node.n_branches else -1
        if isnan(numbers[row]):
            return -1
        if node.n_cuts == 1:
            return numbers[row] > node.cuts[0]
        for b in range(node.n_cuts):
            if numbers[row] < node.cuts[b]:
                return b
        return node.n_cuts

    # -------------------------------------------------------------- learning

    cdef int learn_case(self, Columns view, int row, int label, double weight) noexcept nogil:
        cdef int n = 1, at
        self.walk.waiting[0], self.walk.parts[0] = 0, weight
        while n:
            n -= 1
            at = self.walk.waiting[n]
            if self.nodes[at].attribute >= 0:
                n = self.go_on(&self.walk, n, view, row)
            elif self.learn_at(at, view, row, label, self.walk.parts[n]) < 0:
                return -1
        return 0

    cdef int go_on(self, Walk* walk, int n, Columns view, int row) noexcept nogil:
        """Put the branches that a case takes in the place of the n-th waiting test; how many are waiting then.

        With an unknown value it takes every branch, by its share of what was seen.
        """
        cdef const HNode* node = &self.nodes[walk.waiting[n]]
        cdef double part = walk.parts[n]
        cdef int b, branch = self.branch_of(node, view.numbers[node.attribute], view.codes[node.attribute], row)
        if branch >= 0:
            walk.waiting[n] = node.first_child + branch
            return n + 1
        for b in range(node.n_branches):
            walk.waiting[n] = node.first_child + b
            walk.parts[n] = part * self.share(node, b)
            n += walk.parts[n] > TINY
        return n

    cdef inline double share(self, const HNode* node, int branch) noexcept nogil:
        """Of the weight that came down the branches."""
        cdef double total = 0.0
        cdef int b
        for b in range(node.n_branches):
            total += self.nodes[node.first_child + b].weight
        return self.nodes[node.first_child + branch].weight / total if total > 0.0 else 1.0 / node.n_branches

    cdef int learn_at(self, int at, Columns view, int row, int label, double weight) noexcept nogil:
        cdef HNode* node = &self.nodes[at]
        cdef int i
        cdef double* observer
        if self.settings.leaf == 2:
            node.majority_right += weight if self.majority(node) == label else 0.0
            node.bayes_right += weight if self.bayes(node, view, row, self.walk.votes) == label else 0.0
        node.classes[label] += weight
        node.weight += weight
        for i in range(self.n_inputs):
            observer = node.stats + self.offset[i]
            if view.codes[i] != NULL:
                if view.codes[i][row] >= 0:
                    observer[view.codes[i][row] * self.n_classes + label] += weight
            elif not isnan(view.numbers[i][row]):
                observe(observer + FIELDS * label, view.numbers[i][row], weight)
        if node.weight - node.checked > self.settings.grace_period:
            node.checked = node.weight
            return self.try_to_split(at)
        return 0

    cdef int majority(self, const HNode* node) noexcept nogil:
        cdef int c, best = 0
        for c in range(1, self.n_classes):
            if node.classes[c] > node.classes[best]:
                best = c
        return best

    cdef int bayes(self, const HNode* node, Columns view, int row, double* votes) noexcept nogil:
        """The class of largest posterior; ``votes`` becomes the logarithms of all."""
        cdef int c, i, code, k, best = -1
        cdef double sums
        cdef const double* observer
        for c in range(self.n_classes):
            votes[c] = log(node.classes[c] / node.weight) if node.classes[c] > 0.0 else -INFINITY
        for i in range(self.n_inputs):
            observer = node.stats + self.offset[i]
            if view.codes[i] != NULL:
                code = view.codes[i][row]
                if code < 0:
                    continue
                for c in range(self.n_classes):
                    if node.classes[c] > 0.0:
                        sums = 0.0
                        for k in range(self.categories[i]):
                            sums += observer[k * self.n_classes + c]
                        votes[c] += log((observer[code * self.n_classes + c] + 1.0) / (sums + self.categories[i]))
            elif not isnan(view.numbers[i][row]):
                for c in range(self.n_classes):
                    if node.classes[c] > 0.0:
                        votes[c] += log_density(observer + FIELDS * c, view.numbers[i][row])
        for c in range(self.n_classes):
            if votes[c] > -INFINITY and (best < 0 or votes[c] > votes[best]):
                best = c
        return max(best, 0)

    # -------------------------------------------------------------- splitting

    cdef int try_to_split(self, int at) noexcept nogil:
        cdef HNode* node = &self.nodes[at]
        cdef Candidate best, second, tried
        cdef double bound
        cdef int i
        if node.classes[self.majority(node)] >= node.weight - TINY:
            return 0
        best.gain = second.gain = 0.0    # splitting on nothing gains nothing
        best.attribute = -1
        for i in range(self.n_inputs):
            self.best_of(node, i, &tried)
            if tried.gain > best.gain:
                second = best
                best = tried
                memcpy(self.best_table, self.table, <size_t>best.n_branches * self.n_classes * sizeof(double))
            elif tried.gain > second.gain:
                second = tried
        if best.attribute < 0:
            return 0
        bound = log2(<double>max(self.n_classes, 2))
        bound = sqrt(bound * bound * log(1.0 / self.settings.delta) / (2.0 * node.weight))
        if best.gain - second.gain > bound or bound < self.settings.tie_threshold:
            return self.split(at, &best)
        return 0

    cdef int split(self, int at, const Candidate* best) noexcept nogil:
        """Make the leaf a test; its branches begin with the class weights that the observers expect."""
        cdef int first = self.add_nodes(best.n_branches, at), b, c, j
        cdef HNode* node = &self.nodes[at]     # add_nodes may have moved it
        cdef HNode* child
        if first < 0:
            return -1
        for b in range(best.n_branches):
            child = &self.nodes[first + b]
            for c in range(self.n_classes):
                child.classes[c] = self.best_table[b * self.n_classes + c]
                child.weight += child.classes[c]
            child.born = child.checked = child.weight
            if self.open_leaf(first + b) < 0:
                return -1
        node.attribute, node.first_child, node.n_branches = best.attribute, first, best.n_branches
        node.n_cuts = best.n_cuts
        for j in range(best.n_cuts):
            node.cuts[j] = best.cuts[j]
        free(node.stats)
        node.stats = NULL
        return 0

    cdef void best_of(self, const HNode* node, int input, Candidate* best) noexcept nogil:
        """The best test of an input; afterwards ``table`` has its branches."""
        cdef const double* observer = node.stats + self.offset[input]
        best.attribute, best.gain, best.n_cuts = input, -INFINITY, 0
        if self.categories[input]:
            best.n_branches = self.categories[input]
            memcpy(self.table, observer, <size_t>best.n_branches * self.n_classes * sizeof(double))
            best.gain = self.gain(node, best.n_branches)
        elif self.settings.bins:
            self.best_bin(node, observer, best)
        else:
            self.moment_cuts(node, observer, best)

    cdef void best_bin(self, const HNode* node, const double* observer, Candidate* best) noexcept nogil:
        """The best of evenly spaced cuts between the least and the largest value."""
        cdef double low = INFINITY, high = -INFINITY, cut, gain
        cdef int c, j
        best.n_branches, best.n_cuts = 2, 1
        for c in range(self.n_classes):
            low, high = min(low, observer[FIELDS * c + LOW]), max(high, observer[FIELDS * c + HIGH])
        if not low < high:
            return
        for j in range(self.settings.bins):
            cut = low + (high - low) / (self.settings.bins + 1) * (j + 1)
            if not low < cut < high:
                continue
            self.expect(observer, &cut, 1)
            gain = self.gain(node, 2)
            if gain > best.gain:
                best.gain, best.cuts[0] = gain, cut
        if best.gain > -INFINITY:
            self.expect(observer, best.cuts, 1)

    cdef void moment_cuts(self, const HNode* node, const double* observer, Candidate* best) noexcept nogil:
        """AMSD's three cuts, from the moments of all classes merged."""
        cdef double[6] whole
        cdef double sd, g, a
        cdef int c
        memset(whole, 0, sizeof(whole))
        for c in range(self.n_classes):
            merge(whole, observer + FIELDS * c)
        best.n_branches, best.n_cuts = 4, 3
        if not whole[SQUARES] > 0.0:
            return
        sd = sqrt(whole[SQUARES] / whole[COUNT])
        g = whole[CUBES] / whole[COUNT] / (sd * sd * sd)
        a = self.settings.alpha * min(fabs(g), self.settings.gamma_max)
        if not g > 0.0:
            a = -a
        best.cuts[0], best.cuts[1], best.cuts[2] = (
            whole[MEAN] - (1.0 - a) * sd, whole[MEAN], whole[MEAN] + (1.0 + a) * sd
        )
        self.expect(observer, best.cuts, 3)
        best.gain = self.gain(node, 4)

    cdef void expect(self, const double* observer, const double* cuts, int n_cuts) noexcept nogil:
        """Fill ``table`` with the class weights between the cuts, each class being normal within its range."""
        cdef int c, j
        cdef double below, before
        cdef const double* of_class
        for c in range(self.n_classes):
            of_class, before = observer + FIELDS * c, 0.0
            for j in range(n_cuts):
                below = weight_below_cut(of_class, cuts[j], n_cuts == 1)
                self.table[j * self.n_classes + c] = max(below - before, 0.0)
                before = max(below, before)
            self.table[n_cuts * self.n_classes + c] = max(of_class[COUNT] - before, 0.0)

    cdef double gain(self, const HNode* node, int n_branches) noexcept nogil:
        """Information gain of ``table`` in bits a case observed here; -infinity if fewer than two branches count."""
        cdef double known = 0.0, value = 0.0, weight, of_class, x
        cdef int b, c, heavy = 0
        for b in range(n_branches):
            weight = 0.0
            for c in range(self.n_classes):
                x = self.table[b * self.n_classes + c]
                weight += x
                value += xlogx(x)
            value -= xlogx(weight)
            known += weight
        for b in range(n_branches):
            weight = 0.0
            for c in range(self.n_classes):
                weight += self.table[b * self.n_classes + c]
            heavy += weight > self.settings.least_share * known
        if heavy < 2:
            return -INFINITY
        for c in range(self.n_classes):
            of_class = 0.0
            for b in range(n_branches):
                of_class += self.table[b * self.n_classes + c]
            value -= xlogx(of_class)
        value += xlogx(known)
        return value / ((node.weight - node.born) * 0.6931471805599453)

    # -------------------------------------------------------------- answering

    cdef void answer_case(self, Columns view, int row, Walk* walk, double* out) noexcept nogil:
        cdef int n = 1, at
        walk.waiting[0], walk.parts[0] = 0, 1.0
        while n:
            n -= 1
            at = walk.waiting[n]
            if self.nodes[at].attribute >= 0:
                n = self.go_on(walk, n, view, row)
            else:
                self.answer_at(&self.nodes[at], view, row, walk.parts[n], walk.votes, out)

    cdef void answer_at(
        self, const HNode* node, Columns view, int row, double part, double* votes, double* out
    ) noexcept nogil:
        cdef int c, best
        cdef double total = 0.0
        if not node.weight > 0.0 and node.parent >= 0:
            node = &self.nodes[node.parent]
        if not node.weight > 0.0:
            return
        if node.stats == NULL or self.settings.leaf == 0 or (
            self.settings.leaf == 2 and node.majority_right > node.bayes_right
        ):
            for c in range(self.n_classes):
                out[c] += part * node.classes[c] / node.weight
            return
        best = self.bayes(node, view, row, votes)
        for c in range(self.n_classes):
            total += exp(votes[c] - votes[best])
        for c in range(self.n_classes):
            out[c] += part * exp(votes[c] - votes[best]) / total


cdef class Columns:
    """The inputs as pointers; keeps their arrays alive."""

    cdef const double** numbers
    cdef const int32_t** codes
    cdef list kept

    def __cinit__(self, columns, arity):
        cdef const double[::1] number_view
        cdef const int32_t[::1] code_view
        cdef int i, n = len(arity)
        if len(columns) != n:
            raise ValueError(f"{len(columns)} columns where {n} are expected")
        self.numbers = <const double**>calloc(n + 1, sizeof(void*))
        self.codes = <const int32_t**>calloc(n + 1, sizeof(void*))
        if self.numbers == NULL or self.codes == NULL:
            raise MemoryError
        self.kept = [
            np.ascontiguousarray(column, dtype=np.int32 if categories else np.float64)
            for column, categories in zip(columns, arity, strict=True)
        ]
        for i in range(n):
            if len(self.kept[i]) == 0:
                continue
            if arity[i]:
                code_view = self.kept[i]
                self.codes[i] = &code_view[0]
            else:
                number_view = self.kept[i]
                self.numbers[i] = &number_view[0]

    def __dealloc__(self):
        free(self.numbers)
        free(self.codes)


cdef inline void free_walk(Walk* walk) noexcept nogil:
    free(walk.votes)
    free(walk.waiting)
    free(walk.parts)


cdef inline double xlogx(double x) noexcept nogil:
    return x * log(x) if x > 0.0 else 0.0


cdef inline void observe(double* o, double x, double w) noexcept nogil:
    """One value more (West 1979; the third sum after Terriberry)."""
    cdef double before = o[COUNT], n = before + w, d = x - o[MEAN], step = d * w / n
    o[CUBES] += step * d * d * before * (before - w) / n - 3.0 * step * o[SQUARES]
    o[SQUARES] += step * d * before
    o[MEAN] += step
    o[COUNT] = n
    o[LOW], o[HIGH] = min(o[LOW], x), max(o[HIGH], x)


cdef inline void merge(double* o, const double* other) noexcept nogil:
    """The sums of two sets of values together."""
    cdef double a = o[COUNT], b = other[COUNT], n = a + b, d = other[MEAN] - o[MEAN]
    if not b > 0.0:
        return
    o[CUBES] += (
        other[CUBES] + d * d * d * a * b * (a - b) / (n * n) + 3.0 * d * (a * other[SQUARES] - b * o[SQUARES]) / n
    )
    o[SQUARES] += other[SQUARES] + d * d * a * b / n
    o[MEAN] += d * b / n
    o[COUNT] = n


cdef inline double variance(const double* o) noexcept nogil:
    return max(o[SQUARES] / o[COUNT], LEAST_VARIANCE)


cdef inline double log_density(const double* o, double x) noexcept nogil:
    """Of the normal distribution; a class without values here says nothing."""
    cdef double v, d = x - o[MEAN]
    if not o[COUNT] > 0.0:
        return 0.0
    v = variance(o)
    return -0.5 * (log(6.283185307179586 * v) + d * d / v)


cdef inline double weight_below_cut(const double* o, double cut, bint closed) noexcept nogil:
    """Weight at or below a cut (below it, if not ``closed``), the values being normal within their range."""
    if not o[COUNT] > 0.0 or cut < o[LOW] or (cut == o[LOW] and not closed):
        return 0.0
    if cut > o[HIGH] or (cut == o[HIGH] and closed):
        return o[COUNT]
    return o[COUNT] * 0.5 * erfc((o[MEAN] - cut) / sqrt(2.0 * variance(o)))
