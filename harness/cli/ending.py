"""How a command ends that held conversations: by its exit code, and what is wrong with its result."""

from __future__ import annotations

import typer

from harness.cli.failures import NOBODY_THERE, Ended
from harness.cli.screen.answer import Failure
from harness.errors import EXIT_INTERRUPTED, EXIT_NOT_PLACED
from harness.records.verdict import Verdict
from harness.runs.batch import Outcome


def end(outcome: Outcome, verdict: Verdict | None = None) -> None:
    """Ends a command that held conversations; its result, if any, is printed by now.

    Args:
        verdict: On a run that was scored: its list decides. None: how the conversations ended decides.

    Raises:
        Interrupted: They were cut off by a person.
        typer.Exit: With the exit code of the outcome.
    """
    end_where_cut_off(outcome)
    code = outcome.exit_code
    if code == EXIT_NOT_PLACED:
        why = next(iter(outcome.failures.values()), "")
        raise Ended(code, Failure(kind="not_placed", message=f"no call came about: {why}", hint=NOBODY_THERE))
    raise typer.Exit(code if verdict is None else verdict.exit_code)


def end_where_cut_off(outcome: Outcome) -> None:
    """Ends a command whose conversations were cut off: by a person, or by a cap that a person set.

    Raises:
        KeyboardInterrupt: By a person; who began says how to go on.
        typer.Exit: By a cap.
    """
    if outcome.by_person:
        raise KeyboardInterrupt
    if outcome.interrupted:
        raise Ended(outcome.exit_code, Failure(kind="interrupted", message=outcome.interrupted))


def capped(why: str, *, hint: str) -> Ended:
    """How a command ends whose language model has reached the cap on cost that a person set.

    Args:
        why: The person has read it by now.
        hint: How to go on.
    """
    return Ended(EXIT_INTERRUPTED, Failure(kind="interrupted", message=why, hint=hint))
