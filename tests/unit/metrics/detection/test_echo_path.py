"""Echoes of a known delay and level in calls of shipped clips, and what must never be called one.

A call is three of the caller's clips and the agent's answer after each; times are by hand.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from fixtures import SPEECH_FOLDER
from metrics.detection.echo_path import echo_path
from metrics.detection.line_echo import EchoPath
from metrics.resample import resampled
from metrics.spans import Span
from metrics.speech import energy_spans

RATE = 16_000
THRESHOLD = 10 ** (-48 / 20)
CALLER = ("refund", "question", "account")
AGENT = ("callback", "answer_short", "answer_long")

Samples = NDArray[np.float32]


@functools.cache
def clip(name: str) -> Samples:
    samples, rate = soundfile.read(SPEECH_FOLDER / f"{name}.flac", dtype="float32")
    return np.asarray(resampled(samples, rate, RATE) * 10 ** (-3 / 20), dtype=np.float32)


def laid(parts: Sequence[tuple[float, Samples]], total_s: float) -> Samples:
    audio = np.zeros(round(total_s * RATE), np.float32)
    for at_s, samples in parts:
        first = round(at_s * RATE)
        audio[first : first + len(samples)] += samples[: len(audio) - first]
    return audio


def call(
    caller: Sequence[Samples], agent: Sequence[Samples], *, after_s: float = 0.7
) -> tuple[Samples, Samples, list[Span]]:
    """Both sides, and when the caller speaks; the agent answers ``after_s`` after each."""
    said, answers, at_s = [], [], 1.0
    for ours, theirs in zip(caller, agent, strict=True):
        ends_s = at_s + len(ours) / RATE
        said.append((at_s, ours))
        answers.append((ends_s + after_s, theirs))
        at_s = ends_s + after_s + len(theirs) / RATE + 1.0
    spans = [Span(start_s=start_s, end_s=start_s + len(ours) / RATE) for start_s, ours in said]
    return laid(said, at_s), laid(answers, at_s), spans


def back(sent: Samples, delay_s: float, gain_db: float, *, rate: int = RATE) -> Samples:
    delay = round(delay_s * rate)
    come = np.concatenate([np.zeros(delay, np.float32), sent])[: len(sent)]
    return np.asarray(come * 10 ** (gain_db / 20), dtype=np.float32)


def found(caller: Samples, agent: Samples, said: Sequence[Span], *, rate: int = RATE) -> EchoPath | None:
    sounds = energy_spans(agent, rate, threshold=THRESHOLD)
    echo = echo_path(caller, agent, rate, said=said, sounds=sounds)
    return None if echo is None else echo.path


@pytest.fixture(scope="module")
def ordinary() -> tuple[Samples, Samples, list[Span]]:
    return call([clip(name) for name in CALLER], [clip(name) for name in AGENT])


@pytest.mark.parametrize("delay_s", [0.002, 0.01, 0.06, 0.18, 0.4, 0.595])
@pytest.mark.parametrize("gain_db", [-10.0, -20.0, -30.0])
def test_an_echo_has_its_delay_and_its_level(
    ordinary: tuple[Samples, Samples, list[Span]], delay_s: float, gain_db: float
) -> None:
    caller, agent, said = ordinary
    path = found(caller, agent + back(caller, delay_s, gain_db), said)
    assert path is not None
    assert path.delay_s == pytest.approx(delay_s, abs=0.0005)
    assert path.gain_db == pytest.approx(gain_db, abs=1.5)
    assert path.talks == 3
    assert path.seconds > 3.0


def test_an_echo_through_a_telephone_s_band_and_one_with_a_second_way_are_found(
    ordinary: tuple[Samples, Samples, list[Span]],
) -> None:
    caller, agent, said = ordinary
    band = butter(4, [300, 3400], btype="band", fs=RATE, output="sos")
    narrow = np.asarray(sosfilt(band, back(caller, 0.18, -20.0)), dtype=np.float32)
    path = found(caller, agent + narrow, said)
    assert path is not None
    assert path.delay_s == pytest.approx(0.18, abs=0.002)
    twice = back(caller, 0.06, -20.0) - back(caller, 0.1, -26.0)
    path = found(caller, agent + twice, said)
    assert path is not None
    assert path.delay_s == pytest.approx(0.06, abs=0.001)


@pytest.mark.parametrize("rate", [8_000, 11_025, 44_100])
def test_the_sampling_rate_and_an_offset_make_no_difference(
    ordinary: tuple[Samples, Samples, list[Span]], rate: int
) -> None:
    caller, agent, said = (
        resampled(ordinary[0], RATE, rate),
        resampled(ordinary[1], RATE, rate),
        ordinary[2],
    )
    assert found(caller + 0.02, agent + np.float32(0.01), said, rate=rate) is None
    path = found(caller + 0.02, agent + back(caller, 0.12, -15.0, rate=rate), said, rate=rate)
    assert path is not None
    assert path.delay_s == pytest.approx(0.12, abs=0.0005)


def test_no_call_without_an_echo_has_one(ordinary: tuple[Samples, Samples, list[Span]]) -> None:
    caller, agent, said = ordinary
    assert found(caller, agent, said) is None
    # An agent that speaks over all that the caller says, and one that comes in early.
    over = np.roll(agent, -round(2.5 * RATE))
    assert found(caller, over, said) is None
    early = call([clip(name) for name in CALLER], [clip(name) for name in AGENT], after_s=-1.0)
    assert found(*early) is None


def test_the_same_voice_with_the_same_words_at_the_same_delay_two_times_is_no_line(
    ordinary: tuple[Samples, Samples, list[Span]],
) -> None:
    caller, agent, said = ordinary
    parrot = back(caller, 0.3, 0.0)
    parrot[round((said[2].start_s - 0.5) * RATE) :] = 0.0
    assert found(caller, agent + parrot, said) is None
    # Three times it would be.
    assert found(caller, agent + back(caller, 0.3, 0.0), said) is not None


def test_words_of_the_same_voice_at_other_delays_are_no_line(
    ordinary: tuple[Samples, Samples, list[Span]],
) -> None:
    caller, _, said = ordinary
    agent = np.zeros_like(caller)
    for place, span in enumerate(said):
        one = np.where(_inside(caller, span), caller, np.float32(0.0))
        agent += back(one, 0.1 + 0.01 * place, -3.0)
    assert found(caller, agent, said) is None


@pytest.mark.parametrize("length_s", [0.2, 0.4, 0.6])
def test_short_answers_in_the_caller_s_own_voice_and_words_are_no_line(length_s: float) -> None:
    """The agent answers each of six lines with the line's own first sound, 0.1 to 0.5 s after its end."""
    count = round(length_s * RATE)
    caller = [clip(name)[:count] for name in (*CALLER, "reference", "minutes", "say_again")]
    for after_s in (0.1, 0.3, 0.5):
        assert found(*call(caller, caller, after_s=after_s)) is None


@pytest.mark.parametrize("hz", [440.0, 1000.0, 1004.0])
def test_tones_are_no_evidence(hz: float) -> None:
    """Both sides sound in the same tone; and a caller's key tones (697 and 1209 Hz) against themselves."""
    times = np.arange(round(1.5 * RATE)) / RATE
    tone = np.asarray(0.14 * np.sin(2 * np.pi * hz * times), dtype=np.float32)
    keys = np.asarray(0.1 * (np.sin(2 * np.pi * 697 * times) + np.sin(2 * np.pi * 1209 * times)), np.float32)
    for sound in (tone, keys):
        caller, _, said = call([sound] * 5, [sound] * 5)
        assert found(caller, back(caller, 0.2, -10.0), said) is None


def test_tones_beside_speech_do_not_move_what_is_found(
    ordinary: tuple[Samples, Samples, list[Span]],
) -> None:
    caller, _, said = ordinary
    times = np.arange(len(caller)) / RATE
    tone = np.asarray(0.14 * np.sin(2 * np.pi * 1000 * times), dtype=np.float32)
    assert found(caller, tone, said) is None


def test_one_sound_on_both_channels_is_told_from_a_line(
    ordinary: tuple[Samples, Samples, list[Span]],
) -> None:
    caller, agent, said = ordinary
    path = found(caller, agent + 0.7 * caller, said)
    assert path is not None
    assert path.mixed
    later = found(caller, agent + back(caller, 0.005, -10.0), said)
    assert later is not None
    assert not later.mixed


def test_the_agent_s_voice_on_the_caller_s_channel_is_no_echo_of_the_caller(
    ordinary: tuple[Samples, Samples, list[Span]],
) -> None:
    """A caller's loudspeaker sends the agent its own voice back, 150 ms later: the other way round."""
    caller, agent, said = ordinary
    heard_again = [Span(start_s=one.start_s, end_s=one.end_s + 6.0) for one in said]
    assert found(caller + back(agent, 0.15, -10.0), agent, heard_again) is None


def test_an_echo_of_less_than_three_seconds_is_not_certain() -> None:
    short = [clip(name)[RATE // 4 : round(1.24 * RATE)] for name in CALLER]
    caller, agent, said = call(short, [clip(name) for name in AGENT])
    assert found(caller, agent + back(caller, 0.1, -10.0), said) is None


def test_what_is_louder_than_what_was_sent_or_later_than_a_line_is_none(
    ordinary: tuple[Samples, Samples, list[Span]],
) -> None:
    caller, agent, said = ordinary
    assert found(0.1 * caller, agent + back(caller, 0.1, -10.0), said) is None
    assert found(caller, agent + back(caller, 0.75, -10.0), said) is None


def _inside(audio: Samples, span: Span) -> NDArray[np.bool_]:
    times = np.arange(len(audio)) / RATE
    return (times >= span.start_s) & (times < span.end_s)
