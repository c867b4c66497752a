"""`pincite doctor`: is everything here that pincite needs, and does it work?"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import metadata, util
from pathlib import Path
from typing import Any, NamedTuple

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library
from pincite.errors import LibraryError, PinciteError

FAILED = 1
LITTLE_SPACE = 200 << 20
NEEDED = ("pikepdf", "pypdfium2", "apsw", "msgspec", "rapidfuzz", "typer", "rich", "platformdirs")

# One page that says "sound", without compression.
SAMPLE = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 38>>stream
BT /F 12 Tf 20 100 Td  (sound)  Tj  ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
"""


class Finding(NamedTuple):
    """One thing that was looked at. `state` is ok, warning or failed; a failed one keeps pincite from working."""

    name: str
    state: str
    message: str


def doctor(context: typer.Context, json: JsonOption = False, library: LibraryOption = None) -> None:
    """Check that pincite works here: its parts, the confined reader, the library.

    The exit code is 1 where something keeps it from working.

    \b
    Example:
      pincite doctor
    """
    opened = open_library(context, library)
    looks: list[tuple[str, Callable[[], Finding]]] = [
        ("python", _python),
        ("packages", _packages),
        ("kernel", _kernel),
        ("reader", _reader),
        ("library", lambda: _library(opened)),
        ("disk", lambda: _disk(opened.path)),
        ("terminal", _terminal),
    ]
    findings = [_looked(name, look) for name, look in looks]
    if json:
        output.write_json({"findings": [finding._asdict() for finding in findings]})
    else:
        output.write("".join(f"{state:<8} {name:<9} {output.printable(message)}\n" for name, state, message in findings))
    if any(finding.state == "failed" for finding in findings):
        raise typer.Exit(FAILED)


def _looked(name: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except PinciteError as error:
        return Finding(name, "failed", error.message)
    except Exception as error:
        return Finding(name, "failed", f"{type(error).__name__}: {error}")


def _python() -> Finding:
    return Finding("python", "ok", f"Python {platform.python_version()} on {platform.platform()}, {sys.executable}")


def _packages() -> Finding:
    versions, missing = [], []
    for package in NEEDED:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            missing.append(package)
    if missing:
        return Finding("packages", "failed", f"not installed: {', '.join(missing)}; install pincite once more with pip")
    return Finding("packages", "ok", f"pincite {metadata.version('pincite')}, {', '.join(versions)}")


def _kernel() -> Finding:
    found = util.find_spec("pincite._kernel.content")
    if found is not None and (found.origin or "").endswith(".py"):
        return Finding("kernel", "warning", "not compiled, so reading is slower: install pincite with a C compiler at hand")
    return Finding("kernel", "ok", "compiled")


def _reader() -> Finding:
    from pincite.sandbox.confine import STEPS
    from pincite.sandbox.runner import Runner

    result = Runner.from_limits().run(SAMPLE)
    (page,) = result.pages
    text = getattr(page, "text", getattr(page, "error", ""))
    if text.strip() != "sound":
        return Finding("reader", "failed", f"a page that says 'sound' was read as {text!r}: please report it")
    # A change of user is for root alone.
    lacking = [step for step in STEPS if step not in result.confinement and (step != "other_user" or os.geteuid() == 0)]
    message = f"reads, confined by {', '.join(result.confinement) or 'nothing'}"
    if lacking:
        return Finding("reader", "warning", f"{message}; not to be had here: {', '.join(lacking)}, see docs/security.md")
    return Finding("reader", "ok", message)


def _library(library: Any) -> Finding:
    with library:
        try:
            figures = library.stats()
        except LibraryError as error:
            if error.slug == "unavailable" and not library.path.exists():
                return Finding("library", "ok", f"{library.path}: none yet; pincite ingest makes it")
            raise
    size = f"{figures['documents']:,} documents, {figures['chunks']:,} chunks, {figures['bytes'] / 1e6:,.1f} MB"
    if not (os.access(library.path, os.W_OK) and os.access(library.path.parent, os.W_OK)):
        message = f"{library.path}: {size}; it or its folder may not be written, so it can be searched and not changed"
        return Finding("library", "warning", message)
    return Finding("library", "ok", f"{library.path}: {size}, schema {figures['schema']}")


def _disk(path: Path) -> Finding:
    folder = next(parent for parent in _folders(path) if parent.is_dir())
    free = shutil.disk_usage(folder).free
    state = "warning" if free < LITTLE_SPACE else "ok"
    return Finding("disk", state, f"{free / 1e9:,.1f} GB free in {folder}")


def _folders(path: Path) -> Iterator[Path]:
    yield from path.absolute().parents


def _terminal() -> Finding:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        return Finding("terminal", "warning", f"its encoding is {sys.stdout.encoding}: other letters are shown as escapes")
    return Finding("terminal", "ok", "UTF-8")
