"""Knows lines when it hears any half second of them, in noise as well, and so also when they will be over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.signal import resample_poly

RATE = 4_000
"""What is below 2 kHz is enough, and at 0 dB the noise above it would only be in the way."""
CALL_RATE = 48_000
APART_S = 0.5
QUIET = 1e-3
"""Of the mean power of all lines: where they are quieter nothing is like them."""

Pcm = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Heard:
    """The line that a piece of sound is most like.

    Attributes:
        begins_s: How long after the line's beginning the piece begins; negative: before it.
        lasts_s: The whole line.
        fits: Cosine between the piece and that part of the line.
    """

    name: str
    begins_s: float
    lasts_s: float
    fits: float


class KnownLines:
    """Lines by their sound.

    Args:
        lines: Name -> sound at 48 kHz.
    """

    def __init__(self, lines: Mapping[str, Pcm]) -> None:
        apart = np.zeros(round(APART_S * RATE), np.float32)
        parts, self._begin, self._length, at = [apart], list[int](), list[int](), len(apart)
        self._names = list(lines)
        for sound in lines.values():
            line = _narrow(sound)
            self._begin.append(at)
            self._length.append(len(line))
            parts += [line, apart]
            at += len(line) + len(apart)
        self._whole = np.concatenate(parts)
        power = np.square(self._whole, dtype=np.float64)
        self._energy = np.concatenate([[0.0], np.cumsum(power)])
        self._least = QUIET * float(power.mean())
        self._size = next_fast_len(2 * len(self._whole), real=True)
        self._spectrum = rfft(self._whole, self._size)

    def find(self, heard: Pcm) -> Heard | None:
        """What a piece of sound (48 kHz) is most like; None where it is silence."""
        piece = _narrow(heard)
        own = float(np.sum(np.square(piece, dtype=np.float64)))
        if own <= 0.0 or len(piece) >= len(self._whole):
            return None
        products = irfft(self._spectrum * np.conj(rfft(piece, self._size)), self._size)
        products = products[: len(self._whole) - len(piece)]
        energy = self._energy[len(piece) : len(piece) + len(products)] - self._energy[: len(products)]
        cosines = np.abs(products) / np.sqrt(np.maximum(energy, self._least * len(piece)) * own)
        at = int(np.argmax(cosines))
        # Shorter than what lies between lines a piece that reaches into one has nothing of the one before;
        # a longer one is of the line in which its middle is.
        within = len(piece) if len(piece) <= round(APART_S * RATE) else len(piece) // 2
        line = max(0, int(np.searchsorted(self._begin, at + within, side="left")) - 1)
        return Heard(
            name=self._names[line],
            begins_s=(at - self._begin[line]) / RATE,
            lasts_s=self._length[line] / RATE,
            fits=float(cosines[at]),
        )


def _narrow(sound: Pcm) -> Pcm:
    return np.asarray(resample_poly(sound, 1, CALL_RATE // RATE), np.float32)
