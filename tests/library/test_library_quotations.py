"""Quotations and citations with the verdict that a careful reader would give: what check grades, and what resolve answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pincite.errors import CitationError
from pincite.library import Library
from support.library import ScriptReader, write_script

HANDBOOK = [
    (
        "The Keeper's Handbook\n"
        "The \ufb01rst keeper wiped the lens with linen only, and the \ufb02ame was trim-\n"
        "med twice a night. On 12 March 1884 the well-known storm broke 3.5 m of\n"
        "the rail; 1,200 barrels were lost. “All lamps burn,” he wrote — and slept."
    ),
    (
        "Fog signals\n"
        "The horn sounds every 40 seconds, at dusk, at midnight and two hours before dawn.\n"
        "Naïve visitors at the café often ask: is the dose 0.5 mg or 5 mg?\n"
        "The horn sounds every 40 seconds, in any weather; the keepers of this coast agree that"
    ),
    (
        "no ship was lost on this coast in ten years.\n"
        "The tide tables are correct to ±2 minutes. E = mc2 holds for p < 0.05 and n ≥ 30.\n"
        "co\u00adoperation of all keep\u00ad\n"
        "ers is expected; re-\n"
        "entry is not allowed, and the e-\n"
        "mail of the office is secret."
    ),
    (
        "코로나바이러스감염\n"
        "증-19 예방접종을 시작한 2021년 2월 26일부터 접종률이 올랐다.\n"
        "자연어 처리 기술은 빠르게 발전하였다."
    ),
    (
        "日本語の文章は改行\n"
        "で単語が切れることがある。本研究では、新しい手法を提案する。"
    ),
    (
        "Straße and STRASSE are one word to some. The file\u200bname is o\ufb03ce-7.txt; the ½ inch bolt fits, 10\u00a0000 "
        "were sold."
    ),
]

# quotation, page, grade; after the page that has the words, the grades of other words are what matters most.
TABLE: list[tuple[str, int, str]] = [
    # letter by letter
    ("The horn sounds every 40 seconds", 2, "exact"),
    ("at dusk, at midnight and two hours before dawn.", 2, "exact"),
    ("The tide tables are correct to ±2 minutes.", 3, "exact"),
    ("“All lamps burn,” he wrote — and slept.", 1, "exact"),
    ("The ﬁrst keeper wiped the lens", 1, "exact"),
    ("trim-\nmed twice a night", 1, "exact"),
    ("3.5 m of\nthe rail", 1, "exact"),
    ("is the dose 0.5 mg or 5 mg?", 2, "exact"),
    ("Naïve visitors at the café", 2, "exact"),
    ("자연어 처리 기술은 빠르게 발전하였다.", 4, "exact"),
    ("코로나바이러스감염\n증-19 예방접종을", 4, "exact"),
    ("本研究では、新しい手法を提案する。", 5, "exact"),
    ("p < 0.05 and n ≥ 30", 3, "exact"),
    ("the ½ inch bolt fits", 6, "exact"),
    ('"The horn sounds every 40 seconds"', 2, "exact"),
    ("  The horn sounds every 40 seconds  ", 2, "exact"),
    # the same words, set otherwise
    ("The first keeper wiped the lens", 1, "folded"),
    ("the flame was trimmed twice a night", 1, "folded"),
    ("the ﬂame was trimmed twice", 1, "folded"),
    ("wiped the lens with linen only, and the flame", 1, "folded"),
    ("3.5 m of the rail", 1, "folded"),
    ("broke 3.5 m of the  rail; 1,200 barrels", 1, "folded"),
    ("„All lamps burn,” he wrote", 1, "folded"),
    ('"All lamps burn," he wrote', 1, "folded"),
    ("«All lamps burn,» he wrote", 1, "folded"),
    ("he wrote – and slept", 1, "folded"),
    ("he wrote - and slept.", 1, "folded"),
    ("The Keeper’s Handbook", 1, "folded"),
    ("The Keeper's Handbook The first keeper", 1, "folded"),
    ("cooperation of all keepers is expected", 3, "folded"),
    ("re-entry is not allowed", 3, "folded"),
    ("reentry is not allowed", 3, "folded"),
    ("the e-mail of the office", 3, "folded"),
    ("코로나바이러스감염증-19 예방접종을 시작한", 4, "folded"),
    ("文章は改行で単語が切れる", 5, "folded"),
    ("Nai\u0308ve visitors at the cafe\u0301", 2, "folded"),
    ("The filename is office-7.txt", 6, "folded"),
    ("10 000 were sold", 6, "folded"),
    ("The first keeper [...] trimmed twice a night", 1, "folded"),
    ("The horn sounds every 40 seconds […] two hours before dawn", 2, "folded"),
    ("is the dose [...] or 5 mg?", 2, "folded"),
    ("the well-known storm (...) barrels were lost", 1, "folded"),
    # other words, however like: never exact, never folded
    ("'All lamps burn,' he wrote", 1, "near"),  # 5' is not 5"
    ("the well-known storm [..] barrels were lost", 1, "absent"),
    ("The horn sounds every 45 seconds, at dusk, at midnight", 2, "near"),
    ("at dusk, at midnight and three hours before dawn.", 2, "near"),
    ("is the dose 5.0 mg or 5 mg, they often ask", 2, "absent"),
    ("often ask: is the dose 0,5 mg or 5 mg?", 2, "near"),
    ("often ask: is the dose 05 mg or 5 mg?", 2, "near"),
    ("On 13 March 1884 the well-known storm broke", 1, "near"),
    ("On 12 March 1848 the well-known storm broke", 1, "near"),
    ("the well-known storm broke 35 m of the rail", 1, "near"),
    ("the rail; 1.200 barrels were lost.", 1, "near"),
    ("the rail; 1200 barrels were lost.", 1, "near"),
    ("the rail; 12,00 barrels were lost.", 1, "near"),
    ("the horn sounds every 40 seconds, at dusk", 2, "near"),
    ("THE HORN SOUNDS EVERY 40 SECONDS", 2, "near"),
    ("Naive visitors at the café often ask", 2, "near"),
    ("Naïve visitors at the cafe often ask", 2, "near"),
    ("The tide tables are correct to 2 minutes.", 3, "near"),
    ("The tide tables are not correct to ±2 minutes.", 3, "near"),
    ("holds for p > 0.05 and n ≥ 30", 3, "near"),
    ("holds for p < 0.05 and n ≤ 30", 3, "near"),
    ("E = mc3 holds for p < 0.05", 3, "near"),
    ("no ships were lost on this coast in ten years.", 3, "near"),
    ("Strasse and STRASSE are one word to some.", 6, "near"),
    ("the 1/2 inch bolt fits, 10 000 were sold", 6, "near"),
    ("접종을 시작한 2021년 2월 28일부터 접종률이 올랐다.", 4, "near"),
    ("2020년 2월 26일부터 접종률이 올랐다.", 4, "near"),
    ("자연어 처리 기술은 빠르게 발전하지 않았다.", 4, "near"),
    ("本研究では、古い手法を提案する。", 5, "near"),
    ("two hours before dawn [...] at dusk, at midnight", 2, "absent"),
    ("The first keeper [...] trimmed thrice a night", 1, "absent"),
    # the middle of a word or of a number is no beginning
    ("irst keeper wiped the lens with linen", 1, "near"),
    (".5 m of the rail; 1,200 barrels", 1, "near"),
    ("200 barrels were lost. “All lamps", 1, "near"),
    ("84 the well-known storm broke 3.5 m", 1, "near"),
    ("orn sounds every 40 second", 2, "near"),
    # elsewhere in the document
    ("The horn sounds every 40 seconds", 1, "wrong_page"),
    ("the flame was trimmed twice a night", 2, "wrong_page"),
    ("no ship was lost on this coast", 2, "wrong_page"),
    ("코로나바이러스감염증-19 예방접종을", 5, "wrong_page"),
    ("at dusk, at midnight and three hours before dawn.", 1, "wrong_page"),
    # over the turn of a page
    ("the keepers of this coast agree that no ship was lost on this coast", 2, "folded"),
    ("agree that no ship was lost", 2, "folded"),
    ("agree that two ships were lost on this coast in ten", 2, "absent"),
    # nowhere
    ("The parrot recites the alphabet backwards", 1, "absent"),
    ("고양이는 지붕 위에서 낮잠을 잔다", 4, "absent"),
    ("lens linen wiped keeper first the", 1, "absent"),
]

# citation, verdict, words
CITATIONS: list[tuple[str, str, str | None]] = [
    ("book.pdf:p1:span=0-21", "exact", "The Keeper's Handbook"),
    ("book.pdf:p1:span=22-31", "exact", "The ﬁrst "),
    ("book.pdf:p2:section=Fog signals", "exact", HANDBOOK[1]),
    ("book.pdf:p5", "exact", HANDBOOK[4]),
    ("old/book.pdf:p1", "absent", None),
    ("folder/book.pdf:p4:span=0-9", "exact", "코로나바이러스감염"),
    ("book.pdf:p7", "absent", None),
    ("book.pdf:p1:span=0-9999", "absent", None),
    ("book.pdf:p3:section=Fog signals", "exact", HANDBOOK[2]),
    ("book.pdf:p2:section=Nowhere", "absent", None),
    ("book.pdf:p1@000000000000", "stale", None),
    ("twin.pdf:p1", "exact", "the one twin"),
    ("b/twin.pdf:p1", "exact", "the other twin"),
    ("letter.pdf:p1", "absent", None),
    ("draft.pdf:p1", "stale", None),
    ("folder/draft.pdf:p1", "exact", "the draft as it is now"),
    ("twice.pdf:p1:section=Notes", "ambiguous", None),
    ("a%3Ap3 50%25@.pdf:p1:span=0-5", "exact", "words"),
    ("a:p3 50%@.pdf:p1:span=0-5", "exact", "words"),
    ("등대.pdf:p1", "exact", "빛"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("quotations") / "folder"
    write_script(folder / "book.pdf", list(HANDBOOK), outline=[("The Keeper's Handbook", 1, 1), ("Fog signals", 2, 1)])
    write_script(folder / "a" / "twin.pdf", ["the one twin"])
    write_script(folder / "b" / "twin.pdf", ["the other twin"])
    write_script(folder / "draft.pdf", ["the draft as it was"])
    write_script(folder / "twice.pdf", ["Notes\nsome words\nNotes\nother words"], outline=[("Notes", 1, 1), ("Notes", 1, 1)])
    write_script(folder / "a:p3 50%@.pdf", ["words of a kind"])
    write_script(folder / "\u1103\u1173\u11bc\u1103\u1162.pdf", ["빛"])
    with Library(folder.parent / "library.sqlite", reader=ScriptReader()) as opened:
        opened.ingest(folder)
        write_script(folder / "draft.pdf", ["the draft as it is now"])
        opened.ingest(folder)
        # One that is removed, and two whose names end as its does.
        for number, place in enumerate("xyz"):
            write_script(folder / place / "letter.pdf", [f"letter {number}"])
        opened.ingest([folder / "x", folder / "y", folder / "z"])
        opened.remove("letter.pdf")
        yield opened


@pytest.mark.parametrize(("quotation", "page", "grade"), TABLE)
def test_quotations_get_the_grade_of_a_careful_reader(library: Library, quotation: str, page: int, grade: str) -> None:
    assert library.check(quotation, f"book.pdf:p{page}").grade == grade


@pytest.mark.parametrize(("citation", "verdict", "words"), CITATIONS)
def test_citations_get_the_words_or_the_reason(library: Library, citation: str, verdict: str, words: str | None) -> None:
    quote = library.resolve(citation)
    assert (quote.verdict, quote.text) == (verdict, words)
    assert quote.reason or words is not None


def test_a_name_that_was_never_there(library: Library) -> None:
    with pytest.raises(CitationError):
        library.check("The horn sounds every 40 seconds", "nothing.pdf:p1")
