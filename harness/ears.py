"""The caller's ears: a worker process that decodes what arrives and tells when the agent speaks.

One low-priority process serves all calls of the harness, so that decoding never holds up the process that
keeps the media time. Packets go over in batches every 20 ms; what comes back is onsets and ends of the
agent's speech, backdated to the call's clock. They steer the caller; nothing is scored from them.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import multiprocessing.connection
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness import opus
from harness.errors import HarnessFault

BATCH_S = 0.02
THRESHOLD_DBFS = -48.0
FLOOR_FACTOR = 5.0
ONSET_VOICED_S = 0.06
"""This much voiced sound within :data:`ONSET_WINDOW_S` is an onset: less is a click."""
ONSET_WINDOW_S = 0.12
_BLOCK = 240


@dataclass(frozen=True, kw_only=True)
class Heard:
    """``kind`` is ``onset`` or ``end``; ``at_s`` its backdated call time."""

    kind: str
    at_s: float


class LiveEar:
    """Finds onsets and ends in one stream as it comes. Energy with a slowly rising noise floor: quick, and
    good enough to take turns by.

    Args:
        end_quiet_s: This much quiet ends the agent's speech.
    """

    def __init__(self, *, end_quiet_s: float) -> None:
        self._end_quiet_s = end_quiet_s
        self._decoder = opus.Decoder()
        self._floor: list[float] = []
        self._recent: list[tuple[float, bool]] = []
        self._speaking = False
        self._last_voiced_s = 0.0
        self._silence_from_s = 0.0

    def hear(self, payload: bytes, at_s: float) -> list[Heard]:
        """What one packet changes; ``at_s`` is the call time of its first sample."""
        if not payload:
            return self.quiet_until(at_s)
        return self.hear_pcm(self._decoder.decode(payload), at_s - opus.LOOKAHEAD_S)

    def hear_pcm(self, pcm: NDArray[np.float32], at_s: float) -> list[Heard]:
        """As :meth:`hear`, for decoded mono audio at 48 kHz."""
        heard: list[Heard] = []
        for start in range(0, len(pcm), _BLOCK):
            block = pcm[start : start + _BLOCK]
            heard += self._block(block, at_s + start / opus.SAMPLE_RATE_HZ)
        return heard

    def quiet_until(self, now_s: float) -> list[Heard]:
        """What quiet up to ``now_s`` changes."""
        if self._speaking and now_s - self._last_voiced_s >= self._end_quiet_s:
            self._speaking = False
            return [Heard(kind="end", at_s=self._last_voiced_s)]
        return []

    def _block(self, block: NDArray[np.float32], at_s: float) -> list[Heard]:
        level = float(np.sqrt(np.mean(np.square(block)))) if len(block) else 0.0
        self._floor.append(level)
        if len(self._floor) > 400:
            del self._floor[:200]
        floor = float(np.percentile(self._floor[-200:], 10)) if len(self._floor) >= 40 else 0.0
        threshold = max(10 ** (THRESHOLD_DBFS / 20), FLOOR_FACTOR * floor)
        # Two seconds of unbroken speech must not become its own noise floor.
        threshold = min(threshold, 10 ** (-30 / 20))
        voiced = bool(np.max(np.abs(block)) >= threshold) if len(block) else False
        if voiced:
            self._last_voiced_s = at_s + len(block) / opus.SAMPLE_RATE_HZ
        if self._speaking:
            return self.quiet_until(at_s)
        self._recent.append((at_s, voiced))
        while self._recent[0][0] < at_s - ONSET_WINDOW_S:
            self._recent.pop(0)
        hits = [t for t, is_voiced in self._recent if is_voiced]
        if len(hits) * _BLOCK / opus.SAMPLE_RATE_HZ >= ONSET_VOICED_S:
            self._speaking = True
            self._recent = []
            return [Heard(kind="onset", at_s=hits[0])]
        return []


class Ears:
    """The worker process, seen from the event loop. Use as an async context manager."""

    def __init__(self, *, end_quiet_s: float = 0.8) -> None:
        self._end_quiet_s = end_quiet_s
        self._listeners: dict[int, Callable[[Heard], None]] = {}
        self._batch: list[tuple[int, bytes, float]] = []
        self._next_key = 0
        self._flush: asyncio.TimerHandle | None = None
        self._lost = False

    async def __aenter__(self) -> Ears:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, self._end_quiet_s), daemon=True, name="outboundeval-ears"
        )
        loop = asyncio.get_running_loop()
        # Starting an interpreter takes long enough to be felt by calls already in progress.
        await loop.run_in_executor(None, self._process.start)
        theirs.close()
        await loop.run_in_executor(None, self._pipe.recv)
        loop.add_reader(self._pipe.fileno(), self._on_readable)
        return self

    async def __aexit__(self, *_: object) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._pipe.fileno())
        if self._flush is not None:
            self._flush.cancel()
        with contextlib.suppress(OSError):
            self._pipe.send(None)
        await loop.run_in_executor(None, self._process.join, 2.0)
        if self._process.is_alive():
            self._process.terminate()
        self._pipe.close()

    def listen(self, on_heard: Callable[[Heard], None]) -> int:
        """Opens a stream; its key goes with every packet."""
        self._next_key += 1
        self._listeners[self._next_key] = on_heard
        return self._next_key

    def forget(self, key: int) -> None:
        """Closes a stream."""
        self._listeners.pop(key, None)
        if not self._lost:
            self._batch.append((key, b"", -1.0))

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        """One packet of a stream; ``at_s`` is the call time of its first sample. An empty payload says that
        nothing has come up to ``at_s``: an agent that stops sending has stopped speaking.

        Raises:
            HarnessFault: The worker is gone: the caller is deaf and the call cannot go on.
        """
        if self._lost:
            raise HarnessFault("the process that listens for the caller has ended")
        self._batch.append((key, payload, at_s))
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(BATCH_S, self._send)

    @property
    def alive(self) -> bool:
        return not self._lost and self._process.is_alive()

    def _send(self) -> None:
        self._flush = None
        batch, self._batch = self._batch, []
        try:
            self._pipe.send(batch)
        except OSError:
            self._lost = True

    def _on_readable(self) -> None:
        try:
            while self._pipe.poll():
                for key, heard in self._pipe.recv():
                    listener = self._listeners.get(key)
                    if listener is not None:
                        listener(heard)
        except (EOFError, OSError):
            self._lost = True
            asyncio.get_running_loop().remove_reader(self._pipe.fileno())


def _serve(pipe: multiprocessing.connection.Connection, end_quiet_s: float) -> None:
    """The worker: batches in, what was heard out, until None or the end of the pipe."""
    with contextlib.suppress(OSError):
        os.nice(5)
    ears: dict[int, LiveEar] = {}
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        pipe.send("ready")
        while (batch := pipe.recv()) is not None:
            answer: list[tuple[int, Heard]] = []
            for key, payload, at_s in batch:
                if at_s < 0:
                    ears.pop(key, None)
                    continue
                ear = ears.setdefault(key, LiveEar(end_quiet_s=end_quiet_s))
                answer += [(key, heard) for heard in ear.hear(payload, at_s)]
            if answer:
                pipe.send(answer)
