"""A capsule around functions compiled elsewhere: by Numba, or in a library that ctypes has loaded."""

from treeforge.core.kernel cimport Node, Split, make_splitter, propose_all_function, propose_function


def splitter_capsule(size_t propose, size_t propose_all, int max_cuts, int needs, bytes params):
    cdef const char* start = params
    return make_splitter(
        <propose_function>propose, <propose_all_function>propose_all, max_cuts, needs, start, len(params)
    )


def sizes():
    return {"Node": sizeof(Node), "Split": sizeof(Split)}
