"""The `pincite` command: its verbs, what is common to them, and how errors end them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import output
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

INTERRUPTED = 130

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
app.command("search", context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})(search)
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
    """Run one command; returns the exit code. No error of pincite or the system leaves a traceback."""
    output.prepare_streams()
    command = typer.main.get_command(app)
    try:
        status = command.main(arguments, prog_name="pincite", standalone_mode=False)
        code = status if isinstance(status, int) else 0
    except PinciteError as error:
        output.note(error.message)
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as error:  # the framework's answer to a closed pipe
        code = error.code if isinstance(error.code, int) else 1
    except OSError as error:
        output.note(_describe(error))
        code = 2
    except Exception as error:
        # The framework's own complaints about how the command was written, whichever class its version gives them.
        complain = getattr(error, "show", None)
        if complain is None:
            raise
        complain()
        code = getattr(error, "exit_code", 2)
    return _flushed(code)


def _describe(error: OSError) -> str:
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{error.filename}: {reason}"


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return output.abandon_stdout()
    except OSError as error:
        output.note(f"standard output: {_describe(error)}")
        output.abandon_stdout()
        return 2
    return code
