"""The compiled leaf modules: buffers and numbers in, buffers and numbers out; no input or output, no logging.

The sources are Python in Cython's pure mode, so they also run uncompiled, slower and with the same results. They
annotate file numbers as `Py_ssize_t`, `longlong` and `double` only: a C int would wrap silently.
"""
