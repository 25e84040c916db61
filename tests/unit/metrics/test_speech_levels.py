"""From which level a sample is voiced, and which voiced samples make a cluster: numbers from both sides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from metrics import speech
from metrics.spans import Span
from metrics.speech import energy_spans, noise_floor
from tests.unit.metrics.speech_signals import MS, RATE, Samples, as_tones, in_samples, silence, sounds, square

# --- what is voiced


def test_a_sample_is_voiced_from_48_db_below_full_scale() -> None:
    """10 ** (-48 / 20) is 0.003981."""
    assert as_tones(sounds((RATE, RATE), level=0.00396)).talks == ()
    [talk] = as_tones(sounds((RATE, RATE), level=0.0040)).talks
    assert in_samples([talk.span]) == [(RATE, 2 * RATE - 1)]
    assert as_tones(silence(RATE)).threshold_dbfs == pytest.approx(-48.0, abs=1e-9)


def test_where_it_is_noisy_a_sample_is_voiced_from_five_times_the_noise() -> None:
    noise = square(4 * RATE, 0.01)
    below, above = noise.copy(), noise.copy()
    below[RATE : 2 * RATE] = square(RATE, 0.0498)
    above[RATE : 2 * RATE] = square(RATE, 0.0502)
    assert as_tones(below).talks == ()
    activity = as_tones(above)
    assert in_samples([activity.talks[0].span]) == [(RATE, 2 * RATE - 1)]
    assert activity.noise_floor_dbfs == pytest.approx(-40.0, abs=0.001)
    assert activity.threshold_dbfs == pytest.approx(20 * np.log10(0.05), abs=0.001)


def test_a_noise_floor_below_minus_120_dbfs_is_none_at_all() -> None:
    assert as_tones(square(RATE, 1.03e-6)).noise_floor_dbfs == pytest.approx(-119.74, abs=0.01)
    assert as_tones(square(RATE, 0.97e-6)).noise_floor_dbfs is None


# --- the noise floor: frames of 20 ms, the tenth percentile of their levels


def _frames(*levels: float) -> Samples:
    return np.concatenate([square(20 * MS, level) for level in levels])


def test_the_noise_floor_is_the_tenth_percentile_of_frames_of_20_ms() -> None:
    """Of eleven values the tenth percentile is the second smallest."""
    audio = _frames(0.11, 0.10, 0.02, 0.04, 0.09, 0.06, 0.07, 0.05, 0.03, 0.08, 0.01)
    assert noise_floor(audio, RATE) == pytest.approx(0.02, rel=1e-4)
    # What is left over at the end is no frame, and less than one frame has no floor.
    assert noise_floor(np.concatenate([audio, silence(20 * MS - 1)]), RATE) == pytest.approx(0.02, rel=1e-4)
    assert noise_floor(square(20 * MS, 0.5), RATE) == pytest.approx(0.5, rel=1e-4)
    assert noise_floor(square(20 * MS - 1, 0.5), RATE) == 0.0


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
    audio = square(4 * RATE, 0.01)
    audio[:RATE] = 0.0
    audio[2 * RATE : 3 * RATE] = 0.0
    sent, lost = Span(start_s=1.0, end_s=4.0), (Span(start_s=2.0, end_s=3.0),)
    assert as_tones(audio, present=sent, absent=lost).noise_floor_dbfs == pytest.approx(-40.0, abs=0.001)
    assert as_tones(audio, absent=lost).noise_floor_dbfs is None
    assert as_tones(audio, present=sent).noise_floor_dbfs is None


# --- the mean that a line adds


def test_a_mean_is_taken_off_where_audio_was_sent_and_came() -> None:
    """0.01 everywhere between 1 and 3 s, but for what was lost; it is voiced where it is not taken off."""
    audio = silence(4 * RATE)
    audio[RATE : 3 * RATE] = 0.01
    audio[2 * RATE : 2 * RATE + 4800] = 0.0
    lost = Span(start_s=2.0, end_s=2.1)
    assert as_tones(audio, present=Span(start_s=1.0, end_s=3.0), absent=(lost,)).energy == ()
    # Less of it: what is not counted as sent keeps its offset.
    late = as_tones(audio, present=Span(start_s=1.5, end_s=3.0), absent=(lost,))
    assert in_samples(late.energy) == [(RATE, 3 * RATE // 2 - 1)]
    early = as_tones(audio, present=Span(start_s=1.0, end_s=2.5), absent=(lost,))
    assert in_samples(early.energy) == [(5 * RATE // 2, 3 * RATE - 1)]
    # A loss that is not told of is moved by the mean of all.
    assert in_samples(as_tones(audio, present=Span(start_s=1.0, end_s=3.0)).energy) == [
        (2 * RATE, 2 * RATE + 4799)
    ]


def test_sent_audio_that_began_before_the_call_counts_from_its_beginning() -> None:
    audio = np.full(2 * RATE, 0.01, np.float32)
    assert as_tones(audio, present=Span(start_s=-1.0, end_s=2.0)).energy == ()
    gone = (Span(start_s=-0.5, end_s=1.0),)
    audio[:RATE] = 0.0
    assert as_tones(audio, present=Span(start_s=-1.0, end_s=2.0), absent=gone).energy == ()


def test_what_never_came_at_all_is_left_as_it_is() -> None:
    audio = np.full(RATE, 0.01, np.float32)
    activity = as_tones(audio, absent=(Span(start_s=0.0, end_s=1.0),))
    assert in_samples(activity.energy) == [(0, RATE - 1)]


# --- clusters


def test_quiet_of_more_than_150_ms_parts_two_clusters() -> None:
    """The last voiced sample of the first and the first of the second are 7200 samples apart, or 7201."""
    together = sounds((1000, 4800), (5799 + 7200, 4800))
    assert in_samples(energy_spans(together, RATE, threshold=0.05)) == [(1000, 5799 + 7200 + 4799)]
    apart = sounds((1000, 4800), (5799 + 7201, 4800))
    assert in_samples(energy_spans(apart, RATE, threshold=0.05)) == [(1000, 5799), (13_000, 17_799)]


def test_a_sample_at_the_threshold_is_voiced() -> None:
    assert in_samples(energy_spans(sounds((0, 4800), level=0.125), RATE, threshold=0.125)) == [(0, 4799)]


@pytest.mark.parametrize("first", [0, 48_000])
def test_a_cluster_holds_eight_voiced_blocks_of_5_ms(first: int) -> None:
    """One voiced sample in a block makes it a voiced one."""
    eight, seven = silence(2 * RATE), silence(2 * RATE)
    eight[first : first + 8 * 240 : 240] = 0.1
    seven[first : first + 7 * 240 : 240] = 0.1
    assert in_samples(energy_spans(eight, RATE, threshold=0.05)) == [(first, first + 7 * 240)]
    assert energy_spans(seven, RATE, threshold=0.05) == []
    # At the end of a block there are as many.
    assert len(energy_spans(np.roll(eight, 239), RATE, threshold=0.05)) == 1
    assert energy_spans(np.roll(seven, 239), RATE, threshold=0.05) == []


def test_a_click_between_two_clusters_is_no_part_of_either() -> None:
    audio = sounds((0, 4800), (20_000, 480), (40_000, 4800))
    assert in_samples(energy_spans(audio, RATE, threshold=0.05)) == [(0, 4799), (40_000, 44_799)]


@pytest.mark.parametrize(("echo", "found"), [(240, 10_240), (241, 10_000)])
def test_up_to_5_ms_of_pre_echo_are_taken_off(echo: int, found: int) -> None:
    audio = sounds((10_000, 20_000), level=1.0)
    audio[10_000 : 10_000 + echo] *= 0.09
    [span] = energy_spans(audio, RATE, threshold=0.05)
    assert in_samples([span]) == [(found, 29_999)]


@pytest.mark.parametrize(("ringing", "found"), [(960, 29_039), (961, 29_999)])
def test_up_to_20_ms_of_ringing_are_taken_off(ringing: int, found: int) -> None:
    audio = sounds((10_000, 20_000), level=1.0)
    audio[30_000 - ringing : 30_000] *= 0.09
    [span] = energy_spans(audio, RATE, threshold=0.05)
    assert in_samples([span]) == [(10_000, found)]


def test_smear_is_told_by_the_peak_s_own_level() -> None:
    """Of a peak of 0.5 a tenth is 0.05."""
    for level, found in ((0.048, (10_100, 29_899)), (0.052, (10_000, 29_999))):
        audio = sounds((10_000, 20_000), level=0.5)
        audio[10_000:10_100] = square(100, level)
        audio[29_900:30_000] = square(100, level)
        assert in_samples(energy_spans(audio, RATE, threshold=0.04)) == [found]


@pytest.mark.parametrize(("level", "kept"), [(0.099, False), (0.1, True), (0.101, True)])
def test_smear_is_what_lies_20_db_below_the_peak(level: float, kept: bool) -> None:
    audio = sounds((10_000, 20_000), level=1.0)
    audio[10_000:10_100] = square(100, level)
    audio[29_900:30_000] = square(100, level)
    [span] = energy_spans(audio, RATE, threshold=0.05)
    assert in_samples([span]) == [(10_000, 29_999) if kept else (10_100, 29_899)]


def test_audio_of_another_type_is_measured_alike() -> None:
    audio = sounds((RATE, RATE))
    assert as_tones(audio.astype(np.float64)) == as_tones(audio)


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


def test_what_is_no_cluster_is_told_as_a_click_from_its_first_sample_to_its_last() -> None:
    audio = sounds((4800, 4800), (20_000, 480), (40_000, 1))
    clusters, clicks = speech._energy(audio, RATE, threshold=0.05)
    assert clusters == [Span(start_s=4800 / RATE, end_s=9599 / RATE)]
    assert clicks == [
        Span(start_s=20_000 / RATE, end_s=20_479 / RATE),
        Span(start_s=40_000 / RATE, end_s=40_000 / RATE),
    ]
    one = Span(start_s=4800 / RATE, end_s=4800 / RATE)
    assert speech._energy(sounds((4800, 1)), RATE, threshold=0.05) == ([], [one])
    assert speech._energy(silence(RATE), RATE, threshold=0.05) == ([], [])


def test_samples_in_64_bits_are_rounded_to_32_before_they_are_held_to_the_threshold() -> None:
    """-48 dBFS and the number before it are one in 32 bits."""
    threshold = 10 ** (-48 / 20)
    below = np.nextafter(threshold, 0.0)
    assert below < threshold
    assert np.float32(below) == np.float32(threshold)
    audio = np.full(RATE, below)
    activity = as_tones(audio, absent=(Span(start_s=0.0, end_s=1.0),))
    assert in_samples(activity.energy) == [(0, RATE - 1)]
