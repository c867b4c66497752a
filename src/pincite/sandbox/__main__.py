"""`python -I -m pincite.sandbox`: one child process for one document."""

from __future__ import annotations

import sys

from pincite.sandbox.child import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
