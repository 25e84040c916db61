"""Each answer's latency, split into end of turn, model and voice by the claims that belong to it.

The latency is ours, the parts are the agent's word. They are never believed beyond what was measured: claims
that add up to more are told as a contradiction, and no part of that answer is given. What is not claimed is
"not told", and never 0. Of RTVI the end of the turn is no figure of the agent's but the moment at which its
message came, so that the way to the agent and back is in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.analysis.told.claims import Claim, Claims, ItemFigures, claims_of
from harness.records.call import Event
from harness.records.scores import TurnTiming
from harness.records.scores.told import Part, TurnTold

MESSAGE_S = 0.05
"""A message may come this much later than what it tells of, or than the sound that follows it."""
ITEM_LATE_S = 0.2
"""LiveKit writes the caller's item down before it makes the answer's sound (livekit-agents,
``voice/agent_activity.py``); one that comes later than this after the onset belongs to what is said next, as
where the sound was that of an earlier answer taken up again."""
MAX_CLAIMS = 40
"""About one answer; more than these are no account of it."""
NO_CLAIM: dict[Part, str] = {
    "end_of_turn": "the agent did not tell the end of the turn",
    "model": "the agent told no time of a language model",
    "voice": "the agent told no time of a voice",
}

NO_ITEM = "the agent's history has no item of this turn before the answer"


@dataclass(frozen=True, kw_only=True)
class _Wait:
    """From the end of the caller's turn to the onset of the answer, and what bounds it."""

    turn: TurnTiming
    start_s: float
    onset_s: float
    next_turn_s: float
    next_onset_s: float


@dataclass(kw_only=True)
class _Told:
    """Parts in seconds; ``claimed_s`` is what they were said to take before overlaps were taken out."""

    parts_s: dict[Part, float] = field(default_factory=dict)
    claimed_s: float = 0.0
    why_not: dict[Part, str] = field(default_factory=dict)

    def add(self, part: Part, took_s: float, *, claimed_s: float | None = None) -> None:
        self.parts_s[part] = took_s
        self.claimed_s += took_s if claimed_s is None else claimed_s


def told_of(turns: Sequence[TurnTiming], events: Sequence[Event]) -> list[TurnTold]:
    """Where the time of each answer went, in order: of turns that were answered, in full or in part, with a
    latency above 0.

    Args:
        turns: With their outcomes.
        events: The timeline, in whatever order.
    """
    claims = claims_of(events)
    by_items = any(item.figures for item in claims.items)
    return [
        _split(one, _by_items(one, claims) if by_items else _by_messages(one, claims), by_items)
        for one in _waits(turns)
    ]


def _waits(turns: Sequence[TurnTiming]) -> list[_Wait]:
    in_order = sorted(turns, key=lambda turn: turn.user_start_s)
    never = float("inf")
    found = []
    for at, turn in enumerate(in_order):
        if not turn.outcome.replied or turn.latency_ms is None or turn.latency_ms <= 0:
            continue
        later = in_order[at + 1 :]
        found.append(
            _Wait(
                turn=turn,
                start_s=turn.user_end_s,
                onset_s=turn.user_end_s + turn.latency_ms / 1000,
                next_turn_s=later[0].user_start_s if later else never,
                next_onset_s=min(
                    (one.agent_start_s for one in later if one.agent_start_s is not None), default=never
                ),
            )
        )
    return sorted(found, key=lambda one: one.turn.index)


def _split(wait: _Wait, told: _Told, by_items: bool) -> TurnTold:
    assert wait.turn.latency_ms is not None
    measured_ms = wait.turn.latency_ms
    bare = TurnTold(
        index=wait.turn.index,
        start_s=wait.start_s,
        end_s=wait.onset_s,
        measured_ms=measured_ms,
        not_told_ms=measured_ms,
        why_not=told.why_not,
    )
    if not told.parts_s:
        return bare
    basis = "livekit" if by_items else "rtvi"
    over_ms = told.claimed_s * 1000 - measured_ms
    if over_ms > MESSAGE_S * 1000 + (wait.turn.resolution_ms or 0.0):
        what = (
            f"claims of {told.claimed_s * 1000:.0f} ms exceed what was measured by {over_ms:.0f} ms: they "
            "are wrong, or the agent worked on several parts at once"
        )
        return bare.model_copy(
            update={"not_told_ms": None, "basis": basis, "contradiction": what, "why_not": {}}
        )
    parts_ms = {f"{name}_ms": took_s * 1000 for name, took_s in told.parts_s.items()}
    left_ms = measured_ms - sum(parts_ms.values())
    return TurnTold.model_validate(bare.model_dump() | parts_ms | {"not_told_ms": left_ms, "basis": basis})


# ---- RTVI: by the moment


def _by_messages(wait: _Wait, claims: Claims) -> _Told:
    told = _Told()
    ended_s = _turn_end(wait, claims, told)
    from_s = wait.start_s if ended_s is None else ended_s
    near = _between(claims.of_processors, from_s, wait.onset_s + MESSAGE_S)
    if len(near) > MAX_CLAIMS:
        many = f"more than {MAX_CLAIMS} claims came during one answer"
        told.why_not |= {"model": many, "voice": many}
        return told
    voice = next((one for one in near if one.kind == "voice"), None)
    until_s = wait.onset_s if voice is None else voice.began_s
    # What a model does while the voice speaks already is not on the way to the first sound.
    models = [one for one in near if one.kind == "model" and one.at_s <= until_s + MESSAGE_S]
    after_s = _add(told, "model", models, from_s)
    _add(told, "voice", [] if voice is None else [voice], after_s)
    if claims.unknown:
        for part in ("model", "voice"):
            if told.why_not.get(part) == NO_CLAIM[part]:
                told.why_not[part] += f" (what is '{claims.unknown[0]:.40}'?)"
    return told


def _turn_end(wait: _Wait, claims: Claims, told: _Told) -> float | None:
    at = bisect_right(claims.turn_ends_s, wait.onset_s) - 1
    if at < 0 or claims.turn_ends_s[at] < wait.turn.user_start_s:
        told.why_not["end_of_turn"] = NO_CLAIM["end_of_turn"]
        return None
    ended_s = claims.turn_ends_s[at]
    if ended_s < wait.start_s:
        early_ms = (wait.start_s - ended_s) * 1000
        told.why_not["end_of_turn"] = (
            f"the agent told the end of the turn {early_ms:.0f} ms before the caller's"
        )
        return None
    told.add("end_of_turn", ended_s - wait.start_s)
    return ended_s


def _between(claims: Sequence[Claim], from_s: float, until_s: float) -> Sequence[Claim]:
    first = bisect_right(claims, from_s, key=lambda one: one.at_s)
    return claims[first : bisect_right(claims, until_s, key=lambda one: one.at_s)]


def _add(told: _Told, part: Part, claims: Sequence[Claim], from_s: float) -> float:
    """Adds a part, and tells when it was over. What overlaps with anything before it counts once."""
    unusable = next((one for one in claims if one.took_s is None), None)
    if unusable is not None:
        told.why_not[part] = f"the agent's claim is no time from 0 to 60 s: {unusable.said}"
        return unusable.at_s
    if not claims:
        told.why_not[part] = NO_CLAIM[part]
        return from_s
    took_s = claimed_s = 0.0
    for one in claims:
        overlaps = one.began_s < from_s - MESSAGE_S
        took_s += max(0.0, one.at_s - from_s) if overlaps else one.took_s or 0.0
        claimed_s += one.took_s or 0.0
        from_s = max(from_s, one.at_s)
    told.add(part, took_s, claimed_s=claimed_s)
    return from_s


# ---- LiveKit: by the item


def _by_items(wait: _Wait, claims: Claims) -> _Told:
    told = _Told()
    late_s = min(wait.onset_s + ITEM_LATE_S, wait.next_turn_s)
    theirs = [
        one for one in claims.items if one.role == "user" and wait.turn.user_start_s < one.at_s <= late_s
    ]
    if not theirs:
        told.why_not |= dict.fromkeys(NO_CLAIM, NO_ITEM)
        return told
    _figure(told, "end_of_turn", theirs[-1], "end_of_turn_delay")
    # Its own item is written down when it has been said, the caller's before: what came earlier was cut.
    from_s = max(wait.onset_s - MESSAGE_S, theirs[-1].at_s)
    own = next(
        (one for one in claims.items if one.role == "assistant" and from_s <= one.at_s < wait.next_onset_s),
        None,
    )
    # Until the voice was given its first sentence, where that is told; else until the first token.
    whole = own is not None and "llm_node_ttfs" in own.figures
    _figure(told, "model", own, "llm_node_ttfs" if whole else "llm_node_ttft")
    _figure(told, "voice", own, "tts_node_ttfb")
    return told


def _figure(told: _Told, part: Part, item: ItemFigures | None, name: str) -> None:
    if item is None or name not in item.figures:
        told.why_not[part] = NO_CLAIM[part]
        return
    took_s = item.figures[name]
    if took_s is None:
        told.why_not[part] = "the agent's claim is no time from 0 to 60 s"
    else:
        told.add(part, took_s)
