"""What the tests share: the writer of their PDFs, and no test."""
