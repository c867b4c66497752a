from pincite._kernel.decoding cimport DecodingTable


cdef class TextState:
    # current transformation matrix, text matrix, text line matrix (ISO 32000-2, 8.3.4 and 9.4.2)
    cdef double ca, cb, cc, cd, ce, cf
    cdef double ta, tb, tc, td, te, tf
    cdef double la, lb, lc, ld, le, lf
    # text state (9.3)
    cdef double char_spacing, word_spacing, horizontal_scaling, leading, font_size, rise
    cdef int rendering_mode
    cdef DecodingTable table
    # graphics state stack: numbers, and the fonts beside them
    cdef double[::1] stack
    cdef object stack_object
    cdef list stack_fonts
    cdef Py_ssize_t depth
    cdef Py_ssize_t floor
    # what the glyphs drawn now are marked with
    cdef Py_ssize_t mcid
    cdef int flags_now
    cdef bint in_form
    cdef Py_ssize_t operator_number
    # the bytes of the operands' strings, and what a decoder made of one
    cdef unsigned char[::1] strings
    cdef int[::1] triples
    # what the strings of the show operator at work share
    cdef double pen, scaled_size, scaled_char_spacing, scaled_word_spacing, show_sign
    cdef double axis_x, axis_y, origin_x, origin_y
    cdef Py_ssize_t show_run, shown_before
    # output columns
    cdef Py_ssize_t max_glyphs
    cdef double[::1] places
    cdef object places_object
    cdef int[::1] facts
    cdef object facts_object
    cdef unsigned char[::1] flags
    cdef object flags_object
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity
    cdef double[::1] run_numbers
    cdef object run_numbers_object
    cdef int[::1] run_facts
    cdef object run_facts_object
    cdef Py_ssize_t runs
    cdef Py_ssize_t run_capacity

    cdef clear(self)
    cdef begin_text(self)
    cdef concatenate(self, double a, double b, double c, double d, double e, double f)
    cdef save(self)
    cdef restore(self)
    cdef tuple enter_form(self)
    cdef leave_form(self, tuple outer)
    cdef tuple text_matrices(self)
    cdef set_text_matrices(self, tuple matrices)
    cdef clip(self, Py_ssize_t first, tuple frame, object bbox)
    cdef move_line(self, double x, double y)
    cdef grow_glyphs(self, Py_ssize_t need)
    cdef Py_ssize_t start_run(self)
    cdef begin_show(self)
    cdef show_string(self, Py_ssize_t start, Py_ssize_t end, int number)
    cdef end_show(self)
