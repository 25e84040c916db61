"""What an agent did about each thing that was planted in a call of a probe suite; part of ``scores.json``."""

from __future__ import annotations

from harness.plans.probes.planted import Place
from harness.records.base import FileModel, Seconds


class ProbeReaction(FileModel):
    """One planted sound, or a place of the same kind without one, and what the agent did there.

    Attributes:
        suite, item, kind, control: As planted.
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
