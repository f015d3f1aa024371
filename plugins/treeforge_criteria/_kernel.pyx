"""The criteria, compiled. A gain takes a table [n_branches, n_classes] of the cases whose value is known."""

from libc.math cimport exp, fabs, lgamma, log, log1p, sqrt

from treeforge.core.kernel cimport GINI, INFORMATION, OTHER, make_criterion


cdef inline double row_sum(const double* row, int n_classes) noexcept nogil:
    cdef double total = 0.0
    cdef int c
    for c in range(n_classes):
        total += row[c]
    return total


cdef inline double column_sum(const double* table, int n_branches, int n_classes, int label) noexcept nogil:
    cdef double total = 0.0
    cdef int b
    for b in range(n_branches):
        total += table[b * n_classes + label]
    return total


cdef inline double xlogx(double x) noexcept nogil:
    return x * log(x) if x > 0.0 else 0.0


# ------------------------------------------------------------------ impurities: weight times I(set), which adds up

cdef double information(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept nogil:
    """(sum over cells - sum over branches - sum over classes + all) of x ln x, in bits a case."""
    cdef double value = xlogx(known)
    cdef int b, c
    for c in range(n_classes):
        value -= xlogx(column_sum(table, n_branches, n_classes, c))
    for b in range(n_branches):
        value -= xlogx(row_sum(table + b * n_classes, n_classes))
        for c in range(n_classes):
            value += xlogx(table[b * n_classes + c])
    return value / (total * 0.6931471805599453)


cdef inline double square_share(double x, double whole) noexcept nogil:
    return x * x / whole if whole > 0.0 else 0.0


cdef double gini_decrease(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept nogil:
    cdef double value = 0.0, weight
    cdef int b, c
    for b in range(n_branches):
        weight = row_sum(table + b * n_classes, n_classes)
        for c in range(n_classes):
            value += square_share(table[b * n_classes + c], weight)
    for c in range(n_classes):
        value -= square_share(column_sum(table, n_branches, n_classes, c), known)
    return value / total


cdef inline double spread(double x, double whole) noexcept nogil:
    return sqrt(x * (whole - x)) if x < whole else 0.0


cdef double dkm_decrease(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept nogil:
    cdef double value = 0.0, weight
    cdef int b, c
    for c in range(n_classes):
        value += spread(column_sum(table, n_branches, n_classes, c), known)
    for b in range(n_branches):
        weight = row_sum(table + b * n_classes, n_classes)
        for c in range(n_classes):
            value -= spread(table[b * n_classes + c], weight)
    return value / total


cdef double error_decrease(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept nogil:
    cdef double value = 0.0, largest, x
    cdef int b, c
    for b in range(n_branches):
        largest = 0.0
        for c in range(n_classes):
            largest = max(largest, table[b * n_classes + c])
        value += largest
    largest = 0.0
    for c in range(n_classes):
        x = column_sum(table, n_branches, n_classes, c)
        largest = max(largest, x)
    return (value - largest) / total


# ------------------------------------------------------------------ distances

cdef double hellinger_distance(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept nogil:
    cdef double best = 0.0, inside, outside, sum_of_squares, gap, x
    cdef int b, c
    for c in range(n_classes):
        inside = column_sum(table, n_branches, n_classes, c)
        outside = known - inside
        if not (inside > 0.0 and outside > 0.0):
            continue
        sum_of_squares = 0.0
        for b in range(n_branches):
            x = table[b * n_classes + c]
            gap = sqrt(x / inside) - sqrt(max(row_sum(table + b * n_classes, n_classes) - x, 0.0) / outside)
            sum_of_squares += gap * gap
        best = max(best, sqrt(sum_of_squares))
    return best * known / total


cdef double pearson(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept nogil:
    """sum O^2/E - known, times the known share."""
    cdef double value = 0.0, weight, of_class, x
    cdef int b, c
    for c in range(n_classes):
        of_class = column_sum(table, n_branches, n_classes, c)
        if not of_class > 0.0:
            continue
        for b in range(n_branches):
            weight = row_sum(table + b * n_classes, n_classes)
            if weight > 0.0:
                x = table[b * n_classes + c] - weight * of_class / known
                value += x * x * known / (weight * of_class)
    return value * known / total


cdef double evidence(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total, double gain
) noexcept nogil:
    """-log10 p of the statistic, 0 when p is not significant."""
    cdef int b, c, branches = 0, classes = 0
    cdef double log_p
    for b in range(n_branches):
        branches += row_sum(table + b * n_classes, n_classes) > 0.0
    for c in range(n_classes):
        classes += column_sum(table, n_branches, n_classes, c) > 0.0
    if not known > 0.0:
        return 0.0
    log_p = log_upper_tail(gain * total / known, (branches - 1) * (classes - 1))
    if log_p > (<const double*>params)[0]:
        return 0.0
    return -log_p / 2.302585092994046 * known / total


cdef double log_upper_tail(double value, int freedom) noexcept nogil:
    """As its namesake in ``chi_squared.py``."""
    cdef double a = freedom / 2.0, x = value / 2.0, front, term, sums, n, b, c, d, an, fraction
    cdef int i
    if freedom <= 0 or value <= 0.0:
        return 0.0
    front = a * log(x) - x - lgamma(a)
    if x < a + 1.0:
        term = sums = 1.0 / a
        n = a
        while term > sums * 1e-16:
            n += 1.0
            term *= x / n
            sums += term
        sums *= exp(front)
        return log1p(-sums) if sums < 1.0 else 0.0
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    fraction = d
    for i in range(1, 10000):
        an = -i * (i - a)
        b += 2.0
        d = 1.0 / (an * d + b)
        c = b + an / c
        fraction *= c * d
        if fabs(c * d - 1.0) < 1e-15:
            break
    return front + log(fraction)


# ------------------------------------------------------------------ doors

def information_gain():
    return make_criterion(information, NULL, INFORMATION, False, NULL, 0)


def gini():
    return make_criterion(gini_decrease, NULL, GINI, False, NULL, 0)


def dkm():
    return make_criterion(dkm_decrease, NULL, OTHER, False, NULL, 0)


def misclassification():
    return make_criterion(error_decrease, NULL, OTHER, False, NULL, 0)


def hellinger():
    return make_criterion(hellinger_distance, NULL, OTHER, False, NULL, 0)


def chi_squared(double significance):
    cdef double limit = log(significance)
    return make_criterion(pearson, evidence, OTHER, False, &limit, sizeof(double))
