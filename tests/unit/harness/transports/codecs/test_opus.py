"""Opus packets: how many, how long, how late, and what becomes of bytes that are no Opus."""

from __future__ import annotations

import fractions

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.transports.codecs.base import to_int16
from harness.transports.codecs.opus import OPUS
from tests.unit.harness.stand_ins.spoken import clip

RATE = 48_000


@pytest.mark.parametrize(("samples", "packets"), [(0, 0), (1, 1), (960, 1), (961, 2), (48_000, 50)])
def test_one_packet_for_each_20_ms_begun(samples: int, packets: int) -> None:
    assert len(OPUS.encode(np.zeros(samples, np.float32))) == packets


def test_decoded_audio_is_late_by_the_stated_312_samples() -> None:
    sent = clip("account")[: 2 * RATE].astype(np.float64)
    heard = OPUS.decode(OPUS.encode(clip("account"))).astype(np.float64)
    correlation = np.correlate(heard[: 2 * RATE + 1000], sent, "valid")
    assert abs(int(np.argmax(correlation)) - 312) <= 1
    assert OPUS.delay_s == 312 / 48_000


def test_level_is_kept() -> None:
    sent = clip("account")
    heard = OPUS.decode(OPUS.encode(sent))
    # Within half a decibel.
    assert np.std(heard) == pytest.approx(np.std(sent), rel=0.06)


def test_the_mean_of_both_channels_is_heard() -> None:
    codec = av.CodecContext.create("libopus", "w")
    codec.format, codec.layout, codec.sample_rate, codec.bit_rate = "s16", "stereo", RATE, 128_000
    codec.time_base = fractions.Fraction(1, RATE)
    left = to_int16(clip("account")[:RATE])
    payloads = []
    for start in range(0, len(left), 960):
        both = np.stack([left[start : start + 960], np.zeros(960, np.int16)], axis=1).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(both), format="s16", layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, fractions.Fraction(1, RATE)
        payloads += [bytes(packet) for packet in codec.encode(frame)]
    heard = OPUS.decode(payloads)
    assert np.std(heard[9600:]) == pytest.approx(np.std(left[9600:]) / 32768 / 2, rel=0.1)


def test_pcm_is_rounded_and_clipped() -> None:
    samples = np.array([0.0, 1.0, -1.0, 2.0, -2.0, 0.6 / 32767, -0.6 / 32767], np.float32)
    assert to_int16(samples).tolist() == [0, 32767, -32767, 32767, -32768, 1, -1]


@settings(max_examples=200, deadline=None)
@given(payloads=st.lists(st.binary(max_size=400), max_size=5))
def test_bytes_of_a_stranger_never_break_the_decoder(payloads: list[bytes]) -> None:
    decoder = OPUS.decoder()
    for payload in payloads:
        heard = decoder.decode(payload)
        assert heard.ndim == 1
        assert heard.dtype == np.float32
        # The longest Opus packet has 120 ms (RFC 6716).
        assert len(heard) <= 5760
        assert np.isfinite(heard).all()


def test_after_garbage_the_stream_is_heard_again() -> None:
    sent = clip("account")
    payloads = OPUS.encode(sent)
    decoder = OPUS.decoder()
    for payload in [*payloads[:10], b"\xff" * 3, b"", b"\x03"]:
        decoder.decode(payload)
    heard = np.concatenate([decoder.decode(payload) for payload in payloads[10:]])
    whole = OPUS.decode(payloads)[10 * OPUS.frame_samples :]
    # What the decoder remembers of the garbage is gone after a few frames.
    assert np.std(heard[9600:] - whole[9600:]) < 0.05 * np.std(whole)
