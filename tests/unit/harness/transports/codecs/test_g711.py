"""G.711 against an implementation of its own: the caller's telephone line, made from the recommendation."""

from __future__ import annotations

import numpy as np
import pytest

from harness.transports.codecs.base import Codec
from harness.transports.codecs.g711 import PCMA, PCMU
from voice_sim.conditions.codec import Law, decode, encode

LAWS = pytest.mark.parametrize(("codec", "law"), [(PCMU, "ulaw"), (PCMA, "alaw")])


@LAWS
def test_every_byte_decodes_to_the_value_of_the_recommendation(codec: Codec, law: Law) -> None:
    every = bytes(range(256))
    heard = codec.decoder().decode(every) * 32768
    expected = decode(np.frombuffer(every, np.uint8), law=law)
    np.testing.assert_array_equal(heard, expected.astype(np.float32))


@LAWS
def test_every_value_is_encoded_to_a_nearest_step(codec: Codec, law: Law) -> None:
    pcm = np.arange(-32000, 32000, 7)
    packets = codec.encode((pcm / 32767).astype(np.float32))
    ours = codec.decode(packets)[: len(pcm)] * 32768
    theirs = decode(encode(pcm.astype(np.int16), law=law), law=law)
    # At the edge between two steps either is as near.
    assert np.abs(ours - pcm).max() <= np.abs(theirs - pcm).max() + 16
    assert np.mean(np.abs(ours - pcm)) == pytest.approx(np.mean(np.abs(theirs - pcm)), rel=0.02)


@LAWS
def test_a_packet_of_20_ms_has_160_bytes(codec: Codec, law: Law) -> None:
    packets = codec.encode(np.zeros(400, np.float32))
    assert [len(packet) for packet in packets] == [160, 160, 160]
    assert codec.frame_ticks == 160


@LAWS
def test_packets_of_any_length_are_heard(codec: Codec, law: Law) -> None:
    sound = (0.3 * np.sin(np.arange(1600) / 5)).astype(np.float32)
    stream = b"".join(codec.encode(sound))
    decoder = codec.decoder()
    heard = np.concatenate([decoder.decode(stream[start : start + 77]) for start in range(0, 1600, 77)])
    np.testing.assert_array_equal(heard, codec.decode([stream]))
