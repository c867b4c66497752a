"""From a font dictionary to a decoding table: code → Unicode value and width (ISO 32000-2, 9.5 to 9.10).

`font.load_font` is the way in. What a code means is found in this order: ToUnicode map; predefined CMap or character
collection; /Encoding with /Differences; the embedded program; the standard encodings; U+FFFD.
"""
