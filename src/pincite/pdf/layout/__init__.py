"""From glyphs with places to the text a reader sees: lines, their order, and what each character was drawn by."""
