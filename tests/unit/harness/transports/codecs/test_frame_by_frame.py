"""Sound that is encoded while it is sent: the same packets as if all of it had been known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.transports.codecs.frame_by_frame import FrameByFrame
from harness.transports.codecs.table import CODECS, codec_named

FRAME = 960


@pytest.mark.parametrize("name", ["pcmu", "pcma", "g722", "opus"])
def test_frame_by_frame_or_all_at_once_is_the_same(name: str) -> None:
    noise = (0.1 * np.random.default_rng(1).standard_normal(40 * FRAME)).astype(np.float32)
    frames = noise.reshape(-1, FRAME)
    encoder = FrameByFrame(CODECS.load(name))
    encoder.first(frames[0])
    packets = [encoder.take(frame) for frame in frames[1:]]
    assert packets == codec_named(name).encode(noise)[: len(packets)]


def test_a_codec_that_cannot_is_told() -> None:
    with pytest.raises(ValueError, match="codec 'pcmu' cannot encode frame by frame"):
        FrameByFrame(replace(CODECS.load("pcmu"), encoder=None))
