"""The moving parts of one call in progress: events to the caller, its actions to the uplink.

Everything here runs on the event loop and returns at once; the caller decides, this class only carries out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness import opus
from harness.clock import CallClock
from harness.ears import Ears
from harness.errors import HarnessFault
from harness.live_ear import Heard
from harness.record import CallStatus, Event
from harness.transports.base import MediaSession, ReceivedPacket
from harness.uplink import Clip, PlacedClip, Uplink
from voice_sim.caller import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    Caller,
    CallerAction,
    CallerEvent,
    Cancel,
    Connected,
    HangUp,
    Speak,
    Tick,
    UtteranceFinished,
)

_QUIET_FEED_S = 0.1
_STATUS_OF_REASON = {
    "completed": CallStatus.COMPLETED,
    "agent_silent": CallStatus.CALLER_HANGUP,
    "no_greeting": CallStatus.CALLER_HANGUP,
    "limit": CallStatus.TIMEOUT,
    "agent_hangup": CallStatus.AGENT_HANGUP,
}


@dataclass(kw_only=True)
class SpokenClip:
    """A line of the caller and where it went in the outgoing stream."""

    index: int
    action: Speak
    placed: PlacedClip


@dataclass(kw_only=True)
class LiveCall:
    """One call from connection to hang-up.

    ``over`` is done when the call is to end; its result is the status and what to tell the reader.
    """

    clock: CallClock
    uplink: Uplink
    session: MediaSession
    caller: Caller
    clips: Sequence[Clip]
    ears: Ears
    on_event: Callable[[Event], None]
    on_audio: Callable[[bytes, float], None] = lambda payload, at_s: None
    """Called with each packet of the agent and its place on the call's clock."""
    spoken: list[SpokenClip] = field(default_factory=list)
    over: asyncio.Future[tuple[CallStatus, str]] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    _ear_key: int = -1
    _timers: list[asyncio.TimerHandle] = field(default_factory=list)
    _tick: asyncio.TimerHandle | None = None
    _media_offset_s: float | None = None
    _last_packet_s: float = 0.0
    _how_ended: str = ""

    async def run(self) -> tuple[CallStatus, str]:
        """Lets the caller talk until one side ends the call."""
        if not await self._media_stands():
            return CallStatus.AGENT_HANGUP, "the agent ended the call before any sound could be sent"
        self._ear_key = self.ears.listen(self._on_heard)
        self.session.ended.add_done_callback(self._on_ended)
        quiet = asyncio.create_task(self._report_quiet())
        try:
            self._tell(Connected(t=self.clock.now_s()))
            return await self.over
        finally:
            quiet.cancel()
            self.session.ended.remove_done_callback(self._on_ended)
            self.ears.forget(self._ear_key)
            for timer in [*self._timers, *([self._tick] if self._tick else [])]:
                timer.cancel()

    async def _media_stands(self) -> bool:
        """Waits until our stream begins; False where the agent's side ends the call before that."""
        started = asyncio.create_task(self.session.media_started.wait())
        either: set[asyncio.Future[Any]] = {started, self.session.ended}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            started.cancel()
        return self.session.media_started.is_set()

    def on_packet(self, packet: ReceivedPacket) -> None:
        """Passes a packet to the ears, at its place on the call's clock."""
        if self._ear_key < 0:
            return
        arrival_s = self.clock.at_s(packet.stamp.monotonic_ns)
        media_s = packet.stamp.rtp_timestamp / opus.SAMPLE_RATE_HZ
        offset = arrival_s - media_s
        known = self._media_offset_s
        # A running lower envelope that gives way by 20 ms a second (a sender that sleeps 20 ms a frame drifts
        # by 12); a jump of the sender's clock resets it.
        known = offset if known is None or abs(offset - known) > 0.5 else min(offset, known + 4e-4)
        self._media_offset_s = known
        self._last_packet_s = arrival_s
        self._feed(packet.payload, media_s + known)
        self.on_audio(packet.payload, media_s + known)

    def _feed(self, payload: bytes, at_s: float) -> None:
        try:
            self.ears.feed(self._ear_key, payload, at_s)
        except HarnessFault as fault:
            self._finish(CallStatus.HARNESS_FAULT, str(fault))

    async def _report_quiet(self) -> None:
        """An agent may stop sending altogether: its silence has to be told to the ears."""
        while True:
            await asyncio.sleep(_QUIET_FEED_S)
            now_s = self.clock.now_s()
            if now_s - self._last_packet_s > _QUIET_FEED_S:
                self._feed(b"", now_s)
            if self.ears.lost:
                self._finish(CallStatus.HARNESS_FAULT, self.ears.lost)

    def _on_heard(self, heard: Heard) -> None:
        now_s = self.clock.now_s()
        started = heard.kind == "onset"
        self.on_event(
            Event(
                t=now_s,
                side="agent",
                kind="speech-started" if started else "speech-ended",
                source="vad",
                data={"at_s": round(heard.at_s, 4)},
            )
        )
        if started:
            self._tell(AgentSpeechStarted(t=now_s, onset_s=heard.at_s))
        else:
            self._tell(AgentSpeechEnded(t=now_s, end_s=heard.at_s))

    def _on_ended(self, ended: asyncio.Future[str]) -> None:
        if not ended.cancelled():
            self._how_ended = ended.result()
            self.on_event(
                Event(
                    t=self.clock.now_s(),
                    side="agent",
                    kind="hung-up",
                    source="wire",
                    data={"how": ended.result()},
                )
            )
            self._tell(AgentHungUp(t=self.clock.now_s()))

    def _tell(self, event: CallerEvent) -> None:
        if self.over.done():
            return
        try:
            for action in self.caller.on(event):
                self._carry_out(action)
            self._schedule_tick()
        # Raised into a timer or a reader it would end nothing: the call would hang, or go on deaf.
        except Exception as error:
            self._finish(CallStatus.HARNESS_FAULT, f"our caller failed: {type(error).__name__}: {error}")

    def _carry_out(self, action: CallerAction) -> None:
        if isinstance(action, Speak):
            self._speak(action)
        elif isinstance(action, Cancel):
            self._cancel(action)
        elif isinstance(action, HangUp):
            how = f" ({self._how_ended})" if self._how_ended else ""
            self._finish(_STATUS_OF_REASON[action.reason], action.detail + how)

    def _schedule_tick(self) -> None:
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        deadline_s = self.caller.next_deadline_s()
        if deadline_s is not None and not self.over.done():
            self._tick = self._at(deadline_s, lambda: self._tell(Tick(t=self.clock.now_s())))

    def _speak(self, action: Speak) -> None:
        frame = round((action.at_s - self._media_zero_s) / opus.FRAME_S)
        placed = self.uplink.schedule(self.clips[action.index], first_voiced_frame=frame)
        self.spoken.append(SpokenClip(index=action.index, action=action, placed=placed))
        self.on_event(
            Event(
                t=self.clock.now_s(),
                side="caller",
                kind="speak",
                source="policy",
                data={
                    "index": action.index,
                    "kind": action.kind,
                    "text": action.text,
                    "planned_s": round(action.at_s, 4),
                },
            )
        )
        start_s = self._media_zero_s + placed.first_voiced_sample / opus.SAMPLE_RATE_HZ
        end_s = self._media_zero_s + placed.last_voiced_sample / opus.SAMPLE_RATE_HZ
        self._timers.append(self._at(start_s, lambda: self._began(placed, action.index)))
        self._timers.append(self._at(end_s, lambda: self._finished(placed, action.index)))

    def _began(self, placed: PlacedClip, index: int) -> None:
        if self._is_on(placed):
            start_s = self._media_zero_s + placed.first_voiced_sample / opus.SAMPLE_RATE_HZ
            self.on_event(
                Event(
                    t=self.clock.now_s(),
                    side="caller",
                    kind="utterance-began",
                    source="wire",
                    data={"index": index, "start_s": round(start_s, 4)},
                )
            )

    def _is_on(self, placed: PlacedClip) -> bool:
        """Whether a clip is being sent or was sent, and not taken back."""
        return any(spoken.placed is placed for spoken in self.spoken)

    def _finished(self, placed: PlacedClip, index: int) -> None:
        if not self._is_on(placed):
            return
        end_s = self._media_zero_s + placed.last_voiced_sample / opus.SAMPLE_RATE_HZ
        self.on_event(
            Event(
                t=self.clock.now_s(),
                side="caller",
                kind="utterance-ended",
                source="wire",
                data={"index": index, "end_s": round(end_s, 4)},
            )
        )
        self._tell(UtteranceFinished(t=self.clock.now_s(), index=index, end_s=end_s))

    def _cancel(self, action: Cancel) -> None:
        for spoken in [one for one in self.spoken if one.index == action.index]:
            if self.uplink.cancel(spoken.placed):
                self.spoken.remove(spoken)
                self.on_event(
                    Event(
                        t=self.clock.now_s(),
                        side="caller",
                        kind="cancel",
                        source="policy",
                        data={"index": action.index},
                    )
                )

    def _finish(self, status: CallStatus, detail: str) -> None:
        if not self.over.done():
            self.over.set_result((status, detail))

    def _at(self, t_s: float, action: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(max(0.0, t_s - self.clock.now_s()), action)

    @property
    def _media_zero_s(self) -> float:
        deadline_ns = self.session.log.first_deadline_ns
        assert deadline_ns is not None, "the call has no media yet"
        return self.clock.at_s(deadline_ns)
