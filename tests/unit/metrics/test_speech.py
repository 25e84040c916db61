"""Speech detection on signals whose every sample is known: edges to the sample, and what is no speech."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.resample import to_speech_rate
from metrics.spans import Span
from metrics.speech import (
    CLUSTER_GAP_S,
    THRESHOLD_DBFS,
    SpeechActivity,
    detect_speech,
    energy_spans,
    noise_floor,
    silero_spans,
    webrtcvad_spans,
)
from tests.unit.harness.stand_ins.spoken import clip, placed_at

RATE = 48_000
THRESHOLD = 10 ** (THRESHOLD_DBFS / 20)
AT_S = 2.0
Samples = NDArray[np.float32]


def _tone(length_s: float, level: float = 0.1, freq_hz: float = 1000.0) -> Samples:
    """Begins and ends at its peak, so that its first and last sample are voiced."""
    count = round(length_s * RATE)
    return (level * np.cos(2 * np.pi * freq_hz * np.arange(count) / RATE)).astype(np.float32)


def _noise(length_s: float, dbfs: float, seed: int = 1) -> Samples:
    count = round(length_s * RATE)
    return (10 ** (dbfs / 20) * np.random.default_rng(seed).standard_normal(count)).astype(np.float32)


def _with_tones(*tones: tuple[float, float], total_s: float = 5.0) -> Samples:
    audio = np.zeros(round(total_s * RATE), np.float32)
    for at_s, length_s in tones:
        audio += placed_at(_tone(length_s), at_s, total_s=total_s)
    return audio


def _voiced(length_s: float) -> Samples:
    """As a voice of 150 Hz: begins at its peak, as :func:`_tone` does."""
    t = np.arange(round(length_s * RATE)) / RATE
    return np.asarray(0.05 * sum(np.cos(2 * np.pi * 150 * k * t) / k for k in range(1, 11)), np.float32)


def _tones(audio: Samples, **options: object) -> SpeechActivity:
    return detect_speech(audio, RATE, marker_tones=True, **options)  # type: ignore[arg-type]


def _edges_ms(activity: SpeechActivity, name: str = "refund", at_s: float = AT_S) -> tuple[float, float]:
    """Onset and end error of the only talk, whose clip was put at ``at_s``."""
    [talk] = activity.talks
    last_s = at_s + (len(clip(name)) - 1) / RATE
    return (talk.span.start_s - at_s) * 1000, (talk.span.end_s - last_s) * 1000


def _said(name: str = "refund", at_s: float = AT_S) -> Samples:
    return placed_at(clip(name), at_s, total_s=at_s + len(clip(name)) / RATE + 2.0)


# --- energy


@pytest.mark.parametrize("start", [0, 1, 48_000, 59_999])
@pytest.mark.parametrize("count", [2400, 9601])
def test_energy_marks_the_first_and_the_last_voiced_sample(start: int, count: int) -> None:
    audio = np.zeros(2 * RATE, np.float32)
    audio[start : start + count] = 0.1
    [span] = energy_spans(audio, RATE, threshold=THRESHOLD)
    assert (round(span.start_s * RATE), round(span.end_s * RATE)) == (start, start + count - 1)


def test_a_sample_is_voiced_from_the_threshold_on() -> None:
    audio = np.full(RATE, THRESHOLD * 0.999, np.float32)
    assert energy_spans(audio, RATE, threshold=THRESHOLD) == []
    audio[10_000:20_000] = -THRESHOLD * 1.001
    [span] = energy_spans(audio, RATE, threshold=THRESHOLD)
    assert round(span.start_s * RATE) == 10_000


def test_pauses_within_words_are_bridged_and_longer_ones_are_not() -> None:
    within = _with_tones((1.0, 0.3), (1.3 + CLUSTER_GAP_S - 0.005, 0.3))
    beyond = _with_tones((1.0, 0.3), (1.3 + CLUSTER_GAP_S + 0.005, 0.3))
    assert len(energy_spans(within, RATE, threshold=THRESHOLD)) == 1
    assert len(energy_spans(beyond, RATE, threshold=THRESHOLD)) == 2


def test_less_than_40_ms_of_sound_is_a_click() -> None:
    assert energy_spans(_with_tones((1.0, 0.03)), RATE, threshold=THRESHOLD) == []
    assert len(energy_spans(_with_tones((1.0, 0.05)), RATE, threshold=THRESHOLD)) == 1
    # Two clicks 100 ms apart hold no more sound than one of them twice.
    assert energy_spans(_with_tones((1.0, 0.012), (1.1, 0.012)), RATE, threshold=THRESHOLD) == []


def test_what_a_codec_smears_before_an_abrupt_edge_is_taken_off() -> None:
    audio = _with_tones((1.0, 0.5))
    # 3 ms of pre-echo, 25 dB below the peak and well above the threshold.
    start = RATE - 144
    audio[start:RATE] = 0.0056 * np.sign(np.sin(np.arange(144)))
    [span] = energy_spans(audio, RATE, threshold=THRESHOLD)
    assert round(span.start_s * RATE) == RATE


# --- the noise floor


@pytest.mark.parametrize("dbfs", [-70.0, -50.0, -35.0])
def test_the_noise_floor_is_the_noise_s_own_level(dbfs: float) -> None:
    audio = _noise(4.0, dbfs)
    audio[: 2 * RATE] += _tone(2.0)
    assert 20 * np.log10(noise_floor(audio, RATE)) == pytest.approx(dbfs, abs=0.5)


def test_the_noise_floor_is_taken_where_audio_was_sent_and_came() -> None:
    audio = _noise(6.0, -50.0)
    audio[:RATE] = audio[5 * RATE :] = 0.0
    audio[2 * RATE : 4 * RATE] = 0.0
    sent = Span(start_s=1.0, end_s=5.0)
    lost = (Span(start_s=2.0, end_s=4.0),)
    assert noise_floor(audio, RATE) == 0.0
    assert 20 * np.log10(noise_floor(audio, RATE, present=sent, absent=lost)) == pytest.approx(-50, abs=0.5)
    assert noise_floor(audio, RATE, present=Span(start_s=0.0, end_s=0.001)) == 0.0


# --- whole talks


def test_tones_are_measured_to_the_sample_and_pauses_part_them() -> None:
    # 0.5 s of quiet are a pause, 0.7 s end the talk.
    activity = _tones(_with_tones((0.5, 0.5), (1.5, 0.5), (2.7, 0.5)))
    first, second = activity.talks
    assert (first.span.start_s, second.span.start_s) == (0.5, 2.7)
    assert first.span.end_s == pytest.approx(2.0, abs=0.00051)
    assert second.span.end_s == pytest.approx(3.2, abs=0.00051)
    assert [len(talk.clusters) for talk in activity.talks] == [2, 1]
    assert activity.marker_tones


def test_speech_that_breaks_off_is_told_from_speech_that_fades() -> None:
    audio = _with_tones((1.0, 1.0))
    assert not _tones(audio).talks[0].soft_end
    audio[RATE : 2 * RATE] *= np.linspace(1.0, 0.05, RATE, dtype=np.float32)
    assert _tones(audio).talks[0].soft_end


@pytest.mark.parametrize("dbfs", [-80.0, -70.0, -60.0])
def test_quiet_noise_moves_no_edge(dbfs: float) -> None:
    audio = _said()
    activity = detect_speech(audio + _noise(len(audio) / RATE, dbfs), RATE)
    onset_ms, end_ms = _edges_ms(activity)
    assert abs(onset_ms) < 1.0
    assert abs(end_ms) < 1.0
    assert activity.talks[0].onset_doubt == activity.talks[0].end_doubt == ""


def test_loud_noise_raises_the_threshold_and_says_so() -> None:
    """White noise at -50 dBFS: 20 x log10(5) above it is -36; soft edges below that are lost, some 35 ms."""
    audio = _said()
    activity = detect_speech(audio + _noise(len(audio) / RATE, -50.0), RATE)
    assert activity.noise_floor_dbfs == pytest.approx(-50.0, abs=0.5)
    assert activity.threshold_dbfs == pytest.approx(-36.0, abs=0.5)
    onset_ms, end_ms = _edges_ms(activity)
    assert -1.0 < onset_ms < 35.0
    assert -35.0 < end_ms < 1.0


@pytest.mark.parametrize("offset", [0.003, 0.01, 0.05])
@pytest.mark.parametrize("where", ["everywhere", "while sent", "sent just before"])
def test_a_dc_offset_moves_no_edge(offset: float, where: str) -> None:
    audio = _said()
    start_s = {"everywhere": 0.0, "while sent": 0.5, "sent just before": AT_S - 0.01}[where]
    sent = Span(start_s=start_s, end_s=len(audio) / RATE - 0.5)
    if where == "everywhere":
        activity = detect_speech(audio + np.float32(offset), RATE)
    else:
        audio[round(sent.start_s * RATE) : round(sent.end_s * RATE)] += np.float32(offset)
        activity = detect_speech(audio, RATE, present=sent)
    onset_ms, end_ms = _edges_ms(activity)
    assert abs(onset_ms) < 1.0
    assert abs(end_ms) < 1.0
    assert activity.threshold_dbfs == pytest.approx(THRESHOLD_DBFS, abs=0.1)


def test_a_dc_offset_does_not_sound_in_the_gaps_of_lost_packets() -> None:
    audio = _said() + np.float32(0.05)
    lost = Span(start_s=AT_S - 0.1, end_s=AT_S - 0.02)
    audio[round(lost.start_s * RATE) : round(lost.end_s * RATE)] = 0.0
    activity = detect_speech(audio, RATE, present=Span(start_s=0.0, end_s=len(audio) / RATE), absent=(lost,))
    onset_ms, _ = _edges_ms(activity)
    assert abs(onset_ms) < 1.0


@pytest.mark.parametrize("before_s", [0.2, 0.5, 1.0])
def test_clicks_well_before_or_after_speech_change_nothing(before_s: float) -> None:
    audio = _said()
    for at_s in (AT_S - before_s, AT_S + len(clip("refund")) / RATE + before_s):
        audio[round(at_s * RATE) : round(at_s * RATE) + 48] = 0.5
    onset_ms, end_ms = _edges_ms(detect_speech(audio, RATE))
    assert abs(onset_ms) < 1.0
    assert abs(end_ms) < 1.0


@pytest.mark.parametrize("before_ms", [50, 80, 100, 140])
def test_a_click_shortly_before_speech_makes_its_onset_doubtful(before_ms: int) -> None:
    audio = _said()
    audio[round((AT_S - before_ms / 1000) * RATE)] = 0.5
    [talk] = detect_speech(audio, RATE).talks
    assert talk.onset_doubt
    # Beyond 120 ms it is the two detectors that disagree.
    assert f"begins {before_ms} ms later" in talk.onset_doubt or before_ms > 120


@pytest.mark.parametrize("dbfs", [-70.0, -65.0])
def test_comfort_noise_before_speech_is_no_onset(dbfs: float) -> None:
    audio = _said()
    audio[RATE // 2 : round(AT_S * RATE)] += _noise(AT_S - 0.5, dbfs)
    onset_ms, _ = _edges_ms(detect_speech(audio, RATE))
    assert abs(onset_ms) < 1.0


@pytest.mark.parametrize("dbfs", [-55.0, -45.0, -35.0])
def test_louder_noise_only_before_speech_is_never_a_silent_error(dbfs: float) -> None:
    audio = _said()
    audio[RATE // 2 : round(AT_S * RATE)] += _noise(AT_S - 0.5, dbfs)
    [talk] = detect_speech(audio, RATE).talks
    assert talk.onset_doubt or abs(talk.span.start_s - AT_S) < 0.012


@pytest.mark.parametrize("fade_ms", [20, 50, 100, 200])
def test_a_soft_beginning_is_found_where_it_becomes_voiced(fade_ms: int) -> None:
    audio = _said()
    start, count = round(AT_S * RATE), fade_ms * 48
    audio[start : start + count] *= np.linspace(0, 1, count, dtype=np.float32)
    truth_s = float(np.flatnonzero(np.abs(audio) >= THRESHOLD)[0]) / RATE
    [talk] = detect_speech(audio, RATE).talks
    assert talk.span.start_s == pytest.approx(truth_s, abs=0.005)


def _on_and_off(audio: Samples, period_s: float) -> Samples:
    return np.where((np.arange(len(audio)) // round(period_s * RATE)) % 2, audio, np.float32(0))


NO_SPEECH = {
    "silence": np.zeros(4 * RATE, np.float32),
    "white noise": _noise(4.0, -20.0),
    "noise in bursts": _on_and_off(_noise(4.0, -20.0), 0.25),
    "a steady tone": _tone(4.0, 0.2),
    "hum": _tone(4.0, 0.2, 50.0),
    "ringing": _on_and_off(_tone(4.0, 0.1, 440.0) + _tone(4.0, 0.1, 480.0), 2.0),
}


@pytest.mark.parametrize("kind", NO_SPEECH)
def test_what_is_no_speech_is_none(kind: str) -> None:
    activity = detect_speech(NO_SPEECH[kind], RATE, marker_tones=False)
    assert activity.talks == ()


def test_noise_and_ringing_are_not_taken_for_the_tones_of_a_test_agent() -> None:
    for kind in ("white noise", "noise in bursts", "ringing"):
        assert detect_speech(NO_SPEECH[kind], RATE).talks == (), kind


MARKER = np.float32(2**0.5)
"""Tones of 0.1 at their peak lie at -23 dBFS; those of a calibration agent at -20."""


def _two(sound: Samples) -> Samples:
    quiet = np.zeros(RATE, np.float32)
    return np.concatenate([quiet, sound, quiet, sound, quiet])


@pytest.mark.parametrize(
    ("sound", "marker"),
    [
        (_tone(0.8, 0.1414), True),
        (_tone(0.8, 0.1414 * 0.82), True),  # 1.7 dB less
        (_tone(0.8, 0.1414 * 0.77), False),  # 2.3 dB less
        (_tone(0.8, 0.1414 * 1.3), False),
        (_tone(0.8, 0.1414, 1019.0), True),
        (_tone(0.8, 0.1414, 1022.0), False),
        (_tone(0.8, 0.1414, 440.0), False),  # ringback and busy of one frequency
        (_tone(0.8, 0.1414, 425.0), False),
        (_tone(0.8, 0.1414, 1400.0), False),  # beeps
        (_tone(0.8, 0.4), False),
    ],
)
def test_only_the_tone_of_a_calibration_agent_is_taken_for_one(sound: Samples, marker: bool) -> None:
    """Ringback, busy tones and beeps that come in band are no answers of the agent."""
    activity = detect_speech(_two(sound), RATE)
    assert (activity.marker_tones, len(activity.talks)) == (marker, 2 if marker else 0)


def test_one_beep_is_no_calibration_agent() -> None:
    """A voicemail's beep, by chance of the same frequency and level."""
    activity = detect_speech(_with_tones((2.0, 0.8)) * MARKER, RATE)
    assert (activity.marker_tones, activity.talks) == (False, ())
    assert detect_speech(_two(_tone(0.8, 0.1414)), RATE).marker_tones


def test_an_agent_that_only_sounds_in_pure_tones_is_measured_by_them() -> None:
    activity = detect_speech(MARKER * _with_tones((0.5, 0.5), (2.0, 1.0)), RATE)
    assert [talk.span.start_s for talk in activity.talks] == [0.5, 2.0]
    assert activity.marker_tones


def test_a_tone_beside_speech_is_no_speech() -> None:
    audio = _said(at_s=4.0)
    audio += placed_at(_tone(1.0), 1.0, total_s=len(audio) / RATE)
    activity = detect_speech(audio, RATE)
    assert not activity.marker_tones
    onset_ms, _ = _edges_ms(activity, at_s=4.0)
    assert abs(onset_ms) < 1.0


@pytest.mark.parametrize("rate", [8000, 16_000, 22_050, 24_000, 44_100])
def test_edges_do_not_depend_on_the_sampling_rate(rate: int) -> None:
    audio = _said()
    # Linear interpolation on a signal that was made at 22.05 kHz: an implementation of its own.
    at = np.arange(int(len(audio) / RATE * rate)) / rate
    resampled = np.interp(at, np.arange(len(audio)) / RATE, audio).astype(np.float32)
    onset_ms, end_ms = _edges_ms(detect_speech(resampled, rate))
    assert abs(onset_ms) < 2.0
    assert abs(end_ms) < 2.0


def test_nothing_at_all_is_no_speech() -> None:
    for count in (0, 1, 100):
        activity = detect_speech(np.zeros(count, np.float32), RATE)
        assert activity.talks == activity.energy == activity.silero == ()
        assert activity.noise_floor_dbfs is None


def test_what_was_given_is_not_changed() -> None:
    audio = _said() + np.float32(0.01)
    before = audio.copy()
    detect_speech(audio, RATE)
    np.testing.assert_array_equal(audio, before)


# --- the trained detectors on their own


@pytest.mark.parametrize("name", ["account", "answer_short", "refund"])
def test_silero_hears_speech_within_its_stated_bounds(name: str) -> None:
    """Steps of 32 ms; within 100 ms of the truth at both edges."""
    spans = silero_spans(to_speech_rate(_said(name), RATE))
    assert abs(spans[0].start_s - AT_S) < 0.1
    assert abs(spans[-1].end_s - AT_S - len(clip(name)) / RATE) < 0.1
    for span in spans:
        assert span.start_s / 0.032 == pytest.approx(round(span.start_s / 0.032), abs=1e-6)
    assert silero_spans(np.zeros(0, np.float32)) == []
    assert silero_spans(np.zeros(16_000, np.float32)) == []


def test_webrtcvad_hears_speech_and_is_late_at_its_end() -> None:
    spans = webrtcvad_spans(to_speech_rate(_said(), RATE))
    assert abs(spans[0].start_s - AT_S) < 0.05
    late_s = spans[-1].end_s - AT_S - len(clip("refund")) / RATE
    assert 0.0 < late_s < 0.25
    assert webrtcvad_spans(np.zeros(16_000, np.float32)) == []


def test_detection_is_the_same_each_time() -> None:
    audio = _said() + _noise(len(_said()) / RATE, -60.0)
    assert detect_speech(audio, RATE) == detect_speech(audio.copy(), RATE)


@pytest.mark.parametrize(
    ("before_s", "length_s", "heard", "doubtful"),
    [
        (0.72, 0.34, True, True),
        (0.72, 0.34, False, False),  # neither detector hears speech in it
        (0.72, 0.13, True, True),  # 0.59 s of quiet behind it: a pause between words
        (0.72, 0.11, True, False),  # 0.61 s: it was before
        (0.50, 0.09, True, False),  # shorter than a word
    ],
)
def test_a_first_word_that_one_detector_misses_leaves_the_onset_open(
    before_s: float, length_s: float, heard: bool, doubtful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over PCMU Silero missed a first word of 0.34 s, and an answer read 720 ms too slow."""
    first, then = Span(start_s=AT_S - before_s, end_s=AT_S - before_s + length_s), (AT_S, AT_S + 1.0)
    monkeypatch.setattr("metrics.speech.silero_spans", lambda audio: [Span(start_s=then[0], end_s=then[1])])
    monkeypatch.setattr(
        "metrics.speech.webrtcvad_spans",
        lambda audio: [*([first] if heard else []), Span(start_s=then[0], end_s=then[1])],
    )
    audio = _with_tones((AT_S, 1.0)) + placed_at(_voiced(length_s), first.start_s, total_s=5.0)
    [talk] = detect_speech(audio, RATE, marker_tones=False).talks
    assert talk.span.start_s == pytest.approx(AT_S, abs=0.001)
    assert bool(talk.onset_doubt) is doubtful
    if doubtful:
        assert talk.onset_doubt == (
            f"{before_s * 1000:.0f} ms before it begins a sound of {length_s * 1000:.0f} ms that is speech "
            "to webrtcvad and not to Silero"
        )


@pytest.mark.parametrize("webrtc", [True, False])
def test_a_chime_before_an_onset_leaves_nothing_open(webrtc: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tone of the test above, where the word was: neither asked for afresh nor doubted."""
    chime, then = Span(start_s=AT_S - 0.72, end_s=AT_S - 0.55), Span(start_s=AT_S, end_s=AT_S + 1.0)
    asked: list[int] = []

    def silero(audio: Samples) -> list[Span]:
        asked.append(len(audio))
        return [then]

    monkeypatch.setattr("metrics.speech.silero_spans", silero)
    monkeypatch.setattr("metrics.speech.webrtcvad_spans", lambda audio: [chime, then] if webrtc else [then])
    audio = _with_tones((chime.start_s, 0.17), (AT_S, 1.0))
    heard = detect_speech(audio, RATE, marker_tones=False)
    [talk] = heard.talks
    assert (talk.span.start_s, talk.onset_doubt) == (pytest.approx(AT_S, abs=0.001), "")
    assert len(asked) == 1
    [tone] = heard.tones
    assert (tone.start_s, tone.end_s) == pytest.approx((chime.start_s, chime.end_s), abs=0.001)
    # The planted defect: nobody knows a chime.
    monkeypatch.setattr("metrics.speech.is_tone", lambda *_: False)
    [taken] = detect_speech(audio, RATE, marker_tones=False).talks
    assert bool(taken.onset_doubt) is webrtc
    assert len(asked) == (3 if webrtc else 2)


def test_what_silero_calls_speech_is_no_tone_and_nothing_is_where_marker_tones_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audio = _with_tones((1.0, 0.3), (AT_S, 1.0))
    assert _tones(audio).tones == ()
    then = Span(start_s=AT_S, end_s=AT_S + 1.0)
    monkeypatch.setattr("metrics.speech.silero_spans", lambda audio: [then])
    monkeypatch.setattr("metrics.speech.webrtcvad_spans", lambda audio: [])
    assert [one.start_s for one in detect_speech(audio, RATE).tones] == pytest.approx([1.0], abs=0.001)
