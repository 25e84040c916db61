"""What of scored calls is one independent observation of a figure, and the calls without it.

Of what is asked item by item that is an item (a sentence in all its noises, a request with all that is heard
beside it); of turns, interruptions and planted sounds each of them; of words and of how a voice sounds, the
call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, ScoredCall
from harness.records.scores import CallScores

Key = tuple[str, ...]
_CONDUCT = "harness.analysis.measures.conduct"


@dataclass(frozen=True, kw_only=True)
class Part:
    """A list in a call's scores whose entries can be taken out one by one.

    Attributes:
        field: Of :class:`harness.records.scores.CallScores`; empty: only whole calls can be taken out.
        key: Of an entry: entries of one key are one observation.
    """

    field: str
    key: Callable[[str, object], Key]


def _place(call_id: str, entry: object) -> Key:
    return (call_id, str(getattr(entry, "index", "")))


def _item(call_id: str, entry: object) -> Key:
    return (str(getattr(entry, "item", "")),)


def _request(call_id: str, entry: object) -> Key:
    return (str(getattr(entry, "request", "")),)


def _sound(call_id: str, entry: object) -> Key:
    return (call_id, str(getattr(entry, "item", "")))


WHOLE = Part(field="", key=_place)
TURNS = Part(field="turns", key=_place)
INTERRUPTIONS = Part(field="interruptions", key=_place)
CONDUCT = Part(field="conduct", key=_place)
HEARINGS = Part(field="hearings", key=_item)
READINGS = Part(field="readings", key=_item)
REQUESTS = Part(field="attention", key=_request)
REACTIONS = Part(field="reactions", key=_sound)


def part_of(measure: Measure, calls: Sequence[ScoredCall]) -> Part:
    """Where the observations of a measure lie in these calls."""
    needs = measure.entry.needs
    for need, part in (
        (Need.OTHER_VOICE, REQUESTS),
        (Need.PROBE, REACTIONS),
        (Need.HEARING, HEARINGS),
        (Need.READING, READINGS),
        (Need.INTERRUPTIONS, INTERRUPTIONS),
    ):
        if need in needs:
            return part
    if measure.entry.name == "wer_noisy" and any(call.scores.hearings for call in calls):
        return HEARINGS
    if Need.TURNS in needs and measure.entry.name != "double_talk_share":
        return CONDUCT if type(measure).__module__.startswith(_CONDUCT) else TURNS
    return WHOLE


def keys_of(part: Part, calls: Sequence[ScoredCall]) -> list[Key]:
    """Every observation, in order."""
    found: dict[Key, None] = {}
    for call in calls:
        call_id = call.scores.call_id
        if not part.field:
            found[(call_id,)] = None
            continue
        for entry in getattr(call.scores, part.field):
            found[part.key(call_id, entry)] = None
    return list(found)


def without(part: Part, calls: Sequence[ScoredCall], keys: Collection[Key]) -> list[ScoredCall]:
    """The calls as if these observations had never been made."""
    if not part.field:
        return [call for call in calls if (call.scores.call_id,) not in keys]
    return [ScoredCall(scores=_thinned(part, call.scores, keys), plan=call.plan) for call in calls]


def _thinned(part: Part, scores: CallScores, keys: Collection[Key]) -> CallScores:
    entries = getattr(scores, part.field)
    left = [entry for entry in entries if part.key(scores.call_id, entry) not in keys]
    if len(left) == len(entries):
        return scores
    return scores.model_copy(update={part.field: left})
