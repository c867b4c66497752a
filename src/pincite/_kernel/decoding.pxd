cdef class DecodingTable:
    cdef Py_ssize_t index
    cdef int code_bytes
    cdef bint vertical
    cdef double default_width
    cdef double default_height
    cdef double em
    # lengths beside the buffers: the hot loop asks for them once a string
    cdef Py_ssize_t unicode_length
    cdef Py_ssize_t width_length
    cdef Py_ssize_t height_length
    cdef int[::1] unicode
    cdef double[::1] width
    cdef double[::1] height
    cdef object decoder
    cdef object columns
