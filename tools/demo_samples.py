"""Write the sample PDFs of `make demo`: one oddity a file, each of which a reader of PDFs meets every day.

python tools/demo_samples.py FOLDER
"""

from __future__ import annotations

import math
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.pdfwriter import Font, OutlineEntry, PdfWriter  # noqa: E402

LEFT, TOP, LEADING = 72, 700, 16

# Paragraphs are divided by a blank line.
HANDBOOK = {
    "Contents": """
        Keeping the light 1

        Fog signals 2

        The log book 3
    """,
    "Keeping the light": """
        A lamp that burns evenly is worth more than one that burns brightly. The keeper trims the wick at dusk, at
        midnight and two hours before dawn, and notes each trimming in the log book.

        The lens is wiped with linen only. Wool leaves threads, and a thread in the beam is seen eleven miles away.
    """,
    "Fog signals": """
        The fog signal is sounded when the church tower, two miles off, can no longer be made out. It is sounded for
        four seconds in every minute until the tower is seen again.

        Compressed air is kept at three atmospheres. Below two the signal is a groan that no ship has ever taken for a
        warning.
    """,
    "The log book": """
        Every entry has a date, an hour and a name. An entry is never rubbed out: who was wrong strikes the line through
        once, so that it can still be read, and writes what is right below it.

        A visitor may read the log book in the keeper's presence and may quote from it with the number of the page.
    """,
}

COLUMNS = (
    """
    Tides are the answer of the sea to the moon. On most coasts the water rises twice in a lunar day, which is fifty
    minutes longer than ours, so that high water comes later every day.
    """,
    """
    Spring tides follow the full and the new moon, when sun and moon pull along one line. Neap tides come a week later
    and are the smallest of the month; a ship aground at springs may wait a fortnight for enough water.
    """,
)

CONTRACT = """
    The ferry company carries passengers, bicycles and livestock between the two piers.

    The fare is paid before departure. Dogs travel free of charge if they are dry.
"""

LETTER = (
    "Dear Sir, I enclose a drawing of the lantern room as it stood before the storm.",
    "As you see, the parapet has lost eleven stones. I remain, Sir, your obedient servant.",
)

KOREAN = {
    "제1장 조사의 배경": """
        이 보고서는 섬 지역의 등대와 항로 표지를 조사한 결과를 정리한 것이다.

        조사는 봄과 가을에 두 번 이루어졌으며, 모두 열두 곳의 등대를 방문하였다.
    """,
    "제2장 조사 결과": """
        안개가 짙은 날에는 등대의 불빛보다 소리 신호가 더 멀리 전해졌다.

        주민들은 등대를 마을의 중요한 문화유산으로 여기고 있었다.
    """,
}


def main(folder: Path) -> None:
    """Write all samples into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = {
        "keepers-handbook.pdf": keepers_handbook(),
        "tides-two-columns.pdf": two_columns(),
        "ferry-contract-draft.pdf": rotated_stamp(),
        "letter-with-scan.pdf": image_only_page(),
        "등대-조사-보고서.pdf": korean_report(),
    }
    for name, pdf in samples.items():
        (folder / name).write_bytes(pdf)


def paragraphs(font: Font, text: str, *, x: float = LEFT, y: float = TOP, width: int = 84) -> bytes:
    """Paragraphs set ragged right, `width` characters a line, with a blank line between them."""
    content = b""
    for paragraph in text.split("\n\n"):
        for line in textwrap.wrap(" ".join(paragraph.split()), width):
            content += font.text(x, y, line, size=11)
            y -= LEADING
        y -= LEADING
    return content


def keepers_handbook() -> bytes:
    """An outline, page labels (i, then 1, 2, 3), and a running head that is a Form XObject painted on every page."""
    writer = PdfWriter()
    writer.set_title("The Keeper's Handbook")
    body, bold = writer.add_font("Times-Roman"), writer.add_font("Times-Bold")
    words = body.text(0, 0, "The Keeper's Handbook", size=9)
    head = writer.add_form(words, bbox=(-5, -5, 400, 20), matrix=(1, 0, 0, 1, LEFT, 750))
    for title, text in HANDBOOK.items():
        content = b"/Head Do\n" + bold.text(LEFT, TOP + 20, title, size=16)
        writer.add_page(content + paragraphs(body, text, y=TOP - 20), xobjects={"Head": head})
    writer.set_outline([OutlineEntry(title, page) for page, title in enumerate(HANDBOOK, 1)])
    writer.set_page_labels({0: {"S": "/r"}, 1: {"S": "/D"}})
    return writer.write()


def two_columns() -> bytes:
    """One page in two columns, drawn column by column."""
    writer = PdfWriter()
    writer.set_title("On Tides")
    font = writer.add_font("Helvetica")
    columns = [paragraphs(font, text, x=x, width=40) for text, x in zip(COLUMNS, (LEFT, 320), strict=True)]
    writer.add_page(font.text(LEFT, TOP + 40, "On Tides", size=18) + b"".join(columns))
    return writer.write()


def rotated_stamp() -> bytes:
    """A page with a word across it, at an angle, that is one line and not one for each of its letters."""
    writer = PdfWriter()
    writer.set_title("Ferry Contract")
    font = writer.add_font("Helvetica")
    cosine, sine = math.cos(math.radians(50)), math.sin(math.radians(50))
    stamp = b"0.8 g " + font.text(180, 250, "PRELIMINARY", size=60, matrix=(cosine, sine, -sine, cosine)) + b"0 g "
    writer.add_page(stamp + paragraphs(font, CONTRACT))
    return writer.write()


def image_only_page() -> bytes:
    """Three pages, of which the second is a picture without text: it is kept, and its neighbours are searchable."""
    writer = PdfWriter()
    writer.set_title("A Letter")
    font = writer.add_font("Times-Roman")
    writer.add_page(paragraphs(font, LETTER[0]))
    writer.add_image_page()
    writer.add_page(paragraphs(font, LETTER[1]))
    return writer.write()


def korean_report() -> bytes:
    """Korean in a font that is not embedded, which viewers have one of their own for, with an outline."""
    writer = PdfWriter()
    writer.set_title("등대 조사 보고서")
    letters = sorted(set("".join([*KOREAN, *KOREAN.values()])) - {"\n"})
    font = writer.add_composite_font(
        "HYSMyeongJo-Medium",
        encoding="/UniKS-UCS2-H",
        collection=("Adobe", "Korea1"),
        codes={letter: ord(letter) for letter in letters},
        default_width=1000,
        # In Adobe-Korea1 the CIDs 1 to 95 are proportional ASCII.
        descendant={"Subtype": "/CIDFontType0", "W": "[1 95 500]"},
    )
    for title, text in KOREAN.items():
        writer.add_page(font.text(LEFT, TOP + 20, title, size=16) + paragraphs(font, text, y=TOP - 20, width=40))
    writer.set_outline([OutlineEntry(title, page) for page, title in enumerate(KOREAN, 1)])
    return writer.write()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
