"""Streams of packets whose every truth is known: when each sample was due, and what the path did to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.recorder import Recording, record
from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.base import Codec
from harness.transports.codecs.opus import OPUS
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink, silence

ZERO_NS = 1_000_000_000_000
PATH_S = 0.015
"""Smallest delay of the path that :func:`over_the_path` makes."""

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class SentPacket:
    """A packet as its sender made it; ``due_s`` is the call time of its first sample, at the sender."""

    sequence: int
    rtp_timestamp: int
    ssrc: int
    payload: bytes
    due_s: float


def stream(
    pcm: Samples,
    *,
    due_s: Callable[[int], float] = lambda frame: 1.0 + frame * 0.02,
    timestamp: Callable[[int], int] = lambda frame: frame * 960,
    sequence: Callable[[int], int] = lambda frame: frame,
    ssrc: int = 7,
    codec: Codec = OPUS,
) -> list[SentPacket]:
    """A signal as packets, of 20 ms where nothing else is said. All numbers may be given as functions of the
    frame; they wrap as in RTP."""
    return [
        SentPacket(
            sequence=sequence(frame) % 2**16,
            rtp_timestamp=timestamp(frame) % 2**32,
            ssrc=ssrc,
            payload=payload,
            due_s=due_s(frame),
        )
        for frame, payload in enumerate(codec.encode(pcm))
    ]


def over_the_path(
    packets: Sequence[SentPacket],
    *,
    late_s: Sequence[float] | float = 0.0,
    lost: Sequence[int] = (),
    twice: Sequence[int] = (),
) -> list[ReceivedPacket]:
    """The packets as they arrive, in the order of arrival: ``PATH_S`` after they were due, plus their own
    lateness. Packets are named by their position in the list."""
    lateness = [late_s] * len(packets) if isinstance(late_s, float) else late_s
    arriving: list[tuple[float, int]] = []
    for position, packet in enumerate(packets):
        if position not in lost:
            arrival_s = packet.due_s + PATH_S + lateness[position]
            arriving += [(arrival_s, position)] + [(arrival_s + 0.003, position)] * (position in twice)
    return [
        ReceivedPacket(
            stamp=RtpStamp(
                media_ticks=packets[position].rtp_timestamp,
                monotonic_ns=ZERO_NS + round(arrival_s * 1e9),
                sequence=packets[position].sequence,
                ssrc=packets[position].ssrc,
            ),
            payload=packets[position].payload,
        )
        for arrival_s, position in sorted(arriving)
    ]


def recording_of(
    received: Sequence[ReceivedPacket], *, end_s: float = 10.0, codec: str = "opus"
) -> Recording:
    """The recording of a call in which the caller sent nothing."""
    return record(
        clock=CallClock(zero_ns=ZERO_NS),
        uplink=Uplink(background=silence(OPUS)),
        log=MediaLog(codec=codec, received=list(received), kernel_timestamps=True),
        end_s=end_s,
    )


def bursts(at_s: Sequence[float], *, total_s: float, length_s: float = 0.2) -> Samples:
    """Silence with tones of 1 kHz: each with ramps of 5 ms, so that a codec keeps its edges."""
    pcm = np.zeros(round(total_s * SAMPLE_RATE_HZ), np.float32)
    count, ramp = round(length_s * SAMPLE_RATE_HZ), 240
    envelope = np.ones(count)
    envelope[:ramp] = np.sin(np.linspace(0, np.pi / 2, ramp)) ** 2
    envelope[-ramp:] = envelope[:ramp][::-1]
    tone = 0.2 * envelope * np.cos(2 * np.pi * 1000 / SAMPLE_RATE_HZ * np.arange(count))
    for start_s in at_s:
        start = round(start_s * SAMPLE_RATE_HZ)
        pcm[start : start + count] = tone
    return pcm


def tone_starts(audio: Samples) -> list[float]:
    """Where each tone reaches -40 dBFS for the first time, in seconds; quiet of 30 ms parts two tones."""
    loud = np.flatnonzero(np.abs(audio) >= 0.01)
    if len(loud) == 0:
        return []
    firsts = np.concatenate([loud[:1], loud[1:][np.diff(loud) > 0.03 * SAMPLE_RATE_HZ]])
    return [float(first) / SAMPLE_RATE_HZ for first in firsts]
