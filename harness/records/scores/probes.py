"""What an agent did about each thing that was planted in a call of a probe suite; part of ``scores.json``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from harness.plans.probes.planted import Place
from harness.records.base import FileModel, Seconds

What = Literal["sound", "own_voice", "other_voice"]
"""What was planted: a sound that is not meant for the agent, its own voice coming back, somebody else."""
_WHAT_BY_SUITE: dict[str, What] = {"echo": "own_voice", "attention": "other_voice"}
"""In a file that was written without it: the suites that were there then."""


class ProbeReaction(FileModel):
    """One planted sound, or a place of the same kind without one, and what the agent did there.

    Attributes:
        suite, item, kind, control: As planted.
        what: Of which form of suite it is; a suite of the user's own has any name.
        planned: Where it was meant to fall.
        over_agent: The agent was speaking when it began; None: the call did not come to it.
        start_s, end_s: First and last sample of the sound as sent.
        stopped, replied: It fell silent for it, and answered it; None: it could not, or nobody can tell.
        stop_s, reply_s: When.
        reason: Why there is no verdict, or what it rests on.
    """

    suite: str
    item: str
    kind: str
    what: What = "sound"
    control: bool = False
    planned: Place
    over_agent: bool | None = None
    start_s: Seconds | None = None
    end_s: Seconds | None = None
    stopped: bool | None = None
    replied: bool | None = None
    stop_s: Seconds | None = None
    reply_s: Seconds | None = None
    reason: str = ""

    @model_validator(mode="before")
    @classmethod
    def _as_written_now(cls, content: Any) -> Any:
        if isinstance(content, dict) and "what" not in content:
            return content | {"what": _WHAT_BY_SUITE.get(str(content.get("suite")), "sound")}
        return content
