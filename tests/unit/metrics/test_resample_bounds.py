"""Which way a sound is resampled and with which filter, and what is interpolated: by hand and all at once."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import resample_poly

from metrics import resample
from metrics.resample import _low_pass, resampled

Samples = NDArray[np.float32]


def noise(samples: int) -> NDArray[np.float64]:
    return np.random.default_rng(6).normal(0, 0.1, samples)


@pytest.mark.parametrize(
    ("from_hz", "to_hz", "factors", "nyquist"),
    [
        (48_000, 16_000, (1, 3), 1 / 3),
        (16_000, 48_000, (3, 1), 1 / 3),
        (44_100, 16_000, (160, 441), 1 / 441),
        (16_000, 15_992, (1999, 2000), 1 / 2000),
        (15_992, 16_000, (2000, 1999), 1 / 2000),
        (16_008, 16_000, None, None),
        (16_000, 16_008, None, None),
    ],
)
def test_factors_of_up_to_2000_are_filtered_and_larger_ones_interpolated(
    from_hz: int,
    to_hz: int,
    factors: tuple[int, int] | None,
    nyquist: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """16,008 and 16,000 have the factors 2001 and 2000."""
    filters: list[float] = []

    def low_pass(share: float) -> NDArray[np.float64]:
        filters.append(share)
        return np.ones(1)

    monkeypatch.setattr(resample, "_low_pass", low_pass)
    monkeypatch.setattr(resample, "filtered", lambda audio, *given: given[:2])
    monkeypatch.setattr(resample, "_interpolated", lambda *_: None)
    assert resampled(np.ones(9, np.float32), from_hz, to_hz) == factors
    assert filters == ([] if nyquist is None else [nyquist])


class _Between:
    """Stands in for the filter and for what scipy does with it, and keeps what both are given."""

    def __init__(self, patch: pytest.MonkeyPatch, taps: int) -> None:
        self.nyquist: list[float] = []
        self.lengths: list[int] = []
        self.up: set[int] = set()
        self._taps = taps
        patch.setattr(resample, "_low_pass", self._low_pass)
        patch.setattr(resample, "resample_poly", self._resample_poly)

    def _low_pass(self, nyquist: float) -> NDArray[np.float64]:
        self.nyquist.append(nyquist)
        return np.ones(self._taps)

    def _resample_poly(
        self, audio: Samples, up: int, down: int, *, window: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        assert down == 1
        assert len(window) == self._taps
        self.lengths.append(len(audio))
        self.up.add(up)
        return np.zeros(len(audio) * up)


@pytest.mark.parametrize(
    ("from_hz", "to_hz", "up", "nyquist"),
    [
        # 24 times the wanted rate, or a little more: 24 x 16,000 / 191,999 is 2.00001.
        (191_999, 16_000, 3, 16_000 / (191_999 * 3)),
        (47_999, 16_000, 9, 16_000 / (47_999 * 9)),
        (47_999, 48_000, 25, 1 / 25),
        (8001, 16_000, 48, 1 / 48),
        # But twice the given one at least.
        (480_001, 16_000, 2, 16_000 / 960_002),
    ],
)
def test_what_is_interpolated_lies_24_times_as_dense(
    from_hz: int, to_hz: int, up: int, nyquist: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    between = _Between(monkeypatch, 101)
    resampled(np.zeros(9, np.float32), from_hz, to_hz)
    assert between.up == {up}
    assert between.nyquist == pytest.approx([nyquist], rel=1e-12)


def test_a_stretch_has_what_the_filter_reaches_on_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 4819 taps at 48 times the rate half are 50.2 samples, and the next sample is the end of a line: 51.
    Of 20,000 samples 8192 are a stretch."""
    between = _Between(monkeypatch, 4819)
    assert len(resampled(np.zeros(20_000, np.float32), 8001, 16_000)) == 39_996
    assert between.lengths == [8192 + 51, 8192 + 2 * 51, 20_000 - 2 * 8192 + 51]


@pytest.mark.parametrize(("from_hz", "to_hz"), [(8001, 16_000), (47_999, 16_000), (47_999, 48_000)])
def test_stretches_together_are_the_whole(from_hz: int, to_hz: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample, "_STRETCH", 64)
    audio = noise(1000).astype(np.float32)
    up = -(-24 * to_hz // from_hz)
    dense = resample_poly(audio, up, 1, window=_low_pass(min(from_hz, to_hz) / (from_hz * up)).copy())
    places = np.arange(-(-1000 * to_hz // from_hz)) * from_hz / to_hz * up
    expected = np.interp(places, np.arange(len(dense)), dense)
    found = resampled(audio, from_hz, to_hz)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7)


def test_samples_in_64_bits_are_rounded_to_32_first() -> None:
    audio = noise(3000)
    single = resampled(audio.astype(np.float32), 48_000, 16_000)
    assert resampled(audio, 48_000, 16_000).tobytes() == single.tobytes()  # type: ignore[arg-type]
