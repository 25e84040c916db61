"""Dialogues in which somebody else was heard besides the caller, and whom the agent attended to."""

from __future__ import annotations

from harness.plans.probes.attended import Beside, Heard
from harness.records.base import FileModel, Seconds
from harness.records.scores.hearings import HearingSource


class ProbeAttention(FileModel):
    """One dialogue and what became of it.

    Attributes:
        suite, item, request, place, heard, snr_db: As planned.
        kind, entity: What had to be taken up.
        start_s, end_s: Of the request.
        taken_up: The caller's request was; None: nobody can tell.
        source: What that rests on.
        text: What that has.
        took_words: Words of the other that the agent has in its transcript or its reply.
        stopped, replied: In its speech it stopped for the other, and answered it.
        success: None: it is not counted, and ``reason`` says why.
    """

    suite: str
    item: str
    request: str
    place: Beside
    heard: Heard = ""
    snr_db: float | None = None
    kind: str = ""
    entity: str = ""
    language: str = "en"
    start_s: Seconds | None = None
    end_s: Seconds | None = None
    taken_up: bool | None = None
    source: HearingSource = ""
    text: str | None = None
    took_words: tuple[str, ...] = ()
    stopped: bool | None = None
    replied: bool | None = None
    success: bool | None = None
    reason: str = ""
