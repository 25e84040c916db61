"""What an agent made of each line of a call of the form ``spoken``; part of ``scores.json``."""

from __future__ import annotations

from typing import Literal

from harness.plans.probes.asked import Usable
from harness.records.base import FileModel, Seconds

HearingSource = Literal["", "transcript", "agent_text", "recogniser"]
"""Where its understanding is read from: its own transcript of the caller; or what it said back, as it tells
that itself, or as our own recogniser heard it."""
Did = Literal["answered", "asked_again", "silent"]
"""What it did about a line: said something of content, asked for it again, or said nothing."""


class ProbeHearing(FileModel):
    """One line and what became of it.

    Attributes:
        suite, item, kind, usable, setting, against: As planned.
        snr_db: Of the noise in the setting; None: it is quiet.
        said: The words of the line; empty where it is a sound.
        heard: What ``source`` has of it, or what the agent replied; None where that is not known.
        length: Words of the line (Chinese: characters).
        errors: Edits from these to its own transcript.
        entity: What was to be understood.
        right: It has the entity; None: nobody can tell, or it did not say it.
        near_miss: Not right, but it sounds alike.
        unheard: The line was said, the agent wrote no transcript in the whole call, and none of its messages
            was dropped: where it writes one in other calls of the run, it heard nothing here.
        did: None: nobody can tell.
        reason: Why something is not known.
    """

    suite: str
    item: str
    kind: str
    language: str
    setting: str = ""
    against: str = ""
    snr_db: float | None = None
    said: str = ""
    start_s: Seconds | None = None
    end_s: Seconds | None = None
    heard: str | None = None
    source: HearingSource = ""
    errors: int | None = None
    length: int | None = None
    entity: str = ""
    right: bool | None = None
    near_miss: bool = False
    unheard: bool = False
    usable: Usable = ""
    did: Did | None = None
    reason: str = ""
