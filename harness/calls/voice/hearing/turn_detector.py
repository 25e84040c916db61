"""Finds onsets and ends of the agent's speech in a stream as it comes, to take turns by.

Energy against a slowly rising noise floor: quick and cheap, in blocks of 5 ms. Nothing is scored from it.

A short chime, as agents play before they speak, is no onset. What begins as no voice does is not told until
it has gone on for longer than a chime, or is over; speech is told as soon as ever.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.codecs.base import Codec
from metrics.detection.tone import is_tone

THRESHOLD = 10 ** (-48 / 20)
HIGHEST_THRESHOLD = 10 ** (-30 / 20)
"""Seconds of unbroken speech must not become their own noise floor."""
FLOOR_FACTOR = 5.0
ONSET_VOICED_S = 0.06
"""This much voiced sound within :data:`ONSET_WINDOW_S` is an onset: less is a click."""
ONSET_WINDOW_S = 0.12
LONGEST_CHIME_S = 0.2
"""A tone that goes on for longer is taken for speech: a calibration agent's is."""
CHIME_QUIET_S = 0.15
"""This much quiet ends a chime."""
_BLOCK = 240
_BLOCK_S = _BLOCK / SAMPLE_RATE_HZ
_FOLLOWS_S = 0.002
"""Sound goes on where the one before it ended if it is placed less than this from there. The shortest packet
that a codec has is of 2.5 ms: with one lost, it does not."""
_MOST_HELD = round((LONGEST_CHIME_S + CHIME_QUIET_S) / _BLOCK_S) + 2
"""Blocks of a chime and the quiet behind it, wherever in time they are placed."""
_FLOOR_BLOCKS = 400
_FLOOR_EVERY = 50
_SILENT_PACKETS = 3
"""So many silent packets one after the other are decoded; those behind them are silence, too."""
_NO_LEVELS = (0.0,) * 4
"""The blocks of such a packet, which is mostly of 20 ms."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An onset or an end of the agent's speech, at its backdated call time."""

    kind: Literal["onset", "end"]
    at_s: float


class LiveEar:
    """One stream.

    Args:
        codec: What its packets are decoded with, at 48 kHz.
        end_quiet_s: This much quiet ends the agent's speech.
    """

    def __init__(self, codec: Codec, *, end_quiet_s: float) -> None:
        self._end_quiet_s = end_quiet_s
        self._codec_delay_s = codec.delay_s
        self._decoder = (codec.ear or codec.decoder)()
        self._silent_bytes = codec.silent_bytes
        self._silent_packets = 0
        self._levels: deque[float] = deque(maxlen=_FLOOR_BLOCKS)
        self._blocks = 0
        self._threshold = THRESHOLD
        self._recent: deque[tuple[float, bool, NDArray[np.float32]]] = deque()
        self._chime_s: float | None = None
        """Since when there is what may be a chime; all of it is in ``_recent``."""
        self._speaking = False
        self._last_voiced_s = 0.0
        self._begun: NDArray[np.float32] = np.zeros(0, np.float32)
        self._begun_until_s = 0.0

    def hear(self, payload: bytes, at_s: float) -> list[Heard]:
        """What one packet changes; ``at_s`` is the call time at which its first sample came. An empty payload
        says that nothing has come up to ``at_s``."""
        if not payload:
            return self._quiet_until(at_s)
        if len(payload) > self._silent_bytes:
            self._silent_packets = 0
        else:
            self._silent_packets += 1
            if self._silent_packets > _SILENT_PACKETS:
                return self._hear_silence(at_s - self._codec_delay_s)
        return self.hear_pcm(self._decoder.decode(payload), at_s - self._codec_delay_s)

    def hear_pcm(self, pcm: NDArray[np.float32], at_s: float) -> list[Heard]:
        """As :meth:`hear`, for decoded mono audio at 48 kHz. What is too little for a block waits for the
        sound that follows it: packets may be shorter than a block, or no multiple of one."""
        if len(self._begun) and abs(at_s - self._begun_until_s) < _FOLLOWS_S:
            at_s -= len(self._begun) / SAMPLE_RATE_HZ
            pcm = np.concatenate([self._begun, pcm])
        whole = len(pcm) // _BLOCK * _BLOCK
        self._begun = pcm[whole:]
        self._begun_until_s = at_s + len(pcm) / SAMPLE_RATE_HZ
        if whole == 0:
            return []
        blocks = pcm[:whole].reshape(-1, _BLOCK)
        peaks = np.max(np.abs(blocks), axis=1).tolist()
        self._levels.extend(np.sqrt(np.mean(np.square(blocks), axis=1)).tolist())
        heard: list[Heard] = []
        for number, peak in enumerate(peaks):
            heard += self._block(peak, at_s + number * _BLOCK_S, blocks[number])
        return heard

    def _hear_silence(self, at_s: float) -> list[Heard]:
        """A packet that need not be decoded: its blocks are below any threshold."""
        self._levels.extend(_NO_LEVELS)
        if self._chime_s is None:
            self._recent.clear()
        self._blocks += len(_NO_LEVELS)
        if self._blocks % _FLOOR_EVERY < len(_NO_LEVELS):
            self._find_floor()
        return self._quiet_until(at_s)

    def _block(self, peak: float, at_s: float, samples: NDArray[np.float32]) -> list[Heard]:
        self._blocks += 1
        if self._blocks % _FLOOR_EVERY == 0:
            self._find_floor()
        voiced = peak >= self._threshold
        # A sender that was silent in between has ended its chime, though nobody told so until now.
        heard = [] if self._chime_s is None else self._quiet_until(at_s)
        if voiced:
            self._last_voiced_s = at_s + _BLOCK_S
        if self._speaking:
            return heard + self._quiet_until(at_s)
        self._recent.append((at_s, voiced, samples))
        if self._chime_s is not None:
            goes_on = voiced and at_s + _BLOCK_S - self._chime_s > LONGEST_CHIME_S
            return self._onset(self._chime_s) if goes_on or len(self._recent) > _MOST_HELD else []
        while self._recent[0][0] < at_s - ONSET_WINDOW_S:
            self._recent.popleft()
        if not voiced:
            return []
        hits = [t for t, is_voiced, _ in self._recent if is_voiced]
        if len(hits) * _BLOCK_S < ONSET_VOICED_S:
            return []
        while not self._recent[0][1]:
            self._recent.popleft()
        if self._is_tone():
            self._chime_s = hits[0]
            return []
        return self._onset(hits[0])

    def _onset(self, at_s: float) -> list[Heard]:
        self._speaking, self._chime_s = True, None
        self._recent.clear()
        return [Heard("onset", at_s)]

    def _is_tone(self) -> bool:
        """Whether what is in ``_recent`` is a tone, to its last voiced block."""
        sounding = [number for number, (_, voiced, _) in enumerate(self._recent) if voiced]
        blocks = [samples for _, _, samples in self._recent]
        return is_tone(np.concatenate(blocks[: sounding[-1] + 1]), SAMPLE_RATE_HZ)

    def _find_floor(self) -> None:
        floor = float(np.percentile(self._levels, 10))
        self._threshold = min(max(THRESHOLD, FLOOR_FACTOR * floor), HIGHEST_THRESHOLD)

    def _quiet_until(self, now_s: float) -> list[Heard]:
        if self._chime_s is not None and now_s - self._last_voiced_s >= CHIME_QUIET_S:
            if not self._is_tone():
                return self._onset(self._chime_s)
            self._chime_s = None
            self._recent.clear()
        if self._speaking and now_s - self._last_voiced_s >= self._end_quiet_s:
            self._speaking = False
            return [Heard("end", self._last_voiced_s)]
        return []
