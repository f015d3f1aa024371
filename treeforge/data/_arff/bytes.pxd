"""Eight or 64 bytes at a time."""

from libc.stdint cimport uint64_t

cdef extern from "bytes.h" nogil:
    const int PADDING "TF_PADDING"      # bytes behind a block that may be read, whatever they hold
    const uint64_t ALL "TF_ALL"
    uint64_t load "tf_load"(const char*)
    uint64_t ends_in_64 "tf_ends_in_64"(const char*)
    int lowest "tf_lowest"(uint64_t)
    bint likely "tf_likely"(bint)
