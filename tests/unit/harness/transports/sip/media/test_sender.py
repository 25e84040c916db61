"""The thread that sends: every frame of every call once, in order, none before it is due."""

from __future__ import annotations

import threading
import time

import pytest

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

    def failed(self, error: Exception) -> None:
        raise AssertionError from error


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


class Faulty(Stream):
    """Raises where it should send, or make ready, its second frame."""

    def __init__(self, where: str, error: BaseException) -> None:
        super().__init__(3)
        self.where, self.error = where, error
        self.faults: list[Exception] = []

    def send_frame(self) -> None:
        if self.where == "send" and self.log:
            raise self.error
        super().send_frame()

    def prepare_frame(self) -> None:
        if self.where == "prepare":
            raise self.error
        super().prepare_frame()

    def failed(self, error: Exception) -> None:
        self.due_ns = None
        self.faults.append(error)
        self.over.set()


@pytest.mark.parametrize("where", ["send", "prepare"])
def test_a_fault_in_one_call_ends_that_one_alone(where: str) -> None:
    sender = SenderThread()
    error = ValueError("planted")
    well, faulty = Stream(10), Faulty(where, error)
    sender.add(well)
    sender.add(faulty)
    assert faulty.over.wait(10)
    assert well.over.wait(10)
    assert faulty.faults == [error]
    assert [left for what, left in well.log if what == "sent"] == list(range(9, -1, -1))
    # What failed is not tried again.
    assert sum(what == "sent" for what, _ in faulty.log) == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_is_gone_is_replaced() -> None:
    sender = SenderThread()
    # What ends a thread whatever is caught in it.
    sender.add(Faulty("send", SystemExit()))
    thread = sender._thread
    assert thread is not None
    thread.join(10)
    assert not thread.is_alive()
    after = Stream(3)
    sender.add(after)
    assert after.over.wait(10)


class ClosedBetween(Stream):
    """Is closed after its first frame, by another thread, just when it has been looked at."""

    @property
    def due_ns(self) -> int | None:
        due_ns = self._due_ns
        if getattr(self, "log", None):
            self._due_ns = None
        return due_ns

    @due_ns.setter
    def due_ns(self, due_ns: int | None) -> None:
        self._due_ns = due_ns

    def send_frame(self) -> None:
        if self._due_ns is None:
            self.over.set()
            return
        self.log.append(("sent", 0))


def test_a_call_that_is_closed_while_it_is_looked_at_silences_no_other_one() -> None:
    sender = SenderThread()
    well, closed = Stream(20), ClosedBetween(2)
    sender.add(well)
    sender.add(closed)
    assert closed.over.wait(10)
    assert well.over.wait(10)
    assert [left for what, left in well.log if what == "sent"] == list(range(19, -1, -1))
