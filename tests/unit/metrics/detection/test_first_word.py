"""A first word behind a long silence: found where Silero asked afresh hears it, left open where not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.detection.first_word import (
    BEFORE_S,
    LONGEST_WORD_S,
    WORD_S,
    WORD_SHARE,
    first_words,
    is_heard,
    is_speech,
)
from metrics.resample import to_speech_rate
from metrics.spans import Span
from metrics.speech import TALK_GAP_S, detect_speech, silero_spans
from tests.unit.harness.stand_ins.spoken import clip

Samples = NDArray[np.float32]

RATE = 8000
SILENT_S = 20.0
PAUSE_S = 0.6
WORD = Span(start_s=2.0, end_s=2.3)
SPEECH = Span(start_s=2.7, end_s=4.0)
SIXTEEN_K = 16_000


def _over_pcmu(pcm: Samples) -> Samples:
    """What mu-law leaves of sound at 8 kHz, by its formula (ITU-T G.711), to 8 bits."""
    pressed = np.sign(pcm) * np.log1p(255 * np.abs(pcm)) / np.log(256)
    stepped = np.round(pressed * 127) / 127
    return np.asarray(np.sign(stepped) * np.expm1(np.abs(stepped) * np.log(256)) / 255, np.float32)


def _after_silence() -> tuple[Samples, float]:
    """A clip that begins with a word and a pause, at 8 kHz behind a long digital silence; and its onset."""
    # 48 kHz to 8 kHz by way of 16 kHz, which has the low-pass: the other half is left to alias as it may.
    said = _over_pcmu(np.asarray(to_speech_rate(clip("untrimmed_form"), 48_000)[::2], np.float32))
    audio = np.concatenate([np.zeros(round(SILENT_S * RATE), np.float32), said, np.zeros(RATE, np.float32)])
    return audio, float(np.flatnonzero(np.abs(audio) >= 10 ** (-48 / 20))[0]) / RATE


def _words(
    *,
    word: Span = WORD,
    speech: Span = SPEECH,
    silero: tuple[Span, ...] = (SPEECH,),
    other: tuple[Span, ...] = (WORD,),
    listen: Callable[[Samples], list[Span]] | None = None,
    before: tuple[Span, ...] = (),
) -> list[Span]:
    def hears_all(audio: Samples) -> list[Span]:
        return [Span(start_s=0.0, end_s=len(audio) / SIXTEEN_K)]

    audio = np.zeros(5 * SIXTEEN_K, np.float32)
    return first_words(
        audio, [*before, word, speech], silero, other, pause_s=PAUSE_S, listen=listen or hears_all
    )


def test_a_word_that_silero_loses_behind_a_long_silence_begins_the_speech(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audio, onset_s = _after_silence()
    first = detect_speech(audio, RATE).talks[0]
    assert first.span.start_s == pytest.approx(onset_s, abs=0.001)
    assert first.onset_doubt == ""
    # The planted defect: nobody asks Silero again.
    monkeypatch.setattr("metrics.speech.first_words", lambda *_, **__: [])
    missed = detect_speech(audio, RATE).talks[0]
    assert missed.span.start_s > onset_s + 0.5
    assert "speech to webrtcvad and not to Silero" in missed.onset_doubt


def test_it_is_the_silence_before_that_makes_silero_miss_it() -> None:
    audio, onset_s = _after_silence()
    narrow = to_speech_rate(audio, RATE)
    word = Span(start_s=onset_s, end_s=onset_s + 0.3)
    assert not any(is_speech(word, span) for span in silero_spans(narrow))
    since_s = onset_s - BEFORE_S
    afresh = silero_spans(narrow[round(since_s * SIXTEEN_K) :])
    assert any(
        is_speech(word, Span(start_s=one.start_s + since_s, end_s=one.end_s + since_s)) for one in afresh
    )


def test_what_is_given_to_the_model_is_the_sound_and_half_a_second_before_it() -> None:
    given: list[int] = []

    def listen(audio: Samples) -> list[Span]:
        given.append(len(audio))
        return [Span(start_s=BEFORE_S, end_s=BEFORE_S + 0.3)]

    [found] = _words(listen=listen)
    assert [found.start_s, found.end_s] == pytest.approx([WORD.start_s, WORD.end_s])
    # Half a second, the word's 300 ms and 50 ms: 0.85 s of 16,000 samples.
    assert given == [13_600]
    # At the very beginning there is less before it.
    early = Span(start_s=0.2, end_s=0.5)
    [found] = _words(
        word=early,
        other=(early,),
        speech=Span(start_s=0.9, end_s=2.0),
        silero=(Span(start_s=0.9, end_s=2.0),),
        listen=lambda audio: [Span(start_s=0.2, end_s=0.5)],
    )
    assert [found.start_s, found.end_s] == pytest.approx([0.2, 0.5])


def test_where_silero_hears_nothing_afresh_either_nothing_is_added() -> None:
    assert _words(listen=lambda audio: []) == []
    # What is only before the sound, or touches it, is none of it.
    assert _words(listen=lambda audio: [Span(start_s=0.0, end_s=BEFORE_S - 0.1)]) == []
    assert _words(listen=lambda audio: [Span(start_s=0.0, end_s=BEFORE_S + 0.04)]) == []


def test_of_what_is_heard_afresh_only_what_lies_in_the_sound_is_added() -> None:
    [found] = _words(listen=lambda audio: [Span(start_s=0.0, end_s=0.25), Span(start_s=0.5, end_s=0.75)])
    assert [found.start_s, found.end_s] == pytest.approx([2.0, 2.25])


@pytest.mark.parametrize(("begins_s", "asked"), [(2.75, True), (2.751, False)])
def test_a_pause_as_long_as_may_be_still_lies_behind_a_first_word(begins_s: float, asked: bool) -> None:
    word, speech = Span(start_s=2.0, end_s=2.25), Span(start_s=begins_s, end_s=4.0)
    found = first_words(
        np.zeros(5 * SIXTEEN_K, np.float32),
        [word, speech],
        [speech],
        [word],
        pause_s=0.5,
        listen=lambda audio: [Span(start_s=0.5, end_s=0.75)],
    )
    assert bool(found) == asked


def test_only_a_sound_right_before_speech_is_asked_for() -> None:
    assert len(_words()) == 1
    later = Span(start_s=WORD.end_s + PAUSE_S + 0.01, end_s=4.0)
    assert _words(speech=later, silero=(later,)) == []
    at_the_bound = Span(start_s=WORD.end_s + PAUSE_S - 0.01, end_s=4.0)
    assert len(_words(speech=at_the_bound, silero=(at_the_bound,))) == 1
    assert _words(silero=()) == []


def test_neither_a_click_nor_a_long_sound_nor_one_that_webrtcvad_does_not_know_is_asked_for() -> None:
    short = Span(start_s=2.0, end_s=2.0 + WORD_S - 0.001)
    assert _words(word=short, other=(short,)) == []
    long = Span(start_s=WORD.end_s - LONGEST_WORD_S - 0.01, end_s=WORD.end_s)
    assert _words(word=long, other=(long,)) == []
    as_long_as_may_be = Span(start_s=WORD.end_s - LONGEST_WORD_S + 0.001, end_s=WORD.end_s)
    assert len(_words(word=as_long_as_may_be, other=(as_long_as_may_be,))) == 1
    assert _words(other=()) == []


@pytest.mark.parametrize(("lasts_s", "asked"), [(0.99, True), (1.01, False)])
def test_a_first_word_lasts_no_longer_than_a_second(lasts_s: float, asked: bool) -> None:
    word = Span(start_s=2.3 - lasts_s, end_s=2.3)
    assert bool(_words(word=word, other=(word,))) == asked


@pytest.mark.parametrize(("lasts_s", "heard"), [(0.1, True), (0.099, False)])
def test_a_word_lasts_a_tenth_of_a_second(lasts_s: float, heard: bool) -> None:
    word = Span(start_s=0.0, end_s=lasts_s)
    assert is_heard(word, [word]) is heard


def test_a_word_before_a_first_word_is_found_as_well() -> None:
    still_before = Span(start_s=1.2, end_s=1.6)
    found = _words(before=(still_before,), other=(still_before, WORD))
    assert [one.overlap_s(still_before) > 0.3 for one in found] == [True, False]
    assert found[0].start_s < found[1].start_s


@pytest.mark.parametrize(
    ("share", "heard"), [(WORD_SHARE + 0.01, True), (WORD_SHARE - 0.01, False), (0.0, False)]
)
def test_a_sound_is_speech_to_webrtcvad_by_its_larger_part(share: float, heard: bool) -> None:
    part = Span(start_s=WORD.start_s, end_s=WORD.start_s + share * WORD.duration_s)
    assert is_heard(WORD, [part]) is heard
    assert is_heard(WORD, []) is False


def test_a_cluster_is_speech_by_a_third_of_it_or_by_fifty_milliseconds() -> None:
    assert is_speech(WORD, Span(start_s=2.0, end_s=2.051))
    assert not is_speech(WORD, Span(start_s=2.0, end_s=2.049))
    short = Span(start_s=2.0, end_s=2.1)
    assert is_speech(short, Span(start_s=2.0, end_s=2.031))
    assert not is_speech(short, Span(start_s=2.0, end_s=2.029))


def test_the_pause_behind_a_first_word_is_one_between_words() -> None:
    assert TALK_GAP_S == PAUSE_S
