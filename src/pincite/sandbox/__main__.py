"""`python -I -m pincite.sandbox`: one child process for one document; with `zygote` and its arguments, a zygote."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    if sys.argv[1:2] == ["zygote"]:
        from pincite.sandbox.child.server import serve

        serve(sys.argv[2:])
    from pincite.sandbox.child.command import main

    # Nothing is left to flush, and taking a large document apart in memory is time that somebody waits for.
    os._exit(main(sys.argv[1:]))
