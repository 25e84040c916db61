"""Both directions of a call on one clock: packets in, stereo recording and gaps out.

Sample n of the recording is call time n / 48000 on both sides. The caller's side is what was prepared, at
the time at which it left; the agent's side is what arrived, decoded after the call and placed by packet
arrival and RTP timestamp (``rtp_timeline``), with the codec's delay counted out. What never arrived stays
silent and is listed as a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from harness.records.call import SAMPLE_RATE_HZ, Gap, Media
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs import opus
from harness.transports.rtp_timeline import envelope_offsets, unwrap
from harness.transports.uplink import PlacedClip, Uplink

Samples = NDArray[np.float32]

MAX_CALL_S = 4 * 3600
_SLIP_SAMPLES = 48
"""A packet is put right behind the one before it unless its own place is more than 1 ms away, so that the
jitter of the envelope's estimate does not chop the signal."""
_MAX_DROPOUT = 3000
_MAX_MISORDER = 100
_MAX_PACKET_S = 0.12
"""Longest Opus packet (RFC 6716): a larger step in the timestamps is a pause of the sender."""


@dataclass(frozen=True, kw_only=True)
class PacketTimes:
    """One direction's packets in media order; all arrays have one entry a packet.

    Attributes:
        media_s: RTP time since the first packet.
        passed_s: Call time at which the packet passed our socket.
        placed_s: Call time of its first sample by the envelope, with the codec's delay counted out.
        codec_delay_s: That delay.
    """

    media_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    passed_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    placed_s: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    codec_delay_s: float = 0.0

    def passed_at(self, t_s: float) -> float | None:
        """When the packet that holds the sample of call time ``t_s`` really passed, as a time of that
        sample: the per-packet figure that is printed beside the envelope's. None outside the stream."""
        index = int(np.searchsorted(self.placed_s, t_s, side="right")) - 1
        if index < 0 or t_s - self.placed_s[index] > _MAX_PACKET_S:
            return None
        return float(t_s + self.passed_s[index] - self.placed_s[index] - self.codec_delay_s)


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A call's audio: ``audio`` is (samples, 2) float32 at 48 kHz, caller left, agent right."""

    audio: Samples
    gaps: list[Gap]
    media: Media
    sent: PacketTimes
    received: PacketTimes


def record(*, clock: CallClock, uplink: Uplink, log: MediaLog, end_s: float) -> Recording:
    """Assembles the recording of a call that has ended.

    Args:
        end_s: Call time at which it ended; the recording is at least as long.
    """
    sent = sent_times(log, clock)
    spoken: list[tuple[int, Samples]] = []
    if len(sent.placed_s):
        pcm = uplink.sent_pcm()
        for start, end in _runs(sent.placed_s, frame_samples=opus.FRAME_SAMPLES):
            block = pcm[start * opus.FRAME_SAMPLES : end * opus.FRAME_SAMPLES]
            spoken.append((round(sent.placed_s[start] * SAMPLE_RATE_HZ), block))
    caller = _track(spoken, _length(end_s))
    agent, gaps, media, received = _receive(log, clock, _length(end_s))
    length = max(len(caller), len(agent))
    audio = np.zeros((length, 2), np.float32)
    audio[: len(caller), 0] = caller
    audio[: len(agent), 1] = agent
    return Recording(audio=audio, gaps=gaps, media=media, sent=sent, received=received)


def sent_times(log: MediaLog, clock: CallClock) -> PacketTimes:
    """When each frame of the uplink left; frame k is entry k."""
    if not log.sent:
        return PacketTimes()
    media = unwrap([stamp.rtp_timestamp for stamp in log.sent], bits=32) / SAMPLE_RATE_HZ
    passed = np.array([clock.at_s(stamp.monotonic_ns) for stamp in log.sent])
    media = media - media[0]
    return PacketTimes(media_s=media, passed_s=passed, placed_s=media + envelope_offsets(passed, media))


def utterance_span(placed: PlacedClip, sent: PacketTimes) -> tuple[float, float] | None:
    """Call times of a clip's first and last voiced sample as sent; None where its first frame never left."""
    first_frame, first_sample = divmod(placed.first_voiced_sample, opus.FRAME_SAMPLES)
    if first_frame >= len(sent.placed_s):
        return None
    last_frame, last_sample = divmod(placed.last_voiced_sample, opus.FRAME_SAMPLES)
    if last_frame >= len(sent.placed_s):
        last_frame, last_sample = len(sent.placed_s) - 1, opus.FRAME_SAMPLES - 1
    return (
        float(sent.placed_s[first_frame]) + first_sample / SAMPLE_RATE_HZ,
        float(sent.placed_s[last_frame]) + last_sample / SAMPLE_RATE_HZ,
    )


@dataclass(kw_only=True)
class _Stream:
    """One RTP stream (SSRC) of the agent, decoded: blocks of audio with their positions in the recording."""

    blocks: list[tuple[int, Samples]] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    times: PacketTimes = field(default_factory=PacketTimes)
    received: int = 0
    lost: int = 0
    duplicates: int = 0
    reordered: int = 0


def _receive(log: MediaLog, clock: CallClock, length: int) -> tuple[Samples, list[Gap], Media, PacketTimes]:
    by_ssrc: dict[int, list[ReceivedPacket]] = {}
    for packet in log.received:
        by_ssrc.setdefault(packet.stamp.ssrc, []).append(packet)
    streams = [_decode_stream(packets, clock) for packets in by_ssrc.values()]
    agent = _track([block for stream in streams for block in stream.blocks], length)
    media = Media(
        codec=log.codec,
        packets_received=sum(stream.received for stream in streams),
        packets_lost=sum(stream.lost for stream in streams),
        packets_duplicate=sum(stream.duplicates for stream in streams),
        packets_reordered=sum(stream.reordered for stream in streams),
        jitter_ms=max((j for s in streams if (j := _jitter_ms(s.times)) is not None), default=None),
        kernel_timestamps=log.kernel_timestamps,
    )
    gaps = sorted((gap for stream in streams for gap in stream.gaps), key=lambda gap: gap.start_s)
    return agent, gaps, media, _joined([stream.times for stream in streams])


def _decode_stream(received: Sequence[ReceivedPacket], clock: CallClock) -> _Stream:
    packets, sequence, duplicates, reordered = _in_media_order(received)
    media = unwrap([packet.stamp.rtp_timestamp for packet in packets], bits=32) / SAMPLE_RATE_HZ
    media = media - media[0]
    passed = np.array([clock.at_s(packet.stamp.monotonic_ns) for packet in packets])
    placed = media + envelope_offsets(passed, media) - opus.LOOKAHEAD_S
    stream = _Stream(
        times=PacketTimes(media_s=media, passed_s=passed, placed_s=placed, codec_delay_s=opus.LOOKAHEAD_S),
        received=len(packets),
        duplicates=duplicates,
        reordered=reordered,
    )
    decoder = opus.Decoder()
    expected = round(placed[0] * SAMPLE_RATE_HZ)
    for index, packet in enumerate(packets):
        wanted = round(placed[index] * SAMPLE_RATE_HZ)
        position = expected if abs(wanted - expected) <= _SLIP_SAMPLES else wanted
        missing = int(sequence[index] - sequence[index - 1]) - 1 if index else 0
        if missing > 0:
            stream.lost += missing
            start_s = min(expected, position) / SAMPLE_RATE_HZ
            stream.gaps.append(
                Gap(side="agent", start_s=start_s, end_s=position / SAMPLE_RATE_HZ, packets=missing)
            )
        block = decoder.decode(packet.payload)
        # A timestamp from nowhere must not make us allocate hours of silence.
        if abs(position) < MAX_CALL_S * SAMPLE_RATE_HZ:
            stream.blocks.append((position, block))
        expected = position + len(block)
    return stream


def _in_media_order(
    received: Sequence[ReceivedPacket],
) -> tuple[list[ReceivedPacket], NDArray[np.int64], int, int]:
    """Packets by sequence number without duplicates, their unwrapped numbers, and the counts of duplicates
    and of packets that came after one with a higher number."""
    numbers = _sequence_numbers(received)
    seen: dict[int, ReceivedPacket] = {}
    duplicates = reordered = 0
    highest = -1
    for number, packet in zip(numbers.tolist(), received, strict=True):
        if number in seen:
            duplicates += 1
            continue
        seen[number] = packet
        reordered += number < highest
        highest = max(highest, number)
    ordered = sorted(seen)
    return [seen[number] for number in ordered], np.array(ordered, dtype=np.int64), duplicates, reordered


def _sequence_numbers(received: Sequence[ReceivedPacket]) -> NDArray[np.int64]:
    """Unwrapped, and continued where the sender began to count anew: two packets in a row that follow each
    other far from all before them are no loss of thousands (RFC 3550, A.1)."""
    numbers = unwrap([packet.stamp.sequence for packet in received], bits=16)
    steps = np.diff(numbers)
    followed = np.append(steps[1:] == 1, False)
    anew = followed & ((steps > _MAX_DROPOUT) | (steps < -_MAX_MISORDER))
    return np.concatenate([numbers[:1], numbers[:1] + np.cumsum(np.where(anew, 1, steps))])


def _joined(times: Sequence[PacketTimes]) -> PacketTimes:
    """All streams' packets in the order of their places."""
    if not times:
        return PacketTimes()
    placed = np.concatenate([one.placed_s for one in times])
    order = np.argsort(placed, kind="stable")
    return PacketTimes(
        media_s=np.concatenate([one.media_s for one in times])[order],
        passed_s=np.concatenate([one.passed_s for one in times])[order],
        placed_s=placed[order],
        codec_delay_s=times[0].codec_delay_s,
    )


def _runs(placed_s: NDArray[np.float64], *, frame_samples: int) -> list[tuple[int, int]]:
    """Stretches of frames that lie back to back within the slip bound."""
    positions = np.round(placed_s * SAMPLE_RATE_HZ).astype(np.int64)
    runs: list[tuple[int, int]] = []
    start = 0
    for index in range(1, len(positions) + 1):
        if index == len(positions) or (
            abs(positions[index] - positions[start] - (index - start) * frame_samples) > _SLIP_SAMPLES
        ):
            runs.append((start, index))
            start = index
    return runs


def _track(blocks: Sequence[tuple[int, Samples]], length: int) -> Samples:
    """Blocks at their positions, a later one over an earlier; as long as asked for, or as the last one."""
    track = np.zeros(max([length, *(position + len(block) for position, block in blocks)]), np.float32)
    for position, block in blocks:
        part = block[-position:] if position < 0 else block
        start = max(0, position)
        track[start : start + len(part)] = part
    return track


def _length(end_s: float) -> int:
    return max(1, round(end_s * SAMPLE_RATE_HZ))


def _jitter_ms(times: PacketTimes) -> float | None:
    """Interarrival jitter as RFC 3550 (6.4.1) estimates it, after the last packet, in ms."""
    if len(times.passed_s) < 2:
        return None
    jitter = 0.0
    for difference in np.abs(np.diff(times.passed_s - times.media_s)):
        jitter += (float(difference) - jitter) / 16.0
    return jitter * 1000.0
