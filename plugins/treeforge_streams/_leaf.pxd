"""A leaf: it observes the cases that reach it, and answers by its majority or by naive Bayes."""

from libc.math cimport INFINITY, exp, isnan, log

from treeforge_streams._nodes cimport HNode, Tree, majority
from treeforge_streams._observer cimport FIELDS, log_density, observe
from treeforge_streams._walk cimport Inputs


cdef inline void observe_case(
    Tree* tree, HNode* node, const Inputs* inputs, int row, int label, double weight
) noexcept nogil:
    cdef int i
    cdef double* observer
    if tree.settings.leaf == 2:      # adaptive: what would each have answered, before it knows?
        node.majority_right += weight if majority(tree, node) == label else 0.0
        node.bayes_right += weight if bayes(tree, node, inputs, row, tree.walk.votes) == label else 0.0
    node.classes[label] += weight
    node.weight += weight
    for i in range(tree.n_inputs):
        observer = node.stats + tree.offset[i]
        if inputs.codes[i] != NULL:
            if inputs.codes[i][row] >= 0:
                observer[inputs.codes[i][row] * tree.n_classes + label] += weight
        elif not isnan(inputs.numbers[i][row]):
            observe(observer + FIELDS * label, inputs.numbers[i][row], weight)


cdef inline int bayes(
    const Tree* tree, const HNode* node, const Inputs* inputs, int row, double* votes
) noexcept nogil:
    """The class of largest posterior; ``votes`` becomes the logarithms of all, less a constant."""
    cdef int c, i, best = -1
    cdef const double* observer
    for c in range(tree.n_classes):
        votes[c] = log(node.classes[c] / node.weight) if node.classes[c] > 0.0 else -INFINITY
    for i in range(tree.n_inputs):
        observer = node.stats + tree.offset[i]
        if inputs.codes[i] != NULL:
            if inputs.codes[i][row] >= 0:
                vote_by_category(tree, node, observer, tree.categories[i], inputs.codes[i][row], votes)
        elif not isnan(inputs.numbers[i][row]):
            for c in range(tree.n_classes):
                if node.classes[c] > 0.0:
                    votes[c] += log_density(observer + FIELDS * c, inputs.numbers[i][row])
    for c in range(tree.n_classes):
        if votes[c] > -INFINITY and (best < 0 or votes[c] > votes[best]):
            best = c
    return max(best, 0)


cdef inline void vote_by_category(
    const Tree* tree, const HNode* node, const double* observer, int n_categories, int code, double* votes
) noexcept nogil:
    """Add the logarithms of a category's share in each class, by Laplace's rule of succession."""
    cdef int c, k
    cdef double known
    for c in range(tree.n_classes):
        if node.classes[c] > 0.0:
            known = 0.0
            for k in range(n_categories):
                known += observer[k * tree.n_classes + c]
            votes[c] += log((observer[code * tree.n_classes + c] + 1.0) / (known + n_categories))


cdef inline void answer_at(
    const Tree* tree, const HNode* node, const Inputs* inputs, int row, double part, double* votes, double* out
) noexcept nogil:
    """Add a part's class probabilities; a branch that no case has reached answers as the test above it."""
    cdef int c, best
    cdef double total = 0.0
    if not node.weight > 0.0 and node.parent >= 0:
        node = &tree.nodes[node.parent]
    if not node.weight > 0.0:
        return
    if node.stats == NULL or tree.settings.leaf == 0 or (
        tree.settings.leaf == 2 and node.majority_right > node.bayes_right
    ):
        for c in range(tree.n_classes):
            out[c] += part * node.classes[c] / node.weight
        return
    best = bayes(tree, node, inputs, row, votes)
    for c in range(tree.n_classes):
        total += exp(votes[c] - votes[best])
    for c in range(tree.n_classes):
        out[c] += part * exp(votes[c] - votes[best]) / total
