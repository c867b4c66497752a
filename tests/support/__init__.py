"""What the tests share, and no test. `tests/` is on the path, so: `from support.pdfwriter import PdfWriter, simple_pdf`."""
