"""What is taken for the tone of a calibration agent, and what for a tone at all."""

from __future__ import annotations

import numpy as np
import pytest

from metrics import speech
from metrics.spans import Span
from metrics.speech import detect_speech
from tests.unit.metrics.speech_signals import MS, RATE, Samples, as_tones, cosine, hears, silence, sounds


def _is_tone(patch: pytest.MonkeyPatch, sound: Samples) -> bool:
    """Whatever its frequency and level, which decide as well."""
    hears(patch)
    patch.setattr(speech, "MARKER_OFF_HZ", 2000.0)
    patch.setattr(speech, "MARKER_OFF_DB", 40.0)
    twice = [silence(RATE), sound, silence(RATE), sound, silence(RATE)]
    activity = detect_speech(np.concatenate(twice), RATE)
    assert bool(activity.talks) == activity.marker_tones
    return activity.marker_tones


@pytest.mark.parametrize(("share", "tone"), [(0.046, True), (0.054, False)])
def test_a_tone_has_95_percent_of_its_power_near_one_frequency(
    share: float, tone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two cosines 400 Hz apart: their powers are as the squares of their levels."""
    sound = cosine(1000.0, RATE, 0.1) + cosine(1400.0, RATE, 0.1 * (share / (1 - share)) ** 0.5)
    assert _is_tone(monkeypatch, sound) == tone


@pytest.mark.parametrize(("apart_hz", "tone"), [(29.0, True), (-29.0, True), (31.0, False), (-31.0, False)])
def test_near_is_within_30_hz(apart_hz: float, tone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds of sound: bins of half a hertz."""
    sound = cosine(1000.0, 2 * RATE) + cosine(1000.0 + apart_hz, 2 * RATE, 0.09)
    assert _is_tone(monkeypatch, sound) == tone


def test_a_tone_lasts_80_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_tone(monkeypatch, cosine(1000.0, 80 * MS))
    assert not _is_tone(monkeypatch, cosine(1000.0, 80 * MS - 48))


def test_a_short_low_tone_is_one_though_its_line_is_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 ms: bins of 10 Hz, and a window whose line is four bins wide. At 40 Hz that reaches down to 0."""
    assert _is_tone(monkeypatch, cosine(1000.0, 100 * MS))
    assert _is_tone(monkeypatch, cosine(30.0, 200 * MS))
    both = cosine(1000.0, 100 * MS) + cosine(1060.0, 100 * MS, 0.06)
    assert not _is_tone(monkeypatch, both)


def test_every_sound_has_to_be_a_tone(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = 0.1 * np.random.default_rng(3).standard_normal(RATE)
    sound = np.concatenate([cosine(1000.0, RATE), silence(RATE), noise]).astype(np.float32)
    assert not _is_tone(monkeypatch, sound)


def test_tones_are_not_listened_to_by_those_who_know_speech(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "silero_spans", lambda audio: [Span(start_s=0.0, end_s=3.0)])
    monkeypatch.setattr(speech, "webrtcvad_spans", lambda audio: [Span(start_s=0.0, end_s=3.0)])
    tones = as_tones(sounds((RATE, RATE)))
    assert (tones.silero, tones.webrtcvad, tones.talks[0].onset_doubt) == ((), (), "")
    heard = detect_speech(sounds((RATE, RATE)), RATE, marker_tones=False)
    assert heard.webrtcvad == heard.silero == (Span(start_s=0.0, end_s=3.0),)


@pytest.mark.parametrize(("off_db", "marker"), [(1.95, True), (-1.95, True), (2.05, False), (-2.05, False)])
def test_a_marker_tone_is_within_2_db_of_minus_20_dbfs(off_db: float, marker: bool) -> None:
    """The level of a cosine is 3.01 dB below its peak."""
    tone = cosine(1000.0, RATE, 2**0.5 * 10 ** ((-20 + off_db) / 20))
    assert speech._is_marker(tone, RATE, Span(start_s=0.0, end_s=1.0)) == marker


def test_a_sound_with_just_the_share_of_a_tone_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight samples have five bins, all of which lie within four of the strongest: all of the power."""
    monkeypatch.setattr(speech, "TONE_SHARE", 1.0)
    monkeypatch.setattr(speech, "MARKER_HZ", 25.0)
    tone = np.array([1, 0, -1, 0] * 2, np.float32) * np.float32(0.1 * 2**0.5)
    assert speech._is_marker(tone, 100, Span(start_s=0.0, end_s=0.08))


def test_tones_in_which_silero_hears_speech_are_no_marker_tones(monkeypatch: pytest.MonkeyPatch) -> None:
    tone = cosine(1000.0, RATE, 0.1 * 2**0.5)
    audio = np.concatenate([silence(RATE), tone, silence(RATE), tone, silence(RATE)])
    hears(monkeypatch)
    assert detect_speech(audio, RATE).marker_tones
    hears(monkeypatch, (1.0, 2.0))
    assert not detect_speech(audio, RATE).marker_tones


def test_silence_is_no_marker_tone() -> None:
    assert not detect_speech(silence(RATE), RATE).marker_tones


# --- which samples, and how near: bins of so many Hz that frequencies fall on them


def _is_marker(sound: Samples, first: int = 0, last: int = -1) -> bool:
    """Of the sound from one sample to another; all of it if no other is named."""
    end = last if last >= 0 else len(sound) - 1
    return speech._is_marker(sound, RATE, Span(start_s=first / RATE, end_s=end / RATE))


def _marker(freq_hz: float, length: int, share: float = 1.0) -> Samples:
    """A cosine with such a share of the power of a marker, which lies at -20 dBFS."""
    return cosine(freq_hz, length, 0.1 * (2 * share) ** 0.5)


def test_a_marker_is_looked_for_from_the_first_sample_to_the_last() -> None:
    """80 ms are 3840 samples."""
    sound = _marker(1000.0, RATE)
    assert _is_marker(sound, 0, 3839) is True
    assert _is_marker(sound, 0, 3838) is False
    assert _is_marker(sound, 100, 3939) is True


@pytest.mark.parametrize(
    ("freq_hz", "length", "marker"),
    [
        # Bins of 1 Hz: half of one off 21 Hz are 20.5.
        (1021.0, 48_000, False),
        (1020.0, 48_000, True),
        # Of 10 Hz: 15 and 25.
        (1020.0, 4800, True),
        (1030.0, 4800, False),
        # Of 12.5 Hz: 18.75.
        (1025.0, 3840, True),
        # Of 8 Hz: exactly 20, above and below.
        (1024.0, 6000, True),
        (976.0, 6000, True),
    ],
)
def test_a_marker_is_within_20_hz_and_half_a_bin(freq_hz: float, length: int, marker: bool) -> None:
    assert _is_marker(_marker(freq_hz, length)) is marker


@pytest.mark.parametrize(("bins", "marker"), [(4, True), (-4, True), (5, False), (-5, False)])
def test_in_a_short_sound_near_is_within_four_bins(bins: int, marker: bool) -> None:
    """100 ms: bins of 10 Hz. A fifth of the power lies so many bins away: two thirds of that in the bin, a
    sixth in each beside it. Within four bins 97 or 83 % of all is near."""
    sound = _marker(1000.0, 4800, 0.8) + _marker(1000.0 + 10.0 * bins, 4800, 0.2)
    assert _is_marker(sound) is marker


def test_a_level_exactly_as_far_off_as_may_be_is_a_marker_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cosine of four samples at 0 dBFS, 20 dB above a marker."""
    monkeypatch.setattr(speech, "MARKER_HZ", 25.0)
    monkeypatch.setattr(speech, "MARKER_OFF_DB", 20.0)
    tone = np.array([1, 1, -1, -1] * 2, np.float32)
    assert speech._is_marker(tone, 100, Span(start_s=0.0, end_s=0.07)) is True


def test_those_clusters_are_tones_that_silero_does_not_hear_and_that_sound_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[float, float]] = []

    def sounds_so(sound: Samples, rate: int) -> bool:
        asked.append((float(sound[0]), float(sound[-1])))
        return len(asked) == 1

    monkeypatch.setattr(speech, "is_tone", sounds_so)
    one, heard, other = (Span(start_s=at, end_s=at + 0.5) for at in (1.0, 2.0, 3.0))
    audio = np.arange(4 * RATE, dtype=np.float32)
    assert speech._tones(audio, RATE, [one, heard, other], [heard, Span(start_s=9.0, end_s=9.5)]) == [one]
    assert asked == [(48_000.0, 72_000.0), (144_000.0, 168_000.0)]
