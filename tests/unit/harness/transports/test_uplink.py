"""The caller's outgoing stream: what is planned is what is sent, frame by frame, and what is recorded."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from harness.transports.clips.clip import POSTROLL_FRAMES, PREROLL_FRAMES, Clip, join_clips, prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.uplink import Uplink, noise_background, silence
from tests.unit.harness.stand_ins.spoken import clip

FRAME = 960


def _numbered(length_frames: int, mark: int) -> Clip:
    """A clip whose packets can be told from all others; its PCM holds the same mark."""
    count = PREROLL_FRAMES + length_frames + POSTROLL_FRAMES
    return Clip(
        codec=OPUS,
        packets=tuple(f"{mark}:{index}".encode() for index in range(count)),
        pcm=np.full(count * FRAME, float(mark), np.float32),
        voiced_samples=length_frames * FRAME - 100,
        sha256=str(mark),
    )


def _sent(uplink: Uplink, frames: int) -> list[bytes]:
    return [uplink.take_frame() for _ in range(frames)]


def test_a_clip_begins_with_a_pre_roll_and_its_voiced_part_opens_a_frame() -> None:
    utterance = clip("answer_short")
    prepared = prepare_clip(OPUS, utterance)
    assert PREROLL_FRAMES >= 5
    assert POSTROLL_FRAMES >= 5
    start = PREROLL_FRAMES * FRAME
    np.testing.assert_array_equal(prepared.pcm[start : start + len(utterance)], utterance)
    assert not prepared.pcm[:start].any()
    assert not prepared.pcm[start + len(utterance) :].any()
    assert prepared.voiced_samples == len(utterance)
    assert len(prepared.pcm) == len(prepared.packets) * FRAME
    assert len(prepared.pcm) - start - len(utterance) >= POSTROLL_FRAMES * FRAME


def test_what_has_let_go_of_its_sound_still_gives_a_frame_to_who_asks() -> None:
    uplink = Uplink(background=noise_background(OPUS, clip("answer_short")))
    uplink.schedule(_numbered(3, 1), first_voiced_frame=5)
    first = _sent(uplink, 2)
    assert len(uplink.background.packets) > 1
    uplink.let_go()
    assert uplink.placed == []
    assert uplink.background.pcm.shape == (FRAME,)
    assert uplink.background.pcm.base is None, "a view would keep the whole loop"
    assert all(isinstance(packet, bytes) and packet for packet in [*first, *_sent(uplink, 100)])


def test_the_checksum_is_that_of_the_16_bit_pcm() -> None:
    prepared = prepare_clip(OPUS, clip("answer_short"))
    pcm16 = np.clip(np.round(prepared.pcm * 32767), -32768, 32767).astype("<i2")
    assert prepared.sha256 == hashlib.sha256(pcm16.tobytes()).hexdigest()


def test_the_same_utterance_gives_the_same_packets_and_noise_other_ones() -> None:
    utterance = clip("answer_short")
    noise = (0.01 * np.random.default_rng(1).standard_normal(48_000)).astype(np.float32)
    other = (0.01 * np.random.default_rng(2).standard_normal(48_000)).astype(np.float32)
    once, again = prepare_clip(OPUS, utterance), prepare_clip(OPUS, utterance.copy())
    assert (once.sha256, once.packets) == (again.sha256, again.packets)
    noisy = prepare_clip(OPUS, utterance, bed=noise)
    assert noisy.sha256 == prepare_clip(OPUS, utterance, bed=noise).sha256
    assert len({once.sha256, noisy.sha256, prepare_clip(OPUS, utterance, bed=other).sha256}) == 3


def test_a_short_noise_bed_is_repeated_under_the_whole_clip() -> None:
    utterance = clip("answer_short")
    bed = np.linspace(-0.01, 0.01, 4801, dtype=np.float32)
    prepared = prepare_clip(OPUS, utterance, bed=bed)
    np.testing.assert_allclose(prepared.pcm[:4800], bed[:4800], atol=1e-7)
    tail = len(prepared.pcm) - 4800
    expected = bed[(np.arange(4800) + tail) % 4801]
    np.testing.assert_allclose(prepared.pcm[tail:], expected, atol=1e-7)


def test_silence_decodes_to_silence() -> None:
    background = silence(OPUS)
    assert np.abs(OPUS.decode(list(background.packets) * 50)).max() < 1e-4


def test_noise_goes_on_in_a_loop_at_its_level() -> None:
    bed = (0.02 * np.random.default_rng(1).standard_normal(48_000 + 500)).astype(np.float32)
    background = noise_background(OPUS, bed)
    assert len(background.packets) == 50
    assert len(background.pcm) == 48_000
    heard = OPUS.decode([*background.packets, *background.packets, *background.packets])
    for second in range(3):
        part = heard[second * 48_000 + 2400 : (second + 1) * 48_000]
        # A coder at this rate takes up to 2 dB from white noise.
        assert np.std(part) == pytest.approx(0.02, rel=0.25)
    with pytest.raises(ValueError, match="at least one frame"):
        noise_background(OPUS, np.zeros(959, np.float32))


def test_a_clip_opens_the_wanted_frame() -> None:
    uplink = Uplink(background=silence(OPUS))
    one = _numbered(10, 1)
    placed = uplink.schedule(one, first_voiced_frame=30)
    sent = _sent(uplink, 60)
    first = 30 - PREROLL_FRAMES
    assert sent[first : first + len(one.packets)] == list(one.packets)
    assert set(sent[:first] + sent[first + len(one.packets) :]) == set(uplink.background.packets)
    assert placed.first_voiced_sample == 30 * FRAME
    assert placed.last_voiced_sample == 30 * FRAME + one.voiced_samples - 1
    assert placed.last_voiced_frame == 39


def test_a_clip_wanted_too_early_is_sent_as_soon_as_possible_and_whole() -> None:
    uplink = Uplink(background=silence(OPUS))
    _sent(uplink, 50)
    one = _numbered(10, 1)
    placed = uplink.schedule(one, first_voiced_frame=20)
    assert placed.start_frame == 50
    assert _sent(uplink, len(one.packets)) == list(one.packets)


@pytest.mark.parametrize("already_sent", ["voiced part", "some of the post-roll", "nothing"])
def test_scheduling_the_next_clip_takes_nothing_from_the_one_before(already_sent: str) -> None:
    uplink = Uplink(background=silence(OPUS))
    one, two = _numbered(10, 1), _numbered(8, 2)
    placed = uplink.schedule(one, first_voiced_frame=PREROLL_FRAMES)
    frames = {"nothing": 0, "voiced part": placed.last_voiced_frame + 1, "some of the post-roll": 17}
    sent = _sent(uplink, frames[already_sent])
    later = uplink.schedule(two, first_voiced_frame=placed.last_voiced_frame + 1 + PREROLL_FRAMES)
    sent += _sent(uplink, 80 - len(sent))
    assert sent[: len(one.packets)] == list(one.packets)
    assert later.start_frame == placed.end_frame
    assert sent[later.start_frame : later.end_frame] == list(two.packets)


def test_two_things_cannot_be_said_at_once() -> None:
    uplink = Uplink(background=silence(OPUS))
    uplink.schedule(_numbered(10, 1), first_voiced_frame=30)
    with pytest.raises(ValueError, match="two things at once"):
        uplink.schedule(_numbered(10, 2), first_voiced_frame=35)


def test_a_clip_can_be_taken_back_until_its_first_frame_has_left() -> None:
    uplink = Uplink(background=silence(OPUS))
    placed = uplink.schedule(_numbered(10, 1), first_voiced_frame=30)
    _sent(uplink, placed.start_frame)
    assert uplink.cancel(placed)
    assert set(_sent(uplink, 40)) == set(uplink.background.packets)
    again = uplink.schedule(_numbered(10, 2), first_voiced_frame=80)
    _sent(uplink, again.start_frame + 1 - uplink.next_frame)
    assert not uplink.cancel(again)
    assert uplink.placed == [again]


@settings(max_examples=100, deadline=None)
@given(
    plan=st.lists(
        st.tuples(st.integers(1, 30), st.integers(0, 60), st.integers(0, 40), st.booleans()), max_size=8
    )
)
def test_whatever_is_planned_what_is_recorded_is_what_was_sent(
    plan: list[tuple[int, int, int, bool]],
) -> None:
    """Clips are scheduled and cancelled at random while frames leave."""
    uplink = Uplink(background=silence(OPUS))
    sent: list[bytes] = []
    for number, (length, ahead, run, take_back) in enumerate(plan, start=1):
        one = _numbered(length, number)
        try:
            placed = uplink.schedule(one, first_voiced_frame=uplink.next_frame + ahead)
        except ValueError:
            continue
        sent += _sent(uplink, run)
        if take_back:
            uplink.cancel(placed)
    sent += _sent(uplink, 300)
    pcm = uplink.sent_pcm()
    assert len(pcm) == len(sent) * FRAME
    for frame, packet in enumerate(sent):
        part = pcm[frame * FRAME : (frame + 1) * FRAME]
        mark = 0.0 if packet in uplink.background.packets else float(packet.split(b":")[0])
        assert part.min() == part.max() == mark
    for placed in uplink.placed:
        assert sent[placed.start_frame : placed.end_frame] == list(placed.clip.packets)


def _best_shift(heard: NDArray[np.float32], sent: NDArray[np.float32]) -> int:
    correlation = np.correlate(heard.astype(np.float64), sent.astype(np.float64), "valid")
    return int(np.argmax(correlation))


def test_what_the_other_side_decodes_is_what_is_recorded_as_sent() -> None:
    uplink = Uplink(background=silence(OPUS))
    for name, frame in (("answer_short", 10), ("question", 100)):
        uplink.schedule(prepare_clip(OPUS, clip(name)), first_voiced_frame=frame)
    heard = OPUS.decode(_sent(uplink, 300))
    said = uplink.sent_pcm()
    for name, frame in (("answer_short", 10), ("question", 100)):
        start, length = frame * FRAME, len(clip(name))
        part = said[start : start + length]
        shift = _best_shift(heard[start : start + length + 1000], part)
        # A tenth of a millisecond: a coder turns phases a little.
        assert abs(shift - OPUS.delay_samples) <= 5
        decoded = heard[start + shift : start + shift + length]
        assert np.corrcoef(decoded, part)[0, 1] > 0.9


@pytest.mark.parametrize("name", ["pcmu", "g722", "pcm-24k"])
def test_another_codec_carries_the_same_sound_in_the_same_frames(name: str) -> None:
    codec = codec_named(name)
    ours, other = prepare_clip(OPUS, clip("question")), prepare_clip(codec, clip("question"))
    # A sample or two of its ends are not voiced in the narrower band.
    assert 0 < ours.voiced_samples - other.voiced_samples < 48
    assert other.packets == tuple(codec.encode(other.pcm))
    assert len(other.packets) == len(ours.packets)
    uplink = Uplink(background=silence(codec))
    placed = uplink.schedule(other, first_voiced_frame=40)
    heard = codec.decode(_sent(uplink, 300))[codec.delay_samples :]
    start = placed.first_voiced_sample
    said = other.pcm[PREROLL_FRAMES * FRAME :][: other.voiced_samples].astype(np.float64)
    around = heard[start - 200 : start + len(said) + 200].astype(np.float64)
    correlation = np.correlate(around, said, "valid")
    assert abs(int(np.argmax(correlation)) - 200) <= 48_000 // CODECS.load(name).sample_rate_hz


def test_clips_of_another_codec_are_neither_sent_nor_joined() -> None:
    pcmu = codec_named("pcmu")
    ours, other = prepare_clip(OPUS, clip("answer_short")), prepare_clip(pcmu, clip("answer_short"))
    uplink = Uplink(background=silence(OPUS))
    for send in (lambda: uplink.schedule(other, first_voiced_frame=10), lambda: uplink.append(other)):
        with pytest.raises(ValueError, match="a clip in pcmu cannot be sent in a call in opus"):
            send()
    with pytest.raises(ValueError, match="several codecs"):
        join_clips([ours, other])
    assert uplink.placed == []
