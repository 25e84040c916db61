"""``outboundeval``: the table of commands. Each is loaded when it is called, so that help comes at once."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

from harness.errors import EXIT_CHECK_FAILED, EXIT_WRONG_USE, HarnessFault, UserError

COMMANDS: dict[str, tuple[str, str]] = {
    "call": ("harness.cli.commands.call", "One call to an agent, with transcript and latency as it happens."),
    "run": (
        "harness.cli.commands.run",
        "The calls of a plan file, measured and reported. Goes on where it was cut off.",
    ),
    "chat": (
        "harness.cli.commands.chat",
        "The same calls in text: one dialogue, or the benchmark for language models.",
    ),
    "score": (
        "harness.cli.commands.score",
        "Score a run again, a stereo call recording, or a clip of one voice.",
    ),
    "report": ("harness.cli.commands.report", "Write the report page of a run again, or a leaderboard."),
    "calibrate": (
        "harness.cli.commands.calibrate",
        "Measure the harness's own timing error and store the error bar.",
    ),
    "judge": ("harness.cli.commands.judge", "Judges of the words: how often one is right."),
    "annotate": (
        "harness.cli.commands.annotate",
        "People rate dialogues: blind sheets out, agreement with each other and a judge back.",
    ),
    "persona": ("harness.cli.commands.persona", "The simulated person: did it play its part?"),
    "scenarios": (
        "harness.cli.commands.scenarios",
        "The calls that can be placed: list, show, check, import.",
    ),
    "agents": ("harness.cli.commands.agents", "Reference agents to call: list and serve."),
    "models": ("harness.cli.commands.models", "Models for speech and scores: list, check and fetch."),
    "doctor": ("harness.cli.commands.doctor", "What is installed, what is missing, what to do."),
    "demo": (
        "harness.cli.commands.demo",
        "Three real calls to a voice agent on this machine, measured and reported.",
    ),
}
"""Command -> module with its ``app``, and the line that help shows."""


class _LazyGroup(TyperGroup):
    """Commands by name; a command's module is imported when it is called, not when it is listed."""

    _calling = False

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        self._calling = True
        try:
            return super().resolve_command(ctx, args)
        finally:
            self._calling = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, summary = COMMANDS[cmd_name]
        if self._calling:
            return typer.main.get_command(importlib.import_module(module).app)
        listed = typer.Typer()
        listed.command(name=cmd_name, help=summary)(_never_called)
        return typer.main.get_command(listed)


def _never_called() -> None:
    """Stands for a command in the list of commands."""


app = typer.Typer(
    cls=_LazyGroup,
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
