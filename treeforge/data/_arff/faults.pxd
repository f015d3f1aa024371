"""What a scan can find wrong, as faults.py names it."""

cdef enum:
    UNCLOSED = 1, GLUED, SHORT, SURPLUS, UNDECLARED, NO_NUMBER, NO_WEIGHT, NO_INDEX, FAR_INDEX, INDEX_ORDER
    OMITTED, NO_BRACE, NO_VALUE
