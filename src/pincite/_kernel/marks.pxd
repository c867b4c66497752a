from pincite._kernel.text_state cimport TextState


cdef class MarkedContent(TextState):
    cdef object handler
    # the content stream that is run
    cdef bytes data
    cdef const unsigned char[::1] source
    # open sequences: the MCID to go back to, that with where an ActualText begins and itself, or None for one of the handler's
    cdef list marks
    cdef Py_ssize_t marks_floor
    # property lists that have been read: MCID and ActualText by their source
    cdef dict known
    # (first row, last row + 1, text) of the ActualTexts that have ended, and whether one is open
    cdef list texts
    cdef bint in_text

    cdef clear_marks(self, dict known, list texts)
    cdef begin_mark(self, bytes name, Py_ssize_t start, Py_ssize_t end, bint is_name)
    cdef long long plain_mcid(self, Py_ssize_t i, Py_ssize_t end)
    cdef end_marks(self, Py_ssize_t level)
