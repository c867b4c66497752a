"""What the text of a cell says: a number, a percentage, an amount of money, a date."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

DecimalMark = Literal[".", ","]
Kind = Literal["integer", "decimal", "percentage", "currency", "date"]


@dataclass(frozen=True, slots=True)
class CellValue:
    """A number, exactly as written, or a date. A percentage is the number before the sign: 12.5 for `12.5 %`.

    `currency` is the ISO 4217 code of an amount, or its sign where that has several meanings.
    """

    kind: Kind
    value: int | Decimal | datetime.date
    currency: str | None = None


_SPACES = re.compile("[\\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2012": "-", "\ufe63": "-", "\uff0d": "-", "\u2019": "'"})
# A mark behind a number that points to a note: *, †, a letter or a digit in brackets.
_NOTE = re.compile(r"(?:[*†‡§¶]+|[\[(][a-z\d*]{1,2}[\])]|[¹²³⁴-⁹⁰ᵃ-ᵛ]+)\Z")
_NUMBER = r"\d[\d.,' ]*|[.,]\d+"
_SIGNS = {"€": "EUR", "£": "GBP", "¥": "¥", "₩": "KRW", "₹": "INR", "$": "$", "₽": "RUB", "₺": "TRY", "₫": "VND", "₪": "ILS"}
_CODES = frozenset(
    ("USD", "EUR", "GBP", "JPY", "KRW", "CNY", "CHF", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
     "RUB", "TRY", "BRL", "MXN", "ZAR", "SGD", "HKD", "TWD", "THB", "VND", "ILS", "AED", "SAR", "IDR", "MYR", "PHP")
)  # fmt: skip
_NAMED = {
    "원": "KRW",
    "円": "JPY",
    "元": "CNY",
    "kr": "kr",
    "Fr.": "CHF",
    "zł": "PLN",
    "Kč": "CZK",
    "US$": "USD",
    "A$": "AUD",
    "C$": "CAD",
}
_UNIT = "|".join(sorted((re.escape(name) for name in (*_SIGNS, *_CODES, *_NAMED)), key=len, reverse=True))
_AMOUNT = re.compile(
    rf"(?P<before>{_UNIT})? ?(?P<sign>[-+])? ?(?P<inner>{_UNIT})? ?(?P<number>{_NUMBER}) ?(?P<after>{_UNIT}|%|‰)?\Z"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january januar janvier", "feb february februar février", "mar march märz mars", "apr april avril", "may mai",
         "jun june juni juin", "jul july juli juillet", "aug august août", "sep sept september septembre",
         "oct october oktober octobre okt", "nov november novembre", "dec december dezember décembre dez"), 1
    )
    for name in names.split()
}  # fmt: skip
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\Z")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})\Z")
_KOREAN = re.compile(r"(\d{4}) ?[년年] ?(\d{1,2}) ?[월月] ?(\d{1,2}) ?[일日]\Z")
_DAY_MONTH = re.compile(r"(\d{1,2})\.?(?:st|nd|rd|th)?[ -]([^\W\d_]{3,9})\.?,?[ -](\d{4})\Z")
_MONTH_DAY = re.compile(r"([^\W\d_]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\Z")


def read_value(text: str, decimal: DecimalMark | None = None) -> CellValue | None:
    """The value of a cell's text, or None where it is words or nothing.

    `(5)` and `5-` are negative as accounts have it, thousands may be set apart by a space, a comma, a point or an apostrophe, and
    a mark that points to a note is passed over. Without `decimal` one comma or point with three digits behind it sets
    thousands apart, unless a zero stands before it. `03/04/2010` is no date, since which of the two is the month can't be told.
    """
    plain = _SPACES.sub(" ", text).strip().translate(_MINUS)
    if not plain or len(plain) > 60 or not any(character.isdigit() for character in plain):
        return None
    return _read_date(plain) or _read_number(plain, decimal) or _read_number(_NOTE.sub("", plain).rstrip(), decimal)


def decimal_mark(texts: Iterable[str]) -> DecimalMark | None:
    """The decimal mark that numbers of a table agree on, or None where none of them tells, or as many tell otherwise."""
    votes = {".": 0, ",": 0}
    for text in texts:
        for number in re.findall(r"\d[\d.,]*\d", text):
            mark = _telling_mark(number)
            if mark is not None:
                votes[mark] += 1
    if votes["."] == votes[","]:
        return None
    return "." if votes["."] > votes[","] else ","


def _telling_mark(number: str) -> DecimalMark | None:
    """The mark that can only be a decimal one: the last of two kinds, or a single one without three digits behind it."""
    last = max(number.rfind("."), number.rfind(","))
    if last < 0:
        return None
    mark: DecimalMark = "." if number[last] == "." else ","
    other: DecimalMark = "," if mark == "." else "."
    if number.count(mark) > 1:
        return other
    if other in number:
        return mark
    return mark if len(number) - last - 1 != 3 or number.startswith("0" + mark) else None


def _read_number(plain: str, decimal: DecimalMark | None) -> CellValue | None:
    negative = False
    if plain.startswith("(") and plain.endswith(")"):
        plain, negative = plain[1:-1].strip(), True
    elif plain.endswith("-") and plain[:1] != "-":
        plain, negative = plain[:-1].strip(), True
    found = _AMOUNT.match(plain)
    if found is None:
        return None
    number = _to_number(found["number"].strip(), decimal)
    if number is None:
        return None
    if negative or found["sign"] == "-":
        number = -number
    if found["after"] in ("%", "‰"):
        return None if found["before"] or found["inner"] else CellValue("percentage", number)
    units = [unit for unit in (found["before"], found["inner"], found["after"]) if unit]
    if len(units) > 1:
        return None
    if units:
        return CellValue("currency", number, _SIGNS.get(units[0]) or _NAMED.get(units[0], units[0]))
    return CellValue("integer" if isinstance(number, int) else "decimal", number)


def _to_number(digits: str, decimal: DecimalMark | None) -> int | Decimal | None:
    mark = decimal if decimal is not None else _telling_mark(digits.replace(" ", "").replace("'", ""))
    whole, fraction = digits, ""
    if mark is not None and mark in digits:
        whole, _, fraction = digits.rpartition(mark)
        if not fraction.isdigit():
            return None
    plain = _without_thousands(whole)
    if plain is None:
        return None
    return Decimal(f"{plain or 0}.{fraction}") if fraction else int(plain)


def _without_thousands(whole: str) -> str | None:
    """The digits, where whatever parts them parts groups of three (or, as in India, of two before the last three)."""
    if whole.isdigit() or not whole:
        return whole
    groups = re.split(r"[.,' ]", whole)
    if not all(group.isdigit() for group in groups) or len(groups[-1]) != 3 or not 1 <= len(groups[0]) <= 3:
        return None
    if len({character for character in whole if not character.isdigit()}) != 1:
        return None
    return "".join(groups) if all(2 <= len(group) <= 3 for group in groups[1:]) else None


def _read_date(plain: str) -> CellValue | None:
    year, month, day = 0, 0, 0
    if found := _YEAR_FIRST.match(plain):
        year, month, day = int(found[1]), int(found[3]), int(found[4])
    elif found := _KOREAN.match(plain):
        year, month, day = int(found[1]), int(found[2]), int(found[3])
    elif found := _YEAR_LAST.match(plain):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        # with points the day comes first; with slashes only a number over 12 tells which is the day
        if found[2] == "." or first > 12:
            day, month = first, second
        elif second > 12 or first == second:
            month, day = first, second
    elif found := _DAY_MONTH.match(plain):
        day, month, year = int(found[1]), _MONTHS.get(found[2].lower(), 0), int(found[3])
    elif found := _MONTH_DAY.match(plain):
        month, day, year = _MONTHS.get(found[1].lower(), 0), int(found[2]), int(found[3])
    if not month:
        return None
    try:
        return CellValue("date", datetime.date(year, month, day))
    except ValueError:
        return None
