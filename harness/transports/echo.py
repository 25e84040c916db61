"""The agent's own voice, sent back to it: what a loudspeaker telephone's microphone picks up.

What has come from the agent is kept for some seconds, as sound on the call's clock; each frame of ours gets
that part of it which was heard ``delay_s`` before the frame is due, ``level_db`` quieter. So an uplink with
an echo holds plain sound (:data:`~harness.transports.codecs.prepared.UNENCODED`), encoded while the call
runs, and up to two frames before a frame is due: what is to come back sooner than :data:`LEAST_DELAY_S` may
not be there yet.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.codecs.base import Codec, Decoder, Samples

LEAST_DELAY_S = 0.06
KEPT_S = 4
_KEPT = KEPT_S * SAMPLE_RATE_HZ
_LATER = SAMPLE_RATE_HZ // 100
"""Where something sounds, a packet whose place is less than this behind the end of the one before goes right
behind that: live, the places of a few late packets waver, and a room does not stutter. In silence each takes
its own place."""
_EARLIER = SAMPLE_RATE_HZ // 400
"""As :data:`_LATER`, where the place is before that end. Places are a lower envelope, so an earlier one is
the truer: what came before it was late by the difference, and so would be all that goes right behind it (the
first packets of a call come in a heap, and a greeting may begin among them). A step breaks the sound once,
so what is less than this stays."""
_EDGE = SAMPLE_RATE_HZ // 200
_SILENCE = 0.001
_FULL_SCALE = np.float32(32767.0)


class Echo:
    """The way back of one call.

    Args:
        level_db: Of what is sent back, against what came; below 0.
        delay_s: From hearing a sound to sending it.
    """

    def __init__(self, *, level_db: float, delay_s: float) -> None:
        self._gain = np.float32(10 ** (level_db / 20))
        self._delay_s = delay_s
        self._heard = np.zeros(_KEPT, np.float32)
        self._end = 0
        """The sample of the call up to which something has come."""
        self._sounds = False
        """Whether something sounds there."""
        self._decoder: Decoder | None = None
        self._codec_delay_s = 0.0
        self._zero_s: float | None = None
        self._sent: dict[int, NDArray[np.int16]] = {}
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        # What is left of it when a recording is made elsewhere: what it sent.
        return {"_sent": self._sent}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    def begin(self, *, codec: Codec, zero_s: float) -> None:
        """From now on something comes back.

        Args:
            codec: Of the agent's packets, as it is used at the rate of recordings.
            zero_s: Call time at which our frame 0 was due.
        """
        self._decoder, self._codec_delay_s = codec.decoder(), codec.delay_s
        self._zero_s = zero_s

    def hear(self, payload: bytes, at_s: float) -> None:
        """A packet of the agent, with the call time at which its first sample came."""
        if self._decoder is not None:
            self.hear_sound(self._decoder.decode(payload), at_s - self._codec_delay_s)

    def hear_sound(self, sound: Samples, at_s: float) -> None:
        """As :meth:`hear`, for sound that is decoded."""
        start = round(at_s * SAMPLE_RATE_HZ)
        with self._lock:
            goes_on = self._sounds or _is_heard(sound[:_EDGE])
            if goes_on and -_EARLIER < start - self._end < _LATER:
                start = self._end
            if start < self._end - _KEPT or not len(sound) or len(sound) > _KEPT:
                return
            if start > self._end:
                self._write(self._end, np.zeros(min(start - self._end, _KEPT), np.float32))
            self._write(start, sound)
            self._end = max(self._end, start + len(sound))
            self._sounds = _is_heard(sound[-_EDGE:])

    def onto(self, packet: bytes, *, frame: int, frame_samples: int) -> bytes:
        """A frame of plain sound with what comes back in it."""
        if self._zero_s is None:
            return packet
        due_s = self._zero_s + frame * frame_samples / SAMPLE_RATE_HZ
        back = self._read(round((due_s - self._delay_s) * SAMPLE_RATE_HZ), frame_samples) * self._gain
        if not np.any(back):
            return packet
        ours = np.frombuffer(packet, "<i2").astype(np.float32)
        both = np.clip(np.round(ours + back * _FULL_SCALE), -32768, 32767).astype("<i2")
        self._sent[frame] = both.astype(np.int16)
        return both.tobytes()

    def over(self, pcm: Samples, *, frame_samples: int) -> None:
        """Puts what was really sent into what was prepared, in place."""
        for frame, sound in self._sent.items():
            part = pcm[frame * frame_samples : (frame + 1) * frame_samples]
            part[:] = sound[: len(part)] / _FULL_SCALE

    def let_go(self) -> None:
        """Keeps no sound any more."""
        self._sent.clear()
        self._zero_s = None

    def _write(self, start: int, sound: Samples) -> None:
        at = start % _KEPT
        first = sound[: _KEPT - at]
        self._heard[at : at + len(first)] = first
        rest = sound[len(first) :]
        self._heard[: len(rest)] = rest

    def _read(self, start: int, count: int) -> Samples:
        with self._lock:
            wanted = np.arange(start, start + count)
            known = (wanted >= max(0, self._end - _KEPT)) & (wanted < self._end)
            return np.where(known, self._heard[wanted % _KEPT], np.float32(0.0))


def _is_heard(sound: Samples) -> bool:
    return bool(np.any(np.abs(sound) > _SILENCE))
