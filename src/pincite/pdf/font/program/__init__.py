"""Embedded font programs, read only as far as they tell what a glyph means. Any bytes are read without an exception."""
