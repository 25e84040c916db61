"""The process behind ``live_voice``: texts on stdin, clips on stdout. Run as a module.

Both ways a record is a length (u32), that much JSON, and the blobs whose lengths its ``blobs`` lists.

* in, before a call: ``{"codec": ..., "voice": {...}, "conditions": {...}, "seed": ...}``; its blob is the
  noise bed, float32, empty for none. The answer has ``ready``;
* in, during it: ``{"number": ..., "text": ...}``;
* out: ``{"number": ..., "voiced_samples": ..., "sha256": ..., "packets": [lengths], "faint": [[band, samples
  at the beginning, at the end]]}`` with the packets as one blob, the PCM (float32) as another and the faint
  ends as a third, or ``{"number": ..., "error": ...}``.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import CLEAR, ClipMaker
from harness.calls.voice.workers.process import working
from harness.errors import UserError
from harness.plans.call import ConditionsPlan, VoicePlan
from harness.transports.codecs.base import Codec
from harness.transports.codecs.table import codec_named

LENGTH = struct.Struct("<I")
NICENESS = 10


def write_record(sink: BinaryIO, content: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    """One record, see the module's docstring."""
    head = json.dumps({**content, "blobs": [len(blob) for blob in blobs]}).encode()
    sink.write(LENGTH.pack(len(head)) + head + b"".join(blobs))


def _read_record(source: BinaryIO) -> tuple[dict[str, Any], list[bytes]] | None:
    length = source.read(LENGTH.size)
    if len(length) < LENGTH.size:
        return None
    content = json.loads(source.read(LENGTH.unpack(length)[0]))
    return content, [source.read(size) for size in content["blobs"]]


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Speaks text after text until the source ends."""
    maker = ClipMaker()
    voice, conditions, seed = VoicePlan(), CLEAR, 0
    codec: Codec | None = None
    bed: NDArray[np.float32] | None = None
    while (record := _read_record(source)) is not None:
        content, blobs = record
        try:
            if "voice" in content:
                voice = VoicePlan.model_validate(content["voice"])
                conditions = ConditionsPlan.model_validate(content["conditions"])
                codec = codec_named(content["codec"])
                seed = int(content["seed"])
                bed = np.frombuffer(blobs[0], np.float32) if blobs and blobs[0] else None
                maker.load(voice)
                write_record(sink, {"ready": True})
            else:
                assert codec is not None, "the first record has the codec"
                clip = maker.clip(
                    voice, content["text"], codec=codec, bed=bed, conditions=conditions, seed=seed
                )
                told = {
                    "number": content["number"],
                    "voiced_samples": clip.voiced_samples,
                    "sha256": clip.sha256,
                    "packets": [len(packet) for packet in clip.packets],
                    "faint": [
                        [times, len(faint.lead), len(faint.tail)] for times, faint in clip.faint.items()
                    ],
                }
                ends = b"".join(
                    np.asarray(part, np.float32).tobytes()
                    for faint in clip.faint.values()
                    for part in (faint.lead, faint.tail)
                )
                write_record(sink, told, [b"".join(clip.packets), clip.pcm.tobytes(), ends])
        except UserError as error:
            write_record(sink, {"number": content.get("number"), "error": str(error)})
        sink.flush()


if __name__ == "__main__":
    with working(niceness=NICENESS):
        serve(sys.stdin.buffer, sys.stdout.buffer)
