"""Streams of agents whose media clock lies, as a receiver meets them: for tests without any network.

A frame is 20 ms of sound. Frame n would leave at ``n * 0.02`` s, stamped ``n * 960``; each behaviour
bends one of the two. The truth is when a packet really left: sample s of frame n was on the wire at
``left_s + s / 48000`` of its packet, whatever its timestamp says.

An agent speaks for one second from each of ``onset_frames`` on. Behaviours:

===================  ========================================================================================
exact                leaves on time, stamped right
200ppm               timestamps run 200 ppm slower than real time
+2%, -2%, +5%        a frame every 20.4 (19.6, 21) ms, 960 ticks each: what relative sleeps do
slip-20, slip-28     from each onset on, all packets leave 20 (28) ms later; timestamps know nothing of it
slip-20-caught-up    the same, but a second later packets leave as they did before
held-200             at each onset packets are held back for 200 ms and leave in a burst
held-200-middle      the same, half a second into speech
held-200-end         the same, from 100 ms before the end of speech on
stands-still-paused  nothing is sent in silence, and timestamps go on as if there had been none (FastRTC)
stands-still         from the second onset on, all packets have the same timestamp
double-speed         for half a second after each end of speech timestamps advance 1920 a frame
double-speed-onset   the same, for the half second before each onset
jumps-ahead          after each end of speech timestamps jump ahead by half a second
jumps-back           after each end of speech timestamps jump back by 0.3 s
96khz                1920 ticks a frame for the whole call, where 48 kHz were agreed on
ssrc-change          in the middle another source goes on, with another base of timestamps and numbers
dtx                  nothing is sent in silence; timestamps are right
random               every timestamp is a random number
backwards            timestamps run backwards
===================  ========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FRAME_S = 0.02
FRAME_TICKS = 960
RATE = 48_000
SPEECH_FRAMES = 50
"""An agent speaks for so long from each onset on."""
HELD_FRAMES = 10
BURST_SPACING_S = 0.00005
"""Between two packets that leave in one burst."""
FAST_FRAMES = 25
"""So long a clock runs at double speed; it ends up as much ahead as one that jumps."""

Jitter = Literal["half-normal", "uniform", "burst"]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class SimulatedStream:
    """One entry a packet, in the order in which they were sent.

    Attributes:
        media_ticks: The timestamp on the wire, below 2**32. It starts far from both ends.
        passed_s: When the packet passes the receiver's socket: ``left_s`` and what the line adds, never less.
        left_s: When it really left.
        sequence: The number on the wire, below 2**16.
        frame: Which frame of the agent's sound it holds; frames in silence may be missing.
        source: 0, and 1 after a change of the SSRC.
    """

    media_ticks: Integers
    passed_s: Floats
    left_s: Floats
    sequence: Integers
    frame: Integers
    source: Integers

    def packet_of(self, frame: int) -> int:
        """Index of the packet that holds a frame. Raises ValueError where it was never sent."""
        found = np.flatnonzero(self.frame == frame)
        if len(found) == 0:
            raise ValueError(f"frame {frame} was never sent")
        return int(found[0])

    def wire_s(self, frame: int, offset_samples: int = 0) -> float:
        """When a sample of a frame was really on the wire."""
        return float(self.left_s[self.packet_of(frame)]) + offset_samples / RATE


def packets(
    behaviour: str,
    *,
    seconds: float = 20,
    onset_frames: Sequence[int],
    jitter_s: float = 0.0003,
    jitter: Jitter = "half-normal",
    seed: int,
) -> SimulatedStream:
    """The packets of one call.

    Args:
        behaviour: One of :data:`BEHAVIOURS`.
        onset_frames: First frames of speech, rising, at least 1 s and some silence apart.
        jitter_s: Of half-normal delays the standard deviation of the whole normal; of uniform ones the
            longest; of bursts the mean length of a stall, which 3 % of the packets begin.
    """
    random = np.random.default_rng(seed)
    made = _Made(round(seconds / FRAME_S), onset_frames, random)
    BEHAVIOURS[behaviour](made)
    chosen = np.flatnonzero(made.sent)
    left_s = made.left_s[chosen]
    source = made.source[chosen]
    numbers = np.arange(len(chosen)) + random.integers(2**16) + np.where(source == 1, 20_000, 0)
    return SimulatedStream(
        media_ticks=(made.ticks[chosen] + 2**29 + random.integers(2**30)) % 2**32,
        passed_s=_passed(left_s, jitter_s, jitter, random),
        left_s=left_s,
        sequence=numbers % 2**16,
        frame=chosen.astype(np.int64),
        source=source,
    )


class _Made:
    """The frames of a call while they are bent."""

    def __init__(self, count: int, onsets: Sequence[int], random: np.random.Generator) -> None:
        self.count = count
        self.random = random
        self.onsets = [onset for onset in onsets if onset < count]
        self.ends = [min(onset + SPEECH_FRAMES, count) for onset in self.onsets]
        self.left_s = np.arange(count) * FRAME_S
        self.ticks: Integers = np.arange(count, dtype=np.int64) * FRAME_TICKS
        self.source = np.zeros(count, dtype=np.int64)
        self.sent = np.ones(count, dtype=bool)
        self.speech = np.zeros(count, dtype=bool)
        for onset, end in zip(self.onsets, self.ends, strict=True):
            self.speech[onset:end] = True

    def stretch(self, factor: float) -> None:
        self.left_s *= factor

    def slip(self, slip_s: float, *, until_frames: int | None = None) -> None:
        for onset in self.onsets:
            self.left_s[onset : None if until_frames is None else onset + until_frames] += slip_s

    def hold(self, starts: Sequence[int]) -> None:
        for start in starts:
            held = self.left_s[start : start + HELD_FRAMES]
            held[:] = held[:1] + HELD_FRAMES * FRAME_S - BURST_SPACING_S * np.arange(len(held), 0, -1)

    def stand_still_paused(self) -> None:
        self.sent = self.speech
        self.ticks = (np.cumsum(self.speech) - 1) * FRAME_TICKS

    def stand_still(self) -> None:
        first = self.onsets[1] if len(self.onsets) > 1 else 0
        self.ticks[first:] = self.ticks[first]

    def run_ahead(self, starts: Sequence[int]) -> None:
        for start in starts:
            gained = np.clip(np.arange(self.count) - max(start, 0), 0, FAST_FRAMES)
            self.ticks = self.ticks + gained * FRAME_TICKS

    def jump(self, seconds: float) -> None:
        for end in self.ends:
            self.ticks[end:] += round(seconds * RATE)

    def change_source(self) -> None:
        middle = self.count // 2
        self.source[middle:] = 1
        self.ticks[middle:] += int(self.random.integers(2**28))

    def only_speech(self) -> None:
        self.sent = self.speech

    def any_ticks(self) -> None:
        self.ticks = self.random.integers(2**32, size=self.count)

    def scale_ticks(self, factor: float) -> None:
        self.ticks = np.round(self.ticks * factor).astype(np.int64)


BEHAVIOURS: dict[str, Callable[[_Made], None]] = {
    "exact": lambda made: None,
    "200ppm": lambda made: made.scale_ticks(1 - 200e-6),
    "+2%": lambda made: made.stretch(1.02),
    "-2%": lambda made: made.stretch(0.98),
    "+5%": lambda made: made.stretch(1.05),
    "slip-20": lambda made: made.slip(0.020),
    "slip-28": lambda made: made.slip(0.028),
    "slip-20-caught-up": lambda made: made.slip(0.020, until_frames=50),
    "held-200": lambda made: made.hold(made.onsets),
    "held-200-middle": lambda made: made.hold([onset + 25 for onset in made.onsets]),
    "held-200-end": lambda made: made.hold([end - 5 for end in made.ends]),
    "stands-still-paused": _Made.stand_still_paused,
    "stands-still": _Made.stand_still,
    "double-speed": lambda made: made.run_ahead(made.ends),
    "double-speed-onset": lambda made: made.run_ahead([onset - FAST_FRAMES for onset in made.onsets]),
    "jumps-ahead": lambda made: made.jump(0.5),
    "jumps-back": lambda made: made.jump(-0.3),
    "96khz": lambda made: made.scale_ticks(2),
    "ssrc-change": _Made.change_source,
    "dtx": _Made.only_speech,
    "random": _Made.any_ticks,
    "backwards": lambda made: made.scale_ticks(-1),
}


def _passed(left_s: Floats, jitter_s: float, jitter: Jitter, random: np.random.Generator) -> Floats:
    count = len(left_s)
    if jitter == "half-normal":
        return left_s + np.abs(random.normal(0.0, jitter_s, count))
    if jitter == "uniform":
        return left_s + random.uniform(0.0, jitter_s, count)
    # A queue: nothing passes while it is held up, and then all at once and in order.
    late_s = np.where(random.random(count) < 0.03, random.exponential(jitter_s, count), 0.0)
    late_s = late_s + np.abs(random.normal(0.0, 0.0001, count))
    return np.maximum.accumulate(left_s + late_s)
