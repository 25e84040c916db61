"""Errors for the person at the terminal, and the exit codes of every command.

::

    UserError            kind "input": what was given cannot be used
     ├─ FolderBusy            "busy": another process is at work in that folder
     └─ NotWritten            "not_written": a disk that is full, a folder that may not be written
    HarnessFault              "harness_fault": our own side failed
    Interrupted               "interrupted": Ctrl-C or SIGTERM
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal, Self

EXIT_OK = 0
EXIT_CHECK_FAILED = 1
EXIT_WRONG_USE = 2
EXIT_NOT_PLACED = 3
EXIT_INTERRUPTED = 130
"""Cut off by Ctrl-C."""
EXIT_TERMINATED = 143
"""Cut off by SIGTERM."""

EXIT_CODES = (
    "Exit codes: 0 fine, 1 a check or some calls failed, 2 wrong use or set-up, 3 no call could be placed, "
    "130 cut off by Ctrl-C, 143 by SIGTERM (what was finished is kept)."
)
"""For help."""

GO_ON = "make room or mend it, then give the same command again: what was finished is kept"


class UserError(Exception):
    """Something that the person at the terminal can mend.

    The message says what is wrong, where, and what to do. The command line prints it without a traceback
    and exits with ``exit_code``; with ``--json`` it is ``error.message``, and ``kind`` and ``hint`` stand
    beside it.

    Args:
        hint: What to do, where it is a sentence of its own; the terminal shows it after the message.
    """

    kind: ClassVar[str] = "input"

    def __init__(self, message: str, *, exit_code: int = EXIT_WRONG_USE, hint: str = "") -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.hint = hint


class FolderBusy(UserError):
    """Another process is at work in the folder of a run."""

    kind = "busy"


class NotWritten(UserError):
    """A file could not be written: the disk is full, or may not be written."""

    kind = "not_written"

    @classmethod
    def of(cls, path: Path, error: OSError, *, hint: str = GO_ON) -> Self:
        """From what the system says."""
        return cls(f"{path}: cannot be written: {error.strerror or error}", hint=hint)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C or SIGTERM, with what the person is to know.

    Args:
        hint: How to go on.
    """

    def __init__(self, hint: str) -> None:
        super().__init__()
        self.hint = hint


class BudgetSpent(Exception):
    """A cap that the person set on a run's language models is reached: the run stops, nothing has failed."""


class SetupFailed(Exception):
    """No media session came about with the agent. Ends the call as ``setup_failed``; the run goes on."""


WhyNotAnswered = Literal["busy", "declined", "no answer", "redirected", "unknown number", "cancelled"]


class NotAnswered(SetupFailed):
    """The call was placed, and nobody took it. Ends the call as ``not_answered``; the run goes on.

    Args:
        code: What the network said; None where we stopped waiting.
        planned: It was we who were called, and did not take it because the plan says so.
    """

    def __init__(
        self, message: str, *, reason: WhyNotAnswered, code: int | None = None, planned: bool = False
    ) -> None:
        super().__init__(message)
        self.reason: WhyNotAnswered = reason
        self.code = code
        self.planned = planned


class RangOff(SetupFailed):
    """The agent called us, and hung up before anybody picked up. Ends the call as ``rang_off``."""


class HarnessFault(Exception):
    """Our own side failed during a call. Ends the call as ``harness_fault``; the run goes on."""
