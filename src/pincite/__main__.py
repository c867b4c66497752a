"""`python -m pincite`: the command line."""

from __future__ import annotations

import sys

from pincite.cli import main

if __name__ == "__main__":
    sys.exit(main())
