"""Resampling by matrices: to the bit what scipy gives, whatever the sound, the rates and the place."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import firwin, resample_poly

from metrics.filtering import polyphase
from metrics.filtering.polyphase import filtered
from metrics.resample import _low_pass

Samples = NDArray[np.float32]
RATES = [
    (48_000, 16_000),
    (44_100, 16_000),
    (22_050, 16_000),
    (24_000, 16_000),
    (8_000, 16_000),
    (16_000, 48_000),
]


def noise(samples: int) -> Samples:
    return np.random.default_rng(1).normal(0, 0.1, samples).astype(np.float32)


def speechlike(samples: int) -> Samples:
    """Bursts on digital silence: behind each the filter rings down to nothing."""
    bursts = np.repeat(np.random.default_rng(2).random(-(-samples // 4_000)) > 0.5, 4_000)[:samples]
    return (noise(samples) * bursts).astype(np.float32)


def faint(samples: int) -> Samples:
    """One step of 16 bits, and an offset far below."""
    return (np.round(noise(samples) * 4) / 32_768 + np.float32(3e-8)).astype(np.float32)


def by_scipy(audio: Samples, up: int, down: int) -> Samples:
    return np.asarray(
        resample_poly(audio, up, down, window=_low_pass(1 / max(up, down)).copy()), dtype=np.float32
    )


def factors(from_hz: int, to_hz: int) -> tuple[int, int]:
    divisor = math.gcd(from_hz, to_hz)
    return to_hz // divisor, from_hz // divisor


@pytest.mark.parametrize("sound", [noise, speechlike, faint])
@pytest.mark.parametrize(("from_hz", "to_hz"), RATES)
def test_every_sample_is_scipys_to_the_bit(sound: Callable[[int], Samples], from_hz: int, to_hz: int) -> None:
    up, down = factors(from_hz, to_hz)
    audio = sound(from_hz * 4 + 17)
    found = filtered(audio, up, down, _low_pass(1 / max(up, down)))
    assert found.dtype == np.float32
    assert found.tobytes() == by_scipy(audio, up, down).tobytes()


@pytest.mark.parametrize("samples", [1, 2, 191, 192, 193, 383, 384, 385, 12_287, 12_288, 12_289])
def test_also_where_the_sound_ends_within_a_stretch(samples: int) -> None:
    audio = noise(samples)
    assert filtered(audio, 1, 3, _low_pass(1 / 3)).tobytes() == by_scipy(audio, 1, 3).tobytes()


def test_the_order_of_the_sum_does_decide_some_samples_and_those_are_scipys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audio = speechlike(480_000)
    asked: list[int] = []
    exact = polyphase._at

    def counted(places: NDArray[np.intp], *rest: object) -> Samples:
        asked.extend(places.tolist())
        return exact(places, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(polyphase, "_at", counted)
    found = filtered(audio, 1, 3, _low_pass(1 / 3))
    # Some, or nothing would be tried here; few, or nothing would be gained.
    assert 0 < len(asked) < len(found) / 50
    assert found.tobytes() == by_scipy(audio, 1, 3).tobytes()
    monkeypatch.setattr(polyphase, "_at", lambda places, *_: np.full(len(places), 7, np.float32))
    assert np.array_equal(np.flatnonzero(filtered(audio, 1, 3, _low_pass(1 / 3)) == 7), asked)


def test_the_bound_holds_what_the_orders_differ_by() -> None:
    """Both sums in 64 bits: never further apart than what makes a sample an open one."""
    audio = noise(96_000)
    low_pass = _low_pass(1 / 3)
    exact = resample_poly(audio, 1, 3, window=low_pass.copy())
    matrices = polyphase._matrices(1, 3, low_pass.tobytes(), 151, 64)
    parts, step, outputs = matrices.shape
    padded = np.pad(audio.astype(np.float64), (151, parts * step))
    windows = np.lib.stride_tricks.sliding_window_view(padded, parts * step)[::step]
    sums = (windows[: len(exact) // outputs] @ matrices.reshape(-1, outputs)).reshape(-1)
    apart = np.abs(sums - exact[: len(sums)]).max()
    assert 0 < apart < 2 * (len(low_pass) + 2) * 2.0**-53 * np.abs(low_pass).sum() * np.abs(audio).max()


def test_what_is_no_number_stays_where_it_is() -> None:
    audio = noise(48_000)
    audio[20_000] = np.nan
    found = filtered(audio, 1, 3, _low_pass(1 / 3))
    np.testing.assert_array_equal(found, by_scipy(audio, 1, 3))
    assert np.isnan(found).sum() < 200


def test_rates_with_large_factors_are_left_to_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polyphase, "_matrices", lambda *_: pytest.fail("a matrix of millions"))
    taps = firwin(6_001, 1 / 2_001)
    assert len(filtered(noise(40_000), 2_000, 1_999, taps)) == math.ceil(40_000 * 2_000 / 1_999)
