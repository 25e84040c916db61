"""What became of each sentence that the agent was to read aloud (part of ``scores.json``)."""

from __future__ import annotations

from harness.records.base import FileModel, Seconds
from harness.records.scores.deliveries import ReadingDelivery
from harness.records.scores.hearings import HearingSource


class ProbeReading(FileModel):
    """One sentence.

    Attributes:
        suite, item, kind, text, key, control, key_language: As planned.
        start_s, end_s: The agent's speech after it was asked, from its first to its last sample; None: none.
        said: It said this sentence; None: nobody can tell.
        heard: What it said, by ``source``.
        share: Of the sentence's words beside the key, those that are in it; None where nothing is known.
        reason: Why it is not known, or not to be judged.
        delivery: How it was said against its control; None without one, or where nobody measured sound.
    """

    suite: str
    item: str
    kind: str
    language: str
    text: str
    key: str = ""
    control: str = ""
    key_language: str = ""
    start_s: Seconds | None = None
    end_s: Seconds | None = None
    said: bool | None = None
    heard: str | None = None
    source: HearingSource = ""
    share: float | None = None
    reason: str = ""
    delivery: ReadingDelivery | None = None
