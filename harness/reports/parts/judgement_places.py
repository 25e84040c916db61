"""From a turn that a verdict names to the place where it was said: in the sound of a call, or on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.records.scores import DialogueScores
from harness.reports.parts.formats import clock
from spoken_language.dialogue import DialogueTurn


@dataclass(frozen=True, kw_only=True)
class Place:
    """A turn of the dialogue, and how to get there: by playing the call from it, or by a link; or not."""

    turn: int
    label: str
    play_s: float | None = None
    href: str = ""


Places = Callable[[int], Place]
"""Of a turn, by its position in the dialogue."""


def call_places(
    starts_s: Sequence[float], turns: Sequence[DialogueTurn], scores: DialogueScores
) -> Places | None:
    """Turns of a call, to be played from where they begin.

    None where the turns that were judged are not, word for word, those that are known to have a beginning: a
    wrong place would be worse than none.

    Args:
        starts_s: Of each turn.
        turns: As they are known now; another transcript may have come since the judging.
    """
    if tuple(turns) != scores.turns or len(starts_s) != len(turns):
        return None

    def place(turn: int) -> Place:
        if turn >= len(starts_s):
            return Place(turn=turn, label=f"turn {turn}")
        play_s = round(max(0.0, starts_s[turn]), 3)
        return Place(turn=turn, label=f"turn {turn}, {clock(play_s)}", play_s=play_s)

    return place


def page_place(turn: int) -> Place:
    """A turn whose text stands on the same page."""
    return Place(turn=turn, label=f"turn {turn}", href=f"#turn-{turn}")
