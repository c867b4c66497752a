cdef class PathRecorder:
    # the path under construction: user space points, and where each subpath starts
    cdef double[::1] points
    cdef object points_object
    cdef Py_ssize_t point_count
    cdef Py_ssize_t[::1] starts
    cdef object starts_object
    cdef Py_ssize_t subpaths
    cdef bint curved
    # graphics state of each depth of the stack: line width, stroking colour, filling colour
    cdef double[::1] state
    cdef object state_object
    # output columns
    cdef double[::1] places
    cdef object places_object
    cdef int[::1] facts
    cdef object facts_object
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity
    cdef Py_ssize_t max_rows
    cdef int flags_now

    cdef operate(
        self, unsigned int op, double[::1] values, Py_ssize_t n, Py_ssize_t depth,
        double a, double b, double c, double d, double e, double f, int flags
    )
    cdef enter(self, Py_ssize_t depth)
    cdef clip(self, Py_ssize_t first, tuple frame, object bbox)
    cdef reach(self, Py_ssize_t depth)
    cdef point(self, double x, double y)
    cdef begin_subpath(self)
    cdef close(self)
    cdef fill(self, int color)
    cdef bound(self)
    cdef bint is_rectangle(self, Py_ssize_t first, Py_ssize_t last)
    cdef stroke(self, double width, int color)
    cdef line(self, Py_ssize_t first, Py_ssize_t second, double width, int kind, int color)
    cdef add(self, double x0, double y0, double x1, double y1, double width, int kind, int color)
