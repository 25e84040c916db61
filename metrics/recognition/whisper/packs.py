"""Stretches of speech side by side in one window of Whisper's.

Its encoder works through thirty seconds for any clip. Several utterances of one side, in order and with
silence between them, cost it no more than one, and it hears them no worse: what is said before tells it who
speaks and of what (figures in ``docs/text-scores.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span

LONGEST_S = 28.0
"""Of a pack. Two seconds of Whisper's window stay silent, as behind any clip that it was trained with."""
JOINT_S = 1.0
"""Silence between two stretches."""

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A stretch of speech, and from where to where it lies in its pack, in seconds."""

    span: Span
    within: Span

    def in_call(self, at_s: float) -> float:
        """A time of the pack in that of the audio, inside the stretch."""
        return min(max(at_s - self.within.start_s + self.span.start_s, self.span.start_s), self.span.end_s)


@dataclass(frozen=True, kw_only=True)
class Pack:
    """What is heard at once: the sound at 16 kHz, and the stretches that it is made of, in order."""

    clip: Samples
    pieces: tuple[Piece, ...]

    def piece_at(self, at_s: float) -> Piece:
        """The stretch that a time of the pack lies in, or is nearest to."""
        return min(self.pieces, key=lambda one: max(one.within.start_s - at_s, at_s - one.within.end_s, 0.0))


def packed(audio: Samples, spans: Sequence[Span]) -> list[Pack]:
    """All of the spans in as few packs as their order allows; what is longer than a pack has one to itself.

    Args:
        audio: Mono at 16 kHz.
        spans: In order of time, inside the audio.
    """
    groups: list[list[Span]] = []
    length_s = LONGEST_S
    for span in spans:
        length_s += JOINT_S + span.duration_s
        if length_s > LONGEST_S:
            groups.append([])
            length_s = span.duration_s
        groups[-1].append(span)
    return [pack_of(audio, group) for group in groups]


def pack_of(audio: Samples, spans: Sequence[Span]) -> Pack:
    """One pack of some spans, however long."""
    sounds: list[Samples] = []
    pieces: list[Piece] = []
    joint = np.zeros(round(JOINT_S * SPEECH_RATE_HZ), np.float32)
    at = 0
    for span in spans:
        if sounds:
            sounds.append(joint)
            at += len(joint)
        sound = audio[round(span.start_s * SPEECH_RATE_HZ) : round(span.end_s * SPEECH_RATE_HZ)]
        ends = at + len(sound)
        within = Span(start_s=at / SPEECH_RATE_HZ, end_s=ends / SPEECH_RATE_HZ)
        pieces.append(Piece(span=span, within=within))
        sounds.append(sound)
        at = ends
    return Pack(clip=np.concatenate(sounds), pieces=tuple(pieces))
