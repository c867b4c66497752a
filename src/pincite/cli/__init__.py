"""The command line: one file for each group of verbs, which loads what it needs when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `pincite` with the given arguments, those of the process by default; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["pdftext"]:
        # What runs in the sandbox's child: no command line framework, no environment, nothing else of pincite.
        from pincite.sandbox.child import main as read_standard_input

        return read_standard_input(words[1:])
    from pincite.cli.app import run

    return run(words)
