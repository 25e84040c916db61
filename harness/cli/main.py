"""``outboundeval``: the table of commands. Each is loaded when it is called, so that help comes at once."""

from __future__ import annotations

import os
import sys

import typer
from rich.console import Console
from rich.markup import escape

from harness.cli.lazily import Command, LazyGroup
from harness.errors import EXIT_CHECK_FAILED, EXIT_WRONG_USE, HarnessFault, UserError

COMMANDS = {
    "call": Command(
        summary="One call to an agent, with transcript and latency as it happens.",
        takes="harness.cli.options.call:CallOptions",
        does="harness.cli.commands.call:call",
    ),
    "run": Command(
        summary="The calls of a plan file, measured and reported. Goes on where it was cut off.",
        takes="harness.cli.options.run:RunOptions",
        does="harness.cli.commands.run:run",
    ),
    "chat": Command(
        summary="The same calls in text: one dialogue, or the benchmark for language models.",
        takes="harness.cli.options.chat:ChatOptions",
        does="harness.cli.commands.chat:chat",
    ),
    "score": Command(
        summary="Score a run again, a stereo call recording, or a clip of one voice.",
        takes="harness.cli.options.score:ScoreOptions",
        does="harness.cli.commands.score:score",
    ),
    "report": Command(
        summary="Write the report page of a run again, or a leaderboard.",
        takes="harness.cli.options.report:ReportOptions",
        does="harness.cli.commands.report:report",
    ),
    "calibrate": Command(
        summary="Measure the harness's own timing error and store the error bar.",
        does="harness.cli.commands.calibrate:app",
    ),
    "judge": Command(
        summary="Judges of the words: how often one is right.",
        does="harness.cli.commands.judge:app",
    ),
    "annotate": Command(
        summary="People rate dialogues: blind sheets out, agreement with each other and a judge back.",
        does="harness.cli.commands.annotate:app",
    ),
    "persona": Command(
        summary="The simulated person: did it play its part?",
        does="harness.cli.commands.persona:app",
    ),
    "scenarios": Command(
        summary="The calls that can be placed: list, show, check, import.",
        does="harness.cli.commands.scenarios:app",
    ),
    "agents": Command(
        summary="Reference agents to call: list and serve.",
        does="harness.cli.commands.agents:app",
    ),
    "models": Command(
        summary="Models for speech and scores: list, check and fetch.",
        does="harness.cli.commands.models:app",
    ),
    "doctor": Command(
        summary="What is installed, what is missing, what to do.",
        does="harness.cli.commands.doctor:app",
    ),
    "demo": Command(
        summary="Three real calls to a voice agent on this machine, measured and reported.",
        does="harness.cli.commands.demo:app",
    ),
}
"""Every command, in the order in which help lists them."""


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
