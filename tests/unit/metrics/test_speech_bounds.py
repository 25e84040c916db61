"""Every number that the definition of an edge rests on, from both sides, on signals that are counted by hand.

Signals alternate between +level and -level from sample to sample: no mean, every sample at full level. What
the trained detectors hear is put in where it is not what is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics import speech
from metrics.spans import Span
from metrics.speech import (
    SpeechActivity,
    Talk,
    detect_speech,
    energy_spans,
    noise_floor,
    silero_spans,
    talks_of,
    webrtcvad_spans,
)

RATE = 48_000
MS = 48
"""Samples of a millisecond."""
Samples = NDArray[np.float32]


def _square(count: int, level: float = 0.1) -> Samples:
    return (level * (1 - 2 * (np.arange(count) % 2))).astype(np.float32)


def _silence(count: int) -> Samples:
    return np.zeros(count, np.float32)


def _sounds(*sounds: tuple[int, int], total: int = 3 * RATE, level: float = 0.1) -> Samples:
    """Sounds as (first sample, how many) in silence."""
    audio = _silence(total)
    for first, count in sounds:
        audio[first : first + count] = _square(count, level)
    return audio


def _samples(spans: list[Span] | tuple[Span, ...]) -> list[tuple[int, int]]:
    return [(round(span.start_s * RATE), round(span.end_s * RATE)) for span in spans]


def _tones(audio: Samples, **options: object) -> SpeechActivity:
    return detect_speech(audio, RATE, marker_tones=True, **options)  # type: ignore[arg-type]


def _hears(patch: pytest.MonkeyPatch, *spans: tuple[float, float]) -> None:
    """What Silero is to hear, in seconds."""
    heard = [Span(start_s=start, end_s=end) for start, end in spans]
    patch.setattr(speech, "silero_spans", lambda audio: list(heard))


# --- what is voiced


def test_a_sample_is_voiced_from_48_db_below_full_scale() -> None:
    """10 ** (-48 / 20) is 0.003981."""
    assert _tones(_sounds((RATE, RATE), level=0.00396)).talks == ()
    [talk] = _tones(_sounds((RATE, RATE), level=0.0040)).talks
    assert _samples([talk.span]) == [(RATE, 2 * RATE - 1)]
    assert _tones(_silence(RATE)).threshold_dbfs == pytest.approx(-48.0, abs=1e-9)


def test_where_it_is_noisy_a_sample_is_voiced_from_five_times_the_noise() -> None:
    noise = _square(4 * RATE, 0.01)
    below, above = noise.copy(), noise.copy()
    below[RATE : 2 * RATE] = _square(RATE, 0.0498)
    above[RATE : 2 * RATE] = _square(RATE, 0.0502)
    assert _tones(below).talks == ()
    activity = _tones(above)
    assert _samples([activity.talks[0].span]) == [(RATE, 2 * RATE - 1)]
    assert activity.noise_floor_dbfs == pytest.approx(-40.0, abs=0.001)
    assert activity.threshold_dbfs == pytest.approx(20 * np.log10(0.05), abs=0.001)


def test_a_noise_floor_below_minus_120_dbfs_is_none_at_all() -> None:
    assert _tones(_square(RATE, 1.03e-6)).noise_floor_dbfs == pytest.approx(-119.74, abs=0.01)
    assert _tones(_square(RATE, 0.97e-6)).noise_floor_dbfs is None


# --- the noise floor: frames of 20 ms, the tenth percentile of their levels


def _frames(*levels: float) -> Samples:
    return np.concatenate([_square(20 * MS, level) for level in levels])


def test_the_noise_floor_is_the_tenth_percentile_of_frames_of_20_ms() -> None:
    """Of eleven values the tenth percentile is the second smallest."""
    audio = _frames(0.11, 0.10, 0.02, 0.04, 0.09, 0.06, 0.07, 0.05, 0.03, 0.08, 0.01)
    assert noise_floor(audio, RATE) == pytest.approx(0.02, rel=1e-4)
    # What is left over at the end is no frame, and less than one frame has no floor.
    assert noise_floor(np.concatenate([audio, _silence(20 * MS - 1)]), RATE) == pytest.approx(0.02, rel=1e-4)
    assert noise_floor(_square(20 * MS, 0.5), RATE) == pytest.approx(0.5, rel=1e-4)
    assert noise_floor(_square(20 * MS - 1, 0.5), RATE) == 0.0


def test_the_noise_floor_is_of_frames_that_were_sent_whole() -> None:
    """Of two values the tenth percentile is a tenth of the way from the lower to the higher."""
    audio = _frames(0.01, 0.04, 0.02, 0.01, 0.01)
    exact = Span(start_s=0.02, end_s=0.06)
    assert noise_floor(audio, RATE, present=exact) == pytest.approx(0.022, rel=1e-4)
    late = Span(start_s=0.0201, end_s=0.06)
    assert noise_floor(audio, RATE, present=late) == pytest.approx(0.02, rel=1e-4)
    early = Span(start_s=0.02, end_s=0.0599)
    assert noise_floor(audio, RATE, present=early) == pytest.approx(0.04, rel=1e-4)


def test_the_noise_floor_is_of_frames_of_which_nothing_was_lost() -> None:
    audio = _frames(0.04, 0.01, 0.01, 0.02)
    lost = (Span(start_s=0.02, end_s=0.06),)
    assert noise_floor(audio, RATE, absent=lost) == pytest.approx(0.022, rel=1e-4)
    touching = (Span(start_s=0.0199, end_s=0.06),)
    assert noise_floor(audio, RATE, absent=touching) == pytest.approx(0.02, rel=1e-4)
    touching = (Span(start_s=0.02, end_s=0.0601),)
    assert noise_floor(audio, RATE, absent=touching) == pytest.approx(0.04, rel=1e-4)
    parts = (Span(start_s=0.02, end_s=0.04), Span(start_s=0.04, end_s=0.06))
    assert noise_floor(audio, RATE, absent=parts) == pytest.approx(0.022, rel=1e-4)


def test_activity_takes_the_noise_floor_from_where_audio_was_sent_and_came() -> None:
    audio = _square(4 * RATE, 0.01)
    audio[:RATE] = 0.0
    audio[2 * RATE : 3 * RATE] = 0.0
    sent, lost = Span(start_s=1.0, end_s=4.0), (Span(start_s=2.0, end_s=3.0),)
    assert _tones(audio, present=sent, absent=lost).noise_floor_dbfs == pytest.approx(-40.0, abs=0.001)
    assert _tones(audio, absent=lost).noise_floor_dbfs is None
    assert _tones(audio, present=sent).noise_floor_dbfs is None


# --- the mean that a line adds


def test_a_mean_is_taken_off_where_audio_was_sent_and_came() -> None:
    """0.01 everywhere between 1 and 3 s, but for what was lost; it is voiced where it is not taken off."""
    audio = _silence(4 * RATE)
    audio[RATE : 3 * RATE] = 0.01
    audio[2 * RATE : 2 * RATE + 4800] = 0.0
    lost = Span(start_s=2.0, end_s=2.1)
    assert _tones(audio, present=Span(start_s=1.0, end_s=3.0), absent=(lost,)).energy == ()
    # Less of it: what is not counted as sent keeps its offset.
    late = _tones(audio, present=Span(start_s=1.5, end_s=3.0), absent=(lost,))
    assert _samples(late.energy) == [(RATE, 3 * RATE // 2 - 1)]
    early = _tones(audio, present=Span(start_s=1.0, end_s=2.5), absent=(lost,))
    assert _samples(early.energy) == [(5 * RATE // 2, 3 * RATE - 1)]
    # A loss that is not told of is moved by the mean of all.
    assert _samples(_tones(audio, present=Span(start_s=1.0, end_s=3.0)).energy) == [
        (2 * RATE, 2 * RATE + 4799)
    ]


def test_sent_audio_that_began_before_the_call_counts_from_its_beginning() -> None:
    audio = np.full(2 * RATE, 0.01, np.float32)
    assert _tones(audio, present=Span(start_s=-1.0, end_s=2.0)).energy == ()
    gone = (Span(start_s=-0.5, end_s=1.0),)
    audio[:RATE] = 0.0
    assert _tones(audio, present=Span(start_s=-1.0, end_s=2.0), absent=gone).energy == ()


def test_what_never_came_at_all_is_left_as_it_is() -> None:
    audio = np.full(RATE, 0.01, np.float32)
    activity = _tones(audio, absent=(Span(start_s=0.0, end_s=1.0),))
    assert _samples(activity.energy) == [(0, RATE - 1)]


# --- clusters


def test_quiet_of_more_than_150_ms_parts_two_clusters() -> None:
    """The last voiced sample of the first and the first of the second are 7200 samples apart, or 7201."""
    together = _sounds((1000, 4800), (5799 + 7200, 4800))
    assert _samples(energy_spans(together, RATE, threshold=0.05)) == [(1000, 5799 + 7200 + 4799)]
    apart = _sounds((1000, 4800), (5799 + 7201, 4800))
    assert _samples(energy_spans(apart, RATE, threshold=0.05)) == [(1000, 5799), (13_000, 17_799)]


def test_a_sample_at_the_threshold_is_voiced() -> None:
    assert _samples(energy_spans(_sounds((0, 4800), level=0.125), RATE, threshold=0.125)) == [(0, 4799)]


@pytest.mark.parametrize("first", [0, 48_000])
def test_a_cluster_holds_eight_voiced_blocks_of_5_ms(first: int) -> None:
    """One voiced sample in a block makes it a voiced one."""
    eight, seven = _silence(2 * RATE), _silence(2 * RATE)
    eight[first : first + 8 * 240 : 240] = 0.1
    seven[first : first + 7 * 240 : 240] = 0.1
    assert _samples(energy_spans(eight, RATE, threshold=0.05)) == [(first, first + 7 * 240)]
    assert energy_spans(seven, RATE, threshold=0.05) == []
    # At the end of a block there are as many.
    assert len(energy_spans(np.roll(eight, 239), RATE, threshold=0.05)) == 1
    assert energy_spans(np.roll(seven, 239), RATE, threshold=0.05) == []


def test_a_click_between_two_clusters_is_no_part_of_either() -> None:
    audio = _sounds((0, 4800), (20_000, 480), (40_000, 4800))
    assert _samples(energy_spans(audio, RATE, threshold=0.05)) == [(0, 4799), (40_000, 44_799)]


@pytest.mark.parametrize(("echo", "found"), [(240, 10_240), (241, 10_000)])
def test_up_to_5_ms_of_pre_echo_are_taken_off(echo: int, found: int) -> None:
    audio = _sounds((10_000, 20_000), level=1.0)
    audio[10_000 : 10_000 + echo] *= 0.09
    [span] = energy_spans(audio, RATE, threshold=0.05)
    assert _samples([span]) == [(found, 29_999)]


@pytest.mark.parametrize(("ringing", "found"), [(960, 29_039), (961, 29_999)])
def test_up_to_20_ms_of_ringing_are_taken_off(ringing: int, found: int) -> None:
    audio = _sounds((10_000, 20_000), level=1.0)
    audio[30_000 - ringing : 30_000] *= 0.09
    [span] = energy_spans(audio, RATE, threshold=0.05)
    assert _samples([span]) == [(10_000, found)]


def test_smear_is_told_by_the_peak_s_own_level() -> None:
    """Of a peak of 0.5 a tenth is 0.05."""
    for level, found in ((0.048, (10_100, 29_899)), (0.052, (10_000, 29_999))):
        audio = _sounds((10_000, 20_000), level=0.5)
        audio[10_000:10_100] = _square(100, level)
        audio[29_900:30_000] = _square(100, level)
        assert _samples(energy_spans(audio, RATE, threshold=0.04)) == [found]


@pytest.mark.parametrize(("level", "kept"), [(0.099, False), (0.1, True), (0.101, True)])
def test_smear_is_what_lies_20_db_below_the_peak(level: float, kept: bool) -> None:
    audio = _sounds((10_000, 20_000), level=1.0)
    audio[10_000:10_100] = _square(100, level)
    audio[29_900:30_000] = _square(100, level)
    [span] = energy_spans(audio, RATE, threshold=0.05)
    assert _samples([span]) == [(10_000, 29_999) if kept else (10_100, 29_899)]


# --- Silero: chunks of 512 samples at 16 kHz, 32 ms


def _probabilities(patch: pytest.MonkeyPatch, *values: float) -> list[tuple[int, int]]:
    """The spans for such probabilities, in chunks."""
    patch.setattr(speech, "_silero", lambda: lambda audio: np.array(values)[: len(audio) // 512])
    spans = silero_spans(_silence(len(values) * 512))
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
        return np.zeros((1, len(audio) // 512))

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


def _framed(patch: pytest.MonkeyPatch, text: str, *, tail: int = 0) -> list[tuple[int, int]]:
    """The spans, in frames, for a text of one sign a frame: ``#`` is speech."""
    patch.setattr(speech.webrtcvad, "Vad", _Frames)
    audio = np.repeat(np.array([0.5 if sign == "#" else 0.0 for sign in text], np.float32), 160)
    spans = webrtcvad_spans(np.concatenate([audio, np.full(tail, 0.5, np.float32)]))
    return [(round(span.start_s * 100), round(span.end_s * 100)) for span in spans]


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
    monkeypatch.setattr(speech.webrtcvad, "Vad", _Frames)
    webrtcvad_spans(np.repeat(np.array([1.0, -1.0, 2.0, -2.0, 0.5], np.float32), 32))
    assert _Frames.seen[-1][::32].tolist() == [32767, -32767, 32767, -32768, 16383]


# --- talks: energy says when, Silero whether


def test_quiet_of_600_ms_ends_a_talk() -> None:
    within = _tones(_sounds((0, 4800), (4799 + 600 * MS - 48, 4800)))
    beyond = _tones(_sounds((0, 4800), (4799 + 600 * MS + 48, 4800)))
    assert [len(talk.clusters) for talk in within.talks] == [2]
    assert [len(talk.clusters) for talk in beyond.talks] == [1, 1]
    assert within.clusters == within.talks[0].clusters
    assert _samples(beyond.clusters) == [(0, 4799), (4799 + 601 * MS, 4799 + 601 * MS + 4799)]


def test_a_word_that_silero_heard_leaves_no_doubt_where_the_next_talk_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """600 ms to the sample lie between both, which the places as they are rounded make a little more."""
    first, second = 79999, 79999 + 600 * MS
    assert second / RATE - first / RATE > 0.6
    assert second / RATE - 0.6 <= first / RATE
    both = (first / RATE - 0.5, first / RATE), (second / RATE, second / RATE + 0.5)
    _hears(monkeypatch, *both)
    monkeypatch.setattr(speech, "webrtcvad_spans", lambda audio: [Span(start_s=0.0, end_s=5.0)])
    audio = _sounds((first - RATE // 2, RATE // 2 + 1), (second, RATE // 2), total=5 * RATE)
    talks = detect_speech(audio, RATE).talks
    assert [talk.span.start_s for talk in talks] == [first / RATE - 0.5, second / RATE]
    assert [talk.onset_doubt for talk in talks] == ["", ""]


def _talks_with_a_faint_sound(noise: float) -> tuple[SpeechActivity, tuple[Talk, ...]]:
    """A second of speech in noise; 300 ms behind it 20 ms at 0.003, between half the threshold of -48 dBFS
    (0.002) and all of it (0.004)."""
    audio = _square(3 * RATE, noise)
    audio[RATE : 2 * RATE + 1] = _square(RATE + 1)
    audio[2 * RATE + 300 * MS : 2 * RATE + 320 * MS] = _square(20 * MS, 0.003)
    heard = detect_speech(audio, RATE, marker_tones=False)
    return heard, talks_of(audio, RATE, heard, sounds=heard.clusters, silero=heard.silero, theirs=())


@pytest.mark.parametrize(
    ("noise", "end_doubt"),
    [
        # Nothing sounds but that.
        (0.0, "300 ms later comes a sound of 20 ms: a click, or the beginning of a word that was cut"),
        # Five times the noise is 0.0025: still less than it.
        (0.0005, "300 ms later comes a sound of 20 ms: a click, or the beginning of a word that was cut"),
        # Five times the noise is 0.0035: noise, as far as anybody knows.
        (0.0007, ""),
    ],
)
def test_talks_of_what_is_left_are_the_same_where_all_is_left(
    noise: float, end_doubt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _hears(monkeypatch, (1.0, 2.0))
    heard, again = _talks_with_a_faint_sound(noise)
    assert [talk.end_doubt for talk in again] == [end_doubt]
    assert again == heard.talks


@pytest.mark.parametrize(("heard_s", "speech"), [(0.049, False), (0.0501, True)])
def test_a_cluster_is_speech_where_silero_hears_50_ms_of_it(
    heard_s: float, speech: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _hears(monkeypatch, (1.0, 1.0 + heard_s))
    assert len(detect_speech(_sounds((RATE, RATE)), RATE, marker_tones=False).talks) == speech


@pytest.mark.parametrize(("heard_s", "speech"), [(0.029, False), (0.0301, True)])
def test_of_a_short_cluster_three_tenths_are_enough(
    heard_s: float, speech: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100 ms: three tenths are 30 ms."""
    _hears(monkeypatch, (1.0, 1.0 + heard_s))
    assert len(detect_speech(_sounds((RATE, 4801)), RATE, marker_tones=False).talks) == speech


def test_detectors_further_apart_than_their_bound_make_an_edge_doubtful(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audio = _sounds((RATE, RATE + 1))
    for apart_s in (0.119, -0.119):
        _hears(monkeypatch, (1.0 + apart_s, 2.0))
        assert detect_speech(audio, RATE).talks[0].onset_doubt == ""
    for apart_s in (0.122, -0.122):
        _hears(monkeypatch, (1.0 + apart_s, 2.0))
        said = "the detectors put the onset 122 ms apart (bound 120 ms)"
        assert detect_speech(audio, RATE).talks[0].onset_doubt == said
    _hears(monkeypatch, (0.1, 2.0))
    assert detect_speech(audio, RATE).talks[0].onset_doubt.startswith("the detectors put the onset 900 ms")
    for apart_s in (0.249, -0.249):
        _hears(monkeypatch, (1.0, 2.0 + apart_s))
        assert detect_speech(audio, RATE).talks[0].end_doubt == ""
    for apart_s in (0.254, -0.254):
        _hears(monkeypatch, (1.0, 2.0 + apart_s))
        said = "the detectors put the end 254 ms apart (bound 250 ms)"
        assert detect_speech(audio, RATE).talks[0].end_doubt == said


def test_detectors_exactly_at_their_bound_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "ONSET_DOUBT_S", 0.125)
    _hears(monkeypatch, (1.125, 2.0))
    assert detect_speech(_sounds((RATE, RATE + 1)), RATE).talks[0].onset_doubt == ""


def test_an_edge_is_compared_with_the_first_and_the_last_that_silero_hears_of_a_talk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two talks of two clusters each; Silero hears each cluster, and something long before and after."""
    _hears(monkeypatch, (0.0, 0.2), (1.0, 1.3), (1.6, 2.0), (3.0, 3.3), (3.6, 4.0), (4.9, 5.0))
    audio = _sounds(*((round(at * RATE), round(0.4 * RATE)) for at in (1.0, 1.6, 3.0, 3.6)), total=5 * RATE)
    talks = detect_speech(audio, RATE).talks
    assert _samples([talk.span for talk in talks]) == [(48_000, 95_999), (144_000, 191_999)]
    assert [(talk.onset_doubt, talk.end_doubt, len(talk.clusters)) for talk in talks] == [("", "", 2)] * 2


def test_sound_that_silero_does_not_hear_is_in_no_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    _hears(monkeypatch, (1.0, 1.5))
    activity = detect_speech(_sounds((RATE, RATE // 2), (2 * RATE, RATE // 2)), RATE)
    assert len(activity.energy) == 2
    assert _samples([talk.span for talk in activity.talks]) == [(RATE, RATE + RATE // 2 - 1)]
    assert activity.silero == (Span(start_s=1.0, end_s=1.5),)
    assert not activity.marker_tones


# --- clicks at an onset: less than 15 ms of sound, then more than 30 ms of quiet


def _clicked(patch: pytest.MonkeyPatch, click: int, quiet: int) -> str:
    """The doubt for so many samples of sound, so many of quiet, then speech."""
    _hears(patch, (1.0, 2.0))
    audio = _sounds((RATE, click), (RATE + click + quiet, RATE - click - quiet))
    return detect_speech(audio, RATE).talks[0].onset_doubt


def test_a_click_before_an_onset_makes_it_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first sample of the click to the first after the quiet: 480 + 2400 samples, 60 ms."""
    said = "the first sound is as short as a click; the next one begins 60 ms later"
    assert _clicked(monkeypatch, 480, 2400) == said


def test_a_click_is_shorter_than_15_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    """From its first to its last voiced sample: 719 steps are less than 15 ms, 720 are not."""
    assert _clicked(monkeypatch, 720, 2400)
    assert _clicked(monkeypatch, 721, 2400) == ""


def test_the_quiet_after_a_click_is_longer_than_30_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    """1440 steps from voiced to voiced are 30 ms, 1441 are more."""
    assert _clicked(monkeypatch, 480, 1440) != ""
    assert _clicked(monkeypatch, 480, 1439) == ""


def test_a_click_is_found_as_far_before_speech_as_it_belongs_to_its_cluster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The longest quiet inside a cluster, 7200 samples, after the longest click, 720 of them."""
    assert _clicked(monkeypatch, 720, 7199).endswith("begins 165 ms later")


def test_only_the_first_sound_can_be_a_click(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 ms of sound, then clicks: an onset like any other."""
    _hears(monkeypatch, (1.0, 2.0))
    audio = _sounds((RATE, 960), (RATE + 2500, 100), (RATE + 4500, RATE - 4500))
    assert detect_speech(audio, RATE).talks[0].onset_doubt == ""


# --- soft ends: the last 20 ms more than 7 dB below the loud part


@pytest.mark.parametrize("loud", [0.5, 0.1, 0.02])
@pytest.mark.parametrize(("share", "soft"), [(0.44, True), (0.45, False)])
def test_an_end_is_soft_7_db_below_the_loud_part_however_loud_that_is(
    loud: float, share: float, soft: bool
) -> None:
    """7 dB are 0.447."""
    audio = _sounds((RATE, RATE), level=loud)
    audio[2 * RATE - 960 : 2 * RATE] = _square(960, share * loud)
    assert _tones(audio).talks[0].soft_end == soft


# --- pure tones


def _cosine(freq_hz: float, length: int, level: float = 0.1) -> Samples:
    return (level * np.cos(2 * np.pi * freq_hz * np.arange(length) / RATE)).astype(np.float32)


def _is_tone(patch: pytest.MonkeyPatch, sound: Samples) -> bool:
    """Whatever its frequency and level, which decide as well."""
    _hears(patch)
    patch.setattr(speech, "MARKER_OFF_HZ", 2000.0)
    patch.setattr(speech, "MARKER_OFF_DB", 40.0)
    twice = [_silence(RATE), sound, _silence(RATE), sound, _silence(RATE)]
    activity = detect_speech(np.concatenate(twice), RATE)
    assert bool(activity.talks) == activity.marker_tones
    return activity.marker_tones


@pytest.mark.parametrize(("share", "tone"), [(0.046, True), (0.054, False)])
def test_a_tone_has_95_percent_of_its_power_near_one_frequency(
    share: float, tone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two cosines 400 Hz apart: their powers are as the squares of their levels."""
    sound = _cosine(1000.0, RATE, 0.1) + _cosine(1400.0, RATE, 0.1 * (share / (1 - share)) ** 0.5)
    assert _is_tone(monkeypatch, sound) == tone


@pytest.mark.parametrize(("apart_hz", "tone"), [(29.0, True), (-29.0, True), (31.0, False), (-31.0, False)])
def test_near_is_within_30_hz(apart_hz: float, tone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds of sound: bins of half a hertz."""
    sound = _cosine(1000.0, 2 * RATE) + _cosine(1000.0 + apart_hz, 2 * RATE, 0.09)
    assert _is_tone(monkeypatch, sound) == tone


def test_a_tone_lasts_80_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_tone(monkeypatch, _cosine(1000.0, 80 * MS))
    assert not _is_tone(monkeypatch, _cosine(1000.0, 80 * MS - 48))


def test_a_short_low_tone_is_one_though_its_line_is_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 ms: bins of 10 Hz, and a window whose line is four bins wide. At 40 Hz that reaches down to 0."""
    assert _is_tone(monkeypatch, _cosine(1000.0, 100 * MS))
    assert _is_tone(monkeypatch, _cosine(30.0, 200 * MS))
    both = _cosine(1000.0, 100 * MS) + _cosine(1060.0, 100 * MS, 0.06)
    assert not _is_tone(monkeypatch, both)


def test_every_sound_has_to_be_a_tone(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = 0.1 * np.random.default_rng(3).standard_normal(RATE)
    sound = np.concatenate([_cosine(1000.0, RATE), _silence(RATE), noise]).astype(np.float32)
    assert not _is_tone(monkeypatch, sound)


def test_tones_are_not_listened_to_by_those_who_know_speech(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "silero_spans", lambda audio: [Span(start_s=0.0, end_s=3.0)])
    monkeypatch.setattr(speech, "webrtcvad_spans", lambda audio: [Span(start_s=0.0, end_s=3.0)])
    tones = _tones(_sounds((RATE, RATE)))
    assert (tones.silero, tones.webrtcvad, tones.talks[0].onset_doubt) == ((), (), "")
    heard = detect_speech(_sounds((RATE, RATE)), RATE, marker_tones=False)
    assert heard.webrtcvad == heard.silero == (Span(start_s=0.0, end_s=3.0),)


@pytest.mark.parametrize(("off_db", "marker"), [(1.95, True), (-1.95, True), (2.05, False), (-2.05, False)])
def test_a_marker_tone_is_within_2_db_of_minus_20_dbfs(off_db: float, marker: bool) -> None:
    """The level of a cosine is 3.01 dB below its peak."""
    tone = _cosine(1000.0, RATE, 2**0.5 * 10 ** ((-20 + off_db) / 20))
    assert speech._is_marker(tone, RATE, Span(start_s=0.0, end_s=1.0)) == marker


def test_a_sound_with_just_the_share_of_a_tone_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight samples have five bins, all of which lie within four of the strongest: all of the power."""
    monkeypatch.setattr(speech, "TONE_SHARE", 1.0)
    monkeypatch.setattr(speech, "MARKER_HZ", 25.0)
    tone = np.array([1, 0, -1, 0] * 2, np.float32) * np.float32(0.1 * 2**0.5)
    assert speech._is_marker(tone, 100, Span(start_s=0.0, end_s=0.08))


def test_tones_in_which_silero_hears_speech_are_no_marker_tones(monkeypatch: pytest.MonkeyPatch) -> None:
    tone = _cosine(1000.0, RATE, 0.1 * 2**0.5)
    audio = np.concatenate([_silence(RATE), tone, _silence(RATE), tone, _silence(RATE)])
    _hears(monkeypatch)
    assert detect_speech(audio, RATE).marker_tones
    _hears(monkeypatch, (1.0, 2.0))
    assert not detect_speech(audio, RATE).marker_tones


def test_silence_is_no_marker_tone() -> None:
    assert not detect_speech(_silence(RATE), RATE).marker_tones


def test_what_is_not_said_of_a_talk_is_that_it_is_plain() -> None:
    span = Span(start_s=0.0, end_s=1.0)
    assert not Talk(span=span, clusters=(span,)).soft_end
    plain = SpeechActivity(
        talks=(), energy=(), silero=(), webrtcvad=(), noise_floor_dbfs=None, threshold_dbfs=-48.0
    )
    assert not plain.marker_tones


def test_audio_of_another_type_is_measured_alike() -> None:
    audio = _sounds((RATE, RATE))
    assert _tones(audio.astype(np.float64)) == _tones(audio)  # type: ignore[arg-type]


def test_at_a_rate_of_a_few_samples_a_frame_is_a_sample() -> None:
    assert noise_floor(np.array([0.1, 0.5], np.float32), 20) == pytest.approx(0.14)
    assert len(energy_spans(np.full(8, 0.5, np.float32), 20, threshold=0.1)) == 1


@pytest.mark.parametrize(
    ("present", "absent", "moved"),
    [
        (None, None, range(10)),
        ((0.0, 1.0), None, range(10)),
        ((-1.0, 0.5), None, range(5)),
        ((0.3, 5.0), None, range(3, 10)),
        ((-2.0, -1.0), None, range(0)),
        (None, (0.0, 0.5), range(5, 10)),
        (None, (-1.0, 0.5), range(5, 10)),
        (None, (-2.0, -1.0), range(10)),
        (None, (0.5, 9.0), range(5)),
        ((0.2, 0.8), (0.4, 0.6), (2, 3, 6, 7)),
    ],
)
def test_the_mean_of_what_was_sent_and_came_is_taken_off_there(
    present: tuple[float, float] | None, absent: tuple[float, float] | None, moved: Sequence[int]
) -> None:
    """Ten samples of 1, ten a second; where the mean is of ones, what is moved is 0."""
    sent = None if present is None else Span(start_s=present[0], end_s=present[1])
    lost = () if absent is None else (Span(start_s=absent[0], end_s=absent[1]),)
    found = speech._without_offset(np.ones(10, np.float32), 10, sent, lost)
    assert np.flatnonzero(found == 0.0).tolist() == list(moved)
