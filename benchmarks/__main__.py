"""`python -m benchmarks extract PATH…`, `ingest PATH…`, `sandbox PATH…`, `order` and others: see `--help` of each."""

from __future__ import annotations

import argparse
import sys

from benchmarks import extract, headings, ingest, memory, order, sandbox, search, tables, visual


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="pincite beside its peers, in one run")
    verbs = parser.add_subparsers(dest="verb", required=True)
    extract.add_arguments(verbs.add_parser("extract", help="text extraction in process, CPU time"))
    headings.add_arguments(verbs.add_parser("headings", help="headings with their levels against publishers' XML"))
    ingest.add_arguments(verbs.add_parser("ingest", help="ingest, all in, beside pdftotext alone"))
    memory.add_arguments(verbs.add_parser("memory", help="the most memory that a file of 5,000 pages takes"))
    order.add_arguments(verbs.add_parser("order", help="reading order of files drawn in another order, beside pdftotext"))
    sandbox.add_arguments(verbs.add_parser("sandbox", help="what a confined document costs, and several at a time"))
    search.add_arguments(verbs.add_parser("search", help="queries of every kind over 200,000 chunks of generated text"))
    tables.add_arguments(verbs.add_parser("tables", help="tables: cell adjacency relations beside camelot and pdfplumber"))
    visual.add_arguments(verbs.add_parser("visual", help="cells of tables in visual text, beside pdftotext -layout"))
    options = parser.parse_args()
    result: int = options.run(options)
    return result


if __name__ == "__main__":
    sys.exit(main())
