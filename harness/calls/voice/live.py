"""The moving parts of one call in progress: events to the caller, its actions to the uplink.

Everything here runs on the event loop and returns at once; the caller decides, this class only carries out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.hearing.meaning import PersonMeaning
from harness.calls.voice.hearing.media_clock import MediaClock
from harness.calls.voice.hearing.turn_detector import Heard
from harness.calls.voice.hearing.words import LiveWords, Understood, words_event
from harness.calls.voice.pace.understanding import note_understood
from harness.calls.voice.speaking.live_voice import CallVoice
from harness.calls.voice.speaking.mouth import Clips, Mouth, SpokenClip
from harness.calls.voice.thinker import Thinker
from harness.errors import HarnessFault
from harness.records.call import CallStatus, Event, NotTaken
from harness.records.endings import STATUS_OF_REASON
from harness.transports.base import ConnectionLost, MediaSession, PressesKeys, ReceivedPacket
from harness.transports.clock import CallClock
from harness.transports.codecs.table import codec_named
from harness.transports.uplink import Uplink
from voice_sim.caller.caller import Caller
from voice_sim.caller.events import (
    AgentHungUp,
    AgentSpeechEnded,
    AgentSpeechStarted,
    AgentWords,
    CallerAction,
    CallerEvent,
    Cancel,
    Connected,
    Forget,
    HangUp,
    HangUpReason,
    Speak,
    Think,
    Tick,
)
from voice_sim.policies.base import ThinkingPolicy

_QUIET_FEED_S = 0.1
WORDS_LIMIT_S = 7.0
"""A caller that has not understood by then would say so to the agent, for our own slowness."""


@dataclass(frozen=True, kw_only=True)
class CallEnd:
    """How a call came to its end: the status, what to tell the reader, and why whoever hung up did so,
    or nobody took it."""

    status: CallStatus
    detail: str
    reason: HangUpReason | None = None
    not_answered: NotTaken | None = None


def _never_began(ended: asyncio.Future[str]) -> CallEnd:
    """How a call ended that ended before our stream began."""
    if (fault := ended.exception()) is not None:
        return CallEnd(status=CallStatus.HARNESS_FAULT, detail=str(fault))
    if isinstance(how := ended.result(), ConnectionLost):
        detail = f"the connection was lost before any sound could be sent ({how})"
        return CallEnd(status=CallStatus.CONNECTION_LOST, detail=detail, reason="connection_lost")
    return CallEnd(
        status=CallStatus.AGENT_HANGUP,
        detail="the agent ended the call before any sound could be sent",
        reason="agent_hangup",
    )


def _presses_none(keys: str | None, frame: int) -> bool:
    return keys is None


@dataclass(kw_only=True)
class LiveCall:
    """One call from connection to hang-up.

    ``over`` is done when the call is to end.
    """

    clock: CallClock
    uplink: Uplink
    session: MediaSession
    caller: Caller
    clips: Clips
    ears: Ears
    on_event: Callable[[Event], None]
    policy: ThinkingPolicy | None = None
    """Asked when the caller thinks; None for a caller that never does."""
    words: LiveWords | None = None
    """What the caller understands by; None for a caller that needs no words."""
    meaning: PersonMeaning | None = None
    """Tells the caller's policy what these mean; None for one that knows by itself."""
    voice: CallVoice | None = None
    """Speaks what is not among ``clips``."""
    language: str = "en"
    on_audio: Callable[[bytes, float, str], None] = lambda payload, at_s, codec: None
    """Called with each packet of the agent, its place on the call's clock, and the name of its codec."""
    over: asyncio.Future[CallEnd] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    _media_clock: MediaClock | None = None
    """The agent's; None until somebody listens."""
    _ear_key: int = -1
    _words_key: int = -1
    _agent_onset_s: float = 0.0
    _words_asked_s: dict[float, float] = field(default_factory=dict)
    """When the words of the speech with this onset were asked for."""
    _thinker: Thinker | None = None
    _tick: asyncio.TimerHandle | None = None
    _last_packet_s: float = 0.0
    _how_ended: str = ""

    def __post_init__(self) -> None:
        self._mouth = Mouth(
            uplink=self.uplink,
            clips=self.clips,
            voice=self.voice,
            now_s=self.clock.now_s,
            media_zero_s=self._media_zero_s,
            tell=self._tell,
            fail=self._fail,
            on_event=self.on_event,
            press=self.session.press if isinstance(self.session, PressesKeys) else _presses_none,
        )

    @property
    def spoken(self) -> list[SpokenClip]:
        """What the caller said, in order."""
        return self._mouth.spoken

    async def run(self) -> CallEnd:
        """Lets the caller talk until one side ends the call."""
        if not await self._media_stands():
            return _never_began(self.session.ended)
        codec = self.session.log.codec
        if self.uplink.echo is not None:
            self.uplink.echo.begin(codec=codec_named(codec), zero_s=self._media_zero_s())
        media_clock = MediaClock(self.clock, clock_rate_hz=codec_named(codec).clock_rate_hz)
        self._ear_key = self.ears.listen(self._on_heard, codec=codec)
        if self.words is not None:
            self._words_key = self.words.listen(self.language, self._on_words, codec=codec)
        self._media_clock = media_clock
        if self.policy is not None:
            self._thinker = Thinker(
                policy=self.policy,
                sound_ready=self._mouth.prepare,
                now_s=self.clock.now_s,
                tell=self._tell,
                fail=self._fail,
                on_event=self.on_event,
            )
        self.session.ended.add_done_callback(self._on_ended)
        quiet = asyncio.create_task(self._report_quiet())
        try:
            self._tell(Connected(t=self.clock.now_s()))
            return await self.over
        finally:
            quiet.cancel()
            self.session.ended.remove_done_callback(self._on_ended)
            self.ears.forget(self._ear_key)
            if self.words is not None:
                self.words.forget(self._words_key)
            if self._thinker is not None:
                self._thinker.stop()
            self._mouth.close()
            if self._tick is not None:
                self._tick.cancel()

    def let_go(self) -> None:
        """Keeps no sound any more, once the call has been recorded."""
        self.clips = ()
        self._mouth.let_go()

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
        if self._media_clock is None:
            return
        at_s = self._media_clock.place(packet.stamp)
        self._last_packet_s = self.clock.at_s(packet.stamp.monotonic_ns)
        if self.uplink.echo is not None:
            self.uplink.echo.hear(packet.payload, at_s)
        self._feed(packet.payload, at_s)
        self.on_audio(packet.payload, at_s, self.session.log.codec)

    def _feed(self, payload: bytes, at_s: float) -> None:
        try:
            self.ears.feed(self._ear_key, payload, at_s)
            if self.words is not None:
                self.words.feed(self._words_key, payload, at_s)
        except HarnessFault as fault:
            self._fail(str(fault))

    async def _report_quiet(self) -> None:
        """An agent may stop sending altogether: its silence has to be told to the ears."""
        while True:
            await asyncio.sleep(_QUIET_FEED_S)
            now_s = self.clock.now_s()
            if now_s - self._last_packet_s > _QUIET_FEED_S:
                self._feed(b"", now_s)
            self._check_workers(now_s)

    def _check_workers(self, now_s: float) -> None:
        workers = (self.ears, self.words, self.meaning, self.voice)
        lost = next((worker.lost for worker in workers if worker is not None and worker.lost), "")
        if lost:
            self._fail(lost)
        elif any(now_s - asked_s > WORDS_LIMIT_S for asked_s in self._words_asked_s.values()):
            self._fail(
                f"the caller did not understand the agent within {WORDS_LIMIT_S:g} s of its end: "
                "the machine is overloaded"
            )

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
            self._agent_onset_s = heard.at_s
            self._tell(AgentSpeechStarted(t=now_s, onset_s=heard.at_s))
            return
        if self.words is not None:
            self._ask_for_words(self.words, heard.at_s)
        self._tell(AgentSpeechEnded(t=now_s, end_s=heard.at_s))

    def _ask_for_words(self, words: LiveWords, end_s: float) -> None:
        self._words_asked_s[self._agent_onset_s] = self.clock.now_s()
        try:
            words.ask(self._words_key, self._agent_onset_s, end_s)
        except HarnessFault as fault:
            self._fail(str(fault))

    def _on_words(self, understood: Understood) -> None:
        now_s = self.clock.now_s()
        self._words_asked_s.pop(understood.onset_s, None)
        note_understood(now_s - understood.end_s)
        self.on_event(words_event(understood, t=now_s))
        self._tell(AgentWords(t=now_s, onset_s=understood.onset_s, text=understood.text))

    def _on_ended(self, ended: asyncio.Future[str]) -> None:
        if ended.cancelled():
            return
        if (fault := ended.exception()) is not None:
            self._fail(str(fault))
        else:
            how = self._how_ended = ended.result()
            lost = isinstance(how, ConnectionLost)
            kind = "connection-lost" if lost else "hung-up"
            self.on_event(
                Event(t=self.clock.now_s(), side="agent", kind=kind, source="wire", data={"how": str(how)})
            )
            self._tell(AgentHungUp(t=self.clock.now_s(), lost=lost))

    def _tell(self, event: CallerEvent) -> None:
        if self.over.done():
            return
        try:
            for action in self.caller.on(event):
                self._carry_out(action)
            self._schedule_tick()
        # Raised into a timer or a reader it would end nothing: the call would hang, or go on deaf.
        except Exception as error:
            self._fail(f"our caller failed: {type(error).__name__}: {error}")

    def _carry_out(self, action: CallerAction) -> None:
        if isinstance(action, Speak):
            self._mouth.say(action)
        elif isinstance(action, Cancel):
            self._mouth.take_back(action.index)
        elif isinstance(action, Think):
            if self._thinker is None:
                raise TypeError("the caller thinks, and its policy does not")
            self._thinker.think(action)
        elif isinstance(action, Forget):
            if self._thinker is not None:
                self._thinker.forget(action.number)
        elif isinstance(action, HangUp):
            how = f" ({self._how_ended})" if self._how_ended else ""
            self._finish(
                CallEnd(
                    status=STATUS_OF_REASON[action.reason],
                    detail=action.detail + how,
                    reason=action.reason,
                )
            )

    def _schedule_tick(self) -> None:
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        deadline_s = self.caller.next_deadline_s()
        if deadline_s is not None and not self.over.done():
            self._tick = self._at(deadline_s, lambda: self._tell(Tick(t=self.clock.now_s())))

    def _fail(self, detail: str) -> None:
        self._finish(CallEnd(status=CallStatus.HARNESS_FAULT, detail=detail))

    def _finish(self, end: CallEnd) -> None:
        if not self.over.done():
            self.over.set_result(end)

    def _at(self, t_s: float, action: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(max(0.0, t_s - self.clock.now_s()), action)

    def _media_zero_s(self) -> float:
        deadline_ns = self.session.log.first_deadline_ns
        assert deadline_ns is not None, "the call has no media yet"
        return self.clock.at_s(deadline_ns)
