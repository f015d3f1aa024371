"""Threads that wait for work on one tree: the caller's own and its helpers.

A job is a number of items; each is done by whichever thread is free, and ``share`` returns when all are done.
So the items must not depend on one another, nor on the thread that does them, but for room of its own. The
locks are the interpreter's: there are some on every system, and they need no GIL.
"""

from cpython.pythread cimport (
    NOWAIT_LOCK, WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
    PyThread_type_lock,
)
from libc.stdlib cimport calloc, free

from concurrent.futures import ThreadPoolExecutor

cdef int PATIENCE = 1000     # times a lock is tried before its thread sleeps: waking up takes longer than that


cdef void share(Crew* crew, work_function work, void* job, int n_items) noexcept nogil:
    """Do ``work(job, thread, item)`` for every item."""
    cdef int t, n_helpers = min(crew.n_threads, n_items) - 1
    crew.work, crew.job, crew.n_items, crew.next_item = work, job, n_items, 0
    for t in range(1, n_helpers + 1):
        PyThread_release_lock(crew.called[t])
    do_items(crew, 0)
    for t in range(1, n_helpers + 1):
        wait_for(crew.ready[t])


cdef void do_items(Crew* crew, int thread) noexcept nogil:
    cdef int item
    while True:
        PyThread_acquire_lock(crew.turn, WAIT_LOCK)
        item = crew.next_item
        crew.next_item += 1
        PyThread_release_lock(crew.turn)
        if item >= crew.n_items:
            return
        crew.work(crew.job, thread, item)


cdef inline void wait_for(PyThread_type_lock lock) noexcept nogil:
    cdef int _i
    for _i in range(PATIENCE):
        if PyThread_acquire_lock(lock, NOWAIT_LOCK):
            return
    PyThread_acquire_lock(lock, WAIT_LOCK)


cdef class Helpers:
    """A crew and its threads, in a ``with`` statement: they wait inside it, and are gone after it."""

    def __cinit__(self, int n_threads):
        cdef int t
        self.crew.n_threads = n_threads
        self.crew.turn = PyThread_allocate_lock()
        self.crew.called = <PyThread_type_lock*>calloc(n_threads, sizeof(PyThread_type_lock))
        self.crew.ready = <PyThread_type_lock*>calloc(n_threads, sizeof(PyThread_type_lock))
        if self.crew.turn == NULL or self.crew.called == NULL or self.crew.ready == NULL:
            raise MemoryError
        for t in range(1, n_threads):
            self.crew.called[t], self.crew.ready[t] = PyThread_allocate_lock(), PyThread_allocate_lock()
            if self.crew.called[t] == NULL or self.crew.ready[t] == NULL:
                raise MemoryError
            PyThread_acquire_lock(self.crew.called[t], NOWAIT_LOCK)
            PyThread_acquire_lock(self.crew.ready[t], NOWAIT_LOCK)

    def __enter__(self):
        if self.crew.n_threads == 1:
            return self
        self.pool = ThreadPoolExecutor(self.crew.n_threads)
        try:
            for t in range(1, self.crew.n_threads):
                self.pool.submit(self._wait, t)
        except BaseException:       # no more threads: those that wait already must not wait for ever
            self.__exit__()
            raise
        return self

    def _wait(self, int thread):
        """Be a helper until there is no more work."""
        with nogil:
            while True:
                wait_for(self.crew.called[thread])
                if self.crew.dismissed:
                    break
                do_items(&self.crew, thread)
                PyThread_release_lock(self.crew.ready[thread])

    def dismiss(self):
        """Let the helpers go, and their threads do what else the pool is given."""
        cdef int t
        if not self.crew.dismissed:
            self.crew.dismissed = True
            for t in range(1, self.crew.n_threads):
                PyThread_release_lock(self.crew.called[t])

    def __exit__(self, *error):
        self.dismiss()
        if self.pool is not None:
            self.pool.shutdown()

    def __dealloc__(self):
        cdef int t
        for t in range(1, self.crew.n_threads if self.crew.ready != NULL and self.crew.called != NULL else 1):
            if self.crew.called[t] != NULL:
                PyThread_free_lock(self.crew.called[t])
            if self.crew.ready[t] != NULL:
                PyThread_free_lock(self.crew.ready[t])
        if self.crew.turn != NULL:
            PyThread_free_lock(self.crew.turn)
        free(self.crew.called)
        free(self.crew.ready)
