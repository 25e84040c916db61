"""The process that makes recordings of calls that have ended, beside those that still stand.

``python -P -m harness.runs.workers.recording_worker``: paths of spooled calls on stdin, one a line. For each
what came of it is written in the place of the spool, and its path told on stdout. To decode and pack a call
costs as much as to hold it; at low priority it waits until there is time.

A spool is a sequence of pickles, ours to ourselves: the call without its packets, then these in parts.
"""

from __future__ import annotations

import dataclasses
import os
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from harness.calls.voice.recorder import Recording, record
from harness.calls.voice.workers.process import working
from harness.runs.sound_file import recording_bytes
from harness.transports.base import MediaLog
from harness.transports.clock import CallClock
from harness.transports.uplink import Uplink

READY = b"ready\n"
NICENESS = 12
PART = 300
"""Packets written at a time: while some are pickled nothing else in the process runs."""


def spool(path: Path, *, clock: CallClock, uplink: Uplink, log: MediaLog, end_s: float) -> None:
    """Writes what a recording is made of.

    Raises:
        OSError: It cannot be written.
    """
    bare = dataclasses.replace(log, received=[], sent=[], lateness_s=[])
    with path.open("wb") as file:
        pickle.dump({"clock": clock, "uplink": uplink, "log": bare, "end_s": end_s}, file, protocol=5)
        for name in ("received", "sent"):
            packets: list[Any] = getattr(log, name)
            for start in range(0, len(packets), PART):
                pickle.dump((name, packets[start : start + PART]), file, protocol=5)


def read_spool(path: Path) -> dict[str, Any]:
    """What :func:`spool` wrote, as arguments of ``record``."""
    with path.open("rb") as file:
        call: dict[str, Any] = pickle.load(file)
        for name, packets in _parts(file):
            getattr(call["log"], name).extend(packets)
    return call


def _parts(file: BinaryIO) -> Iterator[tuple[str, list[Any]]]:
    while True:
        try:
            yield pickle.load(file)
        except EOFError:
            return


def made(path: Path) -> Recording:
    """The recording of a spooled call, packed."""
    recording = record(**read_spool(path))
    packed = recording_bytes(recording.audio)
    return dataclasses.replace(recording, audio=np.zeros((0, 2), np.float32), packed=packed)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Until the source ends."""
    for line in source:
        path = Path(os.fsdecode(line.rstrip(b"\n")))
        found: Recording | str
        try:
            found = made(path)
        # Whatever it is: the call is told as our own fault, and not lost in silence.
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        with path.open("wb") as file:
            pickle.dump(found, file, protocol=5)
        sink.write(line)
        sink.flush()


def main() -> None:
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with working(niceness=NICENESS):
        sink.write(READY)
        sink.flush()
        serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
