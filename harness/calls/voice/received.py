"""What came from the agent, decoded after the call: blocks of sound with their places in the recording.

Each packet is placed by its arrival and its media time (``rtp_timeline``), with the codec's delay counted
out. What never arrived is listed as a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import merge

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes, jitter_ms, joined
from harness.records.call import SAMPLE_RATE_HZ, Gap, Media
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.base import Codec, Samples
from harness.transports.codecs.table import codec_named
from harness.transports.media_clock import examine_clock, following_s
from harness.transports.rtp_timeline import envelope_offsets, unwrap
from harness.transports.stamp import PacketStamp, RtpStamp

MAX_CALL_S = 4 * 3600
PAUSE_S = 0.01
"""A stream stands still where nothing sounds for longer between two packets: it was not sent, or lost."""
SLIP_SAMPLES = 48
"""A packet is put right behind the one before it unless its own place is more than 1 ms away, so that the
jitter of the envelope's estimate does not chop the signal."""
STRETCHED_FROM = 0.002
"""A sender this far from real time has its sound stretched or shortened; by less, blocks slip in time."""
QUIET = 10 ** (-48 / 20)
"""Sound below this may be covered by what comes after it: no detector takes it for speech."""
LEAST_COVERED = SAMPLE_RATE_HZ // 200
"""Five milliseconds of sound may go: so much a sender that hurries gains in some packets."""
MAX_COVERED = SAMPLE_RATE_HZ
"""Sound that comes this much too early is of another time altogether, and lies where its packets came."""
SILENT_PACKETS = 3
"""A gap that is longer than the packets lost in it by more than so many has a pause of the sender in it."""
_MAX_DROPOUT = 3000
_MAX_MISORDER = 100
_LASTED = 0.1
"""Thousands of packets were lost where their usual length is off the time that went by by less than this."""


@dataclass(frozen=True, kw_only=True)
class Received:
    """The agent's side of a call: sound at 48 kHz by its position in the recording, what is missing of it,
    and its packets."""

    blocks: list[tuple[int, Samples]]
    gaps: list[Gap]
    media: Media
    times: PacketTimes


def decode_received(log: MediaLog, clock: CallClock) -> Received:
    """Decodes and places all that came in a call, with the codec that the log names."""
    codec = codec_named(log.codec)
    by_source, silent = _by_source(log.received), _by_source(log.silent)
    streams = [
        _decode_stream(packets, silent.get(source, []), codec, clock) for source, packets in by_source.items()
    ]
    return Received(
        blocks=[block for stream in streams for block in stream.blocks],
        gaps=sorted((gap for stream in streams for gap in stream.gaps), key=lambda gap: gap.start_s),
        media=Media(
            codec=log.codec,
            packets_received=sum(stream.received for stream in streams),
            packets_lost=sum(stream.lost for stream in streams),
            packets_duplicate=log.repeated + sum(stream.duplicates for stream in streams),
            packets_reordered=sum(stream.reordered for stream in streams),
            jitter_ms=max((j for s in streams if (j := jitter_ms(s.times)) is not None), default=None),
            kernel_timestamps=log.kernel_timestamps,
            path=log.path,
            clock="; ".join(dict.fromkeys(stream.clock for stream in streams if stream.clock)),
        ),
        times=joined([stream.times for stream in streams]),
    )


def _by_source(packets: Sequence[ReceivedPacket]) -> dict[int | None, list[ReceivedPacket]]:
    found: dict[int | None, list[ReceivedPacket]] = {}
    for packet in packets:
        source = packet.stamp.ssrc if isinstance(packet.stamp, RtpStamp) else None
        found.setdefault(source, []).append(packet)
    return found


@dataclass(kw_only=True)
class _Stream:
    """One stream of the agent (RTP: one SSRC), decoded."""

    blocks: list[tuple[int, Samples]] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    times: PacketTimes
    received: int
    lost: int = 0
    duplicates: int
    reordered: int
    clock: str


def _decode_stream(
    received: Sequence[ReceivedPacket], silent: Sequence[ReceivedPacket], codec: Codec, clock: CallClock
) -> _Stream:
    packets, sequence, duplicates, reordered = _in_media_order(received, silent)
    blocks = _decoded(codec, packets)
    sound_s = np.array([len(block) for block in blocks]) / SAMPLE_RATE_HZ
    claimed = unwrap([packet.stamp.media_ticks for packet in packets], bits=32) / codec.clock_rate_hz
    passed = np.array([clock.at_s(packet.stamp.monotonic_ns) for packet in packets])
    media = examine_clock(claimed - claimed[0], passed, sound_s, sequence)
    offsets = envelope_offsets(
        passed,
        media.media_s,
        sound_s=following_s(sound_s, sequence),
        pace=media.pace,
        noise_s=media.block_noise_s,
    )
    wanted = media.media_s + offsets - codec.delay_s
    pauses = np.append(np.diff(wanted) - sound_s[:-1] > PAUSE_S, True)
    if codec.resampling_samples:
        blocks = _decoded(codec, packets, pauses)
    if abs(media.pace) >= STRETCHED_FROM:
        blocks = [_stretched(block, media.pace) for block in blocks]
    positions = _positions(wanted, blocks)
    # Where sound could not lie where it belongs, what is read off the recording must know where it does.
    moved = np.abs(positions / SAMPLE_RATE_HZ - wanted) > 1.5 * SLIP_SAMPLES / SAMPLE_RATE_HZ
    stream = _Stream(
        times=PacketTimes(
            media_s=media.media_s,
            passed_s=passed,
            placed_s=np.where(moved, positions / SAMPLE_RATE_HZ, wanted),
            codec_delay_s=codec.delay_s,
            resampling_s=codec.resampling_s,
            noise_s=media.block_noise_s,
            sound_s=sound_s * (1.0 + media.pace if abs(media.pace) >= STRETCHED_FROM else 1.0),
        ),
        received=len(packets),
        duplicates=duplicates,
        reordered=reordered,
        clock=media.in_words,
    )
    lengths = [len(block) / SAMPLE_RATE_HZ for block in blocks]
    usual_s = float(np.median([one for one in lengths if one > 0] or [0.0]))
    steps = np.diff(sequence, prepend=sequence[:1])
    for index, (position, block, step) in enumerate(
        zip(positions.tolist(), blocks, steps.tolist(), strict=True)
    ):
        missing = step - 1
        if missing > 0:
            stream.lost += missing
            before = int(positions[index - 1]) + len(blocks[index - 1])
            start_s, end_s = min(before, position) / SAMPLE_RATE_HZ, position / SAMPLE_RATE_HZ
            packet_s = max(usual_s, lengths[index - 1], lengths[index])
            silent_too = end_s - start_s > (missing + SILENT_PACKETS) * packet_s
            stream.gaps.append(
                Gap(
                    side="agent",
                    start_s=start_s,
                    end_s=end_s,
                    packets=missing,
                    sound_s=missing * packet_s if silent_too else None,
                )
            )
        # A media time from nowhere must not make us allocate hours of silence.
        if abs(position) < MAX_CALL_S * SAMPLE_RATE_HZ:
            stream.blocks.append((position, block))
    return stream


def _decoded(
    codec: Codec, packets: Sequence[ReceivedPacket], pauses: NDArray[np.bool_] | None = None
) -> list[Samples]:
    """The sound of each packet. Behind those with a pause after them comes what our change of the sampling
    rate still holds back: else it would sound at the beginning of what follows, ahead of its first packet."""
    decoder = codec.decoder()
    rest = getattr(decoder, "rest", None)
    if pauses is None or rest is None:
        return [decoder.decode(packet.payload) for packet in packets]
    blocks = []
    for packet, pause in zip(packets, pauses.tolist(), strict=True):
        block = decoder.decode(packet.payload)
        blocks.append(np.concatenate([block, rest()]) if pause else block)
    return blocks


def _stretched(block: Samples, pace: float) -> Samples:
    """A block that lasts as long as its sender took to send it. Without that, a sender at another pace than
    real time would leave a hole, or lose some sound, in every other packet."""
    count = round(len(block) * (1.0 + pace))
    if count == len(block):
        return block
    at = np.arange(count) / (1.0 + pace)
    return np.interp(at, np.arange(len(block)), block).astype(np.float32)


def _positions(wanted_s: NDArray[np.float64], blocks: Sequence[Samples]) -> NDArray[np.int64]:
    """Where each block of a stream goes, in samples: its own place; right behind the one before, where that
    is less than a slip away; and never over speech: behind it, until there was quiet to catch up in."""
    positions = np.empty(len(blocks), np.int64)
    expected = speech_end = round(float(wanted_s[0]) * SAMPLE_RATE_HZ)
    for index, block in enumerate(blocks):
        position = round(float(wanted_s[index]) * SAMPLE_RATE_HZ)
        if abs(position - expected) <= SLIP_SAMPLES:
            position = expected
        elif LEAST_COVERED < expected - position <= MAX_COVERED:
            position = max(position, speech_end)
        positions[index] = position
        expected = position + len(block)
        if len(block) and np.max(np.abs(block)) >= QUIET:
            speech_end = expected
    return positions


def _in_media_order(
    received: Sequence[ReceivedPacket], silent: Sequence[ReceivedPacket] = ()
) -> tuple[list[ReceivedPacket], NDArray[np.int64], int, int]:
    """Packets by sequence number without duplicates, their unwrapped numbers, and the counts of duplicates
    and of packets that came after one with a higher number.

    Args:
        silent: Packets of the same stream that are no sound: numbers are counted without theirs.
    """
    came = list(
        merge(
            ((packet, True) for packet in received),
            ((packet, False) for packet in silent),
            key=lambda one: one[0].stamp.monotonic_ns,
        )
    )
    numbers = _sequence_numbers([packet for packet, _ in came])
    seen: dict[int, ReceivedPacket] = {}
    without: set[int] = set()
    duplicates = 0
    for number, (packet, sounds) in zip(numbers.tolist(), came, strict=True):
        if not sounds:
            without.add(number)
            continue
        if number in seen:
            duplicates += 1
            continue
        seen[number] = packet
    arrived = np.array(list(seen))
    reordered = int(np.count_nonzero(arrived < np.maximum.accumulate(arrived)))
    ordered = np.sort(arrived)
    counted = ordered - np.searchsorted(sorted(without - seen.keys()), ordered)
    return [seen[number] for number in ordered.tolist()], counted, duplicates, reordered


def _sequence_numbers(received: Sequence[ReceivedPacket]) -> NDArray[np.int64]:
    """Unwrapped, and continued where the sender began to count anew: two packets in a row that follow each
    other far from all before them are no loss of thousands (RFC 3550, A.1), unless its clock and ours went on
    by as many packets. Packets without numbers are in order."""
    stamps = [packet.stamp for packet in received]
    sequence = [stamp.sequence for stamp in stamps if isinstance(stamp, RtpStamp)]
    if len(sequence) < len(stamps):
        return np.arange(len(stamps), dtype=np.int64)
    numbers = unwrap(sequence, bits=16)
    steps = np.diff(numbers)
    followed = np.append(steps[1:] == 1, False)
    anew = followed & ((steps > _MAX_DROPOUT) | (steps < -_MAX_MISORDER))
    if np.any(anew):
        anew &= ~_lasted(stamps, steps)
    return np.concatenate([numbers[:1], numbers[:1] + np.cumsum(np.where(anew, 1, steps))])


def _lasted(stamps: Sequence[PacketStamp], steps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Between which packets as much time went by, on the sender's clock and on ours, as the numbers between
    them take: those were sent, and lost."""
    follow = steps == 1
    grew = np.diff(unwrap([stamp.media_ticks for stamp in stamps], bits=32)).astype(np.float64)
    passed = np.diff(np.array([stamp.monotonic_ns for stamp in stamps], dtype=np.float64))
    lasted = np.ones(len(steps), bool)
    for growth in (grew, passed):
        usual = float(np.median(growth[follow]))
        lasted &= (usual > 0) & (np.abs(growth - steps * usual) <= _LASTED * steps * usual)
    return lasted
