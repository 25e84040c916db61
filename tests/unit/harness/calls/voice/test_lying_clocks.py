"""Where the wire times of an agent's speech are read, against streams of agents whose media clock lies.

The streams (``tests.hostile_clocks``) know when each packet really left. An onset lies in the middle of its
first packet, an end in the middle of its last one. What is given with a bar must lie within it; on a quiet
line what is given must be within 3 ms of the wire.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from harness.calls.voice.packet_times import PacketTimes, WireTime
from harness.calls.voice.received import decode_received
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.table import codec_named
from harness.transports.stamp import RtpStamp
from metrics.interaction.on_wire import MAX_JITTER_S
from tests.hostile_clocks import BEHAVIOURS, SPEECH_FRAMES, Jitter, SimulatedStream, packets

CODEC = codec_named("opus")
DELAY_S = CODEC.delay_s
ZERO_NS = 1_000_000_000_000
ONSETS = (100, 260, 420, 600, 760, 930, 1100, 1290)
SECONDS = 30.0
OWN_BAR_S = 0.003
ALL_MEASURED = {
    "exact",
    "200ppm",
    "+2%",
    "-2%",
    "+5%",
    "slip-20",
    "slip-28",
    "dtx",
    "ssrc-change",
    "stands-still-paused",
    "96khz",
    "random",
    "backwards",
    "double-speed",
    "jumps-ahead",
    "jumps-back",
}


@dataclass(frozen=True)
class Edge:
    read: WireTime | None
    true_s: float

    @property
    def given(self) -> bool:
        return self.read is not None and self.read.bar_s + OWN_BAR_S <= MAX_JITTER_S

    @property
    def error_s(self) -> float:
        assert self.read is not None
        return abs(self.read.at_s - self.true_s)


def _times(stream: SimulatedStream) -> PacketTimes:
    """Through the receiver: placed, with a tone where the agent speaks."""
    tone = 0.3 * np.sin(2 * np.pi * 300 * np.arange(CODEC.frame_samples * 10) / 48_000).astype(np.float32)
    payloads = (CODEC.encode(0 * tone)[5], CODEC.encode(tone)[5])
    speech = {frame for onset in ONSETS for frame in range(onset, onset + SPEECH_FRAMES)}
    log = MediaLog(
        codec="opus",
        received=[
            ReceivedPacket(
                stamp=RtpStamp(
                    media_ticks=int(ticks),
                    monotonic_ns=ZERO_NS + round(float(passed_s) * 1e9),
                    sequence=int(number),
                    ssrc=int(source) + 1,
                ),
                payload=payloads[int(frame) in speech],
            )
            for ticks, passed_s, number, source, frame in zip(
                stream.media_ticks,
                stream.passed_s,
                stream.sequence,
                stream.source,
                stream.frame,
                strict=True,
            )
        ],
    )
    return decode_received(log, CallClock(zero_ns=ZERO_NS)).times


def _edges(behaviour: str, *, jitter_s: float, jitter: Jitter, seed: int) -> list[Edge]:
    stream = packets(
        behaviour, seconds=SECONDS, onset_frames=ONSETS, jitter_s=jitter_s, jitter=jitter, seed=seed
    )
    times = _times(stream)
    edges = []
    for onset in ONSETS:
        for frame in (onset, onset + SPEECH_FRAMES - 1):
            index = _index_of(stream.packet_of(frame), stream, times)
            # Ten milliseconds into the packet, where the recording has it.
            read = times.wire_time(float(times.placed_s[index]) + 0.01)
            edges.append(Edge(read=read, true_s=stream.wire_s(frame, 480) - DELAY_S))
    return edges


def _index_of(packet: int, stream: SimulatedStream, times: PacketTimes) -> int:
    """Where a packet stands among those placed; of several that passed at once, by its rank among them."""
    at_once = np.flatnonzero(stream.passed_s == stream.passed_s[packet])
    placed = np.flatnonzero(np.abs(times.passed_s - stream.passed_s[packet]) < 2e-9)
    return int(placed[np.flatnonzero(at_once == packet)[0]])


@pytest.mark.parametrize("behaviour", sorted(BEHAVIOURS))
def test_on_a_quiet_line_a_wire_time_is_right_to_3_ms_or_is_not_given(behaviour: str) -> None:
    edges = _edges(behaviour, jitter_s=0.0003, jitter="half-normal", seed=1)
    wrong = [edge for edge in edges if edge.given and edge.error_s > 0.003]
    assert wrong == []
    if behaviour in ALL_MEASURED:
        assert np.mean([edge.given for edge in edges]) >= 0.9


@pytest.mark.long
@pytest.mark.parametrize(("jitter", "jitter_s"), [("uniform", 0.04), ("half-normal", 0.005), ("burst", 0.03)])
@pytest.mark.parametrize("behaviour", sorted(BEHAVIOURS))
def test_with_jitter_the_bar_holds(behaviour: str, jitter: Jitter, jitter_s: float) -> None:
    edges = _edges(behaviour, jitter_s=jitter_s, jitter=jitter, seed=3)
    for edge in edges:
        if edge.given:
            assert edge.read is not None
            assert edge.error_s <= edge.read.bar_s + OWN_BAR_S
