from pincite._kernel.corridors cimport Corridors


cdef class Grids(Corridors):
    cdef list order_leaf(self, list members)
    cdef list order_untrusted(self, list members)
    cdef list order_block(self, list members)
    cdef bint are_fields(self, list members)
    cdef list order_fields(self, list members)
    cdef Py_ssize_t agreement(self, list members)
    cdef list side_by_side(self, list members)
    cdef list cell_by_cell(self, list members)
    cdef list bands(self, list members)
    cdef list wrapped_cells(self, list pieces)
    cdef list joined_in_order(self, list members)
