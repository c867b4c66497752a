"""The engine: from the bytes of a PDF to glyphs with places, and from these to text. The only code that touches hostile bytes."""
