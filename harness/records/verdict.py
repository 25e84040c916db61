"""``RUN/verdict.json``: what the run was held to, what came of each, and so whether it passes.

One list decides: the exit code of ``run``, the page, ``junit.xml`` and the Markdown all tell this one.

``RUN/calls/ID/after_call.json``
    :class:`AfterCall`: what the user's backend answered when the call was over.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from harness.errors import EXIT_CHECK_FAILED, EXIT_NOT_PLACED, EXIT_OK
from harness.records.base import FileModel

VERDICT_FILE = "verdict.json"
AFTER_CALL_FILE = "after_call.json"
MAX_CALLS_NAMED = 1000

Result = Literal["passed", "failed", "inconclusive", "undecided"]
"""``inconclusive``: nobody can tell; ``undecided``: there is nothing to compare with; it decides nothing."""

Word = Literal["passed", "failed", "inconclusive", "not_placed"]


class CheckResult(FileModel):
    """One entry of the list.

    Attributes:
        name: As the plan has it.
        of: A gate of the run, or an expectation of a call.
        ours: Shipped, because the plan has no gates of its own.
        call_id, line: Of an expectation; the line counts from 0.
        warns: Where it is inconclusive, the run is not red for it.
        told: What was found, in a sentence.
        calls: Those that failed it, or whose figure is beyond the limit: what a rerun places again.
        calls_needed: Where too few were placed to tell, about how many would do.
        first_attempts: With a rerun: what the first attempts alone came to.
    """

    name: str
    of: Literal["gate", "expect"]
    ours: bool = False
    call_id: str = ""
    line: int | None = None
    result: Result
    warns: bool = False
    told: str
    calls: tuple[str, ...] = Field(default=(), max_length=MAX_CALLS_NAMED)
    calls_needed: int | None = None
    first_attempts: str = ""

    @property
    def red(self) -> bool:
        """Whether the run does not pass for it."""
        return self.result == "failed" or (self.result == "inconclusive" and not self.warns)


class Verdict(FileModel):
    """See the module's docstring.

    Attributes:
        baseline: What relative gates were compared with; empty: nothing was.
        makes_baseline: Why there was nothing to compare with.
        rerun: How many calls were placed once more before an alarm, and how many of them failed again.
        notes: What the list does not say: that no limit on latency was set.
    """

    version: Literal[1] = 1
    word: Word
    checks: tuple[CheckResult, ...] = ()
    baseline: str = ""
    makes_baseline: str = ""
    rerun: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed or inconclusive, 3 where no call came about."""
        if self.word == "not_placed":
            return EXIT_NOT_PLACED
        return EXIT_OK if self.word == "passed" else EXIT_CHECK_FAILED

    def of(self, result: Result) -> tuple[CheckResult, ...]:
        return tuple(one for one in self.checks if one.result == result)


class HttpAnswer(FileModel):
    """What a backend answered to one question; ``error`` where nothing came.

    Attributes:
        body: Its beginning.
        contains: The words that were asked for, where they stand in it, beyond its beginning too.
        found: What stood at the paths that were asked for; a path that leads nowhere is not in it.
    """

    url: str
    method: str
    status: int | None = None
    body: str = Field(default="", max_length=2000)
    contains: str = Field(default="", max_length=500)
    found: dict[str, str | int | float | bool | None] = Field(default_factory=dict, max_length=20)
    error: str = ""

    def has(self, words: str) -> bool:
        """Whether words stand in it; of words that were not asked for, in its beginning."""
        return words in self.body or words == self.contains


class AfterCall(FileModel):
    """``after_call.json``: answers in the order of the call's ``http`` expectations."""

    answers: tuple[HttpAnswer, ...] = Field(default=(), max_length=100)
