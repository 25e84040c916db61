"""The ear that steers the caller: onsets and ends of speech as packets come, at their backdated times.

Blocks are 5 ms long, so an edge of sound is known to 5 ms; the onset of natural speech is held to 30 ms.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.calls.voice.hearing.turn_detector import Heard, LiveEar
from harness.transports.codecs.opus import OPUS
from tests.unit.harness.stand_ins.spoken import CLIPS, RATE, clip, placed_at

QUIET_S = 0.8
BLOCK_S = 0.005


def _hear(audio: NDArray[np.float32], *, start_s: float = 0.0, frame: int = 960) -> list[Heard]:
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    heard: list[Heard] = []
    for start in range(0, len(audio) - frame + 1, frame):
        heard += ear.hear_pcm(audio[start : start + frame], start_s + start / RATE)
    return heard


def _hear_packets(audio: NDArray[np.float32], *, start_s: float) -> list[Heard]:
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    heard: list[Heard] = []
    for number, payload in enumerate(OPUS.encode(audio)):
        heard += ear.hear(payload, start_s + number * 0.02)
    return heard


def _tone(length_s: float, level: float = 0.1) -> NDArray[np.float32]:
    return (level * np.cos(2 * np.pi * 1000 * np.arange(round(length_s * RATE)) / RATE)).astype(np.float32)


def _voiced(length_s: float) -> NDArray[np.float32]:
    """As a voice of 150 Hz; begins at its peak."""
    t = np.arange(round(length_s * RATE)) / RATE
    return np.asarray(0.05 * sum(np.cos(2 * np.pi * 150 * k * t) / k for k in range(1, 11)), np.float32)


def _chime(note_s: float = 0.06) -> NDArray[np.float32]:
    hz = np.repeat([880.0, 1320.0], round(note_s * RATE))
    return np.asarray(0.07 * np.cos(2 * np.pi * np.cumsum(hz) / RATE), np.float32)


def _told(audio: NDArray[np.float32]) -> list[tuple[float, Heard]]:
    """With the end of the packet of 20 ms at which it was told."""
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    return [
        (start / RATE + 0.02, one)
        for start in range(0, len(audio), 960)
        for one in ear.hear_pcm(audio[start : start + 960], start / RATE)
    ]


def _edges_of(audio: NDArray[np.float32]) -> tuple[float, float]:
    """First and last sample at -48 dBFS or more, in seconds."""
    voiced = np.flatnonzero(np.abs(audio) >= 10 ** (-48 / 20))
    return float(voiced[0]) / RATE, float(voiced[-1]) / RATE


def test_a_tone_begins_and_ends_where_it_does() -> None:
    onset, end = _hear(placed_at(_tone(1.0), 1.2345, total_s=4.0), start_s=10.0)
    assert (onset.kind, end.kind) == ("onset", "end")
    assert 0 <= 11.2345 - onset.at_s < BLOCK_S
    assert 0 <= end.at_s - 12.2345 < BLOCK_S


@pytest.mark.parametrize("frame", [120, 360, 600])
def test_packets_that_are_no_multiple_of_a_block_are_heard_whole(frame: int) -> None:
    """2.5 ms are half a block, 7.5 and 12.5 ms leave half a one over."""
    onset, end = _hear(placed_at(_tone(1.0), 1.2345, total_s=4.0), start_s=10.0, frame=frame)
    assert (onset.kind, end.kind) == ("onset", "end")
    assert 0 <= 11.2345 - onset.at_s < BLOCK_S
    assert 0 <= end.at_s - 12.2345 < BLOCK_S


def test_half_a_block_is_not_put_together_with_sound_from_elsewhere() -> None:
    """Every other packet of 2.5 ms is lost: what is left of them is no sound of twice the length."""
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    audio = _tone(1.0)
    heard = [
        one
        for start in range(0, len(audio), 240)
        for one in ear.hear_pcm(audio[start : start + 120], start / RATE)
    ]
    assert heard == []


@pytest.mark.parametrize("name", CLIPS)
def test_speech_in_packets_begins_and_ends_near_the_truth(name: str) -> None:
    audio = placed_at(clip(name), 1.0, total_s=len(clip(name)) / RATE + 3.0)
    first_s, last_s = _edges_of(audio)
    heard = _hear_packets(audio, start_s=5.0)
    assert [one.kind for one in heard] == ["onset", "end"], "no pause inside a clip is as long as 0.8 s"
    assert abs(heard[0].at_s - 5.0 - first_s) < 0.03
    # Unbroken speech raises the floor a little, and a soft ending may drown in it.
    assert -0.08 < heard[1].at_s - 5.0 - last_s < 0.03


@pytest.mark.parametrize("quiet_s", [0.75, 0.85])
def test_quiet_of_the_stated_length_ends_speech_and_less_does_not(quiet_s: float) -> None:
    audio = placed_at(_tone(0.5), 0.5, total_s=5.0)
    audio += placed_at(_tone(0.5), 1.0 + quiet_s, total_s=5.0)
    kinds = [one.kind for one in _hear(audio)]
    assert kinds == (["onset", "end"] if quiet_s < QUIET_S else ["onset", "end", "onset", "end"])


def test_an_end_is_told_once_the_quiet_has_lasted_and_backdated() -> None:
    (onset_told_s, _), (end_told_s, end) = _told(placed_at(_voiced(1.0), 1.0, total_s=4.0))
    # 60 ms of sound make an onset, and packets have 20 ms.
    assert 1.06 - BLOCK_S <= onset_told_s <= 1.1
    assert 2.8 <= end_told_s <= 2.83
    assert end.at_s == pytest.approx(2.0, abs=BLOCK_S)


def test_a_click_is_no_onset() -> None:
    audio = np.zeros(3 * RATE, np.float32)
    for at_s in (0.5, 1.0, 1.5):
        audio[round(at_s * RATE) : round((at_s + 0.03) * RATE)] = 0.5
    assert _hear(audio) == []


def test_steady_noise_is_no_speech_once_it_is_known_and_speech_above_it_is_heard() -> None:
    rng = np.random.default_rng(1)
    noise = (10 ** (-52 / 20) * rng.standard_normal(8 * RATE)).astype(np.float32)
    audio = noise + placed_at(_tone(1.0, level=0.2), 5.0, total_s=8.0)
    heard = [one for one in _hear(audio) if one.at_s > 4.0]
    assert [one.kind for one in heard] == ["onset", "end"]
    assert abs(heard[0].at_s - 5.0) < 0.03
    assert abs(heard[1].at_s - 6.0) < 0.03


def test_seconds_of_speech_do_not_become_their_own_noise_floor() -> None:
    talk = np.concatenate([clip("account"), clip("refund"), clip("minutes"), clip("reference")])
    audio = placed_at(talk, 1.0, total_s=len(talk) / RATE + 3.0)
    assert [one.kind for one in _hear(audio)] == ["onset", "end"]
    steady = placed_at(_tone(10.0), 1.0, total_s=13.0)
    heard = _hear(steady)
    assert [one.kind for one in heard] == ["onset", "end"]
    assert heard[1].at_s == pytest.approx(11.0, abs=BLOCK_S)


def test_an_agent_that_stops_sending_has_stopped_speaking() -> None:
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    heard = []
    for number, payload in enumerate(OPUS.encode(_tone(1.0))):
        heard += ear.hear(payload, 3.0 + number * 0.02)
    assert [one.kind for one in heard] == ["onset"]
    assert ear.hear(b"", 4.7) == []
    [end] = ear.hear(b"", 4.9)
    assert end.kind == "end"
    assert end.at_s == pytest.approx(4.0, abs=0.03)
    assert ear.hear(b"", 9.0) == []


def test_lost_packets_inside_speech_do_not_end_it() -> None:
    audio = placed_at(clip("account"), 1.0, total_s=7.0)
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    heard = []
    lost = np.random.default_rng(1).random(400) < 0.1
    for number, payload in enumerate(OPUS.encode(audio)):
        if not lost[number]:
            heard += ear.hear(payload, number * 0.02)
    assert [one.kind for one in heard] == ["onset", "end"]


def test_packets_of_a_stranger_never_break_the_ear() -> None:
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    rng = np.random.default_rng(1)
    for number in range(300):
        ear.hear(rng.bytes(int(rng.integers(0, 200))), float(rng.uniform(-5.0, 50.0)) + number)


def test_packets_of_silence_are_not_decoded_and_speech_behind_them_is_heard_as_ever() -> None:
    """An agent that says nothing for seconds, speaks, and is silent again."""
    audio = placed_at(clip("refund"), 4.0, total_s=4.0 + len(clip("refund")) / RATE + 4.0)
    packets = OPUS.encode(audio)
    small = sum(len(packet) <= OPUS.silent_bytes for packet in packets)
    assert small > 150
    decoded = 0
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    decode = ear._decoder.decode

    def counted(payload: bytes) -> NDArray[np.float32]:
        nonlocal decoded
        decoded += 1
        return decode(payload)

    ear._decoder.decode = counted  # type: ignore[method-assign]
    heard = [one for at, payload in enumerate(packets) for one in ear.hear(payload, at * 0.02)]
    first_s, last_s = _edges_of(audio)
    assert [one.kind for one in heard] == ["onset", "end"]
    assert abs(heard[0].at_s - first_s) < 0.03
    assert -0.08 < heard[1].at_s - last_s < 0.03
    assert decoded < len(packets) - small + 12


@pytest.mark.parametrize("quiet_s", [0.2, 0.56, 1.0])
def test_the_onset_behind_a_chime_is_that_of_the_speech(quiet_s: float) -> None:
    """1.0 to 1.12 s is the chime."""
    at_s = 1.12 + quiet_s
    audio = placed_at(_chime(), 1.0, total_s=6.0) + placed_at(_voiced(1.0), at_s, total_s=6.0)
    (told_s, onset), (_, end) = _told(audio)
    assert (onset.kind, end.kind) == ("onset", "end")
    assert onset.at_s == pytest.approx(at_s, abs=BLOCK_S)
    # As soon as without a chime.
    assert told_s <= at_s + 0.1


def test_a_chime_that_nothing_follows_is_neither_begun_nor_ended() -> None:
    assert _hear(placed_at(_chime(), 1.0, total_s=4.0)) == []
    assert _hear_packets(placed_at(_chime(), 1.0, total_s=4.0), start_s=5.0) == []


def test_a_chime_of_an_agent_that_stops_sending_is_over_as_well() -> None:
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    # 80 ms: after one more packet there would be an onset.
    assert ear.hear_pcm(_tone(0.08), 1.0) == []
    assert ear.hear(b"", 1.2) == []
    assert ear.hear(b"", 1.24) == []
    # It has been forgotten: what follows begins by itself.
    [onset] = ear.hear_pcm(_voiced(0.1), 1.3)
    assert onset.at_s == pytest.approx(1.3, abs=BLOCK_S)


def test_a_chime_is_over_where_its_sender_was_silent_and_nobody_told_so() -> None:
    """0.15 s after its end at the least: the next thing to come is the speech."""
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    assert ear.hear_pcm(_tone(0.12), 1.0) == []
    assert ear.hear(b"", 1.24) == []
    [onset] = ear.hear_pcm(_voiced(0.1), 1.33)
    assert onset.at_s == pytest.approx(1.33, abs=BLOCK_S)


@pytest.mark.parametrize(("length_s", "onsets"), [(0.19, 0), (0.195, 0), (0.22, 1)])
def test_a_tone_that_goes_on_for_longer_than_a_chime_is_speech_from_its_beginning(
    length_s: float, onsets: int
) -> None:
    told = [(t, one) for t, one in _told(placed_at(_tone(length_s), 1.0, total_s=2.0)) if one.kind == "onset"]
    assert len(told) == onsets
    for told_s, onset in told:
        assert onset.at_s == pytest.approx(1.0, abs=BLOCK_S)
        assert 1.2 <= told_s <= 1.24


def test_a_sound_that_only_begins_as_a_tone_is_an_onset_once_it_is_over() -> None:
    """80 ms of a tone and 60 ms of a voice."""
    audio = placed_at(np.concatenate([_tone(0.08), _voiced(0.06)]), 1.0, total_s=3.0)
    (told_s, onset), (_, end) = _told(audio)
    assert onset.at_s == pytest.approx(1.0, abs=BLOCK_S)
    assert 1.14 + 0.15 <= told_s <= 1.14 + 0.15 + 0.025
    assert end.at_s == pytest.approx(1.14, abs=BLOCK_S)


def test_a_short_word_is_told_as_soon_as_ever() -> None:
    audio = placed_at(_voiced(0.15), 1.0, total_s=4.0) + placed_at(_voiced(1.0), 1.75, total_s=4.0)
    (told_s, onset), (_, end) = _told(audio)
    assert onset.at_s == pytest.approx(1.0, abs=BLOCK_S)
    assert told_s <= 1.1
    assert end.at_s == pytest.approx(2.75, abs=BLOCK_S)


def test_sound_that_is_placed_at_one_time_for_ever_does_not_deafen_the_ear() -> None:
    ear = LiveEar(OPUS, end_quiet_s=QUIET_S)
    heard = [one for _ in range(30) for one in ear.hear_pcm(_tone(0.02), 1.0)]
    assert [one.kind for one in heard] == ["onset"]
