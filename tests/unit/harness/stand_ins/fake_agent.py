"""An agent that is no network away: a transport whose stamps are exact and whose words are planned.

The stream runs in real time, since the caller lives by the clock, but every stamp is what the plan says
(deadline, deadline plus path), so that no figure of a test depends on how busy the machine is.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.hearing.turn_detector import Heard, LiveEar
from harness.calls.voice.place import PreparedCall
from harness.plans.call import CallPlan, Limits
from harness.transports.base import DialRequest, MediaLog, ReceivedPacket
from harness.transports.clips.clip import prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.codecs.table import codec_named
from harness.transports.stamp import RtpStamp
from harness.transports.uplink import silence
from voice_sim.caller.caller import Caller
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
from voice_sim.voice.utterance import tone

PATH_NS = 5_000_000
_FRAME_NS = 20_000_000
_SILENT = silence(OPUS).packets[0]


def _stamp(frame: int, ticks: int, ssrc: int, monotonic_ns: int) -> RtpStamp:
    return RtpStamp(media_ticks=ticks, monotonic_ns=monotonic_ns, sequence=frame % 2**16, ssrc=ssrc)


class FakeEars:
    """The ears of the harness without their process."""

    def __init__(self) -> None:
        self.lost = ""
        self._streams: dict[int, tuple[LiveEar, Callable[[Heard], None]]] = {}

    def listen(self, on_heard: Callable[[Heard], None], *, codec: str) -> int:
        key = len(self._streams) + 1
        self._streams[key] = (LiveEar(codec_named(codec), end_quiet_s=0.8), on_heard)
        return key

    def forget(self, key: int) -> None:
        self._streams.pop(key, None)

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        if key in self._streams:
            ear, on_heard = self._streams[key]
            for heard in ear.hear(payload, at_s):
                on_heard(heard)


@dataclass(kw_only=True)
class FakeTransport:
    """Dials an agent that says what it was told to, at times counted from the first frame of the call.

    Attributes:
        says: (seconds after the first frame, samples at 48 kHz) of what it says unasked.
        answers: (seconds after the last voiced frame, samples) of its answer to each line of the caller.
        hangs_up_after_s: When it ends the call; None: never.
        hangs_up_by: What ends it then.
        hangs_up_on: (number, seconds): so long after (or before) the last voiced frame of that line.
        late_s: How late each frame of ours is said to have left.
        fails: Raised instead of dialling.
        starts_media: False: the session stands, but no frame ever leaves.
        sends_until_s: From then on nothing comes from it at all.
    """

    says: Sequence[tuple[float, NDArray[np.float32]]] = ()
    answers: Sequence[tuple[float, NDArray[np.float32]]] = ()
    hangs_up_after_s: float | None = None
    hangs_up_by: str = "the fake agent hung up"
    hangs_up_on: tuple[int, float] | None = None
    late_s: Callable[[int], float] = lambda frame: 0.0
    fails: BaseException | None = None
    starts_media: bool = True
    sends_until_s: float = 60.0
    name: str = "fake"
    codec: str = "opus"
    sessions: list[FakeSession] = field(default_factory=list)

    def speaks(self, samples: NDArray[np.float32]) -> None:
        """Says something more in its last call, 0.3 s after what left last."""
        session = self.sessions[-1]
        session._plan(len(session.log.sent) + 15, samples)

    async def dial(self, request: DialRequest) -> FakeSession:
        if self.fails is not None:
            raise self.fails
        session = FakeSession(transport=self, request=request)
        self.sessions.append(session)
        session.begin()
        return session


@dataclass(kw_only=True)
class FakeSession:
    transport: FakeTransport
    request: DialRequest
    log: MediaLog = field(default_factory=lambda: MediaLog(codec="opus"))
    media_started: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    agent_name: str = "fake agent"
    closed: bool = False
    _payloads: dict[int, bytes] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        if self.transport.starts_media:
            self._task = asyncio.create_task(self._run())
        elif self.transport.hangs_up_after_s is not None:
            asyncio.get_running_loop().call_later(self.transport.hangs_up_after_s, self._hang_up)

    async def close(self) -> None:
        self.closed = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        for at_s, samples in self.transport.says:
            self._plan(round(at_s / 0.02), samples)
        zero_ns = time.monotonic_ns()
        self.log.first_deadline_ns = zero_ns
        self.media_started.set()
        frame = 0
        while True:
            deadline_ns = zero_ns + frame * _FRAME_NS
            await asyncio.sleep(max(0.0, (deadline_ns - time.monotonic_ns()) / 1e9))
            self._send(frame, deadline_ns)
            if frame * 0.02 < self.transport.sends_until_s:
                self._receive(frame, deadline_ns)
            frame += 1
            limit_s = self.transport.hangs_up_after_s
            if limit_s is not None and frame * 0.02 >= limit_s:
                self._hang_up()

    def _send(self, frame: int, deadline_ns: int) -> None:
        uplink = self.request.uplink
        uplink.take_frame()
        late_s = self.transport.late_s(frame)
        self.log.sent.append(_stamp(frame, frame * 960, 1, deadline_ns + round(late_s * 1e9)))
        self.log.lateness_s.append(late_s)
        for number, placed in enumerate(uplink.placed):
            if placed.last_voiced_frame == frame and number < len(self.transport.answers):
                after_s, samples = self.transport.answers[number]
                self._plan(frame + 1 + round(after_s / 0.02), samples)
            if self.transport.hangs_up_on is not None:
                line, after_s = self.transport.hangs_up_on
                if number == line and frame == placed.last_voiced_frame + round(after_s / 0.02):
                    self._hang_up()

    def _receive(self, frame: int, deadline_ns: int) -> None:
        stamp = _stamp(frame, 5000 + frame * 960, 2, deadline_ns + PATH_NS)
        received = ReceivedPacket(stamp=stamp, payload=self._payloads.pop(frame, _SILENT))
        self.log.received.append(received)
        self.request.on_packet(received)

    def _plan(self, frame: int, samples: NDArray[np.float32]) -> None:
        """The first sample opens that frame; silent frames go before it, as an encoder needs them."""
        packets = OPUS.encode(
            np.concatenate([np.zeros(4800, np.float32), samples, np.zeros(4800, np.float32)])
        )
        for number, payload in enumerate(packets):
            if number >= 5 or frame - 5 + number not in self._payloads:
                self._payloads[frame - 5 + number] = payload

    def _hang_up(self) -> None:
        if not self.ended.done():
            self.ended.set_result(self.transport.hangs_up_by)


async def wait_for_packets(transport: FakeTransport, packets: int, *, task: asyncio.Task[Any]) -> None:
    """Until a call is under way; fails where the task that places it has ended before."""
    while not transport.sessions or len(transport.sessions[0].log.received) < packets:
        assert not task.done()
        await asyncio.sleep(0.02)


def prepared_call(
    *lines: ScriptLine,
    call_id: str = "call",
    wait_for_greeting: bool = False,
    limits: Limits | None = None,
    hang_up_after_s: float = 0.0,
    line_s: float = 0.5,
    transport: FakeTransport | None = None,
) -> PreparedCall:
    """A call whose every line is a tone of ``line_s`` seconds."""
    script = Script(wait_for_greeting=wait_for_greeting, lines=lines, hang_up_after_s=hang_up_after_s)
    limits = limits or Limits(first_speech_s=3.0, silence_s=3.0, call_s=20.0)
    plan = CallPlan(call_id=call_id, agent="fake://agent", script=script, limits=limits)
    return PreparedCall(
        plan=plan,
        transport=transport or FakeTransport(),
        caller=Caller(
            policy=ScriptPolicy(script),
            patience=Patience(
                first_speech_s=limits.first_speech_s, silence_s=limits.silence_s, call_s=limits.call_s
            ),
        ),
        clips=[prepare_clip(OPUS, tone(line_s).samples) for _ in lines],
        background=silence(OPUS),
        versions={"test": "1"},
    )
