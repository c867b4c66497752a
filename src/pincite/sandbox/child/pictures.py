"""Pages as pictures: PDFium draws them, and what it drew becomes a PNG here.

The only module that imports pypdfium2. Fonts that a file does not bring along are drawn with the few that PDFium has built
in: those of the system lie in files, and there are none here.
"""

from __future__ import annotations

import ctypes
import math
import zlib
from typing import Any

import pypdfium2
import pypdfium2.raw

from pincite.errors import CitationError, EncryptedError, LimitError, UnreadableError
from pincite.model.picture import PagePicture
from pincite.sandbox.answers import PNG_GREY, PNG_RGB, encode_picture, png_of
from pincite.sandbox.child.pages import describe, write
from pincite.sandbox.job import RenderTask

POINTS_PER_INCH = 72
COMPRESSION = 4
"""Of zlib; greater ones take twice the time and save a tenth."""

PNG_FRAME_BYTES = 1024
"""What stands around the image data, the head line included, generously."""

SAMPLE = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1"
    b"/BaseFont/Helvetica>>/F2<</Type/Font/Subtype/TrueType/BaseFont/Unknown>>>>>>>>endobj\n"
    b"4 0 obj<</Length 66>>stream\nBT /F1 9 Tf 9 9 Td (Sample) Tj /F2 9 Tf (x) Tj ET 0 0 m 9 9 l 1 w S\nendstream endobj\n"
    b"trailer<</Root 1 0 R>>"
)


def load_renderer() -> None:
    """Make PDFium ready, without the system's fonts, and draw something once."""
    raw: Any = pypdfium2.raw
    no_folders = (ctypes.POINTER(ctypes.c_char) * 1)()
    config = raw.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=no_folders, m_pIsolate=None, m_v8EmbedderSlot=0)
    raw.FPDF_DestroyLibrary()
    raw.FPDF_InitLibraryWithConfig(config)
    for grey in (False, True):
        draw(SAMPLE, None, RenderTask(1, 72.0, 1 << 20, grey), 1 << 20)


def write_picture(data: bytes, password: str | None, output: int, task: RenderTask, max_bytes: int) -> None:
    """Write the head line and the PNG. Raises as `draw` does."""
    picture = draw(data, password, task, max_bytes)
    write(output, encode_picture(picture))
    write(output, picture.png)


def draw(data: bytes, password: str | None, task: RenderTask, max_bytes: int) -> PagePicture:
    """Draw a page at `task.dpi`, or at what keeps it under `task.max_pixels`.

    Raises `EncryptedError`, `UnreadableError`, and `CitationError` (`absent`) where there is no such page.
    """
    library: Any = pypdfium2
    try:
        document = library.PdfDocument(data, password=password)
    except library.PdfiumError as error:
        if "assword" in str(error):
            raise EncryptedError("the file is encrypted and needs a password, or another one; give the right one") from error
        raise UnreadableError(f"the file can't be drawn: {error}; open it in a viewer and save it anew") from error
    try:
        if not 1 <= task.page <= len(document):
            raise CitationError(f"there is no page {task.page}: the document has {len(document)}", slug="absent")
        document.init_forms()
        page = document[task.page - 1]
        width, height = page.get_size()
        scale = _scale(width, height, task)
        bitmap = page.render(scale=scale, grayscale=task.grey, rev_byteorder=True)
        png = _png(bitmap.width, bitmap.height, bitmap.stride, bitmap.n_channels, memoryview(bitmap.buffer).cast("B"), max_bytes)
        return PagePicture(task.page, bitmap.width, bitmap.height, scale * POINTS_PER_INCH, png)
    except library.PdfiumError as error:
        raise UnreadableError(f"page {task.page} can't be drawn: {describe(error)}; save the file anew") from error


def _scale(width: float, height: float, task: RenderTask) -> float:
    """Pixels a point."""
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise UnreadableError(f"page {task.page} has no size; save the file anew")
    scale = min(task.dpi / POINTS_PER_INCH, math.sqrt(task.max_pixels / (width * height)))
    while math.ceil(width * scale) * math.ceil(height * scale) > task.max_pixels and scale > 0:
        scale *= 0.98
    return scale


def _png(width: int, height: int, stride: int, channels: int, rows: memoryview, max_bytes: int) -> bytes:
    """A PNG of rows of 8-bit grey or red, green and blue, each row unfiltered."""
    if channels not in (1, 3):
        raise UnreadableError(f"the page was drawn in a way that is not known here ({channels} channels)")
    compressor = zlib.compressobj(COMPRESSION)
    pieces: list[bytes] = []
    size = PNG_FRAME_BYTES
    for start in range(0, height * stride, stride):
        pieces += (compressor.compress(b"\0"), compressor.compress(rows[start : start + width * channels]))
        size += len(pieces[-1]) + len(pieces[-2])
        if size > max_bytes:
            raise LimitError(f"the picture takes more than {max_bytes} bytes; draw it at a lower resolution", slug="too_large")
    pieces.append(compressor.flush())
    return png_of(width, height, PNG_GREY if channels == 1 else PNG_RGB, b"".join(pieces))
