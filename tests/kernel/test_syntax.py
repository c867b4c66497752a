"""The reader of sound objects, on both kernels: the values, and a refusal of all that is not as it should be."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.kernel import Kind, Twin


def read(twin: Twin, source: bytes) -> Any:
    return twin.module("pincite._kernel.syntax").SyntaxReader(source, tuple).value(0)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"null", None),
        (b" true ", True),
        (b"false]", False),
        (b"+17", 17),
        (b"-98/", -98),
        (b"999999999999999", 999_999_999_999_999),
        (b"0.1", 0.1),
        (b"-.002", -0.002),
        (b"4.", 4.0),
        (b"123456.789012345", 123456.789012345),
        (b"/Name1(", "Name1"),
        (b"/", ""),
        (b"/A#20B#2f", "A B/"),
        (b"/caf\xe9", "caf\xe9"),
        (b"(text)", b"text"),
        (b"(a (nested (pair)) b)", b"a (nested (pair)) b"),
        (rb"(\( \) \\ \n \r \t \b \f \101 \7x \400 \q)", b"( ) \\ \n \r \t \b \f A \x07x \x00 q"),
        (b"(one\\\ntwo\\\r\nthree)", b"onetwothree"),
        (b"(a\r\nb\rc\nd)", b"a\nb\nc\nd"),
        (b"<4E6f 20\n7>", b"No p"),
        (b"[1 (two)/three<34>[5]null]", [1, b"two", "three", b"4", [5], None]),
        (b"<</A 1/B<</C[/D]>>/E(f)/F null>>", {"A": 1, "B": {"C": ["D"]}, "E": b"f"}),
        (b"<</A 1/B 2/A 3/B null>>", {"A": 3}),
        (b"12 0 R", (12, 0)),
        (b"12\n0\t R]", (12, 0)),
        (b"[1 2 3 R 4 0 R 5 0]", [1, (2, 3), (4, 0), 5, 0]),
        (b"1 65536 obj", 1),
        (b"% a comment (\n 7", 7),
    ],
)
def test_objects_of_every_kind(twin: Twin, source: bytes, value: Any) -> None:
    result = read(twin, source)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    "source",
    [
        b"", b"]", b"R", b"nul", b"nulls", b"truely", b"--5", b"1.2.3", b"12-3", b".", b"-", b"1e5", b"1234567890123456",
        b"(open", b"(open\\", b"<4x>", b"<41", b"[1", b"<</A 1", b"<</A>>", b"<<1 2>>", b"[1 0 Rx]", b"/a#zz",
        b"/a#4", b"/a#00", b"[" * 101 + b"]" * 101, b"<</A" * 101, b"}", b")", b">",
    ],
)  # fmt: skip
def test_what_is_not_plain_is_refused(twin: Twin, source: bytes) -> None:
    with pytest.raises(twin.module("pincite._kernel.syntax").NotPlainError):
        read(twin, source)


class TestIndirectObjects:
    def reader(self, twin: Twin, source: bytes) -> Any:
        return twin.module("pincite._kernel.syntax").SyntaxReader(source, tuple)

    def test_an_object_ends(self, twin: Twin) -> None:
        reader = self.reader(twin, b"xx 7 0 obj<</A 1>>\nendobj")
        assert reader.indirect(2, 7, 0) == {"A": 1}
        assert reader.stream_start() == -1

    @pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
    def test_or_has_a_stream(self, twin: Twin, line_end: bytes) -> None:
        source = b"7 2 obj<<>>stream" + line_end + b"data\nendstream endobj"
        reader = self.reader(twin, source)
        assert reader.indirect(0, 7, 2) == {}
        start = reader.stream_start()
        assert source[start : start + 4] == b"data"
        reader.end_stream(start + 4)
        for wrong in (start + 3, len(source), len(source) + 1):
            with pytest.raises(ValueError, match=r"stands there|outside"):
                reader.end_stream(wrong)

    @pytest.mark.parametrize("source", [b"8 0 obj 1 endobj", b"7 1 obj 1 endobj", b"7 0 obx 1 endobj", b"7 0 obj", b"obj", b""])
    def test_another_object_is_refused(self, twin: Twin, source: bytes) -> None:
        with pytest.raises(ValueError, match=r".+"):
            self.reader(twin, source).indirect(0, 7, 0)

    @pytest.mark.parametrize("rest", [b"", b"1 0 obj", b"endobject", b"stream\rdata", b"stream data", b"streams\n"])
    def test_another_end_is_refused(self, twin: Twin, rest: bytes) -> None:
        reader = self.reader(twin, b"7 0 obj 1 " + rest)
        assert reader.indirect(0, 7, 0) == 1
        with pytest.raises(ValueError, match=r".+"):
            reader.stream_start()

    @pytest.mark.parametrize("position", [-1, 4, 1 << 60])
    def test_no_position_outside_is_read(self, twin: Twin, position: int) -> None:
        with pytest.raises(ValueError, match="outside"):
            self.reader(twin, b"1 2").value(position)

    def test_naturals(self, twin: Twin) -> None:
        assert self.reader(twin, b"10 0 11\n25 ").naturals(0, 4) == [10, 0, 11, 25]
        with pytest.raises(ValueError, match="no integer"):
            self.reader(twin, b"10 -1").naturals(0, 2)


_PIECES = st.sampled_from(
    [b"<<", b">>", b"[", b"]", b"/A", b"/B#41", b" 1 ", b"-2.5", b" 3 0 R", b"(s)", b"(\\101(", b")", b"<41>", b"%\n", b"null"]
)


@given(st.lists(_PIECES, max_size=12).map(b"".join) | st.binary(max_size=20))
def test_the_twins_agree(twins: dict[Kind, Twin], source: bytes) -> None:
    results: list[Any] = []
    for twin in twins.values():
        results.append("refused")
        with contextlib.suppress(ValueError):
            results[-1] = repr(read(twin, source))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("part", "before", "after"),
    [
        (b"(a) Tj", 0, 0),
        (b"(a (b) c", 0, 1),
        (b"c) Tj (", 1, 1),
        (b")) (", 0, 1),
        (b"(\\) \\\\) (", 0, 1),
        (b"% ( not a string\n(", 0, 1),
        (b"% ( \r )", 1, 1),
        (b"(\\", 0, 1),
    ],
)
def test_parentheses_that_are_open_behind_a_part_of_content(twin: Twin, part: bytes, before: int, after: int) -> None:
    assert twin.module("pincite._kernel.syntax").string_nesting(part, before) == after
