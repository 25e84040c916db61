"""How the agent conducted each of the caller's turns: what :mod:`metrics.interaction.conduct` finds."""

from __future__ import annotations

from harness.records.base import FileModel, Seconds
from metrics.interaction.entry import Entry


class TurnConduct(FileModel):
    """A turn that was due an answer.

    Attributes:
        index: Of the utterance.
        start_s, end_s: Of the turn.
        entry: How the agent came in while the caller had the floor.
        entry_at_s: Its onset; None where it did not.
        entry_reason: What that rests on.
        double_talk_s: Seconds in which both spoke then.
        pauses: How many pauses (0.2 s or more) the turn has; None: the caller's words are not known, and so
            not whether it had finished.
        told: The agent's own messages say that it took the turn for ended before its end; None: it tells
            none.
        replied: An answer followed, in full or in part.
        answered: The agent is known to have answered or not to have (False); None: it talked over the turn.
        cut: How its reply broke off without any doing of the caller's; empty: it did not.
        empty: The reply is under a second of speech that says nothing.
        reply_at_s, reply_end_s: First and last of the reply.
        silence_s, silence_at_s: The longest silence before and within the reply; None: lost audio may hide
            speech, or there was no reply.
        repeats: The reply says what an earlier one did; None: its words are not known, or are too few.
        repeats_reason: What it says again, or why that is not counted.
    """

    index: int
    start_s: Seconds
    end_s: Seconds
    entry: Entry = Entry.NONE
    entry_at_s: Seconds | None = None
    entry_reason: str = ""
    double_talk_s: Seconds = 0.0
    pauses: int | None = None
    told: bool | None = None
    replied: bool = False
    answered: bool | None = None
    cut: str = ""
    empty: bool = False
    reply_at_s: Seconds | None = None
    reply_end_s: Seconds | None = None
    silence_s: float | None = None
    silence_at_s: Seconds | None = None
    repeats: bool | None = None
    repeats_reason: str = ""
