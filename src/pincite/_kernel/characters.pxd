cdef bint is_white(int value) noexcept
cdef bint is_han_or_kana(int value) noexcept
cdef bint is_right_to_left(int value) noexcept
cdef bint is_accent(int value) noexcept
