"""Packets lost around an answer and a stop: what the recording has of them, and which figures are given.

Natural speech through Opus, with gaps planted at its edges. The caller's question ends at 3.0 s of the call;
where the agent's answer begins and ends is known to the sample. (Counting and order are ``test_recorder``'s.)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from fixtures import SPEECH_FOLDER
from harness.analysis.timing import CallTiming, measure_timing
from harness.calls.voice.recorder import Recording
from harness.records.call import SAMPLE_RATE_HZ, SpokenUtterance
from harness.transports.codecs.opus import OPUS
from metrics.resample import resampled
from metrics.score import Status
from tests.unit.harness.stand_ins.packet_streams import (
    PATH_S,
    SentPacket,
    over_the_path,
    recording_of,
    stream,
)

STREAM_FROM_S = 1.0
ONSET_S, CUT_S = 3.5, 5.32
"""Where the packets with the agent's first and last sample begin: it is cut in the middle of a word."""
ONSET_FRAME = round((ONSET_S - STREAM_FROM_S) / 0.02)
CUT_FRAME = round((CUT_S - STREAM_FROM_S) / 0.02)
VOICED = 10 ** (-48 / 20)
QUESTION = SpokenUtterance(index=0, text="", kind="turn", start_s=2.0, end_s=3.0, audio_sha256="")
BARGE_IN = SpokenUtterance(index=1, text="", kind="barge_in", start_s=4.6, end_s=6.8, audio_sha256="")


@functools.cache
def _sent() -> list[SentPacket]:
    """The answer begins 13 ms into its first packet and is cut 7 ms into its last one."""
    samples, rate = soundfile.read(SPEECH_FOLDER / "reference.flac", dtype="float32")
    speech = resampled(samples, rate, SAMPLE_RATE_HZ)
    speech = speech[int(np.argmax(np.abs(speech) >= VOICED)) :]
    signal = np.zeros(round(9.0 * SAMPLE_RATE_HZ), np.float32)
    first = _sample(ONSET_S + 0.013)
    last = _sample(CUT_S + 0.007)
    signal[first:last] = speech[: last - first]
    return stream(signal)


def _sample(at_s: float) -> int:
    return round((at_s - STREAM_FROM_S) * SAMPLE_RATE_HZ)


def _with_lost(frames: Sequence[int]) -> tuple[Recording, CallTiming]:
    recording = recording_of(over_the_path(_sent(), lost=frames), end_s=11.0)
    timing = measure_timing(
        agent_audio=recording.audio[:, 1],
        utterances=[QUESTION, BARGE_IN],
        gaps=recording.gaps,
        received=recording.received,
        interruption_resolution_s=0.02,
        end_s=11.0,
    )
    return recording, timing


def _voiced(audio: NDArray[np.float32]) -> NDArray[np.float64]:
    """Call times of the voiced samples."""
    return np.flatnonzero(np.abs(audio) >= VOICED) / SAMPLE_RATE_HZ


def test_without_a_loss_both_edges_are_measured() -> None:
    recording, timing = _with_lost([])
    assert recording.gaps == []
    assert timing.latencies[0].latency_s == pytest.approx(ONSET_S + 0.013 + PATH_S - 3.0, abs=0.002)
    [stopped] = timing.interruptions
    assert stopped.delay_s == pytest.approx(CUT_S + 0.007 + PATH_S - 4.6, abs=0.008)


def test_an_onset_in_a_lost_packet_leaves_a_gap_and_no_sound_in_it() -> None:
    recording, timing = _with_lost([ONSET_FRAME])
    [gap] = recording.gaps
    assert gap.packets == 1
    # What Opus decodes of a packet is late by its delay, and the gap lies where the sound would.
    assert gap.start_s == pytest.approx(ONSET_S + PATH_S - OPUS.delay_s, abs=0.001)
    assert gap.end_s == pytest.approx(gap.start_s + 0.02, abs=0.001)
    agent = recording.audio[:, 1]
    inside = agent[round(gap.start_s * SAMPLE_RATE_HZ) + 1 : round(gap.end_s * SAMPLE_RATE_HZ) - 1]
    assert not inside.any()
    assert _voiced(agent)[0] >= gap.end_s - 0.001
    [latency] = timing.latencies[:1]
    assert latency.status is Status.INDETERMINATE
    assert "audio lost on the way" in latency.reason
    # The bound that is told holds the truth: heard later than it was, by no more than that.
    assert latency.answer is not None
    late_s = latency.answer.span.start_s - (ONSET_S + 0.013 + PATH_S)
    assert 0 < late_s <= latency.hidden_s


@pytest.mark.parametrize("behind", [2, 5, 20])
def test_a_loss_well_before_the_onset_moves_nothing(behind: int) -> None:
    _, timing = _with_lost([ONSET_FRAME - behind])
    assert timing.latencies[0].latency_s == pytest.approx(ONSET_S + 0.013 + PATH_S - 3.0, abs=0.002)


def test_a_loss_right_behind_the_onset_s_packet_moves_nothing() -> None:
    recording, timing = _with_lost([ONSET_FRAME + 1])
    assert len(recording.gaps) == 1
    assert timing.latencies[0].latency_s == pytest.approx(ONSET_S + 0.013 + PATH_S - 3.0, abs=0.002)


@pytest.mark.parametrize("lost", [[CUT_FRAME], [CUT_FRAME, CUT_FRAME + 1], [CUT_FRAME - 1], [CUT_FRAME + 1]])
def test_a_stop_in_or_beside_a_lost_packet_is_no_figure(lost: list[int]) -> None:
    recording, timing = _with_lost(lost)
    [gap] = recording.gaps
    [found] = timing.interruptions
    assert found.outcome == "indeterminate"
    assert found.delay_s is None
    assert "lost" in found.reason
    inside = recording.audio[
        round(gap.start_s * SAMPLE_RATE_HZ) + 1 : round(gap.end_s * SAMPLE_RATE_HZ) - 1, 1
    ]
    assert not inside.any()


@pytest.mark.parametrize("off", [-12, 8])
def test_a_loss_further_from_the_stop_moves_it_little(off: int) -> None:
    _, timing = _with_lost([CUT_FRAME + off])
    [found] = timing.interruptions
    assert found.delay_s == pytest.approx(CUT_S + 0.007 + PATH_S - 4.6, abs=0.008)


def test_an_outage_before_an_onset_may_hide_a_first_word() -> None:
    """300 ms of nothing that end 200 ms before the first sound that was heard."""
    _, timing = _with_lost(range(ONSET_FRAME - 25, ONSET_FRAME - 10))
    assert timing.latencies[0].status is Status.INDETERMINATE
    assert "may hide up to 5" in timing.latencies[0].reason
