"""The timing of one call: who spoke when, how fast the agent answered, whether it stopped when interrupted.

The same code measures a live call, a stored one, a stereo recording from anywhere, and the calibration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes
from harness.records.call import SAMPLE_RATE_HZ, Event, Gap, SpokenUtterance
from metrics.interaction.interruption import AgentNotices, BargeIn, Interruption, interruptions
from metrics.interaction.latency import ResponseLatency, UserUtterance, response_latencies
from metrics.spans import Span
from metrics.speech import SpeechActivity, detect_speech

PER_PACKET_BOUND_S = 0.03
"""Where the packets at a turn's edges passed this much later than the envelope says, one side's machine or
the network stalled just then, and the turn's figure is not believed."""


NO_PACKETS = PacketTimes()


@dataclass(frozen=True, kw_only=True)
class CallTiming:
    """``per_packet_s`` has, for each latency, the same figure by the packets' own passing times, or None."""

    agent: SpeechActivity
    latencies: list[ResponseLatency]
    per_packet_s: list[float | None]
    interruptions: list[Interruption]


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
    # A backchannel asks for no answer.
    said = [
        UserUtterance(index=one.index, start_s=one.start_s, end_s=one.end_s)
        for one in utterances
        if one.kind != "backchannel" and not one.cut_short
    ]
    latencies = response_latencies(said, activity.talks, gaps=lost, sounds=activity.energy, call_end_s=end_s)
    barge_ins = [
        BargeIn(index=one.index, start_s=one.start_s, end_s=one.end_s)
        for one in utterances
        if one.kind == "barge_in"
    ]
    return CallTiming(
        agent=activity,
        latencies=latencies,
        per_packet_s=[
            _per_packet(latency, utterance, sent=sent, received=received)
            for latency, utterance in zip(latencies, said, strict=True)
        ],
        interruptions=interruptions(
            barge_ins,
            activity.talks,
            notices=agent_notices(events),
            gaps=lost,
            resolution_s=interruption_resolution_s,
            call_end_s=end_s,
        ),
    )


def agent_notices(events: Sequence[Event]) -> AgentNotices:
    """What the agent itself reported about interruptions (RTVI)."""
    kinds = {event.kind for event in events if event.source == "rtvi"}
    return AgentNotices(
        speaks="bot-started-speaking" in kinds,
        interrupted_s=tuple(event.t for event in events if event.kind == "bot-interrupted"),
    )


def _per_packet(
    latency: ResponseLatency, utterance: UserUtterance, *, sent: PacketTimes, received: PacketTimes
) -> float | None:
    if latency.answer is None:
        return None
    start_s = received.passed_at(latency.answer.span.start_s)
    end_s = sent.passed_at(utterance.end_s)
    return None if start_s is None or end_s is None else start_s - end_s


def never_arrived(gaps: Sequence[Gap]) -> list[Span]:
    """Where the agent's sound is missing."""
    return [Span(start_s=gap.start_s, end_s=gap.end_s) for gap in gaps if gap.side == "agent"]


def sent_at_all(received: PacketTimes) -> Span | None:
    """From the agent's first packet to its last; None where its packets are not known."""
    if len(received.placed_s) == 0:
        return None
    start_s = max(0.0, float(received.placed_s[0]))
    return Span(start_s=start_s, end_s=max(start_s, float(received.placed_s[-1]) + 0.02))
