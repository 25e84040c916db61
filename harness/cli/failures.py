"""How a command ended: its exit code, and in words why there is no result, or not all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import typer

from harness.cli.screen.answer import Failure
from harness.errors import (
    EXIT_CHECK_FAILED,
    EXIT_INTERRUPTED,
    EXIT_NOT_PLACED,
    EXIT_OK,
    EXIT_TERMINATED,
    EXIT_WRONG_USE,
    GO_ON,
    HarnessFault,
    Interrupted,
    UserError,
)

# Typer has its own copy of click since 0.20, and click's own before that.
CLICK_ERROR: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
USAGE_ERROR: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "UsageError")


_AGAIN = "Nothing was begun that could be gone on with: give the same command again."
NOBODY_THERE = "is the agent there? 'outboundeval doctor' checks this machine"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """Of one command."""

    code: int
    failure: Failure | None = None


class Ended(typer.Exit):
    """Ends a command whose result is printed, and says what is wrong with it."""

    def __init__(self, code: int, failure: Failure) -> None:
        super().__init__(code)
        self.failure = failure

    @classmethod
    def by(cls, error: UserError) -> Ended:
        """By an error that the person has been told of."""
        return cls(error.exit_code, _of_user_error(error))


def interrupted(hint: str = "", *, code: int = EXIT_INTERRUPTED) -> Failure:
    """Cut off by Ctrl-C or SIGTERM."""
    by = "SIGTERM" if code == EXIT_TERMINATED else "Ctrl-C"
    return Failure(kind="interrupted", message=f"interrupted by {by}", hint=hint)


def ending_of(error: BaseException, *, interrupted_code: int = EXIT_INTERRUPTED) -> Ending | None:
    """How the command ended that raised this; None for an error that nobody has foreseen.

    Args:
        interrupted_code: Of Ctrl-C, or of SIGTERM where that came.
    """
    match error:
        case UserError():
            return Ending(code=error.exit_code, failure=_of_user_error(error))
        case HarnessFault():
            return Ending(code=EXIT_CHECK_FAILED, failure=Failure(kind="harness_fault", message=str(error)))
        case KeyboardInterrupt():
            hint = error.hint if isinstance(error, Interrupted) else _AGAIN
            return Ending(code=interrupted_code, failure=interrupted(hint, code=interrupted_code))
        case typer.Exit():
            return _left(error, interrupted_code)
        case typer.Abort():
            return Ending(code=EXIT_CHECK_FAILED, failure=Failure(kind="failed", message="aborted"))
        case SystemExit():
            code = error.code if isinstance(error.code, int) else EXIT_CHECK_FAILED if error.code else EXIT_OK
            return Ending(code=code, failure=by_code(code))
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            # A full disk, a folder that was taken away: where it is foreseen it has a message of its own.
            failure = Failure(kind="not_written", message=f"{where}{error.strerror or error}", hint=GO_ON)
            return Ending(code=EXIT_WRONG_USE, failure=failure)
        case _ if isinstance(error, CLICK_ERROR):
            return _wrong_use(error)
    return None


def by_code(code: int) -> Failure | None:
    """Of a command that ended with nothing but its exit code."""
    match code:
        case 0 | 1:
            return None
        case 3:
            return Failure(kind="not_placed", message="no call came about", hint=NOBODY_THERE)
        case 130 | 143:
            return interrupted(code=code)
    return Failure(kind="setup", message="this machine lacks something; the result says what")


def _of_user_error(error: UserError) -> Failure:
    kind = error.kind
    if kind == UserError.kind and error.exit_code != EXIT_WRONG_USE:
        kind = "not_placed" if error.exit_code == EXIT_NOT_PLACED else "failed"
    return Failure(kind=kind, message=str(error), hint=error.hint)


def _left(error: typer.Exit, interrupted_code: int) -> Ending:
    if isinstance(error, Ended):
        return Ending(code=error.exit_code, failure=error.failure)
    code = interrupted_code if error.exit_code == EXIT_INTERRUPTED else error.exit_code
    return Ending(code=code, failure=by_code(code))


def _wrong_use(error: Any) -> Ending:
    kind = "usage" if isinstance(error, USAGE_ERROR) else "input"
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path} --help says what it takes" if context is not None else ""
    return Ending(code=error.exit_code, failure=Failure(kind=kind, message=error.format_message(), hint=hint))
