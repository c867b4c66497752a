"""The `pincite` command: its verbs, what is common to them, and how errors end them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import INTERRUPTED, output
from pincite.cli.check import check, cite
from pincite.cli.doctor import doctor
from pincite.cli.export import export
from pincite.cli.ingest import ingest
from pincite.cli.inspect import inspect
from pincite.cli.keep import backup, prune, reindex, remove, stats, verify
from pincite.cli.listing import list_documents
from pincite.cli.options import Settings
from pincite.cli.search import search
from pincite.cli.show import show
from pincite.cli.tables import tables
from pincite.cli.text import text
from pincite.errors import PinciteError

ERROR = 2

app = typer.Typer(
    name="pincite",
    help="Search PDFs, and cite the page and the very words.",
    epilog="Start with: pincite ingest FOLDER, then pincite search WORDS, then pincite show CITATION",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("ingest")(ingest)
app.command("search", context_settings={"ignore_unknown_options": True})(search)
app.command("show")(show)
app.command("check")(check)
app.command("cite")(cite)
app.command("export")(export)
app.command("list")(list_documents)
app.add_typer(inspect, name="inspect")
app.command("text")(text)
app.command("tables")(tables)
app.command("remove")(remove)
app.command("prune")(prune)
app.command("verify")(verify)
app.command("stats")(stats)
app.command("backup")(backup)
app.command("reindex")(reindex)
app.command("doctor")(doctor)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        output.write_line(f"pincite {metadata.version('pincite')}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    library: Annotated[
        Path | None,
        typer.Option(
            "--library",
            metavar="PATH",
            envvar="PINCITE_LIBRARY",
            help="The library's file, instead of the one in your data folder.",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    context.obj = Settings(library)


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit code. No error of pincite or the system leaves a traceback.

    With --json an error is an object on standard output, too, as `schemas/error.schema.json` has it.
    """
    output.prepare_streams()
    words = arguments[: arguments.index("--")] if "--" in arguments else arguments
    try:
        try:
            code = _run(arguments)
        except _Failed as failed:
            code = failed.code
            if "--json" in words:
                output.write_error(failed.slug, failed.message, code)
        output.flush()
    except typer.Exit as gone:
        return gone.exit_code
    except OSError as error:
        output.note(_describe(error))
        output.abandon_stdout()
        return ERROR
    return code


class _Failed(Exception):
    """How a command ended, which the person at the terminal has been told."""

    def __init__(self, slug: str, message: str, code: int) -> None:
        super().__init__(message)
        self.slug, self.message, self.code = slug, message, code


def _run(arguments: list[str]) -> int:
    """The command's exit code. Raises `_Failed`, and `OSError` where standard output is what fails."""
    try:
        status = typer.main.get_command(app).main(arguments, prog_name="pincite", standalone_mode=False)
    except PinciteError as error:
        output.note(error.message)
        raise _Failed(error.slug, error.message, error.exit_code) from error
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except SystemExit:  # the framework's answer to a closed pipe
        return output.abandon_stdout()
    except OSError as error:
        if error.filename == output.STANDARD_OUTPUT or (error.filename is None and error.errno is not None):
            raise
        output.note(_describe(error))
        raise _Failed("system", _describe(error), ERROR) from error
    except Exception as error:
        # The framework's own complaints about how the command was written, whichever class its version gives them.
        complain = getattr(error, "show", None)
        if complain is None:
            raise
        complain()
        message = getattr(error, "format_message", error.__str__)()
        raise _Failed("usage", message, getattr(error, "exit_code", ERROR)) from error
    return status if isinstance(status, int) else 0


def _describe(error: OSError) -> str:
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{error.filename}: {reason}"
