"""Answers and stops of an agent over an impaired line, on a virtual clock: no machine can be too busy for it.

The agent's speech goes through Opus, its packets through the same impairment as at a real socket, and what
arrives is decoded, placed and measured by what measures a call. The truth is where the speech was put. What a
simulation leaves out: the two processes, their sockets and timers, and the caller's way to the agent, whose
packets are known when they leave us. Each packet passes up to a millisecond late besides, as on loopback.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import resample_poly

from harness._files.shipped import shipped_folder
from harness.analysis.timing import CallTiming, measure_timing
from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.recorder import Recording, record
from harness.plans.call import ConditionsPlan
from harness.records.call import SAMPLE_RATE_HZ, SpokenUtterance
from harness.selfcheck.calibration.design import AGENT_CLIPS
from harness.transports.base import MediaLog, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.opus import OPUS
from harness.transports.impairment import impairments
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import Uplink, silence

TURNS = 20
"""In one call: an answer each, of which every second one is interrupted."""
STREAM_FROM_S = 1.0
VOICED = 10 ** (-48 / 20)
SHORTEST_S, LONGEST_S = 0.15, 1.2
LATE_SD_S = 0.0003
_ZERO_NS = 10**12

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Found:
    """One answer or stop: its error in ms, or why there is no figure."""

    error_ms: float | None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Simulated:
    """A call's answers and stops, and the share of its packets that were lost."""

    answers: list[Found]
    stops: list[Found]
    lost: float


@dataclass(frozen=True, kw_only=True)
class _Call:
    """What both sides say, in call seconds; ``onsets_s`` and ``stops_s`` are the agent's voiced samples."""

    utterances: list[SpokenUtterance]
    speech: Samples
    onsets_s: list[float]
    stops_s: dict[int, float]
    end_s: float


def simulate(conditions: ConditionsPlan, *, seed: int) -> Simulated:
    """One call of :data:`TURNS` turns."""
    random = np.random.default_rng(seed)
    call = _written(random)
    recording = _received(call, conditions, seed=seed, random=random)
    timing = _measured(call, recording)
    least_s = conditions.least_delay_ms / 1000
    said = [one for one in call.utterances if one.kind == "turn"]
    by_index = {latency.index: latency for latency in timing.latencies}
    answers = [
        _found(by_index[one.index].latency_s, onset_s - one.end_s + least_s, by_index[one.index].reason)
        for one, onset_s in zip(said, call.onsets_s, strict=True)
    ]
    starts_s = {one.index: one.start_s for one in call.utterances}
    stops = [
        _found(
            one.delay_s,
            call.stops_s[one.index] - starts_s[one.index] + least_s,
            f"{one.outcome}: {one.reason}",
        )
        for one in timing.interruptions
    ]
    media = recording.media
    return Simulated(
        answers=answers,
        stops=stops,
        lost=media.packets_lost / (media.packets_lost + media.packets_received),
    )


def _written(random: np.random.Generator) -> _Call:
    clips = [_clip(name) for name in AGENT_CLIPS]
    utterances: list[SpokenUtterance] = []
    onsets_s: list[float] = []
    stops_s: dict[int, float] = {}
    parts: list[tuple[float, Samples]] = []
    t_s = 2.0
    for turn in range(TURNS):
        utterances.append(_utterance(len(utterances), "turn", t_s, t_s + 1.0))
        clip = clips[turn % len(clips)]
        onset_s = t_s + 1.0 + random.uniform(SHORTEST_S, LONGEST_S)
        if turn % 2:
            barge_in_s = onset_s + 0.6
            cut = round((0.6 + random.uniform(SHORTEST_S, LONGEST_S)) * SAMPLE_RATE_HZ)
            clip = clip[:cut]
            stops_s[len(utterances)] = onset_s + _last_voiced(clip) / SAMPLE_RATE_HZ
            utterances.append(_utterance(len(utterances), "barge_in", barge_in_s, barge_in_s + 2.2))
            t_s = barge_in_s + 3.2
        else:
            clip = clip[: 2 * SAMPLE_RATE_HZ]
            t_s = onset_s + len(clip) / SAMPLE_RATE_HZ + 0.9
        parts.append((onset_s, clip))
        onsets_s.append(onset_s)
    speech = np.zeros(round((t_s + 1.0 - STREAM_FROM_S) * SAMPLE_RATE_HZ), np.float32)
    for at_s, clip in parts:
        first = round((at_s - STREAM_FROM_S) * SAMPLE_RATE_HZ)
        speech[first : first + len(clip)] = clip
    return _Call(utterances=utterances, speech=speech, onsets_s=onsets_s, stops_s=stops_s, end_s=t_s + 2.0)


def _received(
    call: _Call, conditions: ConditionsPlan, *, seed: int, random: np.random.Generator
) -> Recording:
    clock = CallClock(zero_ns=_ZERO_NS)
    inbound, _ = impairments(conditions, seed=seed, clock=clock)
    arriving: list[tuple[int, ReceivedPacket]] = []
    for number, payload in enumerate(OPUS.encode(call.speech)):
        left_ns = clock.monotonic_ns(STREAM_FROM_S + number * OPUS.frame_s + abs(random.normal(0, LATE_SD_S)))
        for delay_s in inbound.meet(left_ns):
            stamp = RtpStamp(
                media_ticks=number * OPUS.frame_ticks % 2**32,
                monotonic_ns=left_ns + round(delay_s * 1e9),
                sequence=number % 2**16,
                ssrc=7,
            )
            arriving.append((stamp.monotonic_ns, ReceivedPacket(stamp=stamp, payload=payload)))
    arriving.sort(key=lambda one: one[0])
    log = MediaLog(codec=OPUS.name, received=[packet for _, packet in arriving])
    return record(clock=clock, uplink=Uplink(background=silence(OPUS)), log=log, end_s=call.end_s)


def _measured(call: _Call, recording: Recording) -> CallTiming:
    frames_s = np.arange(round(call.end_s / OPUS.frame_s)) * OPUS.frame_s
    return measure_timing(
        agent_audio=recording.audio[:, 1],
        utterances=call.utterances,
        gaps=recording.gaps,
        sent=PacketTimes(media_s=frames_s, passed_s=frames_s, placed_s=frames_s),
        received=recording.received,
        interruption_resolution_s=0.02,
        end_s=call.end_s,
        marker_tones=False,
    )


def _found(measured_s: float | None, true_s: float, reason: str) -> Found:
    if measured_s is None:
        return Found(error_ms=None, reason=reason)
    return Found(error_ms=(measured_s - true_s) * 1000)


def _utterance(index: int, kind: str, start_s: float, end_s: float) -> SpokenUtterance:
    return SpokenUtterance.model_validate(
        {
            "index": index,
            "text": "",
            "kind": kind,
            "start_s": start_s,
            "end_s": end_s,
            "audio_sha256": "",
        }
    )


def _clip(name: str) -> Samples:
    """Natural speech at 48 kHz, from its first voiced sample on."""
    samples, rate = soundfile.read(shipped_folder("speech") / f"{name}.flac", dtype="float32")
    raised = np.asarray(resample_poly(samples, SAMPLE_RATE_HZ, rate), dtype=np.float32)
    return raised[int(np.argmax(np.abs(raised) >= VOICED)) :]


def _last_voiced(clip: Samples) -> int:
    return int(np.flatnonzero(np.abs(clip) >= VOICED)[-1])
