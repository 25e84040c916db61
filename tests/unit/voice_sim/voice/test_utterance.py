"""Utterances: level, edges and checksum, against figures worked out here and against a real Opus codec."""

from __future__ import annotations

import fractions
import hashlib
import math
from pathlib import Path

import av
import numpy as np
import pytest

from voice_sim.tts import create_engine
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import Utterance, UtteranceError, prepare_utterance, tone, voiced_edges

THRESHOLD = 10 ** (-42 / 20)
LOOKAHEAD = 312


def through_opus(samples: np.ndarray, *, bit_rate: int) -> np.ndarray:
    """What a listener decodes: the samples begin at index 960, silence before and after them."""
    encoder = av.CodecContext.create("libopus", "w")
    encoder.bit_rate, encoder.format, encoder.layout, encoder.sample_rate = bit_rate, "s16", "mono", 48_000
    encoder.options = {"application": "voip"}
    decoder = av.CodecContext.create("libopus", "r")
    decoder.format, decoder.layout, decoder.sample_rate = "s16", "mono", 48_000
    pcm = np.round(np.pad(samples, (5 * 960, 8 * 960 + -samples.size % 960)) * 32767).astype(np.int16)
    decoded = []
    for start in range(0, pcm.size, 960):
        frame = av.AudioFrame.from_ndarray(pcm[None, start : start + 960], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = 48_000, start, fractions.Fraction(1, 48_000)
        for packet in encoder.encode(frame):
            for out in decoder.decode(av.Packet(bytes(packet))):
                assert (out.format.name, out.layout.name) == ("s16", "mono")
                decoded.append(out.to_ndarray()[0] / 32768.0)
    return np.concatenate(decoded)[LOOKAHEAD + 4 * 960 :]


def edge_errors_ms(utterance: Utterance, *, bit_rate: int) -> tuple[float, float]:
    """How far the decoded onset and end lie from the true ones, found at -48 dBFS as at the other end."""
    decoded = through_opus(utterance.samples, bit_rate=bit_rate)
    loud = np.flatnonzero(np.abs(decoded) >= 10 ** (-48 / 20)) - 960
    return loud[0] / 48.0, (loud[-1] - utterance.last_voiced) / 48.0


def test_level_and_edges_are_as_defined(syllables: Speech) -> None:
    utterance = prepare_utterance(syllables, level_dbfs=-23.0)
    assert utterance.sample_rate_hz == 48_000
    assert (utterance.first_voiced, utterance.last_voiced) == (0, utterance.samples.size - 1)
    assert abs(utterance.samples[0]) >= THRESHOLD
    assert abs(utterance.samples[-1]) >= THRESHOLD
    # Worked out the long way: 10 ms frames, those within 15.9 dB of the level that they give themselves.
    frames = [utterance.samples[i : i + 480] for i in range(0, utterance.samples.size - 479, 480)]
    powers = [float(np.mean(frame.astype(float) ** 2)) for frame in frames]
    loud = [p for p in powers if p >= 10 ** ((-23.0 - 15.9) / 10)]
    assert 10 * math.log10(sum(loud) / len(loud)) == pytest.approx(-23.0, abs=0.02)
    assert utterance.level_dbfs == pytest.approx(-23.0, abs=0.02)
    # From the first burst (0.2 s) to the last (1.7 s), less the soft ends of their windows.
    assert 1.40 < utterance.duration_s < 1.5


def test_the_cut_is_at_the_first_and_last_voiced_sample_exactly() -> None:
    t = np.arange(48_000) / 48_000
    swell = (np.sin(2 * np.pi * 313 * t) * np.hanning(48_000)).astype(np.float32)
    utterance = prepare_utterance(Speech(samples=swell, sample_rate_hz=48_000), level_dbfs=-26.0)
    gain = np.max(np.abs(utterance.samples)) / np.max(np.abs(swell))
    voiced = [i for i, x in enumerate(swell) if abs(x) * gain >= THRESHOLD]
    assert voiced[0] > 100
    np.testing.assert_allclose(utterance.samples, swell[voiced[0] : voiced[-1] + 1] * gain, atol=1e-6)


def test_nothing_voiced_is_cut_away(syllables: Speech) -> None:
    whole = Speech(samples=np.pad(syllables.samples, 22_050), sample_rate_hz=syllables.sample_rate_hz)
    padded = prepare_utterance(whole, level_dbfs=-23.0)
    plain = prepare_utterance(syllables, level_dbfs=-23.0)
    # A second is a whole number of samples at both rates, so the padding must make no difference at all.
    np.testing.assert_array_equal(padded.pcm16, plain.pcm16)


@pytest.mark.parametrize("level_dbfs", [-40.0, -30.0, -20.0])
def test_a_louder_utterance_is_the_same_louder(syllables: Speech, level_dbfs: float) -> None:
    utterance = prepare_utterance(syllables, level_dbfs=level_dbfs)
    assert utterance.level_dbfs == pytest.approx(level_dbfs, abs=0.02)
    assert voiced_edges(utterance.samples) == (0, utterance.samples.size - 1)


def test_peaks_are_kept_below_minus_one_dbtp_and_the_level_owns_up() -> None:
    clicks = np.full(16_000, 0.01, np.float32)
    clicks[::1600] = 1.0
    utterance = prepare_utterance(Speech(samples=clicks, sample_rate_hz=16_000), level_dbfs=-10.0)
    assert np.max(np.abs(utterance.samples)) <= 10 ** (-1 / 20) + 1e-6
    assert utterance.level_dbfs < -11.0


def test_speech_that_cannot_be_heard_is_refused(syllables: Speech) -> None:
    silent = Speech(samples=np.zeros(1000, np.float32), sample_rate_hz=16_000)
    with pytest.raises(UtteranceError, match="silence"):
        prepare_utterance(silent, level_dbfs=-23.0)
    with pytest.raises(UtteranceError, match="choose a higher level"):
        prepare_utterance(syllables, level_dbfs=-60.0)


def test_the_checksum_is_of_the_sixteen_bit_pcm() -> None:
    marker = tone(0.1, 1000.0, -20.0)
    pcm = b"".join(
        int(np.round(np.float32(x) * np.float32(32767.0))).to_bytes(2, "little", signed=True)
        for x in marker.samples
    )
    assert marker.pcm_sha256 == hashlib.sha256(pcm).hexdigest()


def test_resampling_keeps_the_pitch() -> None:
    t = np.arange(22_050) / 22_050
    sine = Speech(samples=(0.3 * np.sin(2 * np.pi * 440 * t)).astype(np.float32), sample_rate_hz=22_050)
    utterance = prepare_utterance(sine, level_dbfs=-23.0)
    spectrum = np.abs(np.fft.rfft(utterance.samples[:48_000] * np.hanning(utterance.samples[:48_000].size)))
    assert np.argmax(spectrum) * 48_000 / utterance.samples[:48_000].size == pytest.approx(440.0, abs=2.0)


def test_a_tone_has_its_length_pitch_and_level() -> None:
    marker = tone(0.5, 1000.0, -23.0)
    assert 0.497 < marker.duration_s < 0.5
    middle = marker.samples[4800:14_400].astype(float)
    assert 10 * math.log10(np.mean(middle**2)) == pytest.approx(-23.0, abs=0.01)
    assert np.argmax(np.abs(np.fft.rfft(middle))) * 48_000 / middle.size == pytest.approx(1000.0)


@pytest.mark.parametrize(
    "wrong", [{"duration_s": 0.01}, {"freq_hz": 24_000.0}, {"level_dbfs": -2.0}, {"level_dbfs": -50.0}]
)
def test_tones_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UtteranceError, match=r"no tone of|choose a higher level"):
        tone(**{"duration_s": 0.3, "freq_hz": 1000.0, "level_dbfs": -23.0, **wrong})


@pytest.mark.parametrize("duration_s", [0.15, 0.2013, 0.3337, 0.5])
def test_the_edges_of_a_tone_survive_the_codec(duration_s: float) -> None:
    onset_ms, end_ms = edge_errors_ms(tone(duration_s, 1000.0, -23.0), bit_rate=96_000)
    assert abs(onset_ms) <= 0.1
    assert abs(end_ms) <= 0.1


@pytest.mark.parametrize(("bit_rate", "bound_ms"), [(96_000, 1.5), (32_000, 2.5)])
def test_the_edges_of_speech_survive_the_codec(piper_folder: Path, bit_rate: int, bound_ms: float) -> None:
    engine = create_engine("piper", folder=piper_folder)
    for line in ("Hello, this is Alex.", "Sorry, can I just ask something?", "Seven four two nine one."):
        utterance = prepare_utterance(engine.synthesize(line, voice="joe", rate=1.0), level_dbfs=-23.0)
        onset_ms, end_ms = edge_errors_ms(utterance, bit_rate=bit_rate)
        assert abs(onset_ms) <= 0.5
        assert abs(end_ms) <= bound_ms
