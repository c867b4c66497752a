from pincite._kernel.units cimport Units


cdef class Corridors(Units):
    # what find_corridor found: strips best_start..best_end-1, apart at best_x
    cdef Py_ssize_t best_start, best_end
    cdef double best_x
    cdef list best_left, best_right
    # what trim left
    cdef Py_ssize_t trim_start, trim_end
    # what measure found
    cdef double line_width, line_filled, line_inked

    cdef bint find_corridor(self, list strips, double em)
    cdef double worth(self, int[::1] flat, Py_ssize_t start, Py_ssize_t end, double x, double em)
    cdef trim(self, list strips, Py_ssize_t start, Py_ssize_t end, double x, double em)
    cdef Py_ssize_t nearer_below(self, list strips, Py_ssize_t cut, Py_ssize_t start, Py_ssize_t end)
    cdef Py_ssize_t nearer_above(self, list strips, Py_ssize_t cut, Py_ssize_t start, Py_ssize_t end)
    cdef double end_gap(self, double[::1] sides, Py_ssize_t i, Py_ssize_t j, Py_ssize_t side)
    cdef double start_gap(self, double[::1] sides, Py_ssize_t i, Py_ssize_t j, Py_ssize_t side)
    cdef double most_gap(self, double[::1] sides, Py_ssize_t i, Py_ssize_t j, Py_ssize_t side)
    cdef Py_ssize_t rows_across(self, list strips, double x)
    cdef bint are_columns(self, list left, list right)
    cdef bint parts_together(self, list left, list right)
    cdef measure(self, list rows)
    cdef bint share_gaps(self, list left, list right, double em)
    cdef list after_gaps(self, list members, double em)
