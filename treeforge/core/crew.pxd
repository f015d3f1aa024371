"""Threads that wait for work on one tree."""

from cpython.pythread cimport PyThread_type_lock

# (what the job works on, the thread's number, the item's number)
ctypedef void (*work_function)(void*, int, int) noexcept nogil


cdef struct Crew:
    int n_threads           # the caller's is number 0, the others are helpers
    work_function work
    void* job
    int n_items
    int next_item
    bint dismissed
    PyThread_type_lock turn     # held while an item is taken
    PyThread_type_lock* called  # [n_threads]: let go when a helper is to work, or to leave
    PyThread_type_lock* ready   # [n_threads]: let go when it has nothing left to do


cdef void share(Crew* crew, work_function work, void* job, int n_items) noexcept nogil


cdef class Helpers:
    cdef Crew crew
    cdef object pool
