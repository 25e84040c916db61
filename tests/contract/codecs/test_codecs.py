"""What every codec of the table keeps, as all that is above the wire uses it: at 48 kHz.

The recording is of a stream in that codec: what decides is the name in the log of the call.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.transports.codecs.base import Samples
from harness.transports.codecs.table import CODECS, codec_named
from tests.unit.harness.stand_ins.packet_streams import (
    PATH_S,
    bursts,
    over_the_path,
    recording_of,
    stream,
    tone_starts,
)
from tests.unit.harness.stand_ins.spoken import clip
from voice_sim.registry import UnknownPartError

RATE = 48_000
NAMES = CODECS.names()
BURSTS_S = (0.3 + 7 / RATE, 0.8 + 23 / RATE, 1.3 + 401 / RATE)
"""On no frame, and on no sample of a lower rate."""

each_codec = pytest.mark.parametrize("name", NAMES)


def _through(name: str, sound: Samples) -> Samples:
    """Encoded, decoded, with the stated delay counted out."""
    codec = codec_named(name)
    return codec.decode(codec.encode(sound))[codec.delay_samples :]


@each_codec
def test_its_own_words_about_itself_agree(name: str) -> None:
    own, codec = CODECS.load(name), codec_named(name)
    assert own.name == codec.name == name
    assert codec.sample_rate_hz == RATE
    assert codec.frame_s == own.frame_s
    assert codec.frame_ticks == own.frame_ticks
    assert codec.frame_ticks / codec.clock_rate_hz == pytest.approx(codec.frame_s)
    assert codec.delay_s >= own.delay_s


@each_codec
@pytest.mark.parametrize("frames", [0, 1, 2, 50])
def test_one_packet_for_each_frame_begun(name: str, frames: int) -> None:
    codec = codec_named(name)
    for samples in {frames * codec.frame_samples, max(0, frames * codec.frame_samples - 1)}:
        packets = codec.encode(np.zeros(samples, np.float32))
        assert len(packets) == frames
        assert len(codec.decode(packets)) == frames * codec.frame_samples


@each_codec
def test_a_known_onset_is_where_it_was(name: str) -> None:
    """To one sample of the codec's own rate, by the first loud sample and by correlation."""
    period = RATE // CODECS.load(name).sample_rate_hz
    sent = bursts(BURSTS_S, total_s=2.0)
    heard = _through(name, sent)
    found = np.array(tone_starts(heard)) - tone_starts(sent)
    assert len(found) == len(BURSTS_S)
    assert np.abs(found).max() * RATE <= period
    for start_s in BURSTS_S:
        start, length = round(start_s * RATE), round(0.2 * RATE)
        around = heard[start - 100 : start + length + 100].astype(np.float64)
        correlation = np.correlate(around, sent[start : start + length], "valid")
        assert abs(int(np.argmax(correlation)) - 100) <= period


@each_codec
def test_a_recording_of_it_has_every_onset_in_its_place(name: str) -> None:
    codec = codec_named(name)
    period_s = 1 / CODECS.load(name).sample_rate_hz
    sent = bursts(BURSTS_S, total_s=2.0)
    packets = stream(sent, codec=codec, timestamp=lambda frame: 2**32 - 5000 + frame * codec.frame_ticks)
    recording = recording_of(over_the_path(packets), codec=name, end_s=4.0)
    assert recording.media.codec == name
    found = tone_starts(recording.audio[:, 1])
    expected = [1.0 + PATH_S + start_s for start_s in tone_starts(sent)]
    # One sample more: a place in the recording is a whole sample.
    assert found == pytest.approx(expected, abs=period_s + 1 / RATE)


@each_codec
def test_level_is_kept(name: str) -> None:
    """Within half a decibel, over speech that every codec's band holds."""
    sent = bursts((0.2,), total_s=1.5, length_s=1.0)
    assert np.std(_through(name, sent)) == pytest.approx(np.std(sent), rel=0.06)


@each_codec
def test_speech_is_the_same_speech(name: str) -> None:
    sent = clip("account")
    heard = _through(name, sent)
    both = [one[: min(len(sent), len(heard))].astype(np.float64) for one in (sent, heard)]
    # Up to 3.4 kHz, which every codec carries.
    band = slice(round(300 * len(both[0]) / RATE), round(3400 * len(both[0]) / RATE))
    one, other = (np.fft.rfft(sound)[band] for sound in both)
    likeness = abs(np.vdot(one, other)) / (np.linalg.norm(one) * np.linalg.norm(other))
    assert likeness > 0.95


@each_codec
def test_a_packet_that_never_came_is_not_invented(name: str) -> None:
    codec = codec_named(name)
    packets = codec.encode(clip("account")[:RATE])
    whole, decoder = codec.decode(packets), codec.decoder()
    heard = [decoder.decode(packet) for packet in [*packets[:20], *packets[21:]]]
    assert [len(block) for block in heard] == [codec.frame_samples] * 49
    # What comes later is itself again.
    later = np.concatenate(heard[35:])
    assert np.std(later - whole[36 * codec.frame_samples :]) < 0.1 * np.std(whole)


@each_codec
@settings(max_examples=60, deadline=None)
@given(payloads=st.lists(st.binary(max_size=400), max_size=5))
def test_bytes_of_a_stranger_never_break_the_decoder(name: str, payloads: list[bytes]) -> None:
    decoder = codec_named(name).decoder()
    assert len(decoder.decode(b"")) == 0
    for payload in payloads:
        heard = decoder.decode(payload)
        assert heard.ndim == 1
        assert heard.dtype == np.float32
        assert np.isfinite(heard).all()


def test_an_unknown_codec_is_told_with_those_that_are_known() -> None:
    with pytest.raises(UnknownPartError, match=r"unknown codec 'speex'; known: g722, opus, pcm-16k"):
        codec_named("speex")
