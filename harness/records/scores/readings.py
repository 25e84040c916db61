"""What became of each sentence that the agent was to read aloud (part of ``scores.json``)."""

from __future__ import annotations

from typing import Literal

from harness.records.base import FileModel, Seconds
from harness.records.scores.deliveries import ReadingDelivery
from harness.records.scores.hearings import HearingSource


class ProbeReading(FileModel):
    """One sentence.

    Attributes:
        suite, item, kind, text, key, control, key_language: As planned.
        is_symbol: How its key is read is what it is about.
        start_s, end_s: The agent's speech after it was asked, from its first to its last sample; None: none.
        said: It said this sentence; None: nobody can tell.
        heard: What it said, by ``source``.
        share: Of the sentence's words beside the key, those that are in it; None where nothing is known.
        verdict: How its symbol was read; empty where that is not asked, or not known.
        spoken_as: The spoken form that fits best to the sound.
        margin: By how much the best of those that may be said fits better than the best of all others, in
            natural logarithms.
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
    is_symbol: bool = False
    start_s: Seconds | None = None
    end_s: Seconds | None = None
    said: bool | None = None
    heard: str | None = None
    source: HearingSource = ""
    share: float | None = None
    verdict: Literal["", "right", "wrong", "indeterminate"] = ""
    spoken_as: str = ""
    margin: float | None = None
    reason: str = ""
    delivery: ReadingDelivery | None = None
