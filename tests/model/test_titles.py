"""Which titles name a document."""

from __future__ import annotations

import pytest

from pincite.model.titles import telling_title


@pytest.mark.parametrize(
    "title",
    [
        *(None, "", " - ", "17", "untitled", "Untitled-1", "(anonymous)", "제목 없음"),
        *("nem004 95..102", "Microsoft Word - final_v2.doc", "report.indd"),
    ],
)
def test_what_a_program_left_there_is_no_title(title: str | None) -> None:
    assert telling_title(title) is None


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("On Tides", "On Tides"),
        ("Microsoft Word - The structure of proteins", "The structure of proteins"),
        ("Title IX and the law", "Title IX and the law"),
        ("The untitled sonnets", "The untitled sonnets"),
        ("강남스타일", "강남스타일"),
        ("What is new in C.tex? A guide", "What is new in C.tex? A guide"),
    ],
)
def test_a_title_stays(title: str, shown: str) -> None:
    assert telling_title(title) == shown
