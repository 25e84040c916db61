"""Plain samples: what goes in comes out, low byte first."""

from __future__ import annotations

import numpy as np
import pytest

from harness.transports.codecs.base import Codec, to_int16
from harness.transports.codecs.pcm import PCM_8K, PCM_16K, PCM_24K, PCM_48K


@pytest.mark.parametrize("codec", [PCM_8K, PCM_16K, PCM_24K, PCM_48K])
def test_what_goes_in_comes_out(codec: Codec) -> None:
    sound = np.random.default_rng(1).uniform(-1, 1, codec.frame_samples * 3).astype(np.float32)
    packets = codec.encode(sound)
    assert [len(packet) for packet in packets] == [codec.frame_samples * 2] * 3
    np.testing.assert_array_equal(codec.decode(packets) * 32768, to_int16(sound).astype(np.float32))


def test_the_low_byte_comes_first() -> None:
    assert PCM_8K.encode(np.full(1, 258 / 32767, np.float32))[0][:2] == b"\x02\x01"
    assert PCM_8K.decoder().decode(b"\x00\x80\xff\x7f").tolist() == [-1.0, 32767 / 32768]


def test_half_a_sample_is_no_sample() -> None:
    assert PCM_8K.decoder().decode(b"\x00\x40\x01").tolist() == [0.5]
