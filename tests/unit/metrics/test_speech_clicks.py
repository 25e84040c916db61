"""Clicks at an onset: less than 15 ms of sound, then more than 30 ms of quiet; and sounds around a talk."""

from __future__ import annotations

import pytest

from metrics import speech
from metrics.spans import Span
from metrics.speech import detect_speech
from tests.unit.metrics.speech_signals import RATE, hears, sounds


def _clicked(patch: pytest.MonkeyPatch, click: int, quiet: int) -> str:
    """The doubt for so many samples of sound, so many of quiet, then speech."""
    hears(patch, (1.0, 2.0))
    audio = sounds((RATE, click), (RATE + click + quiet, RATE - click - quiet))
    return detect_speech(audio, RATE).talks[0].onset_doubt


def test_a_click_before_an_onset_makes_it_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first sample of the click to the first after the quiet: 480 + 2400 samples, 60 ms."""
    said = "the first sound is as short as a click; the next one begins 60 ms later"
    assert _clicked(monkeypatch, 480, 2400) == said


def test_an_onset_with_a_click_lies_from_the_click_to_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    hears(monkeypatch, (1.0, 2.0))
    audio = sounds((RATE, 480), (RATE + 480 + 2400, RATE - 480 - 2400))
    [talk] = detect_speech(audio, RATE).talks
    assert talk.onset_in is not None
    assert (talk.onset_in.start_s, talk.onset_in.end_s) == pytest.approx((talk.span.start_s, 1.06), abs=1e-4)
    assert detect_speech(sounds((RATE, RATE)), RATE).talks[0].onset_in is None


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
    hears(monkeypatch, (1.0, 2.0))
    audio = sounds((RATE, 960), (RATE + 2500, 100), (RATE + 4500, RATE - 4500))
    assert detect_speech(audio, RATE).talks[0].onset_doubt == ""


@pytest.mark.parametrize(("later", "told"), [(7894, "164 ms"), (7898, "165 ms")])
def test_how_much_later_is_told_to_the_millisecond(
    later: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """7894 samples are 164.46 ms, 7898 are 164.54."""
    assert _clicked(monkeypatch, 720, later - 720).endswith(f"begins {told} later")


# --- to the millisecond: at 1 kHz a sample


def _click_doubt(*parts: tuple[int, int], start: int, level: float = 0.125) -> str:
    """For sounds as (first sample, how many), in half a second and a beginning at a sample."""
    why, _ = speech._click_doubt(sounds(*parts, total=500, level=level), 1000, start / 1000, 0.125)
    return why


def test_a_click_is_counted_from_its_first_voiced_sample() -> None:
    """10 ms of sound at 100 ms, more from 160 ms on; asked for from 50 ms on."""
    assert _click_doubt((100, 10), (160, 200), start=50).endswith("begins 60 ms later")
    assert _click_doubt((100, 10), (160, 200), start=100).endswith("begins 60 ms later")
    # All of it is at the threshold, which is enough; below it nothing sounds.
    assert _click_doubt((100, 10), (160, 200), start=100, level=0.12) == ""


def test_of_two_clicks_the_first_one_is_told() -> None:
    assert _click_doubt((100, 5), (150, 5), (200, 200), start=100).endswith("begins 50 ms later")


def test_a_click_before_the_beginning_is_none_of_it() -> None:
    assert _click_doubt((0, 10), (100, 200), start=100) == ""
    assert _click_doubt((0, 10), (100, 200), start=0).endswith("begins 100 ms later")


def test_what_begins_later_than_a_cluster_can_go_on_after_a_click_is_not_looked_at() -> None:
    """15 ms of click and 150 of quiet: the last sample that is looked at lies 164 ms after the first."""
    assert _click_doubt((100, 10), (264, 100), start=100).endswith("begins 164 ms later")
    assert _click_doubt((100, 10), (265, 100), start=100) == ""


# --- sounds around a talk: numbers that are exact in binary


def _spans(*spans: tuple[float, float]) -> list[Span]:
    return [Span(start_s=start, end_s=end) for start, end in spans]


@pytest.mark.parametrize(
    ("unheard", "told"),
    [
        ([(1.0, 1.5)], "1000 ms before it begins a sound of 500 ms"),
        ([(1.0, 1.4375)], ""),
        ([(1.0, 2.0)], "1000 ms before it begins a sound of 1000 ms"),
        ([(2.25, 2.5)], ""),
        ([(0.0, 1.0), (1.25, 1.75), (1.875, 2.0)], "750 ms before it begins a sound of 500 ms"),
        ([], ""),
    ],
)
def test_a_sound_that_ends_up_to_a_pause_before_an_onset_may_be_its_first_word(
    unheard: list[tuple[float, float]], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a second is a pause here, and the onset at 2 s."""
    monkeypatch.setattr(speech, "TALK_GAP_S", 0.5)
    expected = f"{told} that is speech to webrtcvad and not to Silero" if told else ""
    why, onset_in = speech._unheard_doubt(2.0, _spans(*unheard))
    assert why == expected
    # With that sound it would begin there.
    assert (onset_in is not None) == bool(told)
    assert onset_in is None or (onset_in.end_s == 2.0 and onset_in.start_s in [one[0] for one in unheard])


@pytest.mark.parametrize(
    ("clicks", "told"),
    [
        ([(1.0, 1.5)], ""),
        ([(0.5, 0.75)], ""),
        ([(1.125, 1.25), (1.5, 2.0)], "125 ms later comes a sound of 125 ms"),
        ([(3.0, 5.0)], "2000 ms later comes a sound of 2000 ms"),
        ([(3.125, 5.0)], ""),
    ],
)
def test_a_sound_that_begins_up_to_a_pause_after_an_end_may_be_a_cut_word(
    clicks: list[tuple[float, float]], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seconds are a pause here, and the end is at 1 s."""
    monkeypatch.setattr(speech, "TALK_GAP_S", 2.0)
    expected = f"{told}: a click, or the beginning of a word that was cut" if told else ""
    assert speech._cut_word_doubt(1.0, _spans(*clicks)) == expected
