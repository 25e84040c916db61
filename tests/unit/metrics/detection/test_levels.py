"""Levels of blocks and of the loud part, by hand. At 16 kHz a block of 2.5 ms has 40 samples."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.detection.levels import block_levels, loud_part

RATE = 16_000
Samples = NDArray[np.float32]


def square(count: int, level: float) -> Samples:
    return (level * (1 - 2 * (np.arange(count) % 2))).astype(np.float32)


def test_a_level_is_the_mean_square_of_whole_blocks_of_2_5_ms() -> None:
    sound = np.concatenate([square(40, 0.1), square(20, 0.1), square(20, 0.7), square(39, 0.9)])
    # (0.01 + 0.49) / 2 = 0.25
    assert block_levels(sound, RATE) == pytest.approx([-20.0, -6.0206], abs=1e-4)
    assert block_levels(sound, 8_000) == pytest.approx([-20, -20, -20, -3.0980, -0.9151], abs=1e-4)


def test_silence_has_a_level_of_minus_100() -> None:
    # -100 dBFS and as much again: 3.01 dB more.
    assert block_levels(np.concatenate([square(40, 0.0), square(40, 1e-5)]), RATE) == pytest.approx(
        [-100.0, -96.99], abs=0.001
    )


def test_the_loud_part_is_what_seven_in_ten_of_the_blocks_that_sound_lie_below() -> None:
    # Eleven blocks of -40, -39 ... -30 dBFS; what is at -50 or lower is none of them.
    sounding = np.arange(-40.0, -29.0)
    assert loud_part(np.concatenate([sounding, [-50.0, -70.0, -100.0]])) == pytest.approx(-33.0)
    assert loud_part(np.array([-50.0, -60.0])) is None
    assert loud_part(np.array([-49.9])) == -49.9
