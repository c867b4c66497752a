"""Page labels: the numbers that are printed on pages (ISO 32000-2, 12.4.2)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from pincite.pdf.objects.file import File
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.values import Dictionary, Reference, Value, as_dictionary, as_number

__all__ = ["PageLabels", "read_page_labels"]

_MAX_NODES = 20_000
_MAX_RANGES = 100_000
_MAX_ROMAN = 50_000
_MAX_LETTERS = 26 * 50
_MAX_LABEL_LENGTH = 200
_ROMAN = (
    ("m", 1000), ("cm", 900), ("d", 500), ("cd", 400), ("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10), ("ix", 9),
    ("v", 5), ("iv", 4), ("i", 1),
)  # fmt: skip


class PageLabels:
    """The label of each page by its 0-based index, or None where it has none. Labels are made when they are asked for."""

    def __init__(self, file: File, ranges: dict[int, Dictionary], count: int) -> None:
        self._file = file
        self._starts = sorted(ranges)
        self._ranges = ranges
        self._count = count
        self._prefixes: dict[bytes, str] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str | None]:
        return (self[index] for index in range(self._count))

    def __getitem__(self, index: int) -> str | None:
        if not 0 <= index < self._count:
            raise IndexError(index)
        position = bisect_right(self._starts, index) - 1
        if position < 0:
            return None
        start = self._starts[position]
        entry = self._ranges[start]
        prefix = self._prefix(self._file.get(entry, "P"))
        first = as_number(self._file.get(entry, "St"))
        number = max(1, int(first)) if first is not None else 1
        label = prefix + _numeral(self._file.get(entry, "S"), number + index - start)
        return label.strip()[:_MAX_LABEL_LENGTH] or None

    def _prefix(self, value: Value) -> str:
        """As much of a prefix as fits into a label; decoded once, for a long one may be that of every page."""
        if not isinstance(value, bytes):
            return ""
        prefix = self._prefixes.get(value)
        if prefix is None:
            prefix = self._prefixes[value] = decode_text_string(value, trim=False).lstrip()[:_MAX_LABEL_LENGTH]
        return prefix


def read_page_labels(file: File, count: int) -> PageLabels:
    """The labels of a document with `count` pages. Pages before the first range, or without any, have none."""
    ranges: dict[int, Dictionary] = {}
    seen: set[Reference] = set()
    pending: list[Value] = [file.root.get("PageLabels")]
    for _ in range(_MAX_NODES):
        if not pending or len(ranges) > _MAX_RANGES:
            break
        value = pending.pop()
        if isinstance(value, Reference):
            if value in seen:
                continue
            seen.add(value)
        node = as_dictionary(file.resolve(value))
        numbers = file.get(node, "Nums")
        if isinstance(numbers, list):
            for key, entry in zip(numbers[::2], numbers[1::2], strict=False):
                start = as_number(file.resolve(key))
                label = file.resolve(entry)
                if start is not None and isinstance(label, dict):
                    ranges.setdefault(int(start), label)
        kids = file.get(node, "Kids")
        if isinstance(kids, list):
            pending.extend(reversed(kids))
    return PageLabels(file, ranges, count)


def _numeral(style: Value, number: int) -> str:
    """A number in one of the styles D, R, r, A, a; no style is no number. Absurd numbers are written in decimal digits."""
    if style in ("R", "r") and number <= _MAX_ROMAN:
        return _roman(number).upper() if style == "R" else _roman(number)
    if style in ("A", "a") and number <= _MAX_LETTERS:
        letter = chr(ord(str(style)) + (number - 1) % 26)
        return letter * ((number - 1) // 26 + 1)
    return str(number) if style in ("D", "R", "r", "A", "a") else ""


def _roman(number: int) -> str:
    digits: list[str] = []
    for numeral, value in _ROMAN:
        times, number = divmod(number, value)
        digits.append(numeral * times)
    return "".join(digits)
