"""Headings by their looks, over the looks of the document's own body."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pincite.pdf.layout.headings.lines import SAME_SIZE, Look, TextLine

MOST_LINES = 5
"""A heading has no more lines than this,"""
LONGEST = 300
"""and no more characters."""
OPENING = "([{«“\"'‘„¿¡§#「『【〈《<"
"""What a heading may begin with besides a letter or a digit; anything else is the sign of a list."""
MOST_OF_BODY = 0.67
"""Headings are fewer than this share of the lines of running text."""
WIDEST_GAP = 2.5
"""A line with a wider gap, in em, other than behind its number, is the row of a table."""
BESIDE = 12.0
"""Lines of one row that are further apart than this, in em, are in two columns of a page."""
WHITE = 1.2
"""A heading stands so many usual line distances or more under what is before it."""
SMALLEST_BOLD = 0.7
"""A bold heading may be smaller than the body: fonts differ in how large they look."""
REPEATED = 3
"""A line that is on so many pages, but for its digits, is a running head."""

_NUMBER = re.compile(
    r"(?:(?:section|chapter|part|appendix)\s+)?((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})(?:[.)]\s*|\s+)(?=[^\W\d_])", re.IGNORECASE
)
_ROMAN = re.compile(r"([IVXL]{1,6})[.)]\s+(?=[^\W\d_])")
_CAPTION = re.compile(
    r"(?:supplementary\s+|additional\s+)?(?:table|fig(?:ure)?s?\.?|scheme|chart|box|plate|algorithm|listing)[\s.-]*(?:[A-Z]{0,2}-?\d|[IVX]+\b)",
    re.IGNORECASE,
)
_FIRST_LEVEL = re.compile(
    r"(?:\W*\d{1,2}[.)]?\s*|[IVX]+\.\s*)?(?:introduction|background|(?:materials?|patients|subjects) and methods?|methods?|"
    r"methodology|experimental(?: section)?|results?(?: and discussions?)?|discussions?|conclusions?|concluding remarks|"
    r"references|acknowledge?ments?|abstract|bibliography|related work)\W*\Z",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:\W*1[.)]?\s*|I\.\s*)?(?:introduction|background)\b|\W*1[.)]?\s+[^\W\d_]", re.IGNORECASE)
_BACK = re.compile(
    r"\W*(?:acknowledge?ments?|references|bibliography|literature cited|authors?[’']? ?contributions?|funding|"
    r"conflicts? of interests?|competing interests?|disclosures?)\b",
    re.IGNORECASE,
)
_MATTER = re.compile(r"\W*(?:acknowledge?ments?|references|bibliography|literature cited)\W*\Z", re.IGNORECASE)
_ABSTRACT = re.compile(r"(?:abstract|summary|zusammenfassung|résumé|resumen|초록|요약|要旨|摘要)\W*\Z", re.IGNORECASE)
_STYLE = re.compile(
    r"[-, ]?(?:bold|black|heavy|demi|semi|medium|regular|roman(?!PS)|light|book|italic|oblique|ital|obl|(?<=[-d])it|bd|mt|ps)+\Z",
    re.IGNORECASE,
)
_POSTSCRIPT = re.compile(r"(?:PS)?(?:MT)?\Z")
_NO_HEADING = re.compile(
    r"key ?-?words?|\*?correspond|e-?mail|citation|cite this|how to cite|received|accepted|published|doi\b|copyright|©|"
    r"edited by|source of support|address for|article info",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(slots=True, eq=False)
class Heading:
    """Lines that may be a heading; `run_in` where text of the paragraph follows on its last line."""

    lines: list[TextLine]
    run_in: bool = False
    level: int = 0
    after: Look | None = None
    depth: int = field(default=0)

    @property
    def first(self) -> TextLine:
        return self.lines[0]

    @property
    def look(self) -> Look:
        return self.lines[0].look

    @property
    def title(self) -> str:
        """The title on one line, without the stop or the colon that sets it off."""
        parts = [line.text for line in self.lines[:-1]]
        parts.append(self.lines[-1].lead if self.run_in else self.lines[-1].text)
        title = join_lines(parts)
        return title.rstrip(" .:—–-") if self.run_in else title.rstrip(" :")

    @property
    def span(self) -> tuple[int, int]:
        last = self.lines[-1]
        end = last.start + len(last.lead) if self.run_in else last.end
        return self.first.start, end


def join_lines(parts: Sequence[str]) -> str:
    """Lines as one; a hyphen that parts a word goes where the next line begins with a small letter."""
    title = ""
    for part in parts:
        if title.endswith(("-", "\u2010", "\u00ad")) and part[:1].islower():
            title = title[:-1] + part
        else:
            title = f"{title} {part}"
    return " ".join(title.split())


@dataclass(frozen=True, slots=True)
class Body:
    """How the running text looks, and the usual distance of its lines."""

    look: Look
    leading: float

    def is_body(self, look: Look) -> bool:
        return look.font == self.look.font and abs(look.size - self.look.size) <= SAME_SIZE * self.look.size

    def follows(self, look: Look) -> bool:
        """Whether a line that looks so may be running text: it may begin with a word in italics."""
        alike = abs(look.size - self.look.size) <= SAME_SIZE * self.look.size
        return self.is_body(look) or (alike and look.italic and not look.bold and family(look) == family(self.look))


def read_body(lines: Iterable[TextLine]) -> Body | None:
    """The body's look: that of most characters in lines that are long enough to be running text."""
    looks: Counter[Look] = Counter()
    drops: Counter[tuple[Look, float]] = Counter()
    for line in lines:
        if len(line.text) > 25:
            looks[line.look] += len(line.text)
            if 0.0 < line.drop < 3.0 * line.look.size:
                drops[line.look, round(line.drop, 1)] += 1
    if not looks:
        return None
    look = looks.most_common(1)[0][0]
    own = [(count, drop) for (other, drop), count in drops.items() if other == look]
    leading = max(own)[1] if own else 1.2 * look.size
    return Body(look, leading)


def find_headings(lines: Sequence[TextLine], pages: int) -> list[Heading]:
    """The headings of a document, from the lines of all of its pages in order."""
    body = read_body(lines)
    if body is None:
        return []
    repeated = _running_heads((line for line in lines if is_prominent(line, body)), pages)
    candidates = list(_candidates(lines, body, repeated))
    kept = _without_front(_judge(candidates, body))
    if len(kept) > MOST_OF_BODY * sum(body.is_body(line.look) and len(line.text) > 25 for line in lines):
        return []  # no running text to head: a form, or a page of tables
    set_levels(kept, body)
    return kept


def _running_heads(lines: Iterable[TextLine], pages: int) -> set[str]:
    if pages == 1:
        return set()
    on: dict[str, set[int]] = {}
    for line in lines:
        on.setdefault(_DIGITS.sub("#", line.text), set()).add(line.page)
    least = max(2, min(REPEATED, pages // 2))
    return {text for text, where in on.items() if len(where) >= least and len(text) > 3}


def _candidates(lines: Sequence[TextLine], body: Body, repeated: set[str]) -> Iterable[Heading]:
    index = 0
    while index < len(lines):
        line = lines[index]
        if not _may_begin(line, body, repeated):
            index += 1
            continue
        group = [line]
        while line.whole and index + len(group) < len(lines) and len(group) < MOST_LINES:
            following = lines[index + len(group)]
            if not _goes_on(group, following, body):
                break
            group.append(following)
            if not following.whole:
                break
        last = group[-1]
        after = lines[index + len(group)] if index + len(group) < len(lines) else None
        before = lines[index - 1] if index else None
        heading = Heading(group, not last.whole, after=last.look if not last.whole else after.look if after else None)
        if _is_heading(heading, before, after, body):
            yield heading
        index += len(group)


def _may_begin(line: TextLine, body: Body, repeated: set[str]) -> bool:
    if not is_prominent(line, body) or len(line.text) > LONGEST or _DIGITS.sub("#", line.text) in repeated:
        return False
    return _WORD.search(line.lead) is not None and _CAPTION.match(line.text) is None


def is_prominent(line: TextLine, body: Body) -> bool:
    """Whether a line begins unlike the body, and not smaller."""
    look = line.look
    if look.size < (1 - SAME_SIZE) * body.look.size:
        return look.bold and not body.look.bold and look.size > SMALLEST_BOLD * body.look.size
    if look.size > (1 + SAME_SIZE) * body.look.size:
        return True
    if (look.bold, look.italic) != (body.look.bold, body.look.italic) or look.font != body.look.font:
        return True
    return line.whole and line.text.isupper() and len(line.text) > 4


def _goes_on(group: Sequence[TextLine], line: TextLine, body: Body) -> bool:
    """Whether a heading goes on in a line: one that looks the same, right under it."""
    last = group[-1]
    if line.page != last.page or not 0.0 < line.drop < 1.7 * last.look.size or last.text.endswith(":"):
        return False
    if len(group) == 1 and _FIRST_LEVEL.match(last.text) and not line.text[:1].islower():
        return False
    if line.look.font != last.look.font or abs(line.look.size - last.look.size) > SAME_SIZE * last.look.size:
        # the first word may be the one in italics
        same_size = abs(line.look.size - last.look.size) <= SAME_SIZE * last.look.size
        if not (last.look.bold and line.look.bold and same_size and family(last.look) == family(line.look)):
            return False
    if last.text.isupper() != line.text.isupper() and body.is_body(last.look):
        return False
    return not (_number(line.text) and _number(group[0].text))


def _is_heading(heading: Heading, before: TextLine | None, after: TextLine | None, body: Body) -> bool:
    first = heading.first
    title = heading.title
    if not 2 < len(title) <= LONGEST or not (title[0].isalnum() or title[0] in OPENING):
        return False
    # cells of a table stand beside others, and a caption goes on in the look of its first line
    if any(line.gap > WIDEST_GAP * line.look.size for line in heading.lines):
        return False
    if any(other is not None and _beside(other, line) for other, line in ((before, first), (after, heading.lines[-1]))):
        return False
    if before is not None and before.look == first.look and 0.0 < first.drop < 1.7 * first.look.size:
        return False
    named = _NUMBER.sub("", title, count=1)
    letters = sum(character.isalpha() for character in named)
    if letters < min(3, len(named)) or 2 * letters < len(named.replace(" ", "")):
        return False
    if _NO_HEADING.match(title) or "=" in title:
        return False
    start = next(character for character in title if character.isalnum())
    # a font of small capitals may map its capitals to small letters
    if start.islower() and (heading.run_in or not (first.look.bold or first.look.size > 1.1 * body.look.size)):
        return False
    parted = first.drop == 0.0 or first.drop > WHITE * body.leading
    if heading.run_in:
        lead = heading.lines[-1].lead
        ended = lead.endswith((".", ":", "—", "–")) or heading.lines[-1].text[len(lead) :].lstrip()[:1] in (".", ":", "—", "–")
        begins = parted or before is None or before.text.endswith((".", "!", "?", ":", ")", "]"))
        return ended and len(title) > 3 and begins and len(_WORD.findall(title)) < 30
    if title.endswith((",", ";", "-", "=")) or (title.endswith(".") and len(title) > 60 and not _number(title)):
        return False
    return parted or (before is not None and is_prominent(before, body))


def _beside(other: TextLine, line: TextLine) -> bool:
    """Whether two lines stand on one row of the page, near each other."""
    if other.page != line.page or abs(other.y - line.y) > 0.4 * line.look.size:
        return False
    return max(other.x0 - line.x1, line.x0 - other.x1) < BESIDE * line.look.size


def _judge(candidates: list[Heading], body: Body) -> list[Heading]:
    """The candidates that body text follows, or another heading that it follows."""
    kept: list[Heading] = []
    for index in range(len(candidates) - 1, -1, -1):
        heading = candidates[index]
        following = candidates[index + 1] if index + 1 < len(candidates) else None
        in_text = heading.run_in or (heading.after is not None and body.follows(heading.after))
        if in_text or (kept and following is kept[-1] and _is_followed_by(heading, following)):
            kept.append(heading)
    kept.reverse()
    return kept


def _is_followed_by(heading: Heading, following: Heading) -> bool:
    return heading.after == following.look and following.first.page - heading.first.page <= 1


def _without_front(headings: list[Heading]) -> list[Heading]:
    """The headings without what stands before the first section: title, authors, and the parts of an abstract."""
    opening = [
        index for index, heading in enumerate(headings)
        if not heading.run_in and heading.first.page <= 3 and _OPENING.match(heading.title)
    ]  # fmt: skip
    named = [index for index, heading in enumerate(headings) if heading.first.page <= 3 and _FIRST_LEVEL.match(heading.title)]
    first = next(iter(opening or named), None)
    if first is None:
        largest = max((heading.look.size for heading in headings), default=0.0)
        titled = [index for index, heading in enumerate(headings) if heading.look.size == largest]
        return headings[titled[0] + 1 :] if len(titled) == 1 and headings[titled[0]].first.page == 1 else headings
    before = [heading for heading in headings[:first] if not heading.run_in and _ABSTRACT.match(heading.title)]
    size = headings[first].look.size
    # the title may be drawn after the text of its page
    rest = [heading for heading in headings[first:] if heading.first.page > 1 or heading.look.size < 1.3 * size]
    back = next((index for index, heading in enumerate(rest) if _BACK.match(heading.title)), len(rest))
    return before + rest[:back] + [heading for heading in rest[back:] if not heading.run_in]


def family(look: Look) -> str:
    """The font's name without what it says of weight and slant."""
    return _POSTSCRIPT.sub("", _STYLE.sub("", look.font), count=1)


def _number(title: str) -> int:
    """How deep a title's number is: 2 for `3.1.`, 0 without one."""
    found = _NUMBER.match(title)
    if found is not None:
        return found[1].count(".") + 1
    return 1 if _ROMAN.match(title) else 0


def set_levels(headings: Sequence[Heading], body: Body) -> None:
    """Levels from numbers where titles have them, else from how prominent a look is beside the others."""
    kinds: dict[Kind, list[Heading]] = {}
    for heading in headings:
        heading.depth = _number(heading.title)
        kinds.setdefault(_kind(heading), []).append(heading)
    order = sorted(kinds, key=lambda kind: -_prominence(kind, body))
    first = _first_level(order, kinds)
    numbered = sum(heading.depth > 0 for heading in headings)
    level = 1
    for kind in order:
        over = first is not None and not kind[0] and _prominence(kind, body) > 1.08 * _prominence(first, body)
        if kind != first and not over:
            level += 1
            own = level if first is not None else level - 1
        else:
            own = 1
        depths = Counter(heading.depth for heading in kinds[kind] if heading.depth)
        for heading in kinds[kind]:
            if heading.depth and 3 * numbered >= len(headings):
                heading.level = heading.depth
            elif not heading.run_in and (_ABSTRACT.match(heading.title) or _MATTER.match(heading.title)):
                heading.level = 1  # front and back matter, however it is set
            elif depths:
                heading.level = depths.most_common(1)[0][0]
            else:
                heading.level = own


Kind = tuple[bool, float, bool, bool, bool, str]
"""What headings of one level have in common: run in, size, bold, capitals, slant, family."""


def _kind(heading: Heading) -> Kind:
    look = heading.look
    return (
        heading.run_in, round(look.size * 2) / 2, look.bold, _is_capital(heading.title), heading.first.slanted, family(look),
    )  # fmt: skip


def _is_capital(title: str) -> bool:
    letters = [character for character in title if character.isalpha()]
    return len(letters) > 2 and 5 * sum(character.isupper() for character in letters) >= 4 * len(letters)


def _prominence(kind: Kind, body: Body) -> float:
    run_in, size, bold, caps, italic, _ = kind
    share = size / body.look.size
    if bold:
        share *= 1.25
    if caps:
        share *= 1.1
    if italic:
        share *= 0.85
    return share - 10.0 if run_in else share


def _first_level(order: Sequence[Kind], kinds: dict[Kind, list[Heading]]) -> Kind | None:
    """The look that titles of the first level have."""
    counts = [sum(_FIRST_LEVEL.match(heading.title) is not None for heading in kinds[kind]) for kind in order]
    most = max(counts, default=0)
    return order[counts.index(most)] if most else None
