# cython: language_level=3
"""Marked content (ISO 32000-2, 14.6): which sequence the glyphs drawn now are in, and the texts that stand for some.

Most sequences say nothing but their MCID, or give a text that was given before; what else they say is the handler's.
"""

from __future__ import annotations

from typing import Any

import cython

if cython.compiled:
    from cython.cimports.pincite._kernel.text_state import TextState
else:
    from pincite._kernel.text_state import TextState

# Tags whose sequences the handler is told of: artifacts, optional content, pictures whose text stands elsewhere.
TOLD_TAGS = frozenset((b"Artifact", b"OC", b"Figure", b"Formula"))
# White space of ISO 32000-2, 7.2.3, as bits.
WHITE = cython.declare(cython.longlong, 1 << 0 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13 | 1 << 32)
# What `plain_mcid` says of a property list that has more to say, or an escape that hides it.
HIDDEN = cython.declare(cython.longlong, -2)


@cython.cclass
class MarkedContent(TextState):
    """The sequences that are open; the attributes stand in marks.pxd."""

    def __init__(self, max_glyphs: int) -> None:
        super().__init__(max_glyphs)
        self.handler: Any = None
        self.data = b""
        self.source = b""
        self.clear_marks({}, [])

    @cython.cfunc
    def clear_marks(self, known: dict, texts: list):
        """Begin a page: `known` are the property lists read so far, `texts` gets its ActualTexts."""
        self.marks: list = []
        self.marks_floor = 0
        self.known = known
        self.texts = texts
        self.in_text = False

    def is_in_actual_text(self) -> bool:
        """Whether an ActualText is open, inside of which no other counts."""
        return self.in_text

    def set_in_actual_text(self, inside: bool) -> None:
        """Say that an ActualText of the handler begins or ends."""
        self.in_text = inside

    @cython.cfunc
    def begin_mark(self, name: bytes, start: cython.Py_ssize_t, end: cython.Py_ssize_t, is_name: cython.bint):
        """Begin a sequence with a tag; its property list, or the name of one, stands at start..end-1, -1 without one."""
        if name not in TOLD_TAGS:
            if start < 0:
                self.marks.append(self.mcid)
                return
            if not is_name:
                mcid: cython.longlong = self.plain_mcid(start, end)
                if mcid > HIDDEN:
                    self.marks.append(self.mcid)
                    if mcid >= 0:
                        self.mcid = cython.cast(cython.Py_ssize_t, mcid)
                    return
                read = self.known.get(self.data[start:end])
                if read is not None:
                    if self.in_text or read[1] is None:
                        self.marks.append(self.mcid)
                    else:
                        self.marks.append((self.mcid, self.count, read[1]))
                        self.in_text = True
                    if read[0] >= 0:
                        self.mcid = read[0]
                    return
        self.marks.append(None)
        if start < 0:
            self.handler.begin_marked_content(name, None)
        elif is_name:
            self.handler.begin_marked_content(name, b"/" + self.data[start:end])
        else:
            self.handler.begin_marked_content(name, self.data[start:end])

    @cython.cfunc
    def plain_mcid(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.longlong:
        """The MCID in a property list, -1 without one; HIDDEN where it may have an ActualText, or an escape that hides a key."""
        p: cython.const[cython.uchar][::1] = self.source
        digits: cython.Py_ssize_t
        found: cython.longlong = -1
        number: cython.longlong
        c: cython.int
        while i < end:
            c = p[i]
            i += 1
            if c == 35 or (c == 65 and i + 9 <= end and self.data[i : i + 9] == b"ctualText"):
                return HIDDEN
            if c != 47 or found >= 0 or i + 4 > end:
                continue
            if p[i] != 77 or p[i + 1] != 67 or p[i + 2] != 73 or p[i + 3] != 68:  # MCID
                continue
            i += 4
            while i < end and p[i] <= 32 and WHITE >> p[i] & 1:
                i += 1
            digits = 0
            number = 0
            while i < end and 48 <= p[i] <= 57:
                if digits < 9:
                    number = 10 * number + p[i] - 48
                digits += 1
                i += 1
            if 0 < digits < 10:
                found = number
        return found

    @cython.cfunc
    def end_marks(self, level: cython.Py_ssize_t):
        """End sequences until `level` of them are open."""
        first: cython.Py_ssize_t
        while len(self.marks) > level:
            mark = self.marks.pop()
            if mark is None:
                self.handler.end_marked_content()
            elif type(mark) is tuple:
                first = mark[1]
                self.in_text = False
                if self.count > first:
                    self.texts.append((first, self.count, mark[2]))
                elif mark[2]:
                    self.add_text(self.handler.number_of(mark[2]))
                self.mcid = mark[0]
            else:
                self.mcid = mark
