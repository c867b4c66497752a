"""`python -m benchmarks extract PATH…`: see README.md in this folder."""

from __future__ import annotations

import argparse
import sys

from benchmarks import extract


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="pincite beside its peers, in one run")
    verbs = parser.add_subparsers(dest="verb", required=True)
    extract.add_arguments(verbs.add_parser("extract", help="text extraction in process, CPU time"))
    options = parser.parse_args()
    result: int = options.run(options)
    return result


if __name__ == "__main__":
    sys.exit(main())
