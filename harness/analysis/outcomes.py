"""What became of each of the caller's turns in a call, from all that analysis knows of it.

Nobody vanishes: every utterance of the caller has its row and its outcome, those that call for no answer too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.timing import CallTiming, agent_notices, never_arrived, sent_at_all
from harness.analysis.words import breaks_off, says_something
from harness.records.call import CallStatus, SpokenUtterance
from harness.records.scores import TranscriptLine, TurnTiming
from metrics.interaction.outcome import TurnOutcome
from metrics.interaction.turns import Judged, Line, Turn, WaitEnd, outcome_of
from metrics.score import Status
from metrics.spans import Span
from spoken_language.leave_taking import says_goodbye

_CUT_BY: dict[CallStatus | None, str] = {
    CallStatus.CONNECTION_LOST: "the connection was lost",
    CallStatus.TRANSFERRED: "the agent transferred the call",
}
"""What ended the call in the middle of a turn, where it was not our side."""
_GAVE_UP = ("agent_silent", "no_greeting", "gave_up")


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """A turn as judged, with the wait for its answer."""

    judged: Judged
    waited_ms: float | None


def with_outcomes(
    turns: Sequence[TurnTiming],
    *,
    timing: CallTiming,
    material: CallMaterial,
    lines: Sequence[TranscriptLine],
    recognised: bool,
) -> list[TurnTiming]:
    """Every utterance of the caller with what became of it, in order.

    Args:
        turns: Those whose latency was looked for.
        recognised: Our recogniser listened to the agent.
    """
    measured = {turn.index: turn for turn in turns}
    line = line_of(timing, material, lines, recognised=recognised)
    stopped = {one.index for one in timing.interruptions if one.outcome == "stopped"}
    found = []
    for said in material.utterances:
        known = measured.get(said.index)
        turn = turn_of(said, known, material, timing, stopped=said.index in stopped)
        kept = _kept(turn, outcome_of(turn, line))
        found.append(_row(said, known, kept))
    return found


def line_of(
    timing: CallTiming, material: CallMaterial, lines: Sequence[TranscriptLine], *, recognised: bool
) -> Line:
    """What is known of a call beside the turn that is judged."""
    tones = timing.agent.marker_tones
    sent = sent_at_all(material.received)
    return Line(
        talks=timing.agent.talks,
        caller=[Span(start_s=one.start_s, end_s=one.end_s) for one in material.utterances],
        lost=never_arrived(material.gaps),
        echo=timing.agent.echo,
        end_s=material.end_s,
        last_packet_s=None if sent is None else sent.end_s,
        hung_up=_agent_hung_up(material),
        says_something=lambda spans: None if tones else says_something(lines, spans, recognised=recognised),
        breaks_off=lambda span: breaks_off(lines, span),
        interrupted_s=agent_notices(material.events).interrupted_s,
        tones=tones,
    )


def turn_of(
    said: SpokenUtterance,
    known: TurnTiming | None,
    material: CallMaterial,
    timing: CallTiming,
    *,
    stopped: bool = False,
) -> Turn:
    """One of the caller's turns and the wait for its answer.

    Args:
        stopped: The turn was an interruption that made the agent stop: only an outcome asks for it.
    """
    after = [one for one in material.utterances if one.start_s > said.start_s and one.kind != "backchannel"]
    until_s = min((one.start_s for one in after), default=material.end_s)
    wait = Span(start_s=said.end_s, end_s=max(until_s, said.end_s))
    return Turn(
        span=Span(start_s=said.start_s, end_s=said.end_s),
        not_due=_not_due(said, material, after),
        until_s=wait.end_s,
        ended=WaitEnd.CALLER_SPOKE if after else _ended(wait, material, timing),
        stopped_for=stopped,
        latency_s=None if known is None or known.latency_ms is None else known.latency_ms / 1000,
        resolution_s=0.0 if known is None or known.resolution_ms is None else known.resolution_ms / 1000,
    )


def _ended(wait: Span, material: CallMaterial, timing: CallTiming) -> WaitEnd:
    """What ended the wait after the caller's last turn."""
    ending = material.ending
    if _agent_hung_up(material):
        return WaitEnd.AGENT_HUNG_UP
    # How long before it was told of, nobody knows: not even the caller's patience was up by then.
    if ending.status is CallStatus.CONNECTION_LOST:
        return WaitEnd.CONNECTION_LOST
    if ending.status is CallStatus.TRANSFERRED:
        return WaitEnd.TRANSFERRED
    if ending.reason in _GAVE_UP or wait.duration_s >= ending.patience_s:
        return WaitEnd.CALLER_GAVE_UP
    # A caller that ends the call by itself has heard something before.
    if ending.status is CallStatus.COMPLETED and any(one.overlap_s(wait) > 0 for one in timing.agent.energy):
        return WaitEnd.CALLER_TOOK_A_SOUND
    return WaitEnd.OURS


def _not_due(said: SpokenUtterance, material: CallMaterial, after: Sequence[SpokenUtterance]) -> str:
    status = material.ending.status
    if status is not None and status.says_nothing:
        return f"the call is {status.replace('_', ' ')}: it says nothing about the agent"
    if said.pressed:
        return "keys were pressed: how long an agent waits for more of them is its own matter"
    if said.kind == "backchannel":
        return f"{_what_asks_nothing(said, material)} asks for no answer"
    # Who goes on after a goodbye with anything else has not taken leave.
    leaves = all(says_goodbye(one.text) for one in (said, *after))
    if leaves or (not after and material.ending.with_leave):
        return "a goodbye asks for no answer"
    if said.cut_short and not _agent_hung_up(material):
        how = _CUT_BY.get(status, "the call was ended from our side")
        return f"{how} before all of it was said"
    return ""


def _what_asks_nothing(said: SpokenUtterance, material: CallMaterial) -> str:
    """What was planted counts among listeners' noises, whatever it is; so does an aside."""
    probe = material.probe
    if probe is not None:
        if any(one.is_line and one.line == said.index for one in probe.planted):
            return "a planted sound"
        usable = {one.line: one.usable for one in probe.asked}.get(said.index)
        if usable is not None:
            return "a planted sound" if usable == "sound" else "speech that nobody can understand"
    return "an aside" if said.index in material.asides else "a backchannel"


def _agent_hung_up(material: CallMaterial) -> bool:
    return material.ending.status is CallStatus.AGENT_HANGUP


def _kept(turn: Turn, judged: Judged) -> _Kept:
    never = turn.ended is WaitEnd.AGENT_HUNG_UP
    if judged.outcome is not TurnOutcome.NOT_ANSWERED or never:
        return _Kept(judged=judged, waited_ms=None)
    return _Kept(judged=judged, waited_ms=(turn.until_s - turn.span.end_s) * 1000)


def _row(said: SpokenUtterance, known: TurnTiming | None, kept: _Kept) -> TurnTiming:
    outcome = {
        "outcome": kept.judged.outcome,
        "outcome_reason": kept.judged.reason,
        "waited_ms": kept.waited_ms,
    }
    if known is not None:
        return known.model_copy(update=outcome)
    return TurnTiming.model_validate(
        {
            "index": said.index,
            "user_start_s": said.start_s,
            "user_end_s": said.end_s,
            "status": Status.NOT_APPLICABLE,
            "reason": kept.judged.reason or "its latency was not looked for",
            **outcome,
        }
    )
