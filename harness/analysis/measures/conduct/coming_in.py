"""How often the agent comes in while the caller has the floor, each way a figure of its own."""

from __future__ import annotations

from harness.analysis.measures.conduct.conducted import ConductShare, Place, share
from harness.records.scores import TurnConduct
from metrics.interaction.entry import Entry

_NONE_TOLD = "no turn of the caller that was due an answer began while the agent was silent"


def _did(one: TurnConduct, entry: Entry) -> bool | None:
    return None if one.entry is Entry.NOT_COUNTED else one.entry is entry


def _why_not(one: TurnConduct) -> str:
    return one.entry_reason if one.entry is Entry.NOT_COUNTED else ""


def _split(one: TurnConduct) -> bool | None:
    return _did(one, Entry.SPLIT) if one.pauses else None


def _place(one: TurnConduct) -> Place:
    witness = "; its own messages say that it took the turn for ended" if one.told else ""
    start_s = one.start_s if one.entry_at_s is None else one.entry_at_s
    return start_s, one.end_s, f"{one.entry_reason}{witness}"


SPLIT_TURNS = ConductShare(
    share(
        "split_turn_rate",
        "Split turns",
        "Turns in whose pause (0.2 s or more) the agent began to speak although the caller had more to say, "
        "over all turns with a pause. A pause after a question is not counted.",
        "no turn of the caller is known to have a pause in it",
    ),
    did=_split,
    place=_place,
    why_not=lambda one: _why_not(one) if one.pauses else "",
)
FALSE_STARTS = ConductShare(
    share(
        "false_start_rate",
        "False starts",
        "Turns in which the agent began while the caller spoke and broke off before the caller had finished, "
        "over all turns that began while it was silent. Short speech that ends by itself is none.",
        _NONE_TOLD,
    ),
    did=lambda one: _did(one, Entry.FALSE_START),
    place=_place,
    why_not=_why_not,
)
OVERLAPS = ConductShare(
    share(
        "agent_overlap_rate",
        "Agent begins inside the caller's turn",
        "Turns in which the agent began while the caller spoke, and went on for a second or beyond the "
        "caller's end, over all that began while it was silent. Split turns and false starts are none.",
        _NONE_TOLD,
    ),
    did=lambda one: _did(one, Entry.OVERLAP),
    place=_place,
    why_not=_why_not,
)
