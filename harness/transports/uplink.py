"""The caller's outgoing stream: pre-encoded frames, without a break from the first to the last of a call.

Everything is encoded before the call, so that during it a frame costs a list look-up. An utterance is
encoded with silent frames before and after it: without the pre-roll a codec's start swallows the onset.
Utterances start on frame boundaries; the one nearest to the wanted time is taken (with frames of 20 ms, at
most 10 ms off).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.transports.clips.clip import PREROLL_FRAMES, Clip
from harness.transports.codecs.base import Codec, Encode, Samples, encoded
from harness.transports.echo import Echo


@dataclass(frozen=True, kw_only=True)
class PlacedClip:
    """Where a clip went in the outgoing stream: its first packet is frame ``start_frame``."""

    clip: Clip
    start_frame: int

    @property
    def first_voiced_sample(self) -> int:
        """In samples of the outgoing stream."""
        first_frame = self.start_frame + PREROLL_FRAMES
        return first_frame * self.clip.codec.frame_samples + self.clip.lead_samples

    @property
    def last_voiced_sample(self) -> int:
        return self.first_voiced_sample + self.clip.voiced_samples - 1

    @property
    def last_voiced_frame(self) -> int:
        return self.last_voiced_sample // self.clip.codec.frame_samples

    @property
    def end_frame(self) -> int:
        return self.start_frame + len(self.clip.packets)


@dataclass(frozen=True, kw_only=True)
class Background:
    """What is sent while the caller does not speak: silence, or a loop of noise."""

    codec: Codec
    packets: tuple[bytes, ...]
    pcm: Samples


def silence(codec: Codec) -> Background:
    """Digital silence; the packet is taken from an encoder that has settled."""
    frames = 20
    packets = codec.encode(np.zeros(frames * codec.frame_samples, np.float32))
    return Background(codec=codec, packets=(packets[-1],), pcm=np.zeros(codec.frame_samples, np.float32))


def noise_background(codec: Codec, bed: Samples, *, encode: Encode = encoded) -> Background:
    """A loop of noise whose second round is sent, when the encoder has settled.

    Args:
        encode: Gives what ``codec.encode`` does.
    """
    whole = bed[: len(bed) - len(bed) % codec.frame_samples].astype(np.float32)
    if len(whole) == 0:
        raise ValueError(f"a noise bed needs at least one frame of {codec.frame_s * 1000:g} ms")
    packets = encode(codec, np.concatenate([whole, whole]))
    return Background(codec=codec, packets=tuple(packets[len(packets) // 2 :]), pcm=whole)


@dataclass(kw_only=True)
class Uplink:
    """Which frame is sent when. Frame k is due at ``zero + k * codec.frame_s``; the transport counts k up,
    from a thread of its own if it likes."""

    background: Background
    echo: Echo | None = None
    """What of the agent's own voice goes back to it; the uplink is not encoded then."""
    placed: list[PlacedClip] = field(default_factory=list)
    next_frame: int = 0
    _times: int = 1
    _current: PlacedClip | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def codec(self) -> Codec:
        """What everything in it is encoded with."""
        return self.background.codec

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())

    def settle(self, codec: Codec) -> None:
        """Tells what the call is sent in, where that was open; before anything is scheduled.

        Args:
            codec: As it is used at the rate of recordings.
        """
        self._times = codec.times

    def schedule(self, clip: Clip, *, first_voiced_frame: int) -> PlacedClip:
        """Plans a clip so that its first voiced sample opens the given frame, or as soon after as possible.

        Raises:
            ValueError: Another clip is still being sent at that time, or it is encoded with another codec.
        """
        self._check(clip)
        clip = clip.carried(self._times)
        with self._lock:
            start = max(first_voiced_frame - PREROLL_FRAMES, self.next_frame)
            if self._current is not None:
                if start < self._current.last_voiced_frame + 1:
                    raise ValueError("the caller cannot say two things at once")
                start = max(start, self._current.end_frame)
            return self._place(clip, start)

    def append(self, clip: Clip) -> PlacedClip:
        """Plans a clip right behind the one scheduled last; where that has ended already, at once.

        Raises:
            ValueError: It is encoded with another codec.
        """
        self._check(clip)
        clip = clip.carried(self._times)
        with self._lock:
            current = self._current
            start = self.next_frame if current is None else max(self.next_frame, current.end_frame)
            return self._place(clip, start)

    def cancel(self, placed: PlacedClip) -> bool:
        """Takes a clip back; True where nothing of it has been sent."""
        with self._lock:
            if self.next_frame > placed.start_frame:
                return False
            self.placed.remove(placed)
            self._current = self.placed[-1] if self.placed else None
            return True

    def take_frame(self) -> bytes:
        """The packet of the next frame; counts on."""
        with self._lock:
            frame = self.next_frame
            self.next_frame += 1
            packet = self._prepared(frame)
        if self.echo is None:
            return packet
        return self.echo.onto(packet, frame=frame, frame_samples=self.codec.frame_samples)

    def _prepared(self, frame: int) -> bytes:
        # The clip scheduled last may wait while the end of the one before it is still being sent.
        for placed in reversed(self.placed):
            if frame >= placed.end_frame:
                break
            if frame >= placed.start_frame:
                return placed.clip.packets[frame - placed.start_frame]
        return self.background.packets[frame % len(self.background.packets)]

    def let_go(self) -> None:
        """Keeps no sound any more, once the call has been recorded; who still asks for frames gets one."""
        background = self.background
        self.placed.clear()
        self._current = None
        if self.echo is not None:
            self.echo.let_go()
        self.background = Background(
            codec=background.codec,
            packets=background.packets[:1],
            pcm=background.pcm[: background.codec.frame_samples].copy(),
        )

    def _place(self, clip: Clip, start_frame: int) -> PlacedClip:
        placed = PlacedClip(clip=clip, start_frame=start_frame)
        self.placed.append(placed)
        self._current = placed
        return placed

    def _check(self, clip: Clip) -> None:
        if clip.codec.name != self.codec.name:
            raise ValueError(f"a clip in {clip.codec.name} cannot be sent in a call in {self.codec.name}")

    def sent_pcm(self) -> Samples:
        """All that was sent so far, mono float32 at 48 kHz, sample 0 = first sample of frame 0."""
        total = self.next_frame * self.codec.frame_samples
        pcm = np.resize(self.background.pcm, total).astype(np.float32)
        for placed in self.placed:
            start = placed.start_frame * self.codec.frame_samples
            part = placed.clip.pcm[: max(0, total - start)]
            pcm[start : start + len(part)] = part
        if self.echo is not None:
            self.echo.over(pcm, frame_samples=self.codec.frame_samples)
        return pcm
