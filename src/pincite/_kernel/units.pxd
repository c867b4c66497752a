cdef class Units:
    # pieces, in the frame of their direction and mirrored where the page is read from right to left
    cdef double[::1] left, right, down, em, top, bottom
    cdef int[::1] facts
    cdef Py_ssize_t count
    # units: first piece, last piece + 1, the box around them, baseline and em of the widest, visible glyphs
    cdef int[::1] first, last, u_weight
    cdef double[::1] u_left, u_right, u_top, u_bottom, u_down, u_em
    # the em to one decimal
    cdef double[::1] u_size
    cdef object first_object, last_object, weight_object
    cdef object left_object, right_object, top_object, bottom_object, down_object, em_object, size_object
    # room to sort in, see `sort`
    cdef double[::1] keys
    cdef int[::1] places, merged, run_ends
    cdef Py_ssize_t units, capacity
    # what may still be looked at before everything is left as it is
    cdef long long budget
    # whether the content order of the region's direction is worth anything
    cdef bint trusted

    cdef grow_units(self, Py_ssize_t capacity)
    cdef Py_ssize_t add_unit(self, Py_ssize_t i, Py_ssize_t j)
    cdef mirror(self, Py_ssize_t i, Py_ssize_t j)
    cdef list parted(self, list members)
    cdef list joined(self, list members)
    cdef list in_content_order(self, list members)
    cdef list by_top(self, list members)
    cdef list by_down(self, list members)
    cdef list by_left(self, list members)
    cdef list by_keys(self, list members)
    cdef bint sort(self, Py_ssize_t n)
    cdef merge_runs(self, Py_ssize_t runs)
    cdef double usual_em(self, list members)
    cdef long long weight_of(self, list members)
    cdef list strips(self, list members)
    cdef list rows(self, list members)
    cdef double gap_between(self, list upper, list lower)
    cdef double steps_astray(self, list members)
    cdef Py_ssize_t changes_between(self, list first, list second)
    cdef bint goes_down(self, list members, Py_ssize_t rows)
    cdef bint flows(self, list members)
