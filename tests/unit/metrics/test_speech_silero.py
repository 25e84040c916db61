"""What the trained detectors call speech, from what they say of each piece of sound."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics import speech
from metrics.speech import silero_spans, webrtcvad_spans
from tests.unit.metrics.speech_signals import Samples, silence

# --- Silero: chunks of 512 samples at 16 kHz, 32 ms


def _probabilities(patch: pytest.MonkeyPatch, *values: float) -> list[tuple[int, int]]:
    """The spans for such probabilities, in chunks."""
    patch.setattr(speech, "_silero", lambda: lambda audio: np.array(values)[: len(audio) // 512])
    spans = silero_spans(silence(len(values) * 512))
    return [(round(span.start_s / 0.032), round(span.end_s / 0.032)) for span in spans]


def test_speech_begins_at_one_half_and_ends_below_0_35(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _probabilities(monkeypatch, 0.0, 0.5, 0.35, 0.35, 0.34, 0.49) == [(1, 4)]
    assert _probabilities(monkeypatch, 0.0, 0.49, 0.4, 0.0) == []
    # 0.36 goes on, and what still goes on at the end ends there.
    assert _probabilities(monkeypatch, 0.9, 0.36, 0.36) == [(0, 3)]


def test_speech_began_where_the_model_first_stirred(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _probabilities(monkeypatch, 0.14, 0.15, 0.3, 0.5, 0.0) == [(1, 4)]
    assert _probabilities(monkeypatch, 0.2, 0.2, 0.5, 0.0) == [(0, 3)]
    # It stirs, is quiet for a chunk, and speaks.
    assert _probabilities(monkeypatch, 0.3, 0.1, 0.5, 0.0) == [(2, 3)]


def test_a_stir_does_not_reach_into_the_speech_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second speech stirs from chunk 3 on, where the first one ended: they touch and are one."""
    assert _probabilities(monkeypatch, 0.9, 0.9, 0.9, 0.3, 0.3, 0.9, 0.0) == [(0, 6)]
    monkeypatch.setattr(speech, "merge_spans", lambda spans, *, max_gap_s: spans)
    assert _probabilities(monkeypatch, 0.9, 0.9, 0.9, 0.3, 0.3, 0.9, 0.0) == [(0, 3), (3, 6)]
    assert _probabilities(monkeypatch, 0.9, 0.3, 0.9, 0.3, 0.9, 0.0) == [(0, 1), (1, 3), (3, 5)]


def test_quiet_of_up_to_100_ms_is_bridged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three chunks are 96 ms, four 128."""
    assert _probabilities(monkeypatch, 0.9, 0.0, 0.0, 0.0, 0.9) == [(0, 5)]
    assert _probabilities(monkeypatch, 0.9, 0.0, 0.0, 0.0, 0.0, 0.9) == [(0, 1), (5, 6)]


def test_the_model_is_given_whole_chunks_with_silence_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Samples] = []

    def model(audio: Samples) -> Samples:
        given.append(audio.copy())
        audio[:] = 7.0
        return np.zeros((1, len(audio) // 512), np.float32)

    monkeypatch.setattr(speech, "_silero", lambda: model)
    audio = np.ones(513, np.float32)
    assert silero_spans(audio) == []
    assert (len(given[0]), given[0].sum()) == (1024, 513)
    whole = np.ones(1024, np.float32)
    silero_spans(whole)
    assert len(given[1]) == 1024
    assert whole.sum() == 1024, "the model wrote into the caller's audio"


# --- webrtcvad: frames of 10 ms


class _Frames:
    """Hears speech in a frame whose first sample is not 0."""

    modes: list[int] = []  # noqa: RUF012
    seen: list[NDArray[np.int16]] = []  # noqa: RUF012

    def __init__(self, mode: int) -> None:
        self.modes.append(mode)

    def is_speech(self, frame: bytes, rate: int) -> bool:
        samples = np.frombuffer(frame, np.int16)
        assert (len(samples), rate) == (160, 16_000)
        self.seen.append(samples)
        return bool(samples[0])


def _framed(patch: pytest.MonkeyPatch, text: str, *, tail: int = 0) -> list[tuple[float, float]]:
    """The spans, in frames, for a text of one sign a frame: ``#`` is speech."""
    patch.setattr("metrics.speech.webrtcvad.Vad", _Frames)
    audio = np.repeat(np.array([0.5 if sign == "#" else 0.0 for sign in text], np.float32), 160)
    spans = webrtcvad_spans(np.concatenate([audio, np.full(tail, 0.5, np.float32)]))
    return [(round(span.start_s * 100, 6), round(span.end_s * 100, 6)) for span in spans]


def test_frames_of_speech_become_spans_of_at_least_30_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _framed(monkeypatch, "..####..") == [(2, 6)]
    assert _framed(monkeypatch, "##......") == []
    assert _framed(monkeypatch, "####") == [(0, 4)]
    # What is left over is no frame.
    assert _framed(monkeypatch, "####", tail=159) == [(0, 4)]
    assert _Frames.modes[-1] == 2


def test_frames_less_than_100_ms_apart_are_one_span(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _framed(monkeypatch, "####.........####") == [(0, 17)]
    assert _framed(monkeypatch, "####...........####") == [(0, 4), (15, 19)]


def test_frames_are_16_bit_and_clipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.speech.webrtcvad.Vad", _Frames)
    webrtcvad_spans(np.repeat(np.array([1.0, -1.0, 2.0, -2.0, 0.5], np.float32), 32))
    assert _Frames.seen[-1][::32].tolist() == [32767, -32767, 32767, -32768, 16383]


@pytest.mark.parametrize("at", [0, 1, 4, 7, 26, 30, 33])
def test_frames_are_counted_alike_wherever_they_are(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In seconds 0.29 - 0.26 is less than 0.03."""
    before = "." * at
    assert _framed(monkeypatch, f"{before}##") == []
    assert _framed(monkeypatch, f"{before}###") == [(at, at + 3)]
    ten, eleven = "." * 10, "." * 11
    assert _framed(monkeypatch, f"{before}###{ten}###") == [(at, at + 16)]
    assert _framed(monkeypatch, f"{before}###{eleven}###") == [(at, at + 3), (at + 14, at + 17)]


# --- how the model runs


def test_the_model_runs_in_one_thread_and_keeps_nothing_of_the_calls_that_it_heard() -> None:
    session = speech._silero().session
    options = session.get_session_options()
    assert (options.inter_op_num_threads, options.intra_op_num_threads) == (1, 1)
    assert (options.enable_cpu_mem_arena, options.enable_mem_pattern) == (False, False)
    assert options.log_severity_level == 4
    assert session.get_providers() == ["CPUExecutionProvider"]
