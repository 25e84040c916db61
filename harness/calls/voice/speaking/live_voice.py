"""The caller's voice during a call: texts that nobody knew before, spoken by a process of low priority.

The clip of a text is the one that would have been made before the call, bit for bit; nothing of its making
happens in the process that keeps the media time.
"""

from __future__ import annotations

import asyncio
import io
import json
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import CLEAR
from harness.calls.voice.speaking.live_voice_worker import LENGTH, write_record
from harness.calls.voice.workers.process import WorkerProcess
from harness.errors import HarnessFault
from harness.plans.call import ConditionsPlan, VoicePlan
from harness.transports.clips.carried_edges import Faint
from harness.transports.clips.clip import Clip
from harness.transports.codecs.base import Codec

MAX_WAITING = 8
"""Texts of one call that may wait for their clips."""
_READY_S = 60.0
_CLIP_S = 60.0


class LiveVoice(WorkerProcess):
    """The worker process, for one call at a time. Use as an async context manager."""

    def __init__(self) -> None:
        super().__init__(
            name="the process that speaks for the caller",
            arguments=("-m", "harness.calls.voice.speaking.live_voice_worker"),
        )
        self._codec: Codec | None = None
        self._next_number = 0
        self._waiting: dict[int, asyncio.Future[Clip]] = {}
        self._prepared: asyncio.Future[None] | None = None

    async def prepare(
        self,
        voice: VoicePlan,
        *,
        codec: Codec,
        bed: NDArray[np.float32] | None,
        conditions: ConditionsPlan = CLEAR,
        seed: int = 0,
    ) -> None:
        """Takes the voice, the room and the codec of the next call; returns when its first clip can be made.

        Raises:
            HarnessFault: The worker is gone, or cannot have this voice.
        """
        self._drop_all("the call is over")
        self._prepared = asyncio.get_running_loop().create_future()
        self._codec = codec
        content = {
            "codec": codec.name,
            "voice": voice.model_dump(mode="json"),
            "conditions": conditions.model_dump(mode="json"),
            "seed": seed,
        }
        self._write(content, [b"" if bed is None else bed.astype(np.float32).tobytes()])
        try:
            async with asyncio.timeout(_READY_S):
                await self._prepared
        except TimeoutError as error:
            raise HarnessFault(f"the caller's voice was not ready after {_READY_S:.0f} s") from error

    async def clip(self, text: str) -> Clip:
        """The clip of a text.

        Raises:
            HarnessFault: It cannot be made: the text cannot be spoken, or the worker is gone or too slow.
        """
        if len(self._waiting) >= MAX_WAITING:
            raise HarnessFault(f"more than {MAX_WAITING} lines wait to be spoken: the machine is overloaded")
        self._next_number += 1
        number = self._next_number
        self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self._write({"number": number, "text": text})
            async with asyncio.timeout(_CLIP_S):
                return await self._waiting[number]
        except TimeoutError as error:
            raise HarnessFault(f"a line of the caller was not spoken within {_CLIP_S:.0f} s") from error
        finally:
            del self._waiting[number]

    def _write(self, content: dict[str, Any], blobs: list[bytes] | None = None) -> None:
        self._must_work()
        record = io.BytesIO()
        write_record(record, content, blobs or [])
        self._send(record.getvalue())

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while True:
            length = LENGTH.unpack(await told.readexactly(LENGTH.size))[0]
            content = json.loads(await told.readexactly(length))
            blobs = [await told.readexactly(size) for size in content["blobs"]]
            self._take(content, blobs)

    async def _listen(self) -> None:
        await super()._listen()
        self._drop_all(self._lost)

    def _take(self, content: dict[str, Any], blobs: list[bytes]) -> None:
        number = content.get("number")
        awaited: asyncio.Future[Any] | None = (
            self._prepared if number is None else self._waiting.get(int(number))
        )
        if awaited is None or awaited.done():
            return
        if "error" in content:
            awaited.set_exception(HarnessFault(f"a line of the caller cannot be spoken: {content['error']}"))
        elif number is None:
            awaited.set_result(None)
        else:
            awaited.set_result(_clip(self._codec, content, blobs))

    def _drop_all(self, why: str) -> None:
        pending: list[asyncio.Future[Any]] = [*self._waiting.values()]
        if self._prepared is not None:
            pending.append(self._prepared)
        for awaited in pending:
            if not awaited.done():
                awaited.set_exception(HarnessFault(why))


def _clip(codec: Codec | None, content: dict[str, Any], blobs: list[bytes]) -> Clip:
    ends = [0, *accumulate(content["packets"])]
    assert codec is not None, "no clip is asked for before the call is prepared"
    faint: dict[int, Faint] = {}
    parts = np.frombuffer(blobs[2], np.float32)
    for times, lead, tail in content["faint"]:
        faint[int(times)] = Faint(lead=parts[:lead], tail=parts[lead : lead + tail])
        parts = parts[lead + tail :]
    return Clip(
        codec=codec,
        packets=tuple(blobs[0][start:end] for start, end in pairwise(ends)),
        pcm=np.frombuffer(blobs[1], np.float32),
        voiced_samples=int(content["voiced_samples"]),
        sha256=str(content["sha256"]),
        faint=faint,
    )
