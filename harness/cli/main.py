"""``outboundeval``: its commands, and what a person or a script reads when one ends badly."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.markup import escape

from harness.cli.failures import CLICK_ERROR, Ending, ending_of, interrupted
from harness.cli.lazily import LazyGroup
from harness.cli.screen.answer import Answer, Failure, answering
from harness.cli.screen.console import Screen
from harness.cli.screen.guarded_output import guard_output
from harness.cli.stopping import Stopping
from harness.cli.table import COMMANDS
from harness.errors import EXIT_CHECK_FAILED, EXIT_CODES, EXIT_OK, EXIT_WRONG_USE

_ENDED_AT_ONCE = (
    "ended at once, by a second Ctrl-C or SIGTERM: calls under way are lost, finished ones are kept"
)


class _Commands(LazyGroup):
    table = COMMANDS


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Phones a voice agent like a person would, and says with error bars how good it is.",
    epilog="Example: outboundeval call --agent http://127.0.0.1:7860 --say 'Hello, who is this?'\n\n"
    + EXIT_CODES,
)


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"outboundeval {version('outboundeval')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Options that stand before any command."""


def main() -> None:
    """The entry point: a person's mistake ends in one message and an exit code, never in a traceback.

    With ``--json`` stdout is one document, whatever happens (:mod:`harness.cli.screen.answer`).
    """
    guard_output()
    arguments = sys.argv[1:]
    try:
        code = _answered(arguments) if _asks_for_json(arguments) else _told(arguments)
    except BrokenPipeError:
        # The reader of our output has gone (head, less): nothing to say, and nobody to say it to.
        code = EXIT_OK
    try:
        sys.stdout.flush()
    except OSError:
        # What is left cannot be printed, and has been told of; Python would try again, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def run_command(arguments: Sequence[str]) -> None:
    """Parses the words and does the work; raises whatever went wrong, and ``typer.Exit`` for an exit code."""
    command = typer.main.get_command(app)
    with command.make_context("outboundeval", list(arguments)) as context:
        command.invoke(context)


def _told(arguments: Sequence[str]) -> int:
    """For a person at the terminal."""

    def at_once(_code: int) -> None:
        os.write(2, f"\n{_ENDED_AT_ONCE}\n".encode())

    with Stopping(at_once) as stopping:
        try:
            run_command(arguments)
            sys.stdout.flush()
            return EXIT_OK
        except BrokenPipeError:
            raise
        except BaseException as error:
            ending = ending_of(error, interrupted_code=stopping.exit_code)
            if ending is None:
                raise
            _tell(error, ending)
            return ending.code


def _answered(arguments: Sequence[str]) -> int:
    """For a program: one document on stdout, and what a person would read on stderr."""
    answer: Answer | None = None

    def at_once(code: int) -> None:
        if answer is not None:
            answer.print_at_once(interrupted(_ENDED_AT_ONCE, code=code))

    with Stopping(at_once) as stopping:
        with answering() as answer:
            ending = _answered_by_command(arguments, answer, stopping)
        try:
            answer.print(ending.failure)
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"error: stdout: cannot be written: {error.strerror or error}", file=sys.stderr)
            return ending.code or EXIT_WRONG_USE
    return ending.code


def _answered_by_command(arguments: Sequence[str], answer: Answer, stopping: Stopping) -> Ending:
    try:
        run_command(arguments)
        ending = Ending(code=EXIT_OK)
    except BaseException as error:
        known = ending_of(error, interrupted_code=stopping.exit_code)
        if known is not None:
            _tell(error, known)
            ending = known
        else:
            traceback.print_exc()
            message = f"our own error: {type(error).__name__}: {error}"
            failure = Failure(kind="internal", message=message, hint="its traceback is on stderr")
            ending = Ending(code=EXIT_CHECK_FAILED, failure=failure)
    if not answer.has_result and ending.failure is None:
        if ending.code == EXIT_OK:
            failure = Failure(kind="internal", message="our own error: the command printed no result")
            return Ending(code=EXIT_CHECK_FAILED, failure=failure)
        return Ending(code=ending.code, failure=Failure(kind="failed", message="a check failed"))
    return ending


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether a program reads what is printed: known before the options are parsed, as that may fail too."""
    ours = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in ours and "--help" not in ours


def _tell(error: BaseException, ending: Ending) -> None:
    """What a person reads; a command that ended by its exit code alone has told everything itself."""
    failure = ending.failure
    if isinstance(error, CLICK_ERROR):
        from typer.rich_utils import rich_format_error

        rich_format_error(error)
        return
    if failure is None or isinstance(error, typer.Exit | SystemExit):
        return
    if failure.kind == "interrupted":
        Screen(soft_wrap=True).print(f"Interrupted. {failure.hint}".strip(), markup=False, highlight=False)
        return
    whose = "our own fault" if failure.kind == "harness_fault" else "error"
    told = f"{failure.message}; {failure.hint}" if failure.hint else failure.message
    Screen(stderr=True, soft_wrap=True).print(f"[red]{whose}:[/] {escape(told)}", highlight=False)


if __name__ == "__main__":
    main()
