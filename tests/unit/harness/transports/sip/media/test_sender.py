"""The thread that sends: every frame of every call once, in order, none before it is due."""

from __future__ import annotations

import threading
import time

from harness.transports.sip.media.sender import SenderThread

FRAME_NS = 2_000_000


class Stream:
    """Sends so many frames and stops."""

    def __init__(self, frames: int) -> None:
        self.due_ns: int | None = time.monotonic_ns()
        self.log: list[tuple[str, int]] = []
        self.early = 0
        self.over = threading.Event()
        self._left = frames

    def send_frame(self) -> None:
        assert self.due_ns is not None
        self.early += time.monotonic_ns() < self.due_ns
        self._left -= 1
        self.log.append(("sent", self._left))
        self.due_ns = self.due_ns + FRAME_NS if self._left else None
        if not self._left:
            self.over.set()

    def prepare_frame(self) -> None:
        self.log.append(("prepared", self._left))


def test_frames_of_several_calls_leave_in_order_and_never_early() -> None:
    sender = SenderThread()
    streams = [Stream(20), Stream(10)]
    for stream in streams:
        sender.add(stream)
    for stream in streams:
        assert stream.over.wait(10)
    for stream, frames in zip(streams, (20, 10), strict=True):
        assert stream.early == 0
        assert [left for what, left in stream.log if what == "sent"] == list(range(frames - 1, -1, -1))
    # It has ended with the last call, and begins again with the next.
    again = Stream(3)
    sender.add(again)
    assert again.over.wait(10)
