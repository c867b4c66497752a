cdef class PlacedGlyphs:
    cdef double[::1] places
    cdef int[::1] facts
    cdef unsigned char[::1] flags
    cdef double[::1] run_numbers
    cdef int[::1] run_facts
    cdef int[::1] values
    # box height of each run, above and below the baseline together, in user space
    cdef double[::1] boxes
    cdef Py_ssize_t count
    cdef object helper
    cdef double space

    cdef bint is_seen(self, Py_ssize_t row) except *
    cdef bint is_over(self, Py_ssize_t letter, double x, double y, double em) except *
    cdef bint gap_is_space(self, Py_ssize_t before, Py_ssize_t after) except *
    cdef bint is_tracked(self, Py_ssize_t row, Py_ssize_t run) except *
    cdef bint is_mark_over(self, Py_ssize_t row, Py_ssize_t base) except *
