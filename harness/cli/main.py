"""``outboundeval``: its commands, and what a person reads when one ends badly."""

from __future__ import annotations

import os
import sys

import typer
from rich.console import Console
from rich.markup import escape

from harness.cli.lazily import LazyGroup
from harness.cli.table import COMMANDS
from harness.errors import EXIT_CHECK_FAILED, EXIT_WRONG_USE, HarnessFault, UserError


class _Commands(LazyGroup):
    table = COMMANDS


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Phones a voice agent like a person would, and says with error bars how good it is.",
    epilog="Example: outboundeval call --agent http://127.0.0.1:7860 --say 'Hello, who is this?'",
)


@app.callback()
def _root() -> None:
    """Options common to all commands: none yet."""


def main() -> None:
    """The entry point: a person's mistake ends in one message and an exit code, never in a traceback."""
    try:
        app()
    except UserError as error:
        Console(stderr=True, soft_wrap=True).print(f"[red]error:[/] {escape(str(error))}", highlight=False)
        sys.exit(error.exit_code)
    except HarnessFault as fault:
        Console(stderr=True, soft_wrap=True).print(
            f"[red]our own fault:[/] {escape(str(fault))}", highlight=False
        )
        sys.exit(EXIT_CHECK_FAILED)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (head, less): nothing to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # A full disk, a folder that was taken away: where it is foreseen it has a message of its own.
        where = f"{error.filename}: " if error.filename else ""
        Console(stderr=True, soft_wrap=True).print(
            f"[red]error:[/] {escape(f'{where}{error.strerror or error}')}; what was finished is kept: mend "
            "it, then give the same command again",
            highlight=False,
        )
        sys.exit(EXIT_WRONG_USE)


if __name__ == "__main__":
    main()
