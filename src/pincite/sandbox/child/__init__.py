"""What runs on the other side: the only modules of the sandbox that may import the engine.

    command     the program that is executed for one document: `pincite pdftext`, `python -m pincite.sandbox`
    server      the zygote, which forks a child for each document
    work        one job from its beginning to the exit code, the same for both
    pages       the lines of a document's text
    places      where a span of text stands
    pictures    pages as pictures

The code of a child limits its process for good, so nothing else calls it.
"""

from pincite.sandbox.child.command import Options, main, parse_arguments

__all__ = ["Options", "main", "parse_arguments"]
