"""The process behind ``live_voice``: texts on stdin, clips on stdout. Run as a module.

Both ways a record is a length (u32), that much JSON, and the blobs whose lengths its ``blobs`` lists.

* in, before a call: ``{"call": ..., "codec": ..., "voice": {...}, "conditions": {...}, "seed": ...}``; its
  blob is the noise bed, float32, empty for none. The answer has ``ready``;
* in, during it: ``{"call": ..., "number": ..., "text": ...}``; after it: ``{"call": ..., "over": true}``;
* out: ``{"call": ..., "number": ..., "voiced_samples": ..., "sha256": ..., "packets": [lengths], "faint":
  [[band, samples at the beginning, at the end]]}`` with the packets as one blob, the PCM (float32) as another
  and the faint ends as a third, or ``{"call": ..., "number": ..., "error": ...}``.

Several calls may be under way at once, each with a voice and a room of its own.
"""

from __future__ import annotations

import json
import struct
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.calls.voice.workers.process import working
from harness.errors import UserError
from harness.plans.call import ConditionsPlan, VoicePlan
from harness.transports.clips.clip import Clip
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


@dataclass(frozen=True, kw_only=True)
class _Speaker:
    """How the lines of a call are spoken."""

    voice: VoicePlan
    codec: Codec
    bed: NDArray[np.float32] | None
    conditions: ConditionsPlan
    seed: int

    @classmethod
    def of(cls, content: dict[str, Any], blobs: Sequence[bytes]) -> _Speaker:
        return cls(
            voice=VoicePlan.model_validate(content["voice"]),
            codec=codec_named(content["codec"]),
            bed=np.frombuffer(blobs[0], np.float32) if blobs and blobs[0] else None,
            conditions=ConditionsPlan.model_validate(content["conditions"]),
            seed=int(content["seed"]),
        )

    def clip(self, maker: ClipMaker, text: str) -> Clip:
        return maker.clip(
            self.voice, text, codec=self.codec, bed=self.bed, conditions=self.conditions, seed=self.seed
        )


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Speaks text after text until the source ends."""
    maker = ClipMaker()
    speakers: dict[int, _Speaker] = {}
    while (record := _read_record(source)) is not None:
        content, blobs = record
        call = int(content["call"])
        about = {"call": call, "number": content.get("number")}
        try:
            if "over" in content:
                speakers.pop(call, None)
                continue
            if "voice" in content:
                speaker = _Speaker.of(content, blobs)
                maker.load(speaker.voice)
                speakers[call] = speaker
                write_record(sink, {**about, "ready": True})
            elif call not in speakers:
                write_record(sink, {**about, "error": "its call is over"})
            else:
                told, sound = _told(speakers[call].clip(maker, content["text"]))
                write_record(sink, {**about, **told}, sound)
        except UserError as error:
            write_record(sink, {**about, "error": str(error)})
        # It costs the call that asked; all others speak by this process, too.
        except Exception as error:
            traceback.print_exc()
            write_record(sink, {**about, "error": f"{type(error).__name__}: {error}"})
        sink.flush()


def _told(clip: Clip) -> tuple[dict[str, Any], list[bytes]]:
    """A clip as a record, see the module's docstring."""
    told = {
        "voiced_samples": clip.voiced_samples,
        "sha256": clip.sha256,
        "packets": [len(packet) for packet in clip.packets],
        "faint": [[times, len(faint.lead), len(faint.tail)] for times, faint in clip.faint.items()],
    }
    ends = b"".join(
        np.asarray(part, np.float32).tobytes()
        for faint in clip.faint.values()
        for part in (faint.lead, faint.tail)
    )
    return told, [b"".join(clip.packets), clip.pcm.tobytes(), ends]


if __name__ == "__main__":
    with working(niceness=NICENESS):
        serve(sys.stdin.buffer, sys.stdout.buffer)
