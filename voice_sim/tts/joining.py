"""Pieces of speech put together with silence of a stated length between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voice_sim.tts.base import Speech

AUDIBLE_DB = -40.0
"""Below the loudest sample of the piece: what is quieter at either end is silence of the engine's own."""


def trimmed(speech: Speech) -> Speech:
    """``speech`` from its first to its last audible sample; unchanged where it is silent throughout.

    Cut, not faded, as ``utterance`` does it: the length of the silence put beside it is exact.
    """
    magnitude = np.abs(speech.samples)
    peak = float(magnitude.max(initial=0.0))
    if peak == 0.0:
        return speech
    audible = np.flatnonzero(magnitude >= peak * 10.0 ** (AUDIBLE_DB / 20.0))
    return Speech(samples=speech.samples[audible[0] : audible[-1] + 1], sample_rate_hz=speech.sample_rate_hz)


def joined(pieces: Sequence[Speech], *, gap_s: float) -> Speech:
    """The pieces in their order, ``gap_s`` seconds of digital silence between them.

    Raises:
        ValueError: No pieces, or pieces at several sample rates.
    """
    rates = {piece.sample_rate_hz for piece in pieces}
    if len(rates) != 1:
        raise ValueError(f"pieces at {len(rates)} sample rates cannot be joined")
    rate_hz = rates.pop()
    gap = np.zeros(round(gap_s * rate_hz), np.float32)
    parts = [part for piece in pieces for part in (gap, piece.samples)][1:]
    return Speech(samples=np.concatenate(parts), sample_rate_hz=rate_hz)
