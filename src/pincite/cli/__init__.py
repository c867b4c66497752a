"""The command line: one file for each group of verbs, which loads what it needs when it runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `pincite` with the given arguments, those of the process by default; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_standard_streams()
    try:
        if words[:1] == ["pdftext"]:
            # What runs in the sandbox's child: no command line framework, no environment, nothing else of pincite.
            from pincite.sandbox.child import main as read_standard_input

            return read_standard_input(words[1:])
        from pincite.cli.app import run

        return run(words)
    except KeyboardInterrupt:  # while the program was being loaded
        return INTERRUPTED


def _open_standard_streams() -> None:
    """Put something at the place of a standard stream that is closed: else the next file that is opened would stand there.

    Reading gives nothing, writing to standard output fails, as if it had stayed closed, and to standard error goes nowhere.
    """
    streams = (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    for descriptor, (name, mode, flags) in enumerate(streams):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
