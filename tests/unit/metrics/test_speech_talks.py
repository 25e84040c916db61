"""Stretches of talk, from what the detectors hear, and where they leave an edge in doubt."""

from __future__ import annotations

import pytest

from metrics import speech
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk, detect_speech
from tests.unit.metrics.speech_signals import (
    MS,
    RATE,
    Samples,
    as_tones,
    hears,
    in_samples,
    sounds,
    square,
    webrtcvad_hears,
)

# --- talks: energy says when, Silero whether


def test_quiet_of_600_ms_ends_a_talk() -> None:
    within = as_tones(sounds((0, 4800), (4799 + 600 * MS - 48, 4800)))
    beyond = as_tones(sounds((0, 4800), (4799 + 600 * MS + 48, 4800)))
    assert [len(talk.clusters) for talk in within.talks] == [2]
    assert [len(talk.clusters) for talk in beyond.talks] == [1, 1]
    assert within.clusters == within.talks[0].clusters
    assert in_samples(beyond.clusters) == [(0, 4799), (4799 + 601 * MS, 4799 + 601 * MS + 4799)]


def test_a_word_that_silero_heard_leaves_no_doubt_where_the_next_talk_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """600 ms to the sample lie between both, which the places as they are rounded make a little more."""
    first, second = 79999, 79999 + 600 * MS
    assert second / RATE - first / RATE > 0.6
    assert second / RATE - 0.6 <= first / RATE
    both = (first / RATE - 0.5, first / RATE), (second / RATE, second / RATE + 0.5)
    hears(monkeypatch, *both)
    monkeypatch.setattr(speech, "webrtcvad_spans", lambda audio: [Span(start_s=0.0, end_s=5.0)])
    audio = sounds((first - RATE // 2, RATE // 2 + 1), (second, RATE // 2), total=5 * RATE)
    talks = detect_speech(audio, RATE).talks
    assert [talk.span.start_s for talk in talks] == [first / RATE - 0.5, second / RATE]
    assert [talk.onset_doubt for talk in talks] == ["", ""]


@pytest.mark.parametrize(("heard_s", "speech"), [(0.049, False), (0.0501, True)])
def test_a_cluster_is_speech_where_silero_hears_50_ms_of_it(
    heard_s: float, speech: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(monkeypatch, (1.0, 1.0 + heard_s))
    assert len(detect_speech(sounds((RATE, RATE)), RATE, marker_tones=False).talks) == speech


@pytest.mark.parametrize(("heard_s", "speech"), [(0.029, False), (0.0301, True)])
def test_of_a_short_cluster_three_tenths_are_enough(
    heard_s: float, speech: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100 ms: three tenths are 30 ms."""
    hears(monkeypatch, (1.0, 1.0 + heard_s))
    assert len(detect_speech(sounds((RATE, 4801)), RATE, marker_tones=False).talks) == speech


def test_detectors_further_apart_than_their_bound_make_an_edge_doubtful(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audio = sounds((RATE, RATE + 1))
    for apart_s in (0.119, -0.119):
        hears(monkeypatch, (1.0 + apart_s, 2.0))
        sure = detect_speech(audio, RATE).talks[0]
        assert (sure.onset_doubt, sure.onset_in) == ("", None)
    for apart_s in (0.122, -0.122):
        hears(monkeypatch, (1.0 + apart_s, 2.0))
        said = "the detectors put the onset 122 ms apart (bound 120 ms)"
        open_one = detect_speech(audio, RATE).talks[0]
        assert open_one.onset_doubt == said
        onsets_s = sorted((1.0, 1.0 + apart_s))
        assert open_one.onset_in is not None
        assert [open_one.onset_in.start_s, open_one.onset_in.end_s] == pytest.approx(onsets_s, abs=1e-3)
    hears(monkeypatch, (0.1, 2.0))
    assert detect_speech(audio, RATE).talks[0].onset_doubt.startswith("the detectors put the onset 900 ms")
    for apart_s in (0.249, -0.249):
        hears(monkeypatch, (1.0, 2.0 + apart_s))
        assert detect_speech(audio, RATE).talks[0].end_doubt == ""
    for apart_s in (0.254, -0.254):
        hears(monkeypatch, (1.0, 2.0 + apart_s))
        said = "the detectors put the end 254 ms apart (bound 250 ms)"
        assert detect_speech(audio, RATE).talks[0].end_doubt == said


def test_detectors_exactly_at_their_bound_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "ONSET_DOUBT_S", 0.125)
    hears(monkeypatch, (1.125, 2.0))
    assert detect_speech(sounds((RATE, RATE + 1)), RATE).talks[0].onset_doubt == ""


def test_an_edge_is_compared_with_the_first_and_the_last_that_silero_hears_of_a_talk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two talks of two clusters each; Silero hears each cluster, and something long before and after."""
    hears(monkeypatch, (0.0, 0.2), (1.0, 1.3), (1.6, 2.0), (3.0, 3.3), (3.6, 4.0), (4.9, 5.0))
    audio = sounds(*((round(at * RATE), round(0.4 * RATE)) for at in (1.0, 1.6, 3.0, 3.6)), total=5 * RATE)
    talks = detect_speech(audio, RATE).talks
    assert in_samples([talk.span for talk in talks]) == [(48_000, 95_999), (144_000, 191_999)]
    assert [(talk.onset_doubt, talk.end_doubt, len(talk.clusters)) for talk in talks] == [("", "", 2)] * 2


def test_sound_that_silero_does_not_hear_is_in_no_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    hears(monkeypatch, (1.0, 1.5))
    activity = detect_speech(sounds((RATE, RATE // 2), (2 * RATE, RATE // 2)), RATE)
    assert len(activity.energy) == 2
    assert in_samples([talk.span for talk in activity.talks]) == [(RATE, RATE + RATE // 2 - 1)]
    assert activity.silero == (Span(start_s=1.0, end_s=1.5),)
    assert not activity.marker_tones


# --- soft ends: the last 20 ms more than 7 dB below the loud part


@pytest.mark.parametrize("loud", [0.5, 0.1, 0.02])
@pytest.mark.parametrize(("share", "soft"), [(0.44, True), (0.45, False)])
def test_an_end_is_soft_7_db_below_the_loud_part_however_loud_that_is(
    loud: float, share: float, soft: bool
) -> None:
    """7 dB are 0.447."""
    audio = sounds((RATE, RATE), level=loud)
    audio[2 * RATE - 960 : 2 * RATE] = square(960, share * loud)
    assert as_tones(audio).talks[0].soft_end == soft


def test_what_is_not_said_of_a_talk_is_that_it_is_plain() -> None:
    span = Span(start_s=0.0, end_s=1.0)
    assert not Talk(span=span, clusters=(span,)).soft_end
    plain = SpeechActivity(
        talks=(), energy=(), silero=(), webrtcvad=(), noise_floor_dbfs=None, threshold_dbfs=-48.0
    )
    assert not plain.marker_tones


def test_nothing_is_open_after_a_cluster_of_which_nothing_is_said() -> None:
    span = Span(start_s=0.0, end_s=1.0)
    assert Talk(span=span, clusters=(span,)).open_after(span) == 0.0


def test_a_first_word_that_silero_hears_when_it_is_asked_afresh_begins_the_talk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A word from 1.0 to 1.3 s, 400 ms of quiet and speech from 1.7 to 3 s. Of the whole call Silero hears
    the speech alone; of 0.85 s around the word what begins half a second after their beginning."""

    def silero(audio: Samples) -> list[Span]:
        if len(audio) > 16_000:
            return [Span(start_s=1.7, end_s=3.0)]
        return [Span(start_s=0.5, end_s=0.8)]

    monkeypatch.setattr(speech, "silero_spans", silero)
    webrtcvad_hears(monkeypatch, (1.0, 1.3))
    audio = sounds((RATE, 300 * MS + 1), (1700 * MS, 1300 * MS), total=4 * RATE)
    heard = detect_speech(audio, RATE, marker_tones=False)
    assert in_samples(heard.silero) == [(RATE, 1300 * MS), (1700 * MS, 3000 * MS)]
    [talk] = heard.talks
    assert in_samples([talk.span]) == [(RATE, 3000 * MS - 1)]
    assert talk.onset_doubt == ""


def test_how_far_apart_two_detectors_are_is_told_in_milliseconds() -> None:
    assert speech._doubt("end", -2.0, 1.0) == "the detectors put the end 2000 ms apart (bound 1000 ms)"
