"""Which windows a tone is looked for in, what is a note, how much of a sound has to be one; pitches by hand.

At 8 kHz a window has 320 samples, the next one begins 80 later, and bins of its spectrum are 25 Hz apart.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.detection import tone
from metrics.detection.tone import is_tone

Samples = NDArray[np.float32]
Window = NDArray[np.float64]

RATE, WINDOW = 8_000, 320
SHAPE = np.hanning(WINDOW)


class Given:
    """Gives each window the next of these pitches, and keeps the windows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *pitches: float) -> None:
        self.windows: list[Window] = []
        self._pitches = pitches
        monkeypatch.setattr(tone, "_pitch_hz", self._next)

    def _next(self, window: Window, rate: int) -> float:
        assert rate == RATE
        self.windows.append(window)
        return self._pitches[len(self.windows) - 1]


def ones(count: int) -> Samples:
    return np.ones(count, np.float32)


# ---- windows


def test_a_window_of_40_ms_begins_every_10_and_the_last_one_ends_with_the_sound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound = np.arange(1, 511, dtype=np.float32)
    given = Given(monkeypatch, 0.0, 0.0, 0.0, 0.0)
    assert is_tone(sound, RATE) is False
    expected = [sound[start : start + WINDOW] * SHAPE for start in (0, 80, 160, 190)]
    assert len(given.windows) == 4
    assert all(np.array_equal(one, other) for one, other in zip(given.windows, expected, strict=True))


def test_a_sound_of_whole_steps_has_no_window_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Given(monkeypatch, 600.0, 600.0, 600.0)
    assert is_tone(ones(WINDOW + 160), RATE) is True
    assert len(given.windows) == 3


def test_what_is_shorter_than_a_window_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Given(monkeypatch, 600.0)
    assert is_tone(ones(WINDOW - 1), RATE) is False
    assert given.windows == []
    assert is_tone(ones(WINDOW), RATE) is False
    assert len(given.windows) == 1


# ---- how much of it is a note


def test_nine_tenths_of_the_power_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six windows that are a note reach to 400 + 320 = 720 samples, of 800 and of 801."""
    note = [600.0] * 6
    Given(monkeypatch, *note, 0.0)
    assert is_tone(ones(800), RATE) is True
    Given(monkeypatch, *note, 0.0, 0.0)
    assert is_tone(ones(801), RATE) is False


@pytest.mark.parametrize(("at", "told"), [(0, False), (79, False), (80, True), (559, True), (560, False)])
def test_a_note_lasts_from_its_first_window_to_the_end_of_its_last(
    monkeypatch: pytest.MonkeyPatch, at: int, told: bool
) -> None:
    """The windows at 80, 160 and 240 are one; all of the power is in one sample."""
    Given(monkeypatch, 0.0, 600.0, 600.0, 600.0, 0.0, 0.0, 0.0)
    sound = np.zeros(800, np.float32)
    sound[at] = 1.0
    assert is_tone(sound, RATE) is told


def test_how_quiet_a_tone_is_tells_nothing_but_silence_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    Given(monkeypatch, *[600.0] * 7)
    assert is_tone(ones(800) * np.float32(1e-25), RATE) is True
    Given(monkeypatch, *[600.0] * 7)
    assert is_tone(np.zeros(800, np.float32), RATE) is False


# ---- notes


@pytest.mark.parametrize(
    ("pitches", "notes"),
    [
        ([600.0] * 2, []),
        ([600.0] * 3, [(0, 2)]),
        ([0.0] * 5, []),
        ([0.0, 600.0, 600.0, 600.0, 0.0], [(1, 3)]),
        ([600.0] * 3 + [900.0] * 4, [(0, 2), (3, 6)]),
        ([600.0] * 3 + [900.0] * 2 + [600.0] * 3, [(0, 2), (5, 7)]),
        # Half a per cent of 600 is 3, up and down.
        ([600.0, 603.0, 597.0], [(0, 2)]),
        ([600.0, 603.1, 600.0], []),
        ([600.0, 600.0, 596.9], []),
        # Held to the first one's pitch, not to the one before.
        ([600.0, 602.0, 604.0], []),
        ([600.0, 602.0, 604.0, 604.0, 604.0], [(2, 4)]),
    ],
)
def test_a_note_is_three_windows_within_half_a_per_cent_of_the_first(
    pitches: list[float], notes: list[tuple[int, int]]
) -> None:
    assert tone._notes(pitches) == notes


# ---- the pitch of a window


def pitch(*lines: tuple[float, float], degrees: float = 0.0) -> float:
    """Of a sum of lines, each at so many Hz with an amplitude."""
    t = np.arange(WINDOW) / RATE
    phase = np.pi * degrees / 180
    sound = sum(level * np.cos(2 * np.pi * hz * t + phase) for hz, level in lines)
    return tone._pitch_hz(np.asarray(sound * SHAPE, np.float64), RATE)


def powers(*lines: tuple[float, float]) -> float:
    return pitch(*((hz, power**0.5) for hz, power in lines))


def test_a_pitch_is_read_between_two_bins() -> None:
    """A quarter of a bin above the 40th a Hann window has logarithms of -0.081 there, -2.278 below and
    -0.754 above: the top of a parabola through them lies at 0.2655."""
    assert pitch((1000.0, 1.0)) == pytest.approx(1000.0, abs=0.1)
    assert pitch((1006.25, 1.0)) == pytest.approx(1006.64, abs=0.15)
    assert pitch((993.75, 1.0)) == pytest.approx(993.36, abs=0.15)


def test_a_window_at_a_thousandth_has_the_same_pitch() -> None:
    assert pitch((1000.0, 1e-3)) == pytest.approx(1000.0, abs=0.1)


def test_a_rumble_below_60_hz_is_not_heard_and_a_hum_of_100_hz_is() -> None:
    assert pitch((0.0, 1.0), (25.0, 1.0), (1000.0, 1.0)) == pytest.approx(1000.0, abs=1.0)
    assert powers((100.0, 0.1), (1000.0, 0.9)) == 0.0


@pytest.mark.parametrize(("beside", "told"), [(0.04, True), (0.06, False)])
def test_95_per_cent_of_the_power_is_in_the_comb(beside: float, told: bool) -> None:
    found = powers((1000.0, 1 - beside), (1500.0, beside))
    assert found == (pytest.approx(1000.0, abs=1.0) if told else 0.0)


def test_a_line_100_hz_beside_is_none_of_the_comb() -> None:
    assert powers((1000.0, 0.99), (1100.0, 0.01)) == pytest.approx(1000.0, abs=1.0)
    assert powers((1000.0, 0.9), (1100.0, 0.1)) == 0.0


def test_overtones_are_of_the_comb_and_what_lies_an_octave_below_is_not() -> None:
    assert powers((1000.0, 0.5), (2000.0, 0.3), (3000.0, 0.2)) == pytest.approx(1000.0, abs=1.0)
    assert powers((500.0, 0.2), (1000.0, 0.8)) == 0.0


def test_the_highest_line_has_a_bin_on_either_side() -> None:
    assert pitch((3975.0, 1.0), degrees=60.0) == pytest.approx(3975.0, abs=5.0)
    assert pitch((4000.0, 1.0)) == 0.0


def test_silence_and_what_is_too_low_have_no_pitch() -> None:
    assert tone._pitch_hz(np.zeros(WINDOW), RATE) == 0.0
    assert pitch((475.0, 1.0)) == 0.0
    assert pitch((525.0, 1.0)) == pytest.approx(525.0, abs=0.5)


def test_of_no_windows_there_is_no_note() -> None:
    assert tone._notes([]) == []


def test_a_line_beside_what_is_not_heard_has_no_pitch() -> None:
    """Of 75 Hz the bin below is at 50, which is rumble."""
    assert pitch((75.0, 1.0)) == 0.0


def test_a_line_62_hz_beside_is_none_of_the_comb() -> None:
    """A pitch of 1012.4 Hz and two thirds of a tenth of the power at 1075, one sixth at 1100: 62.6 Hz beside
    and 87.6."""
    assert powers((1012.4, 0.98), (1075.0, 0.02)) == pytest.approx(1012.4, abs=0.1)
    assert powers((1012.4, 0.9), (1075.0, 0.1)) == 0.0


def test_just_the_lowest_pitch_and_just_the_share_of_a_comb_are_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = pitch((1000.0, 1.0))
    monkeypatch.setattr(tone, "LOWEST_HZ", found)
    assert pitch((1000.0, 1.0)) == found
    # Lines so wide that all of the power is in the comb.
    monkeypatch.setattr(tone, "LINE_HZ", 1e6)
    monkeypatch.setattr(tone, "LINE_SHARE", 1.0)
    assert pitch((1000.0, 1.0)) == found


def test_what_is_just_as_far_off_as_a_line_is_wide_is_of_the_comb(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (1012.4, 0.9), (1075.0, 0.1)
    monkeypatch.setattr(tone, "LINE_HZ", 80.0)
    found = powers(*lines)
    monkeypatch.setattr(tone, "LINE_HZ", 1075.0 - found)
    assert powers(*lines) == found
    monkeypatch.setattr(tone, "LINE_HZ", np.nextafter(1075.0 - found, 0.0))
    assert powers(*lines) == 0.0
