"""Errors for the person at the terminal, and the exit codes of every command."""

from __future__ import annotations

EXIT_OK = 0
EXIT_CHECK_FAILED = 1
EXIT_WRONG_USE = 2
EXIT_NOT_PLACED = 3
EXIT_INTERRUPTED = 130


class UserError(Exception):
    """Something that the person at the terminal can mend.

    The message says what is wrong, where, and what to do. The command line prints it without a traceback
    and exits with ``exit_code``.
    """

    def __init__(self, message: str, *, exit_code: int = EXIT_WRONG_USE) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class BudgetSpent(Exception):
    """A cap that the person set on a run's language models is reached: the run stops, nothing has failed."""


class SetupFailed(Exception):
    """No media session came about with the agent. Ends the call as ``setup_failed``; the run goes on."""


class HarnessFault(Exception):
    """Our own side failed during a call. Ends the call as ``harness_fault``; the run goes on."""
