"""Every number of the seams from both sides, on a buzz of 200 Hz whose blocks of 5 ms are all alike."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from metrics.spans import Span
from metrics.synthesis.prosody import frames, seams
from metrics.synthesis.prosody.seams import SeamSounds, seam_sounds
from tests.unit.metrics.synthesis.prosody.made_voice import Samples

RATE = 16_000
BLOCK = 80
NONE = -200.0
Run = tuple[float, float]


def buzz(*runs: Run, low: float = 1.0) -> Samples:
    """So many seconds at so many dB, run after run; 0 dB is -20 dBFS, :data:`NONE` is silence.

    Args:
        low: Factor of the harmonics up to 1 kHz.
    """
    t = np.arange(BLOCK) / RATE
    block = sum(
        (low if at <= 5 else 1.0) * np.sin(2 * np.pi * 200 * at * t + at**2) for at in range(1, 18)
    ) * (0.1 * np.sqrt(2 / 17))
    return np.concatenate(
        [
            np.tile(block, round(seconds / 0.005)) * (0.0 if db == NONE else 10 ** (db / 20))
            for seconds, db in runs
        ]
    ).astype(np.float32)


def spans(*edges: float) -> list[Span]:
    """From each to the next."""
    return [Span(start_s=start, end_s=end) for start, end in pairwise(edges)]


def heard(sound: Samples, start_s: float, end_s: float, words: list[Span] | None = None) -> SeamSounds | None:
    phrase = Span(start_s=start_s, end_s=end_s)
    return seam_sounds(sound, RATE, phrase=phrase, words=words or [phrase])


def pauses(sound: Samples, start_s: float, end_s: float) -> tuple[float | None, float | None]:
    found = heard(sound, start_s, end_s)
    assert found is not None
    return found.pause_before_s, found.pause_after_s


def before(*runs: Run) -> float | None:
    """The pause before a phrase that is said from 1 s to 2 s of 3."""
    sound = buzz(*runs)
    assert len(sound) == 3 * RATE
    return pauses(sound, 1.0, 2.0)[0]


def own_gap(sound: Samples, start_s: float, end_s: float, words: list[Span]) -> float:
    found = heard(sound, start_s, end_s, words)
    assert found is not None
    return found.own_gap_s


# --- what is the voice's own


def measured(before_s: float | None, after_s: float | None, own_s: float, longest_s: float) -> SeamSounds:
    return SeamSounds(
        pause_before_s=before_s,
        pause_after_s=after_s,
        own_gap_s=own_s,
        longest_gap_s=longest_s,
        level_db=0.0,
        timbre_db=0.0,
    )


@pytest.mark.parametrize(
    ("own_s", "in_control_s", "beyond_s"),
    [(0.1, 0.0, 0.4), (0.0, 0.2, 0.3), (0.1, 0.2, 0.3), (0.0, None, 0.5)],
)
def test_before_a_phrase_a_voice_pauses_as_elsewhere_or_as_in_the_control(
    own_s: float, in_control_s: float | None, beyond_s: float
) -> None:
    """Not as at the longest gap, its own or the control's, of 0.45 s."""
    found = measured(0.5, 0.0, own_s, 0.45).pauses_beyond(measured(in_control_s, 0.0, 0.45, 0.45))
    assert found[0] == pytest.approx(beyond_s)


@pytest.mark.parametrize(
    ("own_s", "in_control_s", "longest_s", "beyond_s"),
    [(0.1, 0.0, 0.0, 0.4), (0.0, 0.2, 0.1, 0.3), (0.1, 0.2, 0.35, 0.15), (0.1, None, 0.0, 0.4)],
)
def test_behind_it_as_at_the_longest_gap_of_the_control_too(
    own_s: float, in_control_s: float | None, longest_s: float, beyond_s: float
) -> None:
    """Not as at the longest of its own, of 0.45 s."""
    found = measured(0.0, 0.5, own_s, 0.45).pauses_beyond(measured(0.45, in_control_s, 0.45, longest_s))
    assert found[1] == pytest.approx(beyond_s)


def test_where_there_is_no_seam_there_is_no_pause() -> None:
    control = measured(0.1, 0.1, 0.0, 0.0)
    assert measured(None, 0.3, 0.0, 0.0).pauses_beyond(control) == pytest.approx((None, 0.2))
    assert measured(0.3, None, 0.0, 0.0).pauses_beyond(control) == pytest.approx((0.2, None))


# --- pauses


def test_either_seam_has_its_own_pause() -> None:
    sound = buzz((1.0, 0), (0.1, NONE), (0.5, 0), (0.25, NONE), (1.0, 0))
    assert pauses(sound, 1.1, 1.6) == pytest.approx((0.1, 0.25))


def test_the_longest_silence_at_a_seam_is_its_pause() -> None:
    assert before((0.9, 0), (0.05, NONE), (0.05, 0), (0.08, NONE), (1.92, 0)) == pytest.approx(0.08)
    assert before((0.9, 0), (0.08, NONE), (0.02, 0), (0.05, NONE), (1.95, 0)) == pytest.approx(0.08)


def test_a_silence_counts_whole_if_it_touches_the_200_ms_around() -> None:
    """They are the blocks 160 to 239."""
    assert before((0.5, 0), (0.305, NONE), (2.195, 0)) == pytest.approx(0.305)
    assert before((0.5, 0), (0.3, NONE), (2.2, 0)) == 0.0
    assert before((1.195, 0), (0.2, NONE), (1.605, 0)) == pytest.approx(0.2)
    assert before((1.2, 0), (0.2, NONE), (1.6, 0)) == 0.0


def test_silence_at_the_edge_of_the_reading_is_no_pause() -> None:
    sound = buzz((0.3, NONE), (0.1, 0), (0.02, NONE), (2.0, 0), (0.02, NONE), (0.3, 0), (0.5, NONE))
    assert pauses(sound, 0.52, 2.51) == pytest.approx((0.02, 0.02))


def test_without_a_fifth_of_a_second_of_speech_there_is_no_seam() -> None:
    """Speech begins at 0.3 s, and its last block at 2.795 s."""
    sound = buzz((0.3, NONE), (2.5, 0), (0.4, NONE))
    assert pauses(sound, 0.51, 2.59) == (0.0, 0.0)
    assert pauses(sound, 0.49, 2.59) == (None, 0.0)
    assert pauses(sound, 0.51, 2.6) == (0.0, None)


def test_exactly_within_reach_of_the_edge_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seams, "REACH_S", 0.25)
    sound = buzz((1.255, 0))
    assert pauses(sound, 0.25, 1.0) == (0.0, 0.0)
    assert pauses(sound, 0.245, 1.005) == (None, None)


@pytest.mark.parametrize(("db", "pause_s"), [(-31.9, 0.0), (-32.1, 0.1)])
def test_silence_lies_32_db_below_what_is_loud(db: float, pause_s: float) -> None:
    assert before((1.0, 0), (0.1, db), (1.9, 0)) == pytest.approx(pause_s)


def test_exactly_so_far_below_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seams, "SILENCE_BELOW_LOUD_DB", 0.0)
    assert before((3.0, 0)) == 0.0


@pytest.mark.parametrize(("louder_s", "pause_s"), [(0.21, 0.0), (0.4, 0.1)])
def test_loud_is_what_a_tenth_of_the_reading_exceeds(louder_s: float, pause_s: float) -> None:
    """7 % of it are 10 dB louder, or 13 %: then -30 dB is silent."""
    assert before((1.0, 0), (0.1, -30), (1.0, 0), (louder_s, 10), (0.9 - louder_s, 0)) == pytest.approx(
        pause_s
    )


@pytest.mark.parametrize(("dbfs", "told"), [(-74.9, True), (-75.1, False)])
def test_a_reading_below_minus_75_dbfs_is_silent(dbfs: float, told: bool) -> None:
    assert (heard(buzz((3.0, dbfs + 20)), 1.0, 2.0) is not None) is told


def test_exactly_at_the_bound_a_reading_is_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = buzz((3.0, 0))
    [level] = 10 * np.log10(np.mean(sound[:BLOCK].astype(np.float64).reshape(1, BLOCK) ** 2, axis=1) + 1e-12)
    assert level == pytest.approx(-20.0, abs=1e-5)
    monkeypatch.setattr(seams, "SILENT_DBFS", float(level))
    assert heard(sound, 1.0, 2.0) is not None


@pytest.mark.parametrize(("dbfs", "told"), [(-29.9, True), (-30.1, False)])
def test_silence_counts_as_minus_120_dbfs(dbfs: float, told: bool) -> None:
    """Of 606 blocks 61 are loud: what a tenth exceeds lies half way between, at -75 for -120 and -30."""
    sound = buzz((1.5, NONE), (0.305, dbfs + 20), (1.225, NONE))
    assert (heard(sound, 1.655, 2.3) is not None) is told


def test_a_scrap_has_no_seams() -> None:
    assert heard(buzz((0.005, 0))[:79], 0.0, 0.005) is None


# --- gaps of its own


def test_its_own_gap_is_the_median_of_those_between_other_words() -> None:
    """At 0.5, 2.0 and 2.5 s, and of the words of the phrase, from 1.0 to 1.5 s, none."""
    sound = buzz(
        (0.49, 0),
        (0.02, NONE),
        (0.74, 0),
        (0.15, NONE),
        (0.55, 0),
        (0.1, NONE),
        (0.44, 0),
        (0.03, NONE),
        (0.48, 0),
    )
    words = spans(0.0, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
    assert own_gap(sound, 1.0, 1.5, words) == pytest.approx(0.03)


def test_its_longest_gap_is_the_longest_between_other_words() -> None:
    """Of 20 and 100 ms, and not the 150 ms of the phrase."""
    sound = buzz((0.49, 0), (0.02, NONE), (0.74, 0), (0.15, NONE), (0.55, 0), (0.1, NONE), (0.95, 0))
    words = spans(0.0, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
    found = heard(sound, 1.0, 1.5, words)
    assert found is not None
    assert found.longest_gap_s == pytest.approx(0.1)
    alone = heard(sound, 1.0, 1.5)
    assert alone is not None
    assert alone.longest_gap_s == 0.0


def test_the_last_word_has_no_gap_after_it() -> None:
    sound = buzz((0.5, 0), (0.1, NONE), (2.4, 0))
    assert own_gap(sound, 1.5, 2.0, spans(0.0, 0.55, 1.5, 2.0, 3.0)) == pytest.approx(0.1)
    assert own_gap(sound, 0.9, 2.0, spans(0.9, 2.0, 3.0)) == 0.0


def test_silence_at_the_edge_of_the_reading_is_no_gap_of_its_own() -> None:
    """Though its first word and its last are so short that their edges lie within reach of it."""
    words = spans(0.3, 0.4, 1.0, 2.0, 2.6, 2.7)
    assert own_gap(buzz((0.3, NONE), (2.7, 0)), 1.0, 2.0, words) == 0.0
    assert own_gap(buzz((2.7, 0), (0.3, NONE)), 1.0, 2.0, words) == 0.0


def test_two_gaps_have_their_mean() -> None:
    sound = buzz((0.5, 0), (0.1, NONE), (1.9, 0), (0.04, NONE), (0.46, 0))
    assert own_gap(sound, 1.25, 1.75, spans(0.0, 0.55, 1.25, 1.75, 2.52, 3.0)) == pytest.approx(0.07)


@pytest.mark.parametrize(("edge_s", "gap_s"), [(0.79, 0.1), (0.81, 0.0)])
def test_a_gap_within_200_ms_of_the_phrase_is_its_seam(edge_s: float, gap_s: float) -> None:
    sound = buzz((edge_s - 0.05, 0), (0.1, NONE), (2.95 - edge_s, 0))
    assert own_gap(sound, 1.0, 2.0, spans(0.0, edge_s, 1.0, 2.0, 3.0)) == pytest.approx(gap_s)
    assert own_gap(sound[::-1], 1.0, 2.0, spans(0.0, 1.0, 2.0, 3.0 - edge_s, 3.0)) == pytest.approx(gap_s)


def test_exactly_at_200_ms_it_is_the_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seams, "REACH_S", 0.25)
    sound = buzz((0.7, 0), (0.1, NONE), (2.2, 0))
    assert own_gap(sound, 1.0, 2.0, spans(0.0, 0.75, 1.0, 2.0, 3.0)) == 0.0


@pytest.mark.parametrize(("start_s", "gap_s"), [(0.5, 0.0), (0.4375, 0.1)])
def test_a_word_of_which_half_is_in_the_phrase_is_of_it(start_s: float, gap_s: float) -> None:
    """The phrase is said from 1.0 to 2.0 s, the word until 1.5 s, where there is a gap."""
    sound = buzz((1.45, 0), (0.1, NONE), (1.45, 0))
    words = [*spans(start_s, 1.5, 2.0), *spans(2.0, 3.0)]
    assert own_gap(sound, 1.0, 2.0, words) == pytest.approx(gap_s)


# --- level and timbre


@pytest.mark.parametrize("db", [-10.0, 4.0])
def test_level_is_that_of_the_phrase_over_the_rest(db: float) -> None:
    """Two of its hundred frames hear the louder side as well."""
    found = heard(buzz((1.0, 0), (1.0, db), (1.0, 0)), 1.0, 2.0)
    assert found is not None
    assert found.level_db == pytest.approx(db, abs=0.1)
    assert found.timbre_db == pytest.approx(0.0, abs=0.05)


def test_timbre_is_the_root_of_the_mean_square_over_24_bands() -> None:
    """12 of them lie below 1.1 kHz. With 10 dB more in those, and level taken out, each is 5 dB off."""
    sound = np.concatenate([buzz((1.0, 0)), buzz((1.0, 0), low=10**0.5), buzz((1.0, 0))])
    found = heard(sound, 1.0, 2.0)
    assert found is not None
    assert found.timbre_db == pytest.approx(5.0, abs=0.15)


def test_level_is_the_power_from_150_to_3400_hz() -> None:
    """Of 17 equal harmonics of 200 Hz that at 3400 Hz is in with half: with 10 dB more in five of them it is
    (5 * 10 + 11.5) / 16.5, 5.7 dB; the mean over bands, 5 dB, is no power."""
    sound = np.concatenate([buzz((1.0, 0)), buzz((1.0, 0), low=10**0.5), buzz((1.0, 0))])
    found = heard(sound, 1.0, 2.0)
    assert found is not None
    assert found.level_db == pytest.approx(5.71, abs=0.1)


@pytest.mark.parametrize(("hz", "heard_db"), [(100, 0.0), (200, 9.0), (3300, 9.0), (3500, 0.0)])
def test_a_tone_beyond_those_has_no_level(hz: float, heard_db: float) -> None:
    """A tone in the band with a power of 7 times the buzz's is 10 log10(8), 9 dB more; beside it, nothing."""
    sound = buzz((3.0, 0))
    power = 16.5 / 17 * float(np.mean(sound**2))
    t = np.arange(RATE) / RATE
    sound[RATE : 2 * RATE] += np.sqrt(2 * 7 * power) * np.cos(2 * np.pi * hz * t).astype(np.float32)
    found = heard(sound, 1.0, 2.0)
    assert found is not None
    assert found.level_db == pytest.approx(heard_db, abs=0.8)


@pytest.mark.parametrize("hz", [160, 3400])
def test_of_a_tone_in_the_first_bin_or_the_last_five_sixths_are_heard(hz: int) -> None:
    """A frame of 50 ms has bins of 20 Hz, and with Hann's window a tone in one of them has a sixth of its
    power in either neighbour. One of these lies outside; so it is with the last of the 17 harmonics.

    The tone is as strong as the buzz around it, the buzz beneath it 20 dB weaker."""
    sound = buzz((1.0, 0), (1.0, -20), (1.0, 0))
    t = np.arange(RATE) / RATE
    sound[RATE : 2 * RATE] += (0.1 * np.sqrt(2) * np.cos(2 * np.pi * hz * t + 17**2)).astype(np.float32)
    found = heard(sound, 1.0, 2.0)
    assert found is not None
    of_buzz = (16 + 5 / 6) / 17
    assert found.level_db == pytest.approx(10 * np.log10((5 / 6 + 0.01 * of_buzz) / of_buzz), abs=0.15)


def test_the_spectrum_is_that_in_which_readings_are_aligned() -> None:
    assert seams.SPECTRUM == frames.SETTINGS


def test_the_louder_half_of_the_frames_is_compared() -> None:
    """Of the phrase 0.6 s are at -2 dB and 0.4 s 8 dB below that."""
    found = heard(buzz((1.0, 0), (0.6, -2), (0.4, -10), (1.0, 0)), 1.0, 2.0)
    assert found is not None
    assert found.level_db == pytest.approx(-2.0, abs=0.05)


@pytest.mark.parametrize(("end_s", "told"), [(1.15, True), (1.14, False)])
def test_a_phrase_has_150_ms_or_more(end_s: float, told: bool) -> None:
    assert (heard(buzz((3.0, 0)), 1.0, end_s) is not None) is told


def test_a_phrase_ends_before_its_end() -> None:
    """Frames at 1.11 to 1.24 s, 14 of them, or 15."""
    assert heard(buzz((3.0, 0)), 1.105, 1.25) is None
    assert heard(buzz((3.0, 0)), 1.105, 1.255) is not None


@pytest.mark.parametrize(("start_s", "told"), [(0.15, True), (0.14, False)])
def test_what_surrounds_it_has_150_ms_or_more(start_s: float, told: bool) -> None:
    assert (heard(buzz((3.0, 0)), start_s, 3.1) is not None) is told


@pytest.mark.parametrize(("db", "told"), [(-24.9, True), (-25.1, False)])
def test_what_lies_25_db_below_the_loud_frames_is_not_heard(db: float, told: bool) -> None:
    assert (heard(buzz((1.05, 0), (0.5, db), (1.45, 0)), 1.1, 1.5) is not None) is told


def test_exactly_so_far_below_them_it_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """All frames of a buzz are alike."""
    monkeypatch.setattr(seams, "ACTIVE_BELOW_LOUD_DB", 0.0)
    assert heard(buzz((3.0, 0)), 1.0, 2.0) is None


@pytest.mark.parametrize(("louder_s", "told"), [(0.21, True), (0.4, False)])
def test_loud_frames_are_those_that_a_tenth_exceeds(louder_s: float, told: bool) -> None:
    """7 % of them are 10 dB louder, or 13 %: then -20 dB is not heard."""
    sound = buzz((1.05, 0), (0.5, -20), (0.45, 0), (louder_s, 10), (1.0 - louder_s, 0))
    assert (heard(sound, 1.1, 1.5) is not None) is told


def test_the_level_of_a_phrase_is_taken_30_ms_within_it_the_first_frame_included() -> None:
    """That at 1.0 s hears 10 ms of what is louder, 3.7 dB in all, and is one of 25 frames."""
    found = heard(buzz((0.985, 0), (0.615, -20), (1.4, 0)), 0.97, 1.28)
    assert found is not None
    assert -19.9 < found.level_db < -19.6


def test_the_frame_30_ms_before_its_end_is_none_of_it() -> None:
    """Only that at 1.25 s would hear what is louder."""
    found = heard(buzz((0.9, 0), (0.365, -20), (1.735, 0)), 0.97, 1.28)
    assert found is not None
    assert found.level_db == pytest.approx(-20.0, abs=0.02)
