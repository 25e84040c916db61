"""The process behind ``ears``: packets on stdin, onsets and ends on stdout. Started as a module.

Both directions are a sequence of fixed-size records, one of them with a payload behind it:

* in: key (u32), length (u32), call time (f64), payload. A length of 0 says that nothing has come up to that
  time. A time below 0 is about the stream itself: with a payload, the name of its codec, it is opened;
  without one it is closed.
* out: key (u32), kind (u8: 1 onset, 0 end), call time (f64).
"""

from __future__ import annotations

import struct
import sys
from typing import BinaryIO

from harness.calls.voice.hearing.turn_detector import LiveEar
from harness.calls.voice.workers.process import working
from harness.transports.codecs.table import codec_named

PACKET = struct.Struct("<IId")
HEARD = struct.Struct("<IBd")
READY = HEARD.pack(0, 255, 0.0)
ABOUT_STREAM_S = -1.0
NICENESS = 5


def serve(source: BinaryIO, sink: BinaryIO, *, end_quiet_s: float) -> None:
    """Listens until the source ends."""
    ears: dict[int, LiveEar] = {}
    sink.write(READY)
    sink.flush()
    while len(header := source.read(PACKET.size)) == PACKET.size:
        key, length, at_s = PACKET.unpack(header)
        payload = source.read(length) if length else b""
        if at_s < 0:
            ears.pop(key, None)
            if payload:
                ears[key] = LiveEar(codec_named(payload.decode()), end_quiet_s=end_quiet_s)
            continue
        ear = ears.get(key)
        # Packets may still come of a call that has just ended.
        for heard in [] if ear is None else ear.hear(payload, at_s):
            sink.write(HEARD.pack(key, heard.kind == "onset", heard.at_s))
            sink.flush()


if __name__ == "__main__":
    with working(niceness=NICENESS):
        serve(sys.stdin.buffer, sys.stdout.buffer, end_quiet_s=float(sys.argv[1]))
