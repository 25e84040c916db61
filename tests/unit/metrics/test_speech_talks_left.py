"""Talks where some of what was heard is known to be no speech of this side: the same ones, less of it."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.detection.line_echo import EchoPath
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk, detect_speech, talks_of
from tests.unit.metrics.speech_signals import (
    MS,
    RATE,
    Samples,
    cosine,
    hears,
    sounds,
    square,
    webrtcvad_hears,
)

CUT = "300 ms later comes a sound of 20 ms: a click, or the beginning of a word that was cut"


def _talks_with_a_faint_sound(noise: float, faint: float) -> tuple[SpeechActivity, tuple[Talk, ...]]:
    """A second of speech in noise, and 300 ms behind it 20 ms of a sound; half the threshold of -48 dBFS is
    0.00199."""
    audio = square(3 * RATE, noise)
    audio[RATE : 2 * RATE + 1] = square(RATE + 1)
    audio[2 * RATE + 300 * MS : 2 * RATE + 320 * MS] = square(20 * MS, faint)
    heard = detect_speech(audio, RATE, marker_tones=False)
    return heard, talks_of(audio, RATE, heard, sounds=heard.clusters, silero=heard.silero, theirs=())


@pytest.mark.parametrize(
    ("noise", "faint", "end_doubt"),
    [
        # Nothing sounds but that.
        (
            0.0,
            0.0021,
            "300 ms later comes a sound of 20 ms: a click, or the beginning of a word that was cut",
        ),
        (0.0, 0.0019, ""),
        # Five times the noise is 0.0025: still less than it.
        (
            0.0005,
            0.003,
            "300 ms later comes a sound of 20 ms: a click, or the beginning of a word that was cut",
        ),
        # Five times the noise is 0.0035: noise, as far as anybody knows.
        (0.0007, 0.003, ""),
    ],
)
def test_talks_of_what_is_left_are_the_same_where_all_is_left(
    noise: float, faint: float, end_doubt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(monkeypatch, (1.0, 2.0))
    heard, again = _talks_with_a_faint_sound(noise, faint)
    assert [talk.end_doubt for talk in again] == [end_doubt]
    assert again == heard.talks


def _left(audio: Samples, heard: SpeechActivity, *theirs: tuple[float, float]) -> tuple[Talk, ...]:
    """Talks where all sounds are this side's, but a faint one at these times."""
    return talks_of(
        audio,
        RATE,
        heard,
        sounds=heard.energy,
        silero=heard.silero,
        theirs=[Span(start_s=start, end_s=end) for start, end in theirs],
    )


def _two_clicks() -> Samples:
    """A second of speech; 200 and 450 ms behind it 20 ms of sound."""
    end = 2 * RATE
    return sounds((RATE, RATE + 1), (end + 200 * MS, 20 * MS), (end + 450 * MS, 20 * MS))


def test_the_first_click_behind_a_talk_is_told_and_not_all_that_is_faint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hears(monkeypatch, (1.0, 2.0))
    heard = detect_speech(_two_clicks(), RATE, marker_tones=False)
    assert heard.talks[0].end_doubt.startswith("200 ms later comes a sound of 20 ms: a click")
    assert _left(_two_clicks(), heard) == heard.talks


@pytest.mark.parametrize(
    ("theirs", "begins"),
    [
        ([(0.0, 0.5), (2.6, 3.0)], "200 ms later comes a sound of 20 ms"),
        ([(0.0, 0.5), (2.2, 2.3)], "450 ms later comes a sound of 20 ms"),
        ([(2.2, 2.3), (2.4, 2.5)], ""),
    ],
)
def test_a_click_of_the_other_side_is_none(
    theirs: list[tuple[float, float]], begins: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(monkeypatch, (1.0, 2.0))
    heard = detect_speech(_two_clicks(), RATE, marker_tones=False)
    [talk] = _left(_two_clicks(), heard, *theirs)
    assert talk.end_doubt.startswith(begins)
    assert bool(talk.end_doubt) is bool(begins)


def test_a_faint_sound_of_the_other_side_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    hears(monkeypatch, (1.0, 2.0))
    audio = sounds((RATE, RATE + 1))
    audio[2 * RATE + 300 * MS : 2 * RATE + 320 * MS] = square(20 * MS, 0.003)
    heard = detect_speech(audio, RATE, marker_tones=False)
    assert [talk.end_doubt for talk in _left(audio, heard, (2.33, 2.5))] == [CUT]
    assert [talk.end_doubt for talk in _left(audio, heard, (2.31, 2.5))] == [""]


@pytest.mark.parametrize(
    ("chime", "onset_doubt"),
    [
        (True, ""),
        (
            False,
            "700 ms before it begins a sound of 300 ms that is speech to webrtcvad and not to Silero",
        ),
    ],
)
def test_a_sound_before_an_onset_is_told_again_and_a_chime_is_not(
    chime: bool, onset_doubt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 1.0 to 1.3 s, 400 ms before speech."""
    hears(monkeypatch, (1.7, 3.0))
    webrtcvad_hears(monkeypatch, (1.0, 1.3), (1.7, 3.0))
    audio = sounds((RATE, 300 * MS + 1), (1700 * MS, 1300 * MS), total=4 * RATE)
    if chime:
        audio[RATE : 1300 * MS + 1] = cosine(1000.0, 300 * MS + 1)
    heard = detect_speech(audio, RATE, marker_tones=False)
    assert len(heard.tones) == chime
    assert [talk.onset_doubt for talk in heard.talks] == [onset_doubt]
    assert _left(audio, heard) == heard.talks


def test_an_offset_is_taken_off_where_audio_was_sent_and_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.05 for as long as the side sends: else it would be a sound to the very end."""
    sent, lost = Span(start_s=0.5, end_s=3.5), Span(start_s=2.5, end_s=2.6)
    audio = sounds((RATE, RATE + 1), total=4 * RATE)
    audio[RATE // 2 : 7 * RATE // 2] += np.float32(0.05)
    audio[2500 * MS : 2600 * MS] = 0.0
    hears(monkeypatch, (1.0, 2.0))
    heard = detect_speech(audio, RATE, marker_tones=False, present=sent, absent=(lost,))
    assert [talk.end_doubt for talk in heard.talks] == [""]
    again = talks_of(
        audio,
        RATE,
        heard,
        sounds=heard.energy,
        silero=heard.silero,
        theirs=(),
        present=sent,
        absent=(lost,),
    )
    assert again == heard.talks


def test_samples_in_64_bits_are_rounded_to_32_before_they_are_held_to_the_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of -48 dBFS less a trillionth of it is half of that in 32 bits: a faint sound."""
    least = 10 ** (-48 / 20) / 2
    faint = least * (1 - 1e-12)
    assert np.float32(faint) == np.float32(least)
    audio = sounds((RATE, RATE + 1)).astype(np.float64)
    audio[2 * RATE + 300 * MS : 2 * RATE + 320 * MS] = faint
    gone = (Span(start_s=0.0, end_s=3.0),)
    hears(monkeypatch, (1.0, 2.0))
    heard = detect_speech(audio, RATE, marker_tones=False, absent=gone)  # type: ignore[arg-type]
    assert [talk.end_doubt for talk in heard.talks] == [CUT]
    again = talks_of(
        audio,  # type: ignore[arg-type]
        RATE,
        heard,
        sounds=heard.energy,
        silero=heard.silero,
        theirs=(),
        absent=gone,
    )
    assert again == heard.talks


# --- beside an echo


ECHO = EchoPath(delay_s=0.2, gain_db=-20.0, talks=3, seconds=9.0)


def test_an_edge_is_in_doubt_where_a_known_echo_may_hide_it() -> None:
    span = Span(start_s=1.0, end_s=3.0)
    hidden = (Span(start_s=1.0, end_s=2.0),)
    talk = Talk(span=span, clusters=(span,), echo=ECHO, hidden=hidden)
    assert talk.echo_doubt(1.5, "onset") == (
        "the caller's own voice comes back on the agent's channel (line echo, 200 ms later, -20 dB): the "
        "agent's onset cannot be told from it"
    )
    assert talk.echo_doubt(3.0, "end") == ""
    assert Talk(span=span, clusters=(span,), echo=ECHO).echo_doubt(1.5, "onset") == ""
    assert Talk(span=span, clusters=(span,), hidden=hidden).echo_doubt(1.5, "onset") == ""
