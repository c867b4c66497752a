"""`python -I -m pincite.sandbox`: one child process for one document."""

from __future__ import annotations

import os
import sys

from pincite.sandbox.child import main

if __name__ == "__main__":
    # Nothing is left to flush, and taking a large document apart in memory is time that somebody waits for.
    os._exit(main(sys.argv[1:]))
