"""The way back of the agent's voice, to the sample."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from harness.transports import echo as echo_of_room
from harness.transports.codecs.base import Samples
from harness.transports.codecs.prepared import UNENCODED, prepared_in
from harness.transports.codecs.table import codec_named
from harness.transports.echo import KEPT_S, Echo
from harness.transports.uplink import Uplink, silence

RATE = 48_000
FRAME = 960
PLAIN = codec_named(UNENCODED)


def noise(seconds: float, seed: int = 1) -> Samples:
    return (0.1 * np.random.default_rng(seed).standard_normal(round(seconds * RATE))).astype(np.float32)


def uplink_with(echo: Echo, *, zero_s: float) -> Uplink:
    echo.begin(codec=PLAIN, zero_s=zero_s)
    return Uplink(background=silence(PLAIN), echo=echo)


def sent_while(
    uplink: Uplink, echo: Echo, sound: Samples, *, at_s: float, zero_s: float, frames: int
) -> Samples:
    """What leaves where the agent's packets come in time and each frame is taken two before it is due."""
    came = 0
    taken = []
    for frame in range(frames):
        now_s = zero_s + (frame - 2) * FRAME / RATE
        while came * FRAME < len(sound) and at_s + came * FRAME / RATE <= now_s:
            echo.hear_sound(sound[came * FRAME : (came + 1) * FRAME], at_s + came * FRAME / RATE)
            came += 1
        taken.append(PLAIN.decoder().decode(uplink.take_frame()))
    return np.concatenate(taken)


def test_what_was_heard_goes_out_later_and_quieter_to_the_sample() -> None:
    said = noise(0.5)
    for delay_s in (0.06, 0.15, 0.3):
        echo = Echo(level_db=-20.0, delay_s=delay_s)
        uplink = uplink_with(echo, zero_s=0.25)
        out = sent_while(uplink, echo, said, at_s=1.0, zero_s=0.25, frames=100)
        start = round((1.0 + delay_s - 0.25) * RATE)
        assert np.max(np.abs(out[start : start + len(said)] - said / 10)) < 1e-4
        assert not np.any(out[:start])
        assert not np.any(out[start + len(said) :])


def _sent_after_a_late_start(*, silent: int) -> int:
    """How many samples off the agent's voice comes back whose first packet, of so many silent ones, was late.

    By 8 ms; with none silent the voice itself begins in it.
    """
    echo = Echo(level_db=-20.0, delay_s=0.1)
    uplink = uplink_with(echo, zero_s=0.0)
    said = noise(0.2)
    sound = np.concatenate([np.zeros(silent * FRAME, np.float32), said])
    out = []
    for frame in range(50):
        if frame * FRAME < len(sound):
            late_s = 0.008 if frame == 0 else 0.0
            echo.hear_sound(sound[frame * FRAME : (frame + 1) * FRAME], 0.2 + frame * FRAME / RATE + late_s)
        out.append(PLAIN.decoder().decode(uplink.take_frame()))
    planned = silent * FRAME + round(0.3 * RATE)
    # Without the first packet: where the voice begins in it, it is past mending.
    piece, sent = said[FRAME:], np.concatenate(out)
    shifts = range(-FRAME // 2, FRAME // 2)
    at = planned + FRAME
    likeness = [float(np.dot(piece, sent[at + one : at + one + len(piece)])) for one in shifts]
    return shifts[int(np.argmax(likeness))]


@pytest.mark.parametrize("silent", [10, 1, 0])
def test_what_the_first_packet_was_late_by_does_not_stay(
    silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert abs(_sent_after_a_late_start(silent=silent)) <= 5
    # As though every packet sounded, and so went right behind the one before.
    monkeypatch.setattr(echo_of_room, "_SILENCE", -1.0)
    monkeypatch.setattr(echo_of_room, "_EARLIER", FRAME)
    assert _sent_after_a_late_start(silent=silent) == pytest.approx(384, abs=5)


def test_the_recording_has_what_was_sent_also_where_it_is_made_elsewhere() -> None:
    echo = Echo(level_db=-10.0, delay_s=0.1)
    uplink = uplink_with(echo, zero_s=0.0)
    out = sent_while(uplink, echo, noise(0.5), at_s=0.5, zero_s=0.0, frames=60)
    assert np.any(out)
    for one in (uplink, pickle.loads(pickle.dumps(uplink))):
        assert np.max(np.abs(one.sent_pcm() - out)) < 1e-4
    uplink.let_go()
    assert not np.any(uplink.sent_pcm())


def test_our_own_words_and_what_comes_back_are_added_and_not_beyond_full_scale() -> None:
    echo = Echo(level_db=0.0, delay_s=0.1)
    echo.begin(codec=PLAIN, zero_s=0.0)
    loud = np.full(FRAME, 0.8, np.float32)
    for number in range(5):
        echo.hear_sound(loud, number * FRAME / RATE)
    [ours] = PLAIN.encode(np.full(FRAME, 0.1, np.float32))
    both = PLAIN.decoder().decode(echo.onto(ours, frame=6, frame_samples=FRAME))
    assert np.allclose(both, 0.9, atol=1e-3)
    [shout] = PLAIN.encode(np.full(FRAME, 0.9, np.float32))
    assert np.allclose(PLAIN.decoder().decode(echo.onto(shout, frame=7, frame_samples=FRAME)), 1.0, atol=1e-3)


def test_packets_a_little_off_their_place_leave_no_hole() -> None:
    said = noise(0.4)
    echo = Echo(level_db=0.0, delay_s=0.1)
    uplink = uplink_with(echo, zero_s=0.0)
    for number in range(20):
        echo.hear_sound(
            said[number * FRAME : (number + 1) * FRAME], 0.2 + number * FRAME / RATE + 2e-3 * (number % 3)
        )
    out = np.concatenate([PLAIN.decoder().decode(uplink.take_frame()) for _ in range(50)])
    start = round(0.3 * RATE)
    assert np.max(np.abs(out[start : start + len(said)] - said)) < 1e-3


def test_what_is_long_gone_or_never_came_is_silence() -> None:
    echo = Echo(level_db=0.0, delay_s=0.1)
    uplink = uplink_with(echo, zero_s=0.0)
    echo.hear_sound(noise(0.5), 0.0)
    # An agent that is silent for longer than what is kept, and speaks again: nothing old may come back.
    echo.hear_sound(np.zeros(FRAME, np.float32), 10.0)
    assert not any(np.any(PLAIN.decoder().decode(uplink.take_frame())) for _ in range(50))
    echo.hear_sound(noise(0.02), 10.0 - KEPT_S - 1.0)
    echo.hear_sound(noise(5.0 + KEPT_S), 11.0)
    assert not any(np.any(PLAIN.decoder().decode(uplink.take_frame())) for _ in range(50))


def test_nothing_comes_back_before_the_call_stands() -> None:
    echo = Echo(level_db=0.0, delay_s=0.1)
    echo.hear(b"\x00\x7f" * FRAME, 0.0)
    uplink = Uplink(background=silence(PLAIN), echo=echo)
    assert not np.any(PLAIN.decoder().decode(uplink.take_frame()))


def test_a_call_with_an_echo_is_prepared_as_plain_sound() -> None:
    assert prepared_in("opus", [], echo=True) == UNENCODED
    assert prepared_in("opus", ["pcmu"], echo=True) == UNENCODED
    assert prepared_in("opus", ["pcmu"]) == "pcmu"
