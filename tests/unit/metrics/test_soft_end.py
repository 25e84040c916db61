"""How far an end stays open, on signals counted by hand.

The voiced threshold is 0.003981, half of it 0.00199."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.soft_end import ends_at_full_level, ends_softly, later_sound, ringing_before, sound_after
from metrics.spans import Span
from metrics.speech import detect_speech

RATE = 48_000
MS = 48
END_S = (RATE - 1) / RATE
Samples = NDArray[np.float32]


def _second(*after: tuple[int, int, float], last_ms: float = 0.1) -> Samples:
    """A second of sound at 0.1, its last 10 ms at another level, then three of silence with sounds in it, as
    (samples after the end, how many, level)."""
    audio = np.zeros(4 * RATE, np.float32)
    audio[:RATE] = 0.1
    audio[RATE - 10 * MS : RATE] = last_ms
    for first, count, level in after:
        audio[RATE + first : RATE + first + count] = level
    audio[1::2] *= -1
    return audio


def _open_ms(audio: Samples) -> float:
    return 1000 * sound_after(audio, RATE, END_S, threshold=0.004, least=0.002)


def test_nothing_is_open_after_a_cut_into_silence() -> None:
    assert _open_ms(_second()) == 0.0


@pytest.mark.parametrize(
    ("last", "level", "open_ms"),
    [
        (0.1, 0.0041, 9.0),  # cut at full level: what would be voiced is ringing, or was speech
        (0.1, 0.0039, 0.0),
        (0.01, 0.0021, 9.0),  # fading: what is half as loud may have been voiced before the codec
        (0.01, 0.0019, 0.0),
    ],
)
def test_what_counts_after_an_end_is_told_by_how_it_ended(last: float, level: float, open_ms: float) -> None:
    audio = _second((0, 9 * MS, level), last_ms=last)
    assert _open_ms(audio) == pytest.approx(open_ms, abs=0.03)


@pytest.mark.parametrize(("first_ms", "open_ms"), [(99, 100.0), (100, 0.0)])
def test_an_end_is_open_for_up_to_100_ms(first_ms: int, open_ms: float) -> None:
    assert _open_ms(_second((first_ms * MS, 5 * MS, 0.05))) == pytest.approx(open_ms, abs=0.03)


@pytest.mark.parametrize(("level", "soft"), [(0.0159, True), (0.0161, False)])
def test_an_end_is_soft_below_four_times_the_threshold(level: float, soft: bool) -> None:
    assert ends_softly(_second(last_ms=level), RATE, END_S, 0.004) is soft


def test_an_end_before_the_first_sample_is_soft() -> None:
    assert ends_softly(np.zeros(0, np.float32), RATE, 0.0, 0.004)


@pytest.mark.parametrize(
    ("first_ms", "level", "found"),
    [(99, 0.05, False), (100, 0.05, True), (599, 0.05, True), (600, 0.05, False), (300, 0.0019, False)],
)
def test_a_later_sound_lies_between_100_and_600_ms_after(first_ms: int, level: float, found: bool) -> None:
    audio = _second((first_ms * MS, MS, level))
    spans = later_sound(audio, RATE, 1.0, least=0.002, within_s=0.6)
    assert bool(spans) is found
    if first_ms == 100:
        assert spans == [Span(start_s=1.1, end_s=(RATE + 101 * MS - 1) / RATE)]


@pytest.mark.parametrize(
    ("quiet_ms", "level", "open_ms"),
    [(30, 0.0199, 30.0), (30, 0.0201, 0.0), (39, 0.0199, 39.0), (40, 0.0199, 0.0)],
)
def test_ringing_is_what_lies_14_db_below_the_loudest_of_the_last_40_ms(
    quiet_ms: int, level: float, open_ms: float
) -> None:
    audio = _second((0, quiet_ms * MS, level))
    end_s = (RATE + quiet_ms * MS - 1) / RATE
    assert 1000 * ringing_before(audio, RATE, end_s) == pytest.approx(open_ms, abs=0.03)


@pytest.mark.parametrize("count", [1, 240])
def test_what_is_open_is_counted_to_the_sample(count: int) -> None:
    """And from the first one after the end on."""
    assert sound_after(_second((0, count, 0.01)), RATE, END_S, threshold=0.004, least=0.002) == count / RATE


def test_what_comes_after_an_end_says_nothing_of_how_it_ended() -> None:
    """A click right behind it is neither its level nor its loudest moment."""
    assert ends_softly(_second((0, 1, 0.9), last_ms=0.012), RATE, END_S, 0.004)
    assert ringing_before(_second((0, 1, 0.9), last_ms=0.021), RATE, END_S) == 0.0


def test_an_end_soon_after_the_beginning_has_what_there_is_before_it() -> None:
    """5 ms at full level, the first sample by far the loudest; then 5 ms at a hundredth of the rest."""
    audio = np.zeros(RATE, np.float32)
    audio[: 5 * MS] = 0.01
    audio[0] = 0.5
    assert ringing_before(audio, RATE, (5 * MS - 1) / RATE) == (5 * MS - 1) / RATE
    assert not ends_softly(audio, RATE, (5 * MS - 1) / RATE, 0.007)
    audio[0] = 0.01
    assert ends_softly(audio, RATE, (5 * MS - 1) / RATE, 0.007)


def test_before_any_sound_there_is_no_ringing() -> None:
    assert ringing_before(np.zeros(0, np.float32), RATE, 0.0) == 0.0


def test_ringing_that_was_taken_for_sound_is_open() -> None:
    """30 ms at a hundredth, of which the last 20 are their own peak."""
    talk = detect_speech(_second((0, 30 * MS, 0.006)), RATE, marker_tones=True).talks[0]
    assert talk.open_s == pytest.approx((0.03,), abs=1e-4)


def test_a_word_that_was_cut_in_its_first_moments_makes_the_end_doubtful(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """20 ms of sound are too short for speech of their own, 280 ms after a word."""
    monkeypatch.setattr("metrics.speech.silero_spans", lambda audio: [Span(start_s=0.0, end_s=1.0)])
    talk = detect_speech(_second((280 * MS, 20 * MS, 0.05)), RATE).talks[0]
    assert talk.end_doubt == (
        "280 ms later comes a sound of 20 ms: a click, or the beginning of a word that was cut"
    )
    assert detect_speech(_second(), RATE).talks[0].end_doubt == ""
    assert detect_speech(_second((700 * MS, 20 * MS, 0.05)), RATE).talks[0].end_doubt == ""


def test_even_a_faint_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the voiced level: the codec may have taken the rest."""
    monkeypatch.setattr("metrics.speech.silero_spans", lambda audio: [Span(start_s=0.0, end_s=1.0)])
    assert detect_speech(_second((280 * MS, 20 * MS, 0.0021)), RATE).talks[0].end_doubt.startswith("280 ms")
    assert detect_speech(_second((280 * MS, 20 * MS, 0.0019)), RATE).talks[0].end_doubt == ""


def test_each_cluster_of_a_talk_says_what_is_open_after_it() -> None:
    """Two words of a talk, the first with 9 ms of ringing at a fiftieth of its level."""
    audio = _second((0, 9 * MS, 0.0045), (300 * MS, 1000 * MS, 0.1))
    talk = detect_speech(audio, RATE, marker_tones=True).talks[0]
    assert [round(1000 * talk.open_after(one), 1) for one in talk.clusters] == [9.0, 0.0]


def test_where_it_is_noisy_the_noise_is_no_sound_after_an_end() -> None:
    """Noise at 0.002 puts the voiced threshold at 0.01; half of that would be reached by a fading 0.006, but
    five times the noise is the least that counts."""
    audio = _second((0, 50 * MS, 0.006), last_ms=0.03)
    noise = np.random.default_rng(3).normal(0, 0.002, len(audio)).astype(np.float32)
    talk = detect_speech(audio + noise, RATE, marker_tones=True).talks[0]
    assert talk.soft_end
    assert talk.open_after(talk.clusters[-1]) < 0.06


# --- whether speech was cut


WHOLE = Span(start_s=0.0, end_s=END_S)


def _ends_so(audio: Samples, span: Span = WHOLE) -> bool:
    return ends_at_full_level(audio, RATE, span)


def _last(*levels: tuple[int, float]) -> Samples:
    """A second at 0.1 with its last so many ms at other levels, in order."""
    audio = _second()
    at = RATE - MS * sum(ms for ms, _ in levels)
    for ms, level in levels:
        audio[at : at + ms * MS] = np.where(np.arange(at, at + ms * MS) % 2, -level, level)
        at += ms * MS
    return audio


@pytest.mark.parametrize(
    ("last", "cut"),
    [
        (((20, 0.0451),), True),  # 7 dB below 0.1 are 0.0447
        (((20, 0.0440),), False),
        (((20, 0.0440), (1, 0.1)), True),  # rms of 19 ms at 0.044 and 1 ms at 0.1: 0.0483
        (((10, 0.0640), (10, 0.0001)), True),  # rms of both 0.0453
        (((20, 0.0620), (10, 0.0001)), False),  # 0.0438
    ],
)
def test_speech_is_cut_where_its_last_20_ms_are_within_7_db_of_its_loud_part(
    last: tuple[tuple[int, float], ...], cut: bool
) -> None:
    assert _ends_so(_last(*last)) is cut


@pytest.mark.parametrize(
    ("last", "cut"),
    [
        # 30 ms that ring on 20 dB below the sound before them: 0.03 is more than 7 dB below 0.1.
        (((50, 0.3), (30, 0.03)), True),
        # 3 dB below 0.1 are 0.0708.
        (((50, 0.0715), (30, 0.00715)), True),
        (((50, 0.0700), (30, 0.00700)), False),
        # 13 dB below what is before it is no ringing, but how the sound ends.
        (((50, 0.15), (30, 0.0336)), False),
        # Ringing lasts for two frames of a codec, and no longer.
        (((50, 0.3), (41, 0.03)), False),
    ],
)
def test_what_rings_on_behind_a_loud_sound_is_not_its_end(
    last: tuple[tuple[int, float], ...], cut: bool
) -> None:
    assert _ends_so(_last(*last)) == cut


def test_what_comes_before_the_last_20_ms_or_after_the_end_is_no_part_of_it() -> None:
    assert not _ends_so(_last((5, 0.2), (20, 0.0440)))
    audio = _last((20, 0.0440))
    audio[RATE:] = 0.9
    assert not _ends_so(audio)


def test_the_loud_part_is_that_of_the_loudest_third_of_what_is_heard() -> None:
    """Of a second 0.25 s at 0.5 are less than that, 0.4 s are more: 0.1 is at full level beside the one and
    14 dB below the other. Silence, however much of it, is not heard."""
    for loud_ms, cut in ((250, True), (400, False)):
        audio = _second()
        audio[: loud_ms * MS] *= 5
        assert _ends_so(audio) is cut
        late = np.concatenate([audio[: loud_ms * MS], np.zeros(9 * RATE, np.float32), audio[loud_ms * MS :]])
        assert _ends_so(late, Span(start_s=0.0, end_s=9 + END_S)) is cut


def test_how_loud_the_agent_is_tells_nothing() -> None:
    """A sentence that ends 10 dB below its loud part is over at any level, one that ends at it was cut."""
    for gain in (5.0, 1.0, 0.1):
        assert not _ends_so(_last((20, 0.0316)) * np.float32(gain))
        assert _ends_so(_second() * np.float32(gain))


def test_a_loud_voice_with_a_quiet_end_was_taken_for_cut() -> None:
    """-35 dBFS at the end is 12 dB above the threshold and more, and 15 dB below the loud part."""
    audio = _last((60, 0.0178))
    assert not ends_softly(audio, RATE, END_S, 0.00398)
    assert not _ends_so(audio)


def test_noise_beneath_does_not_hide_a_cut() -> None:
    """At 0.008 it puts the threshold at 0.04: what was cut at 0.1 is less than 12 dB above that."""
    noise = np.random.default_rng(5).normal(0, 0.008, 4 * RATE).astype(np.float32)
    audio = _second() + noise
    assert ends_softly(audio, RATE, END_S, 0.04)
    assert _ends_so(audio)


def test_no_speech_at_all_was_not_cut() -> None:
    assert not _ends_so(np.zeros(RATE, np.float32))
    assert not _ends_so(_second() * np.float32(0.01))  # -60 dBFS
