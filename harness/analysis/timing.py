"""The timing of one call: who spoke when, how fast the agent answered, whether it stopped when interrupted.

The same code measures a live call, a stored one, a stereo recording from anywhere, and the calibration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes, WireTime
from harness.records.call import SAMPLE_RATE_HZ, Event, Gap, SpokenUtterance
from harness.records.timeline import MESSAGES_DROPPED
from metrics.interaction.interruption import AgentNotices, BargeIn, Interruption, interruptions
from metrics.interaction.latency import (
    HIDES_AN_ANSWER_S,
    ResponseLatency,
    UserUtterance,
    response_latencies,
)
from metrics.interaction.on_wire import MAX_JITTER_S, OnWire, too_open
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import SpeechActivity, detect_speech

NO_PACKETS = PacketTimes()
WITNESSES = frozenset({"rtvi", "livekit", "oai-events"})
"""Sources of events in which an agent tells of itself."""


@dataclass(frozen=True, kw_only=True)
class CallTiming:
    """``on_wire`` has, for each latency, what its packets say of it, or None."""

    agent: SpeechActivity
    latencies: list[ResponseLatency]
    on_wire: list[OnWire | None]
    interruptions: list[Interruption]

    @property
    def per_packet_s(self) -> list[float | None]:
        """Each latency by the packets' own passing times."""
        return [None if one is None else one.passed_s for one in self.on_wire]


def measure_timing(
    *,
    agent_audio: NDArray[np.float32],
    sample_rate_hz: int = SAMPLE_RATE_HZ,
    utterances: Sequence[SpokenUtterance],
    gaps: Sequence[Gap] = (),
    sent: PacketTimes = NO_PACKETS,
    received: PacketTimes = NO_PACKETS,
    events: Sequence[Event] = (),
    interruption_resolution_s: float,
    end_s: float,
    marker_tones: bool | None = None,
) -> CallTiming:
    """Measures one call from the agent's sound; see :func:`call_timing`.

    Args:
        agent_audio: The agent's side, mono; sample 0 is t = 0.
        marker_tones: The agent speaks in tones (calibration); None: found out.
    """
    activity = detect_speech(
        agent_audio,
        sample_rate_hz,
        present=sent_at_all(received),
        absent=tuple(never_arrived(gaps)),
        marker_tones=marker_tones,
    )
    return call_timing(
        activity,
        utterances=utterances,
        gaps=gaps,
        sent=sent,
        received=received,
        events=events,
        interruption_resolution_s=interruption_resolution_s,
        end_s=end_s,
    )


def call_timing(
    activity: SpeechActivity,
    *,
    utterances: Sequence[SpokenUtterance],
    gaps: Sequence[Gap],
    sent: PacketTimes,
    received: PacketTimes,
    events: Sequence[Event],
    interruption_resolution_s: float,
    end_s: float,
) -> CallTiming:
    """The timing of a call of which it is known when the agent spoke.

    Args:
        activity: The agent's, measured with :func:`sent_at_all` and :func:`never_arrived`.
        utterances: What the caller sent, with first and last voiced sample.
        sent, received: Packets of both directions, where there were any.
        events: The timeline; the agent's own notices are taken from it.
        interruption_resolution_s: Half width of the error bar of an interruption delay.
        end_s: When the call ended.
    """
    lost = tuple(never_arrived(gaps))
    # A backchannel asks for no answer. Nor does what was cut short, but it ends the wait of the turn before.
    turns = [
        UserUtterance(index=one.index, start_s=one.start_s, end_s=one.end_s)
        for one in utterances
        if one.kind != "backchannel"
    ]
    every = response_latencies(
        turns,
        activity.talks,
        gaps=lost,
        sounds=activity.energy,
        tones=activity.tones,
        echo=activity.echo,
        call_end_s=end_s,
    )
    cut = {one.index for one in utterances if one.cut_short}
    kept = [(latency, one) for latency, one in zip(every, turns, strict=True) if one.index not in cut]
    on_wire = [_answer_on_wire(latency, one, sent=sent, received=received) for latency, one in kept]
    latencies = [_by_wire(latency, one, wire) for (latency, one), wire in zip(kept, on_wire, strict=True)]
    barge_ins = [
        BargeIn(index=one.index, start_s=one.start_s, end_s=one.end_s)
        for one in utterances
        if one.kind == "barge_in"
    ]
    return CallTiming(
        agent=activity,
        latencies=latencies,
        on_wire=on_wire,
        interruptions=interruptions(
            barge_ins,
            activity.talks,
            notices=agent_notices(events),
            gaps=lost,
            resolution_s=interruption_resolution_s,
            call_end_s=end_s,
            on_wire=partial(_stop_on_wire, sent=sent, received=received),
        ),
    )


def agent_notices(events: Sequence[Event]) -> AgentNotices:
    """What the agent itself reported about interruptions (RTVI, LiveKit, OpenAI Realtime)."""
    kinds = {event.kind for event in events if event.source in WITNESSES}
    return AgentNotices(
        speaks="bot-started-speaking" in kinds,
        interrupted_s=tuple(event.t for event in events if event.kind == "bot-interrupted"),
        dropped=any(event.kind == MESSAGES_DROPPED and event.source == "wire" for event in events),
    )


def _answer_on_wire(
    latency: ResponseLatency, utterance: UserUtterance, *, sent: PacketTimes, received: PacketTimes
) -> OnWire | None:
    if latency.answer is None:
        return None
    onset_s = latency.answer.span.start_s
    return _on_wire(sent.wire_time(utterance.end_s), received.wire_time(onset_s, onset=True), heard_s=None)


def _stop_on_wire(
    barge_in_s: float, onset_s: float, stop_s: float, *, sent: PacketTimes, received: PacketTimes
) -> OnWire | None:
    return _on_wire(
        sent.wire_time(barge_in_s),
        received.wire_time(stop_s),
        heard_s=received.heard_at(stop_s, since_s=onset_s),
    )


def _on_wire(ours: WireTime | None, theirs: WireTime | None, *, heard_s: float | None) -> OnWire | None:
    """From a sample of ours to one of the agent's; ``heard_s`` None: it was heard when it came."""
    if ours is None or theirs is None:
        return None
    return OnWire(
        from_to_s=theirs.at_s - ours.at_s,
        jitter_s=theirs.bar_s + ours.bar_s,
        passed_s=theirs.passed_s - ours.passed_s,
        heard_s=(theirs.passed_s if heard_s is None else heard_s) - ours.at_s,
        strays=theirs.strays or ours.strays,
    )


def _by_wire(latency: ResponseLatency, utterance: UserUtterance, wire: OnWire | None) -> ResponseLatency:
    """The latency with what its packets say: arrival where the clock is contradicted, and no figure where
    even that leaves too much open, but bounds."""
    if wire is None or latency.answer is None:
        return latency
    if latency.latency_s is None:
        if latency.between_s is None:
            return latency
        later_s = wire.from_to_s - (latency.answer.span.start_s - utterance.end_s)
        low_s, high_s = latency.between_s
        between_s = (low_s + later_s - wire.jitter_s, high_s + later_s + wire.jitter_s)
        return replace(latency, between_s=between_s)
    if wire.jitter_s > MAX_JITTER_S:
        return replace(
            latency,
            status=Status.INDETERMINATE,
            latency_s=None,
            between_s=(
                wire.from_to_s - wire.jitter_s - latency.hidden_s,
                wire.from_to_s + wire.jitter_s,
            ),
            reason=too_open(wire),
        )
    return replace(latency, latency_s=wire.from_to_s) if wire.strays else latency


def never_arrived(gaps: Sequence[Gap]) -> list[Span]:
    """Where the agent's sound is missing.

    Of a gap that is longer than the packets lost in it, its sender was silent for the rest: where they are
    too few for an answer, they are missing at one of its ends, and may hide how speech ended or began.
    """
    found = []
    for gap in (one for one in gaps if one.side == "agent"):
        edge_s = gap.lacking_s
        if edge_s >= HIDES_AN_ANSWER_S or 2 * edge_s >= gap.end_s - gap.start_s:
            found.append(Span(start_s=gap.start_s, end_s=gap.end_s))
        else:
            found.append(Span(start_s=gap.start_s, end_s=gap.start_s + edge_s))
            found.append(Span(start_s=gap.end_s - edge_s, end_s=gap.end_s))
    return found


def sent_at_all(received: PacketTimes) -> Span | None:
    """From the agent's first packet to the end of its last one's sound, for 20 ms at least; None where its
    packets are not known."""
    if len(received.placed_s) == 0:
        return None
    start_s = max(0.0, float(received.placed_s[0]))
    sounds_to_s = float(np.max(received.placed_s + received.lasts_s))
    return Span(start_s=start_s, end_s=max(start_s, float(received.placed_s[-1]) + 0.02, sounds_to_s))
