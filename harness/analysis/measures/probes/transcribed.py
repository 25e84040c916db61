"""Sentences as the agent's transcript has them, over a whole run.

In a call of which the agent wrote nothing at all nobody can tell whether it hears nothing or tells nothing.
Where it told a transcript in other calls of the run, it heard nothing there, and every word is missing, and
every entity wrong that it did not say back right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.analysis.measures.understanding.pairs import TRANSCRIPT_VERSION
from harness.records.scores import ProbeHearing

VERSION = f"{TRANSCRIPT_VERSION}.2"
"""Without the last number a line counted as missed where the call ended before it could be written; with 1
one that messages which were dropped may have told of did."""


def transcribed(hearings: Sequence[ProbeHearing]) -> list[ProbeHearing]:
    """The sentences whose errors are known, with those of calls in which the agent wrote nothing."""
    return [one for one in as_in_the_run(hearings) if one.errors is not None and one.length]


def as_in_the_run(hearings: Sequence[ProbeHearing], *, tells: bool | None = None) -> list[ProbeHearing]:
    """Each hearing in its order; where the agent wrote nothing in the call, with every word missing and its
    entity wrong.

    Args:
        tells: Whether the agent writes transcripts in the run; None: these are all the run has, and tell it.
    """
    writes = tells_transcripts(hearings) if tells is None else tells
    return [_unheard(one) if writes and _said_and_not_told(one) else one for one in hearings]


def tells_transcripts(hearings: Iterable[ProbeHearing]) -> bool:
    """Whether the agent wrote what it heard at one of these at least."""
    return any(one.source == "transcript" for one in hearings)


def _said_and_not_told(one: ProbeHearing) -> bool:
    if one.entity:
        return one.unheard and not one.right
    return one.errors is None and one.length is not None and not one.source


def _unheard(one: ProbeHearing) -> ProbeHearing:
    why = "the agent wrote nothing in this call, and does in others"
    if one.entity:
        wrong = {"right": False, "near_miss": False, "heard": "", "source": "transcript", "reason": why}
        return one.model_copy(update=wrong)
    return one.model_copy(update={"errors": one.length, "heard": "", "source": "transcript", "reason": why})
