"""The caller's voice during a call: texts that nobody knew before, spoken by a process of low priority.

The clip of a text is the one that would have been made before the call, bit for bit; nothing of its making
happens in the process that keeps the media time. :class:`LiveVoice` is that process, for all calls at once;
:class:`CallVoice` is the voice of one of them.
"""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Sequence
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
    """The worker process. Use as an async context manager."""

    def __init__(self) -> None:
        super().__init__(
            name="the process that speaks for the caller",
            arguments=("-m", "harness.calls.voice.speaking.live_voice_worker"),
        )
        self._calls: dict[int, CallVoice] = {}
        self._next_call = 0

    async def open(
        self,
        voice: VoicePlan,
        *,
        codec: Codec,
        bed: NDArray[np.float32] | None,
        conditions: ConditionsPlan = CLEAR,
        seed: int = 0,
    ) -> CallVoice:
        """The voice of a call, in its room and its codec; returns when its first clip can be made.

        Raises:
            HarnessFault: The worker is gone, or cannot have this voice.
        """
        self._next_call += 1
        call = CallVoice(self, self._next_call, codec)
        content = {
            "call": call.number,
            "codec": codec.name,
            "voice": voice.model_dump(mode="json"),
            "conditions": conditions.model_dump(mode="json"),
            "seed": seed,
        }
        self.tell(content, [b"" if bed is None else bed.astype(np.float32).tobytes()])
        self._calls[call.number] = call
        try:
            async with asyncio.timeout(_READY_S):
                await call.prepared
        except TimeoutError as error:
            call.close()
            raise HarnessFault(f"the caller's voice was not ready after {_READY_S:.0f} s") from error
        except BaseException:
            call.close()
            raise
        return call

    def tell(self, content: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """One record to the worker.

        Raises:
            HarnessFault: It is gone.
        """
        self._must_work()
        record = io.BytesIO()
        write_record(record, content, blobs)
        self._send(record.getvalue())

    def forget(self, call: int) -> None:
        """That call is over."""
        if self._calls.pop(call, None) is not None and not self._lost:
            self.tell({"call": call, "over": True})

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while True:
            length = LENGTH.unpack(await told.readexactly(LENGTH.size))[0]
            content = json.loads(await told.readexactly(length))
            blobs = [await told.readexactly(size) for size in content["blobs"]]
            if (call := self._calls.get(int(content["call"]))) is not None:
                call.take(content, blobs)

    async def _listen(self) -> None:
        await super()._listen()
        for call in self._calls.values():
            call.drop(self._lost)


class CallVoice:
    """The voice of one call; see :meth:`LiveVoice.open`.

    Attributes:
        number: Of the call in the worker.
        prepared: Done when its first clip can be made.
    """

    def __init__(self, worker: LiveVoice, number: int, codec: Codec) -> None:
        self._worker = worker
        self._codec = codec
        self._next_number = 0
        self._waiting: dict[int, asyncio.Future[Clip]] = {}
        self._closed = False
        self.number = number
        self.prepared: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def lost(self) -> str:
        """Why its worker works no more; empty while it works."""
        return self._worker.lost

    async def clip(self, text: str) -> Clip:
        """The clip of a text.

        Raises:
            HarnessFault: It cannot be made: the text cannot be spoken, or the worker is gone or too slow.
        """
        if self._closed:
            raise HarnessFault("a line was to be spoken in a call that is over")
        if len(self._waiting) >= MAX_WAITING:
            raise HarnessFault(f"more than {MAX_WAITING} lines wait to be spoken: the machine is overloaded")
        self._next_number += 1
        number = self._next_number
        self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self._worker.tell({"call": self.number, "number": number, "text": text})
            async with asyncio.timeout(_CLIP_S):
                return await self._waiting[number]
        except TimeoutError as error:
            raise HarnessFault(f"a line of the caller was not spoken within {_CLIP_S:.0f} s") from error
        finally:
            del self._waiting[number]

    def close(self) -> None:
        """The call is over; whoever waits for a clip of it waits no more."""
        self._closed = True
        self.drop("the call is over")
        self._worker.forget(self.number)

    def take(self, content: dict[str, Any], blobs: list[bytes]) -> None:
        """What the worker has told of this call."""
        number = content.get("number")
        awaited: asyncio.Future[Any] | None = (
            self.prepared if number is None else self._waiting.get(int(number))
        )
        if awaited is None or awaited.done():
            return
        if "error" in content:
            awaited.set_exception(HarnessFault(f"a line of the caller cannot be spoken: {content['error']}"))
        elif number is None:
            awaited.set_result(None)
        else:
            awaited.set_result(_clip(self._codec, content, blobs))

    def drop(self, why: str) -> None:
        """Nothing comes any more."""
        pending: list[asyncio.Future[Any]] = [self.prepared, *self._waiting.values()]
        for awaited in pending:
            if not awaited.done():
                awaited.set_exception(HarnessFault(why))


def _clip(codec: Codec, content: dict[str, Any], blobs: list[bytes]) -> Clip:
    ends = [0, *accumulate(content["packets"])]
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
