"""Answers and stops as it was told: an energy detector and a list of what to do when. It runs on the audio
that it hears, whatever server that comes from, so that its delays are only about those asked for; what really
passed is in the log of the socket."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

BLOCK_S = 0.01
VOICED = 10 ** (-40 / 20)
ONSET_BLOCKS = 3
TONE_HZ = 1000.0
TONE_LEVEL = 10 ** (-20 / 20) * 2**0.5


def tone(ms: float, rate: int) -> np.ndarray:
    """A marker tone at -20 dBFS; a cosine begins at its peak, so that its first sample is voiced."""
    t = np.arange(round(ms * rate / 1000)) / rate
    return np.asarray(TONE_LEVEL * np.cos(2 * np.pi * TONE_HZ * t), np.float32)


def is_loud(block: np.ndarray) -> bool:
    """Whether ten milliseconds are voiced, by their energy."""
    return float(np.sqrt(np.mean(block**2))) >= VOICED


@dataclass
class Actor:
    """One call.

    Attributes:
        behaviour: ``turns`` with ``answer_after_ms``, ``say: {tone_ms}``, ``stop_after_ms``, ``expect_ms``;
        and
            ``greeting: {after_ms, say}``.
        say: Given what to say, as samples.
        stop: Falls silent at once.
        on_onset, on_end: Told when the caller begins and has ended.
        lag_s: By about so much its ears and its mouth are late: what is asked of it is done so much sooner.
    """

    behaviour: dict[str, Any]
    rate: int
    out_rate: int
    say: Callable[[np.ndarray], None]
    stop: Callable[[], None]
    on_onset: Callable[[], None] = lambda: None
    on_end: Callable[[], None] = lambda: None
    lag_s: float = 0.0
    voiced: Callable[[np.ndarray], bool] = is_loud
    turn: int = 0
    _due: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    _rest: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))
    _voiced: int = 0
    _onset_s: float | None = None
    _last_s: float = 0.0
    _speaks_until_s: float = 0.0
    _stop_after_ms: float | None = None

    @property
    def speaks(self) -> bool:
        """Whether it is speaking, by its own schedule."""
        return time.monotonic() < self._speaks_until_s

    def begin(self) -> None:
        """The call stands."""
        greeting = self.behaviour.get("greeting")
        if greeting is not None:
            at = time.monotonic() + greeting.get("after_ms", 0) / 1000
            self._at(at, lambda: self._speak(greeting["say"], None))

    def hear(self, samples: np.ndarray) -> None:
        """What came of the caller, float32 mono."""
        now = time.monotonic()
        self._rest = np.concatenate([self._rest, samples])
        size = round(BLOCK_S * self.rate)
        while len(self._rest) >= size:
            block, self._rest = self._rest[:size], self._rest[size:]
            self._block(self.voiced(block), now)
        for entry in [one for one in self._due if one[0] <= now]:
            self._due.remove(entry)
            entry[1]()

    def _block(self, voiced: bool, now: float) -> None:
        self._voiced = self._voiced + 1 if voiced else 0
        if voiced:
            self._last_s = now
        if self._onset_s is None:
            if self._voiced >= ONSET_BLOCKS:
                self._onset_s = now
                self.on_onset()
                if self.speaks and self._stop_after_ms is not None:
                    self._at(now + self._stop_after_ms / 1000 - self.lag_s, self._fall_silent)
            return
        quiet = now - self._last_s >= self.behaviour.get("quiet_ms", 60) / 1000
        turns = self.behaviour.get("turns", [])
        turn = turns[self.turn] if self.turn < len(turns) else {}
        if quiet and now - self._onset_s >= turn.get("expect_ms", 0) / 1000:
            self._onset_s = None
            self.turn += 1
            self.on_end()
            if turn.get("say") is not None:
                at = max(
                    self._last_s + turn.get("answer_after_ms", 0) / 1000 - self.lag_s,
                    self._speaks_until_s + 0.3,
                )
                self._at(at, lambda: self._speak(turn["say"], turn.get("stop_after_ms")))

    def _speak(self, say: dict[str, Any], stop_after_ms: float | None) -> None:
        samples = tone(say["tone_ms"], self.out_rate)
        self._speaks_until_s = time.monotonic() + len(samples) / self.out_rate
        self._stop_after_ms = stop_after_ms
        self.say(samples)

    def _fall_silent(self) -> None:
        self._speaks_until_s = 0.0
        self.stop()

    def _at(self, due_s: float, action: Callable[[], None]) -> None:
        self._due.append((due_s, action))
