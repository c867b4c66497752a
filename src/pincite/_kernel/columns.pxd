# The numbers of columns.py as constants of C, which the compiler folds into the addresses of the hot loops: that took
# a sixth off them. A test holds the two files together.

cdef enum:
    PLACE_FIELDS = 4
    FACT_FIELDS = 4
    RUN_NUMBER_FIELDS = 6
    RUN_FACT_FIELDS = 5
    PIECE_NUMBERS = 4
    PIECE_FACTS = 6
    PATH_PLACE_FIELDS = 5
    PATH_FACT_FIELDS = 3

    FLAG_UNMAPPED = 1
    FLAG_CLIPPED = 2
    FLAG_INVISIBLE = 4
    FLAG_ARTIFACT = 8
    FLAG_HIDDEN = 16
    FLAG_FORM = 32
    FLAG_ANNOTATION = 64

    UNMAPPED = 0xFFFD
    JOINED = -0x7FFFFFFF
    EMPTY = -0x7FFFFFFE

    KIND_LINE = 0
    KIND_RECTANGLE = 1
    KIND_EDGE = 2
    KIND_IMAGE = 3
    KIND_CURVE = 4

    PIECE_VERTICAL = 1
    PIECE_RIGHT_TO_LEFT = 2
