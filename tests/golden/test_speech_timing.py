"""Edges of natural speech after the whole way: through Opus, placed by its packets, found by the detectors.

The truth of a clip is its first and last sample at -48 dBFS or more, at the place where it was put. Bounds:
the correction for a codec's smear may take 5 ms off an onset and 20 ms off an end; three of four clips need
none of it, and are exact to half a millisecond at the onset and to one at the end.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.transports.codecs.opus import OPUS
from metrics.resample import to_speech_rate
from metrics.speech import END_DOUBT_S, ONSET_DOUBT_S, detect_speech, silero_spans
from tests.unit.harness.stand_ins.packet_streams import PATH_S, over_the_path, recording_of, stream
from tests.unit.harness.stand_ins.spoken import CLIPS, RATE, clip, placed_at

Samples = NDArray[np.float32]
VOICED = 10 ** (-48 / 20)


def _edges(audio: Samples) -> tuple[float, float]:
    voiced = np.flatnonzero(np.abs(audio) >= VOICED)
    return float(voiced[0]) / RATE, float(voiced[-1]) / RATE


def _through_opus(audio: Samples) -> Samples:
    return OPUS.decode(OPUS.encode(audio))[OPUS.delay_samples :]


def _errors_ms(found: Samples, truth: tuple[float, float]) -> tuple[float, float]:
    activity = detect_speech(found, RATE)
    first, last = activity.talks[0], activity.talks[-1]
    assert first.onset_doubt == "", first.onset_doubt
    return (first.span.start_s - truth[0]) * 1000, (last.span.end_s - truth[1]) * 1000


def _assert_within_bounds(onsets_ms: list[float], ends_ms: list[float]) -> None:
    assert np.percentile(onsets_ms, 75) < 0.5
    assert max(onsets_ms) < 5.0
    assert np.percentile(ends_ms, 75) < 1.0
    assert max(ends_ms) < 20.0


@pytest.mark.parametrize("at_s", [1.0, 1.23456])
def test_clips_at_known_places_are_found_there(at_s: float) -> None:
    onsets, ends = [], []
    for name in CLIPS:
        audio = placed_at(clip(name), at_s, total_s=at_s + len(clip(name)) / RATE + 1.5)
        onset_ms, end_ms = _errors_ms(audio, _edges(audio))
        onsets.append(abs(onset_ms))
        ends.append(abs(end_ms))
    _assert_within_bounds(onsets, ends)


def test_opus_moves_no_edge_beyond_the_bounds() -> None:
    onsets, ends = [], []
    for name in CLIPS:
        audio = placed_at(clip(name), 1.0, total_s=len(clip(name)) / RATE + 2.5)
        onset_ms, end_ms = _errors_ms(_through_opus(audio), _edges(audio))
        onsets.append(abs(onset_ms))
        ends.append(abs(end_ms))
    _assert_within_bounds(onsets, ends)


@pytest.mark.parametrize("name", ["refund", "question", "minutes"])
def test_speech_is_found_where_it_arrived_over_a_network_with_jitter(name: str) -> None:
    """20 ms of jitter on every packet; the sender's clock drifts by 100 ppm; the truth is when it was due."""
    at_s = 2.0
    audio = placed_at(clip(name), at_s, total_s=len(clip(name)) / RATE + 4.0)
    packets = stream(audio, due_s=lambda frame: 1.0 + frame * 0.02 * (1 + 1e-4))
    late_s = np.random.default_rng(5).uniform(0.0, 0.02, len(packets)).tolist()
    agent = recording_of(over_the_path(packets, late_s=late_s)).audio[:, 1]
    first_s, last_s = (1.0 + edge_s * (1 + 1e-4) + PATH_S for edge_s in _edges(audio))
    onset_ms, end_ms = _errors_ms(agent, (first_s, last_s))
    # 1 ms by which a block may slip, 1 ms of 20 ms of jitter, and the edge itself.
    assert abs(onset_ms) < 2.5
    assert abs(end_ms) < 4.0


@pytest.mark.parametrize("name", ["account", "greeting", "reference"])
def test_speech_that_was_cut_off_ends_at_the_cut(name: str) -> None:
    """An agent that is interrupted stops at any sample, in the middle of a vowel or in a pause. Over the cuts
    of these clips the end is found within 20 ms, the bound for interruptions, and 10 ms for most."""
    errors = []
    for share in np.linspace(0.3, 0.9, 13):
        spoken = clip(name)[: round(share * len(clip(name)))]
        audio = placed_at(spoken, 1.0, total_s=len(spoken) / RATE + 2.5)
        activity = detect_speech(_through_opus(audio), RATE)
        errors.append(abs(activity.talks[-1].span.end_s - _edges(audio)[1]) * 1000)
    assert np.percentile(errors, 75) < 10.0
    assert max(errors) < 20.0


@pytest.mark.parametrize("at_s", [1.0, 2.5167, 6.0])
def test_the_trained_detector_agrees_within_its_bound_after_any_silence(at_s: float) -> None:
    """After seconds of silence it takes its time to believe in speech, but stirs at once: within 60 ms, half
    of what makes an onset doubtful."""
    for name in CLIPS:
        audio = placed_at(clip(name), at_s, total_s=len(clip(name)) / RATE + at_s + 2.0)
        spans = silero_spans(to_speech_rate(audio, RATE))
        first_s, last_s = _edges(audio)
        assert abs(spans[0].start_s - first_s) < ONSET_DOUBT_S / 2, name
        assert abs(spans[-1].end_s - last_s) < END_DOUBT_S, name


def test_white_noise_at_minus_50_dbfs_costs_what_is_stated() -> None:
    """Edges below the raised threshold are lost: p95 about 35 ms, and the noise floor is on record."""
    errors = []
    for seed, name in enumerate(CLIPS):
        audio = placed_at(clip(name), 1.0, total_s=len(clip(name)) / RATE + 2.5)
        noise = 10 ** (-50 / 20) * np.random.default_rng(seed).standard_normal(len(audio))
        activity = detect_speech((audio + noise).astype(np.float32), RATE)
        assert activity.noise_floor_dbfs == pytest.approx(-50.0, abs=0.5)
        assert activity.talks, name
        if not activity.talks[0].onset_doubt:
            errors.append(abs(activity.talks[0].span.start_s - _edges(audio)[0]) * 1000)
    assert len(errors) >= 0.7 * len(CLIPS)
    assert np.percentile(errors, 95) < 45.0
    assert np.median(errors) < 10.0
