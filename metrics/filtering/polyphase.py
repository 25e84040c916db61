"""Resampling as a product of matrices: some five times faster than scipy's, with the very samples of it.

Each output is the sum of some hundred products. scipy adds them one after the other; here they are the
product of stretches of the sound with a matrix that holds the filter once for each output of a stretch, which
adds them in another order. In 64 bits both orders agree to a bound that is known (Higham, "Accuracy and
Stability of Numerical Algorithms", 2002, section 3.1), and it is 32 bits that are wanted: only where the
border between two of those lies within the bound can the order decide. These few samples, up to one in some
hundred, are taken from scipy. So nothing that reads resampled sound, least of all a detector, can tell the
difference.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly, upfirdn

_OUTPUTS = 64
"""Of a stretch, at least: with fewer the matrix is too small for a processor, with more mostly zeros."""
_LARGEST_MATRIX = 250_000
"""Entries. Rates whose ratio takes more are left to scipy."""
_STRETCHES_AT_ONCE = 256
_ONE_THREAD = 200_000
"""Products that OpenBLAS does without a second thread (up to 2^18), which would mostly wait beside others."""
_OPEN_SHARE = 0.02
"""With more samples than this to be taken from scipy, it may as well give all of them."""
_UNIT = 2.0**-53

Samples = NDArray[np.float32]
Taps = NDArray[np.float64]


def filtered(audio: Samples, up: int, down: int, low_pass: Taps) -> Samples:
    """``resample_poly(audio, up, down, window=low_pass)`` in 32 bits, to the bit.

    Args:
        audio: ``(n,)``.
        up, down: Without a common divisor.
        low_pass: An odd number of taps, at ``up`` times the sampling rate.
    """
    margin = len(low_pass) // 2 // up
    stretch = math.ceil(_OUTPUTS / up)
    outputs = up * stretch
    count = -(-len(audio) * up // down)
    stretches = -(-count // outputs)
    if (
        (2 * margin + down * stretch) * outputs > _LARGEST_MATRIX
        or stretches < 2
        or not np.all(np.isfinite(audio))
    ):
        return _by_scipy(audio, up, down, low_pass)
    matrices = _matrices(up, down, low_pass.tobytes(), margin, outputs)
    parts, step, _ = matrices.shape
    sound = _in_stretches(audio, margin, stretches + parts - 1, step)
    peaks = _peaks(sound)
    bound = _bound(low_pass, up, matrices)
    together, at_once = _rows(step * outputs)
    result = np.empty((stretches, outputs), dtype=np.float32)
    open_ones = np.empty((stretches, outputs), dtype=bool)
    for first in range(0, stretches, at_once):
        last = min(first + at_once, stretches)
        sums, peak = np.zeros((last - first, outputs)), np.zeros(last - first)
        for part in range(parts):
            _add_product(sums, sound[first + part : last + part], matrices[part], together)
            peak = np.maximum(peak, peaks[first + part : last + part])
        off = (bound * peak)[:, np.newaxis]
        result[first:last] = sums
        open_ones[first:last] = (sums - off).astype(np.float32) != (sums + off).astype(np.float32)
    samples = result.ravel()[:count]
    places = np.flatnonzero(open_ones.ravel()[:count])
    if len(places) > _OPEN_SHARE * count:
        return _by_scipy(audio, up, down, low_pass)
    if len(places):
        samples[places] = _at(places, audio, up, down, low_pass)
    return samples


def _in_stretches(audio: Samples, margin: int, rows: int, step: int) -> Taps:
    """The sound behind so much silence, in rows of so many samples; what they do not hold is left out."""
    stretches = np.zeros((rows, step))
    behind = stretches.ravel()[margin:]
    held = min(len(audio), len(behind))
    behind[:held] = audio[:held]
    return stretches


def _peaks(sound: Taps) -> Taps:
    """The largest magnitude in each row."""
    return np.asarray(np.maximum(sound.max(axis=1), -sound.min(axis=1)))


def _bound(low_pass: Taps, up: int, matrices: Taps) -> float:
    """How far apart two orders of a sum may lie, of samples of no more than 1."""
    weights = float(np.abs(matrices).sum(axis=(0, 1)).max())
    return 2 * (len(low_pass) / up + 2) * _UNIT * weights


def _rows(products: int) -> tuple[int, int]:
    """Of so many products each: how many rows are multiplied together, and how many are held at once."""
    together = max(1, _ONE_THREAD // products)
    return together, max(1, _STRETCHES_AT_ONCE // together) * together


def _add_product(sums: Taps, sound: Taps, matrix: Taps, together: int) -> None:
    """Adds ``sound @ matrix``, so many rows at a time."""
    blocks = len(sound) // together
    whole = blocks * together
    step, outputs = matrix.shape
    stacked = sound[:whole].reshape(blocks, together, step) @ matrix
    sums[:whole] += stacked.reshape(whole, outputs)
    sums[whole:] += sound[whole:] @ matrix


def _at(places: NDArray[np.intp], audio: Samples, up: int, down: int, low_pass: Taps) -> Samples:
    """These samples as scipy gives them, each from the sound that its sum is of and no more."""
    taps = low_pass * up
    around = np.pad(audio, len(taps))
    last, phases = np.divmod(places * down + len(taps) // 2, up)
    result = np.empty(len(places), dtype=np.float32)
    for phase in np.unique(phases):
        own = taps[phase::up]
        these = phases == phase
        windows = np.lib.stride_tricks.sliding_window_view(around, len(own))
        sound = windows[last[these] + len(taps) + 1 - len(own)]
        # Of the whole convolution only the first sum, the middle one, which is wanted, and the last.
        result[these] = upfirdn(own, sound, 1, len(own) - 1)[:, 1]
    return result


def _by_scipy(audio: Samples, up: int, down: int, low_pass: Taps) -> Samples:
    return np.asarray(resample_poly(audio, up, down, window=low_pass), dtype=np.float32)


@lru_cache(maxsize=4)
def _matrices(up: int, down: int, low_pass: bytes, margin: int, outputs: int) -> Taps:
    """``(parts, inputs, outputs)``: the weight of each input of a stretch, and of those behind it, in each of
    its outputs. A stretch has as many inputs as lead to its outputs; the first is ``margin`` before them."""
    taps = np.frombuffer(low_pass) * up
    step = outputs // up * down
    window = margin + ((outputs - 1) * down + len(taps) // 2) // up + 1
    parts = -(-window // step)
    inputs = np.arange(parts * step).reshape(parts, step, 1) - margin
    places = np.arange(outputs) * down - inputs * up + len(taps) // 2
    used = (places >= 0) & (places < len(taps))
    matrices = np.zeros(places.shape)
    matrices[used] = taps[places[used]]
    return matrices
