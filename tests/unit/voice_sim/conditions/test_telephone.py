"""The telephone line: G.711 against libsndfile's, the band by tones, and edges of speech that stay exact."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
import soundfile

from voice_sim.conditions.codec import Law, decode, encode, telephone
from voice_sim.conditions.level import active_level_dbfs, rms_dbfs
from voice_sim.conditions.line import MARGIN_SAMPLES, Line, carried
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import UtteranceError, prepare_utterance, voiced_edges

RATE = 48_000
ALL_SAMPLES = np.arange(-32768, 32768).astype(np.int16)


def by_libsndfile(pcm: np.ndarray, law: Law) -> tuple[np.ndarray, np.ndarray]:
    """Codes and decoded samples of an independent implementation."""
    file = io.BytesIO()
    soundfile.write(file, pcm, 8000, format="AU", subtype=law.upper())
    codes = np.frombuffer(file.getvalue()[-pcm.size :], np.uint8)
    file.seek(0)
    return codes, soundfile.read(file, dtype="int16")[0]


@pytest.mark.parametrize("law", ["ulaw", "alaw"])
def test_every_sample_is_coded_as_libsndfile_codes_it(law: Law) -> None:
    codes, decoded = by_libsndfile(ALL_SAMPLES, law)
    np.testing.assert_array_equal(encode(ALL_SAMPLES, law=law), codes)
    np.testing.assert_array_equal(decode(codes, law=law), decoded)


def test_an_unknown_law_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown companding 'gsm'"):
        encode(ALL_SAMPLES, law="gsm")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown companding 'gsm'"):
        decode(np.zeros(1, np.uint8), law="gsm")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no multiple of 8000"):
        telephone(np.zeros(10, np.float32), law="ulaw", sample_rate_hz=44_100)


def tone(freq_hz: float, level_dbfs: float = -20.0) -> np.ndarray:
    t = np.arange(RATE) / RATE
    return (math.sqrt(2) * 10 ** (level_dbfs / 20) * np.sin(2 * np.pi * freq_hz * t)).astype(np.float32)


@pytest.mark.parametrize(
    ("freq_hz", "low_db", "high_db"),
    [(60, -90, -40), (350, -1.0, 0.5), (1000, -0.3, 0.3), (3000, -0.3, 0.3), (3350, -0.7, 0.3)],
)
def test_the_band_is_a_telephones(freq_hz: float, low_db: float, high_db: float) -> None:
    heard = telephone(tone(freq_hz), law="ulaw")[RATE // 4 : -RATE // 4]
    assert low_db < rms_dbfs(heard) + 20.0 < high_db


@pytest.mark.parametrize("freq_hz", [4200.0, 5000.0, 7000.0, 11_000.0])
def test_what_is_above_the_band_neither_passes_nor_folds_back(freq_hz: float) -> None:
    # Full scale would fold to 8000 - f; what is left must lie under mu-law's own smallest steps.
    heard = telephone(tone(freq_hz, -10.0), law="ulaw")[RATE // 4 : -RATE // 4]
    assert rms_dbfs(heard) < -65.0


def test_a_line_moves_nothing_in_time() -> None:
    random = np.random.default_rng(2)
    speech = np.zeros(RATE, np.float32)
    speech[20_000:28_000] = 0.1 * random.standard_normal(8000)
    heard = telephone(speech, law="alaw")
    lags = np.arange(-200, 201)
    correlation = [float(np.dot(speech[1000:-1000], heard[1000 + lag : RATE - 1000 + lag])) for lag in lags]
    # The high-pass leads by a little where it works; the linear-phase filters are exact.
    assert abs(int(lags[int(np.argmax(correlation))])) <= 6


def test_companding_noise_is_g711s() -> None:
    # mu-law's signal to quantisation noise is 37-39 dB for anything well above its smallest steps.
    pcm = np.round(8000 * np.sin(2 * np.pi * 0.0371 * np.arange(8000))).astype(np.int16)
    for law in ("ulaw", "alaw"):
        error = decode(encode(pcm, law=law), law=law) - pcm  # type: ignore[arg-type]
        snr_db = 10 * math.log10(np.mean(pcm.astype(float) ** 2) / np.mean(error.astype(float) ** 2))
        assert 35.0 < snr_db < 41.0


@pytest.mark.parametrize("line", [Line(telephone="ulaw"), Line(telephone="alaw", gain_db=-6.0)])
def test_carried_speech_begins_and_ends_where_it_says(syllables: Speech, line: Line) -> None:
    utterance = prepare_utterance(syllables, level_dbfs=-23.0)
    result = carried(utterance.samples, line=line, before=4800, after=4800, multiple=960)
    threshold = -42.0 + line.gain_db
    edges = voiced_edges(result.samples, threshold_dbfs=threshold)
    assert edges == (4800, 4800 + result.voiced_samples - 1)
    assert result.samples.size % 960 == 0
    assert result.samples.size >= 9600 + result.voiced_samples
    assert abs(result.voiced_samples - utterance.samples.size) < 0.02 * RATE
    level = active_level_dbfs(result.samples, sample_rate_hz=RATE)
    # The pitch of these syllables, 150 Hz, is their strongest part, and lies outside the band.
    assert -6.0 < level - (-23.0 + line.gain_db) < -3.0


def test_a_clear_line_changes_nothing(syllables: Speech) -> None:
    utterance = prepare_utterance(syllables, level_dbfs=-23.0)
    result = carried(utterance.samples, line=Line(), before=960, after=0, multiple=960)
    np.testing.assert_array_equal(result.samples[960 : 960 + utterance.samples.size], utterance.samples)
    assert result.voiced_samples == utterance.samples.size


def test_noise_under_carried_speech_is_in_the_band_too(syllables: Speech) -> None:
    utterance = prepare_utterance(syllables, level_dbfs=-23.0)
    bed = tone(7000.0, -30.0) + tone(1000.0, -30.0)
    line = Line(telephone="ulaw")
    result = carried(utterance.samples, line=line, before=9600, after=9600, multiple=960, bed=bed)
    spectrum = np.abs(np.fft.rfft(result.samples[:9600] * np.hanning(9600)))
    assert spectrum[1400] < 1e-3 * spectrum[200]  # 5 Hz a bin: 7000 Hz against 1000 Hz
    # The bed is heard from its beginning, as it is between the lines.
    np.testing.assert_allclose(result.samples[:4000], line.carry_loop(bed)[:4000], atol=2e-3)


def test_a_loop_through_the_line_still_closes() -> None:
    loop = tone(100.0 * 7, -30.0)[: 48_000 // 10 * 6]
    heard = Line(telephone="ulaw").carry_loop(loop)
    assert heard.size == loop.size
    turned = Line(telephone="ulaw").carry_loop(np.roll(loop, 6 * 1000))
    np.testing.assert_allclose(np.roll(heard, 6 * 1000), turned, atol=1e-5)
    with pytest.raises(ValueError, match="no whole number of samples at 8 kHz"):
        Line(telephone="ulaw").carry_loop(np.zeros(1001, np.float32))
    assert MARGIN_SAMPLES % 6 == 0


def test_speech_below_the_band_does_not_come_through() -> None:
    with pytest.raises(UtteranceError, match="nothing of the speech comes through"):
        carried(tone(40.0, -30.0), line=Line(telephone="ulaw"), before=0, after=0, multiple=960)
