"""The process behind ``harness.live_words``: stretches of agent speech on stdin, their words on stdout.

In: number of packets (u32), call time of the first (f64), then each packet as length (u16) and payload.
Out: one JSON object a line: ``{"start_s": ..., "text": ...}``.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
from pathlib import Path
from typing import BinaryIO

import numpy as np

from harness import opus
from metrics.resample import to_speech_rate
from metrics.transcript import Transcriber

STRETCH = struct.Struct("<Id")
LENGTH = struct.Struct("<H")
NICENESS = 15


def serve(source: BinaryIO, sink: BinaryIO, *, model_folder: Path, language: str) -> None:
    """Transcribes stretch after stretch until the source ends."""
    whisper = Transcriber(model_folder, language=language, threads=1)
    while len(header := source.read(STRETCH.size)) == STRETCH.size:
        count, start_s = STRETCH.unpack(header)
        payloads = [source.read(LENGTH.unpack(source.read(LENGTH.size))[0]) for _ in range(count)]
        audio = to_speech_rate(opus.decode(payloads), opus.SAMPLE_RATE_HZ)
        text = whisper.transcribe(np.ascontiguousarray(audio)).text
        sink.write(json.dumps({"start_s": start_s, "text": text}).encode() + b"\n")
        sink.flush()


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError, struct.error):
        serve(sys.stdin.buffer, sys.stdout.buffer, model_folder=Path(sys.argv[1]), language=sys.argv[2])
