"""Opening files: sources, passwords, damage; resolving objects."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import EncryptedError, UnreadableError
from pincite.pdf.objects.file import File
from pincite.pdf.objects.pages import PageTree
from pincite.pdf.objects.values import Reference, Stream, Value
from support import pdfvariants
from support.pdfwriter import PdfWriter, simple_pdf
from support.pdfwriter import Reference as Written


def _file(value: object) -> tuple[File, Reference]:
    """A file with one more object, and its reference."""
    writer = PdfWriter()
    writer.add_page()
    number = writer.add(value).number  # type: ignore[arg-type]
    return File.open(writer.write()), Reference(number, 0)


class TestSources:
    def test_bytes_path_and_descriptor_open_the_same_file(self, tmp_path: Path) -> None:
        data = simple_pdf(["one", "two"])
        path = tmp_path / "two pages.pdf"
        path.write_bytes(data)
        for source in (data, bytearray(data), memoryview(data), str(path), path):
            with File.open(source) as file:
                assert len(PageTree(file)) == 2

    def test_a_descriptor_is_read_from_its_start_and_stays_open(self, tmp_path: Path) -> None:
        path = tmp_path / "two.pdf"
        path.write_bytes(simple_pdf(["one", "two"]))
        with path.open("rb") as handle:
            handle.seek(100)
            with File.open(handle.fileno()) as file:
                path.unlink()
                assert len(PageTree(file)) == 2
            assert os.fstat(handle.fileno()).st_size

    def test_a_large_file_is_mapped(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pincite.pdf.objects.file._IN_MEMORY_BYTES", 10)
        path = tmp_path / "two.pdf"
        path.write_bytes(simple_pdf(["one", "two"]))
        with path.open("rb") as handle, File.open(handle.fileno()) as file:
            assert [len(page.contents()) for page in PageTree(file)] == [1, 1]
        with File.open(path) as file:
            assert len(PageTree(file)) == 2

    def test_a_pipe_is_read_to_its_end(self) -> None:
        reader, writer = os.pipe()
        os.write(writer, simple_pdf(["one"]))
        os.close(writer)
        with File.open(reader) as file:
            assert len(PageTree(file)) == 1
        os.close(reader)

    def test_a_missing_file_is_an_os_error(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            File.open(tmp_path / "none.pdf")

    @pytest.mark.parametrize("data", [b"", b"garbage", b"%PDF-1.7\n", b"\0" * 5000, b"%PDF-1.7\ntrailer << /Root 9 0 R >>"])
    def test_what_is_no_pdf_is_unreadable(self, data: bytes, tmp_path: Path) -> None:
        path = tmp_path / "secret name.pdf"
        path.write_bytes(data)
        for source in (data, path):
            with pytest.raises(UnreadableError) as caught:
                File.open(source)
            assert "Check that" in caught.value.message
            assert "secret" not in caught.value.message
            assert "0x" not in caught.value.message

    def test_closing_twice_is_harmless_and_ends_reading(self) -> None:
        file = File.open(simple_pdf(["one"]))
        pages = PageTree(file)
        file.close()
        file.close()
        assert pages[0].contents() == []


class TestPasswords:
    @pytest.mark.parametrize("revision", [3, 4, 6])
    def test_the_empty_user_password_is_tried(self, revision: int) -> None:
        data = pdfvariants.encrypted(simple_pdf(["one"]), revision=revision)
        with File.open(data) as file:
            assert b"one" in PageTree(file)[0].contents()[0]
        with File.open(data, "wrong, but none is needed") as file:
            assert len(PageTree(file)) == 1

    @pytest.mark.parametrize("revision", [3, 4, 6])
    @pytest.mark.parametrize("user", ["secret", "pässword"])
    def test_the_right_password_opens_others_do_not(self, revision: int, user: str) -> None:
        data = pdfvariants.encrypted(simple_pdf(["one"]), user=user, revision=revision)
        for password in (user, "owner"):
            with File.open(data, password) as file:
                assert b"one" in PageTree(file)[0].contents()[0]
        with pytest.raises(EncryptedError, match="needs a password"):
            File.open(data)
        with pytest.raises(EncryptedError, match="password is wrong"):
            File.open(data, "other")

    def test_strings_are_decrypted(self) -> None:
        writer = PdfWriter()
        writer.add_page()
        writer.set_title("A title")
        with File.open(pdfvariants.encrypted(writer.write())) as file:
            assert file.get_dictionary(file.trailer, "Info")["Title"] == b"A title"

    def test_encrypted_attachments_alone_need_no_password(self) -> None:
        writer = PdfWriter()
        font = writer.add_font()
        writer.add_page(font.text(72, 700, "readable"))
        filters = {"StdCF": {"CFM": "/AESV3", "Length": 32, "AuthEvent": "/EFOpen"}}
        crypt: dict[str, Any] = {"Filter": "/Standard", "V": 5, "R": 6, "Length": 256, "P": -4, "CF": filters, "EFF": "/StdCF"}
        crypt |= {"O": bytes(48), "U": bytes(48), "OE": bytes(32), "UE": bytes(32), "Perms": bytes(16)}
        crypt |= {"StmF": "/Identity", "StrF": "/Identity"}
        writer.trailer["Encrypt"] = writer.add(crypt)
        with File.open(writer.write()) as file:
            assert b"readable" in PageTree(file)[0].contents()[0]

    def test_an_unknown_security_handler_is_named(self) -> None:
        writer = PdfWriter()
        writer.add_page()
        writer.trailer["Encrypt"] = writer.add({"Filter": "/Adobe.PubSec", "V": 4})
        with pytest.raises(EncryptedError, match="Save a copy without protection"):
            File.open(writer.write())


class TestDamage:
    @pytest.mark.parametrize(
        "damage",
        [
            pdfvariants.wrong_offsets,
            pdfvariants.wrong_startxref,
            pdfvariants.junk_prefix,
            pdfvariants.junk_suffix,
            pdfvariants.with_object_streams,
            lambda pdf: pdfvariants.junk_prefix(pdf, b"junk " * 2000),
            lambda pdf: pdf[: pdf.index(b"xref")],
            lambda pdf: pdf[: pdf.index(b"xref")].rstrip(),
            lambda pdf: pdf[: pdf.rindex(b"endobj")],
            lambda pdf: pdf.replace(b"/Root 1 0 R", b""),
            lambda pdf: pdf.replace(b"/Root 1 0 R", b"/Root 99 0 R"),
            lambda pdf: pdf.replace(b"trailer", b"tr"),
            lambda pdf: pdf.replace(b"/Catalog", b"/Catalof").replace(b"/Root 1 0 R", b""),
            lambda pdf: pdf.replace(b"/Catalog", b"/Catalof").replace(b"/Pages", b"/Pagos").replace(b"/Root 1 0 R", b""),
        ],
    )
    def test_files_that_can_be_helped_open(self, damage: Callable[[bytes], bytes]) -> None:
        with File.open(damage(simple_pdf(["one", "two"]))) as file:
            pages = PageTree(file)
            assert len(pages) == 2
            assert b"two" in pages[1].contents()[0]

    def test_a_file_cut_off_in_a_stream_keeps_what_is_there(self) -> None:
        writer = PdfWriter()
        page = writer.add_page([Written(4)])
        writer.add_stream("BT (the whole of a text that is cut off in the middle) Tj ET")
        assert page.number == 3
        pdf = writer.write()
        with File.open(pdf[: pdf.index(b" off in")]) as file:
            assert PageTree(file)[0].contents() == [b"BT (the whole of a text that is cut\n"]

    def test_warnings_say_what_was_wrong_and_nothing_is_printed(
        self, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.DEBUG), File.open(pdfvariants.wrong_startxref(simple_pdf(["one"]))) as file:
            assert any("xref" in warning for warning in file.warnings)
            assert not any("0x" in warning for warning in file.warnings)
        assert capfd.readouterr() == ("", "")
        assert not caplog.records

    def test_nothing_is_printed_where_logging_is_not_set_up(self) -> None:
        pdf = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[99 0 R]>>endobj\n"
        code = f"from pincite.pdf.objects.file import File\ntry: File.open({pdf!r})\nexcept Exception as error: print(error)"
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert result.stdout.startswith("The file can't be read")
        assert result.stderr == ""

    def test_warnings_are_limited(self) -> None:
        with File.open(simple_pdf(["one"])) as file:
            for number in range(1000):
                file.warn(f"{number} " + "x" * 1000)
            assert len(file.warnings) == 101
            assert file.warnings[-1] == "more warnings were left out"
            assert max(map(len, file.warnings)) <= 300

    @pytest.mark.parametrize("body", [b"[" * 100_000 + b"]" * 100_000, b"<</A " * 100_000, b"[" * 100_000])
    def test_deep_nesting_is_null(self, body: bytes) -> None:
        file, reference = _file(body.decode("ascii"))
        with file:
            assert file.resolve(reference) is None
            assert len(PageTree(file)) == 1


class TestResolve:
    @pytest.mark.parametrize(
        ("written", "value"),
        [
            ("42", 42),
            ("true", True),
            ("-1.25", -1.25),
            ("/Na#6de", "Name"),
            ("/caf\xe9", "caf\xe9"),
            ("null", None),
            (b"a (string) \\ \r\n\xff", b"a (string) \\ \r\n\xff"),
            ([1, "/Two", [b"3"], {"Four": 5}], [1, "Two", [b"3"], {"Four": 5}]),
            ({"A": Written(1), "B": Written(99)}, {"A": Reference(1, 0)}),
        ],
    )
    def test_objects_of_every_kind(self, written: object, value: Value) -> None:
        file, reference = _file(written)
        with file:
            result = file.resolve(reference)
            if isinstance(result, dict):
                result.pop("B", None)  # qpdf may keep a reference to nothing or leave it out: both read as null
            assert result == value
            assert type(result) is type(value)

    def test_missing_objects_and_absurd_references_are_null(self) -> None:
        with File.open(simple_pdf(["one"])) as file:
            for reference in (Reference(999, 0), Reference(1, 7), Reference(-1, 0), Reference(10**30, 0), Reference(0, 0)):
                assert file.resolve(reference) is None

    def test_get_gives_the_default_for_missing_and_null(self) -> None:
        file, reference = _file({"A": Written(99), "B": 2})
        with file:
            dictionary = file.resolve(reference)
            assert isinstance(dictionary, dict)
            assert file.get(dictionary, "A", 1) == 1
            assert file.get(dictionary, "B", 1) == 2
            assert file.get(dictionary, "C", 1) == 1
            assert file.get_dictionary(dictionary, "B") == {}
            assert file.get_array(dictionary, "B") == []

    def test_the_cache_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pincite.pdf.objects.file._MAX_CACHED", 3)
        with File.open(simple_pdf([str(number) for number in range(10)])) as file:
            assert len(PageTree(file)) == 10
            assert len(file._cache) <= 3
            assert b"(9)" in PageTree(file)[9].contents()[0]

    def test_a_stream_has_its_dictionary_and_reference(self) -> None:
        writer = PdfWriter()
        writer.add_page()
        number = writer.add_stream(b"data", {"Type": "/Thing", "Name": "/caf\xe9"}, compress=True).number
        with File.open(writer.write()) as file:
            stream = file.resolve(Reference(number, 0))
            assert isinstance(stream, Stream)
            assert stream.reference == Reference(number, 0)
            assert stream.dictionary["Type"] == "Thing"
            assert stream.dictionary["Name"] == "caf\xe9"
            assert stream.data() == b"data"


def test_opening_reads_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Reference] = []
    load = File._load
    monkeypatch.setattr(File, "_load", lambda self, reference: loaded.append(reference) or load(self, reference))  # type: ignore[func-returns-value]
    with File.open(simple_pdf(["page"] * 50)):
        assert loaded == [Reference(1, 0)]
