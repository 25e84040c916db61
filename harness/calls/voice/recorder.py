"""Both directions of a call on one clock: packets in, stereo recording and gaps out.

Sample n of the recording is call time n / 48000 on both sides. The caller's side is what was prepared, at
the time at which it left; the agent's side is what arrived, decoded and placed after the call (``received``).
What never arrived stays silent and is listed as a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.received import SLIP_SAMPLES, decode_received
from harness.records.call import SAMPLE_RATE_HZ, Gap, Media
from harness.transports.base import MediaLog
from harness.transports.clock import CallClock
from harness.transports.codecs.base import Codec, Samples
from harness.transports.rtp_timeline import envelope_offsets, unwrap
from harness.transports.uplink import PlacedClip, Uplink


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A call's audio: ``audio`` is (samples, 2) float32 at 48 kHz, caller left, agent right.

    Attributes:
        packed: The same as a file, where it was made already; ``audio`` is empty then.
    """

    audio: Samples
    gaps: list[Gap]
    media: Media
    sent: PacketTimes
    received: PacketTimes
    packed: bytes = b""


def record(*, clock: CallClock, uplink: Uplink, log: MediaLog, end_s: float) -> Recording:
    """Assembles the recording of a call that has ended.

    Args:
        end_s: Call time at which it ended; the recording is at least as long.
    """
    codec = uplink.codec
    sent = sent_times(log, clock, codec)
    spoken: list[tuple[int, Samples]] = []
    due_s = sent.due_s
    if len(due_s):
        pcm = uplink.sent_pcm()
        for start, end in _runs(due_s, frame_samples=codec.frame_samples):
            block = pcm[start * codec.frame_samples : end * codec.frame_samples]
            spoken.append((round(due_s[start] * SAMPLE_RATE_HZ), block))
    caller = _track(spoken, _length(end_s))
    received = decode_received(log, clock)
    early = _before_the_call(log, clock, until=min((at for at, _ in received.blocks), default=_length(end_s)))
    agent = _track([*early, *received.blocks], _length(end_s))
    length = max(len(caller), len(agent))
    audio = np.zeros((length, 2), np.float32)
    audio[: len(caller), 0] = caller
    audio[: len(agent), 1] = agent
    media = received.media
    if early:
        until_s = max(at + len(block) for at, block in early) / SAMPLE_RATE_HZ
        media = media.model_copy(update={"early_until_s": round(until_s, 4)})
    return Recording(audio=audio, gaps=received.gaps, media=media, sent=sent, received=received.times)


def _before_the_call(log: MediaLog, clock: CallClock, *, until: int) -> list[tuple[int, Samples]]:
    """Early media, up to the first sample of the call itself."""
    blocks = decode_received(MediaLog(codec=log.codec, received=list(log.early)), clock).blocks
    return [(at, block[: until - at]) for at, block in blocks if at < until]


def sent_times(log: MediaLog, clock: CallClock, codec: Codec) -> PacketTimes:
    """When each frame of the uplink left, in the codec that it is sent in; frame k is entry k.

    Frame k is what was encoded when packet k was due (``due_s``); what sounds from that packet began by the
    codec's delay earlier (``placed_s``), so that a frame's end is only heard from the packet after it.
    """
    if not log.sent:
        return PacketTimes()
    media = unwrap([stamp.media_ticks for stamp in log.sent], bits=32) / codec.clock_rate_hz
    passed = np.array([clock.at_s(stamp.monotonic_ns) for stamp in log.sent])
    media = media - media[0]
    due = media + envelope_offsets(passed, media)
    delay_s, resampling_s = codec.delay_s, codec.resampling_s
    if log.sent_delay_s is not None:
        delay_s, resampling_s = log.sent_delay_s, 0.0
    return PacketTimes(
        media_s=media,
        passed_s=passed,
        placed_s=due - delay_s,
        codec_delay_s=delay_s,
        resampling_s=resampling_s,
    )


def utterance_span(placed: PlacedClip, sent: PacketTimes) -> tuple[float, float] | None:
    """Call times of a clip's first and last voiced sample as sent; None where its first frame never left."""
    frame_samples = placed.clip.codec.frame_samples
    first_frame, first_sample = divmod(placed.first_voiced_sample, frame_samples)
    due_s = sent.due_s
    if first_frame >= len(due_s):
        return None
    last_frame, last_sample = divmod(placed.last_voiced_sample, frame_samples)
    if last_frame >= len(due_s):
        last_frame, last_sample = len(due_s) - 1, frame_samples - 1
    return (
        float(due_s[first_frame]) + first_sample / SAMPLE_RATE_HZ,
        float(due_s[last_frame]) + last_sample / SAMPLE_RATE_HZ,
    )


def _runs(due_s: NDArray[np.float64], *, frame_samples: int) -> list[tuple[int, int]]:
    """Stretches of frames that lie back to back within the slip bound."""
    positions = np.round(due_s * SAMPLE_RATE_HZ).astype(np.int64)
    runs: list[tuple[int, int]] = []
    start = 0
    for index in range(1, len(positions) + 1):
        if index == len(positions) or (
            abs(positions[index] - positions[start] - (index - start) * frame_samples) > SLIP_SAMPLES
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
