"""Text strings: bytes to Unicode (ISO 32000-2, 7.9.2.2)."""

from __future__ import annotations

import re

__all__ = ["decode_text_string"]

# PDFDocEncoding where it departs from Latin-1 (ISO 32000-2, table D.2); U+FFFE marks the codes that mean nothing.
_PDF_DOC_LOW = "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"
_PDF_DOC_HIGH = (
    "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018"
    "\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffe\u20ac"
)
_PDF_DOC_TABLE: dict[int, str | None] = {
    **{0x18 + offset: character for offset, character in enumerate(_PDF_DOC_LOW)},
    **{0x80 + offset: character for offset, character in enumerate(_PDF_DOC_HIGH)},
    0x7F: None,
    0x9F: None,
    0xAD: None,
}
_LANGUAGE_ESCAPE = re.compile("\x1b[A-Za-z]{2}(?:-?[A-Za-z]{2})?\x1b")
_LINE_END = re.compile("[\t\n\x0b\x0c\r\x85\u2028\u2029]+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ufeff]")


def decode_text_string(data: bytes, *, trim: bool = True) -> str:
    """Decode a text string: UTF-16 or UTF-8 with their byte order marks, else PDFDocEncoding.

    Never raises: what is no valid UTF becomes U+FFFD. Language escapes (7.9.2.2.1) and control characters are removed, tabs and
    line ends become one space, and so no title spreads over lines. `trim` takes white space off both ends.
    """
    if data.startswith(b"\xfe\xff"):
        text = data[2:].decode("utf-16-be", "replace")
    elif data.startswith(b"\xff\xfe"):  # not in the standard, but written, and read by all
        text = data[2:].decode("utf-16-le", "replace")
    elif data.startswith(b"\xef\xbb\xbf"):
        text = data[3:].decode("utf-8", "replace")
    else:
        return _clean(data.decode("latin-1").translate(_PDF_DOC_TABLE), trim)
    return _clean(_LANGUAGE_ESCAPE.sub("", text), trim)


def _clean(text: str, trim: bool) -> str:
    text = _CONTROL.sub("", _LINE_END.sub(" ", text))
    return text.strip() if trim else text
