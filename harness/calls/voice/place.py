"""One live call: dial, talk, record. Nothing is scored here."""

from __future__ import annotations

import asyncio
import datetime
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from harness.calls.conversation import Held
from harness.calls.to_its_end import to_its_end
from harness.calls.voice.garbage_pause import undisturbed
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.hearing.meaning import PersonMeaning
from harness.calls.voice.hearing.words import LiveWords
from harness.calls.voice.live import CallEnd, LiveCall
from harness.calls.voice.loop_lag import LagProbe
from harness.calls.voice.pace.recording_thread import assembled
from harness.calls.voice.pace.standing import stands
from harness.calls.voice.recorder import Recording, record
from harness.calls.voice.retries import RetryBell
from harness.calls.voice.sent import pacing_of, spoken_utterances
from harness.calls.voice.speaking.live_voice import CallVoice
from harness.calls.voice.speaking.mouth import Clips
from harness.errors import HarnessFault, NotAnswered, RangOff, SetupFailed, UserError
from harness.plans.call import CallPlan
from harness.plans.on_the_wire import OnTheWire, on_the_wire
from harness.records.call import CallRecord, CallStatus, Event, NotTaken, Pacing
from harness.records.endings import BY_PERSON
from harness.records.timeline import AGENT_WAITS, TRANSFERRED
from harness.redaction import KNOWN
from harness.transports.base import DialRequest, MediaLog, MediaSession, ReceivedPacket, Transport
from harness.transports.clock import CallClock
from harness.transports.codecs.base import Samples
from harness.transports.echo import Echo
from harness.transports.uplink import Background, Uplink
from spoken_language.outside_text import harmless, harmless_content, one_line
from voice_sim.caller.caller import Caller
from voice_sim.policies.base import Policy, ThinkingPolicy

MAX_TRACE_CHARS = 8000

AudioSink = Callable[[bytes, float, str], None]
"""Given each packet of the agent, its place on the call's clock, and the name of its codec."""


@dataclass(frozen=True, kw_only=True)
class PreparedCall:
    """A call plan with everything made that can be known before the call."""

    plan: CallPlan
    transport: Transport
    """The way to the agent's address."""
    caller: Caller
    clips: Clips
    background: Background
    versions: dict[str, str]
    policy: Policy | None = None
    """What the caller asks; needed for one that thinks or hears words, so not for a script."""
    bed: Samples | None = None
    """Noise below everything that is said; None: silence."""
    retries: RetryBell | None = None
    """Tells of attempts of the caller's language model that failed."""

    @property
    def hears_words(self) -> bool:
        """Whether the call needs somebody who understands the agent."""
        return self.policy is not None and self.policy.hears_words

    @property
    def speaks_freely(self) -> bool:
        """Whether it may say what could not be made into sound beforehand."""
        return isinstance(self.clips, Mapping)


class MakeRecording(Protocol):
    """Makes the recording of a call that has ended.

    Raises:
        HarnessFault: It cannot be made.
    """

    async def __call__(
        self, *, clock: CallClock, uplink: Uplink, log: MediaLog, end_s: float
    ) -> Recording: ...


async def recorded_here(*, clock: CallClock, uplink: Uplink, log: MediaLog, end_s: float) -> Recording:
    """In this process, last of all (:mod:`harness.calls.voice.pace.recording_thread`)."""
    return await assembled(partial(record, clock=clock, uplink=uplink, log=log, end_s=end_s))


@dataclass(frozen=True, kw_only=True)
class Beside:
    """Who works beside a call and after it, in processes of their own; all are ready.

    Attributes:
        ears: Tell when the agent speaks.
        words: For a caller that hears words.
        meaning: For a caller that understands them by examples.
        voice: For a caller that speaks freely.
        make_recording: Of a call that has ended; as :func:`harness.calls.voice.recorder.record`.
    """

    ears: Ears
    words: LiveWords | None = None
    meaning: PersonMeaning | None = None
    voice: CallVoice | None = None
    make_recording: MakeRecording = recorded_here

    def close(self) -> None:
        """The call is over, or is not placed: what was opened for it alone is let go."""
        for one in (self.meaning, self.voice):
            if one is not None:
                one.close()


async def place_call(
    prepared: PreparedCall,
    *,
    beside: Beside,
    on_event: Callable[[Event], None] | None = None,
    on_audio: AudioSink = lambda payload, at_s, codec: None,
) -> Held:
    """Places one call and returns what is left of it. Never raises for what the agent does.

    ``on_event`` and ``on_audio`` are for those who watch; they must return quickly. Cancelling it (Ctrl-C)
    hangs up and still returns what was recorded, as ``interrupted``.
    """
    return await _Placing(prepared, on_event).held(beside, on_audio)


class _Placing:
    """One call from dialling to what is left of it."""

    def __init__(self, prepared: PreparedCall, on_event: Callable[[Event], None] | None) -> None:
        self._prepared = prepared
        self._on_event = on_event
        self._started_at = _now()
        self._clock = CallClock()
        echo = prepared.plan.conditions.echo
        self._uplink = Uplink(
            background=prepared.background,
            echo=None if echo is None else Echo(level_db=echo.level_db, delay_s=echo.delay_ms / 1000),
        )
        self._events: list[Event] = []
        self._session: MediaSession | None = None
        self._live: LiveCall | None = None
        self._connected_after_s: float | None = None
        self._lag = LagProbe()
        self._make_recording: MakeRecording = recorded_here
        if prepared.retries is not None:
            prepared.retries.answer = lambda data: self._note("llm-retry", "policy", **data)

    async def held(self, beside: Beside, on_audio: AudioSink) -> Held:
        self._make_recording = beside.make_recording
        with undisturbed():
            end = await self._end(beside, on_audio)
            # What transports of other packages tell was perhaps told to them.
            end = replace(end, detail=KNOWN.scrub(harmless(end.detail)))
        finishing = asyncio.create_task(self._finished(end))
        # A call that is over is not lost any more.
        broken_off = await to_its_end(finishing)
        self._let_go()
        return replace(finishing.result(), broken_off=broken_off)

    async def _finished(self, end: CallEnd) -> Held:
        end_s = self._clock.now_s()
        why = {"reason": end.reason} if end.reason else {}
        self._keep(_ended(end_s, end.status, end.detail, **why))
        if self._session is not None:
            await self._session.close()
        return await self._left(end, end_s)

    async def _end(self, beside: Beside, on_audio: AudioSink) -> CallEnd:
        """Dials and talks, and says how that ended, whatever happens."""
        end = await self._tried(beside, on_audio)
        waits = [event.data["detail"] for event in self._events if event.kind == AGENT_WAITS]
        if waits and end.status in (CallStatus.CALLER_HANGUP, CallStatus.TIMEOUT):
            end = replace(end, detail=f"{end.detail}; {waits[-1]}")
        if end.status is CallStatus.AGENT_HANGUP and any(map(_left_us, self._events)):
            end = replace(end, status=CallStatus.TRANSFERRED)
        return replace(end, detail=KNOWN.scrub(end.detail))

    async def _tried(self, beside: Beside, on_audio: AudioSink) -> CallEnd:
        try:
            return await self._talk(beside, on_audio)
        except NotAnswered as failure:
            taken = NotTaken(reason=failure.reason, code=failure.code, planned=failure.planned)
            return CallEnd(status=CallStatus.NOT_ANSWERED, detail=str(failure), not_answered=taken)
        except RangOff as failure:
            return CallEnd(status=CallStatus.RANG_OFF, detail=str(failure))
        except SetupFailed as failure:
            return CallEnd(status=CallStatus.SETUP_FAILED, detail=str(failure))
        except HarnessFault as fault:
            return CallEnd(status=CallStatus.HARNESS_FAULT, detail=str(fault))
        except asyncio.CancelledError:
            return CallEnd(status=CallStatus.INTERRUPTED, detail=BY_PERSON)
        except Exception as error:
            # A fault in our own code ends this call and no other; its traceback is kept with the call.
            self._note("fault", "harness", trace=traceback.format_exc()[-MAX_TRACE_CHARS:])
            return CallEnd(
                status=CallStatus.HARNESS_FAULT,
                detail=f"our own error: {type(error).__name__}: {one_line(str(error), most=500)}",
            )

    async def _talk(self, beside: Beside, on_audio: AudioSink) -> CallEnd:
        prepared, plan = self._prepared, self._prepared.plan
        self._session = await prepared.transport.dial(self._dial_request())
        self._connected_after_s = self._clock.now_s()
        self._keep(Event(t=self._connected_after_s, side="agent", kind="connected", source="wire"))
        self._live = LiveCall(
            clock=self._clock,
            uplink=self._uplink,
            session=self._session,
            caller=prepared.caller,
            clips=prepared.clips,
            ears=beside.ears,
            on_event=self._keep,
            on_audio=on_audio,
            policy=prepared.policy if isinstance(prepared.policy, ThinkingPolicy) else None,
            words=beside.words,
            meaning=beside.meaning,
            voice=beside.voice,
            language=plan.language,
        )
        with self._lag, stands(self._session.log):
            return await self._live.run()

    def _let_go(self) -> None:
        """Drops what is large: the parts of a connection refer to each other in circles, and where calls
        follow calls Python comes round to looking for such circles only after dozens of them."""
        if self._live is not None:
            self._live.let_go()
        if self._session is not None:
            self._session.log.let_go()
        self._uplink.let_go()
        # Whoever is still told of packets or events is told of a call that is over.
        self._live = self._session = None
        del self._prepared

    def _dial_request(self) -> DialRequest:
        plan = self._prepared.plan
        return DialRequest(
            agent=plan.agent,
            to=_on_the_wire(plan),
            clock=self._clock,
            uplink=self._uplink,
            conditions=plan.conditions,
            seed=plan.seed,
            connect_s=plan.limits.connect_s,
            on_packet=self._on_packet,
            on_event=self._keep_told,
        )

    def _on_packet(self, packet: ReceivedPacket) -> None:
        if self._live is not None:
            self._live.on_packet(packet)

    def _note(self, kind: str, source: str, /, **data: object) -> None:
        # By position alone: a retry has a 'kind' of its own.
        self._keep(Event(t=self._clock.now_s(), side="caller", kind=kind, source=source, data=data))

    def _keep_told(self, event: Event) -> None:
        """What a transport tells, of whichever package it is: the boundary of the call."""
        self._keep(event.model_copy(update={"data": harmless_content(event.data)}))

    def _keep(self, event: Event) -> None:
        if KNOWN.knows_any:
            event = event.model_copy(update={"data": KNOWN.scrub_data(event.data)})
        self._events.append(event)
        if self._on_event is not None:
            self._on_event(event)

    def _unrecorded(self, error: Exception, end: CallEnd) -> str:
        told = str(error) if isinstance(error, HarnessFault) else f"{type(error).__name__}: {error}"
        self._note("fault", "harness", trace="".join(traceback.format_exception(error))[-MAX_TRACE_CHARS:])
        what = one_line(KNOWN.scrub(told), most=500)
        return f"what was said is lost: {what}; the call itself ended as {end.status}: {end.detail}"

    async def _left(self, end: CallEnd, end_s: float) -> Held:
        """The record, and the recording where there is one."""
        session, pacing, recording = self._session, None, None
        if session is not None:
            pacing = pacing_of(session.log, self._lag.max_s, frame_s=self._uplink.codec.frame_s)
            try:
                recording = await self._make_recording(
                    clock=self._clock, uplink=self._uplink, log=session.log, end_s=end_s
                )
            # A call without its sound is told as our fault; one that is not told at all is waited for.
            except Exception as error:
                end = replace(end, status=CallStatus.HARNESS_FAULT, detail=self._unrecorded(error, end))
        late = "" if end.status.says_nothing else _too_late(pacing)
        so_it_ended = f"the call itself ended as {end.status}: {end.detail}"
        spoken = self._live.spoken if self._live is not None else []
        return Held(
            record=CallRecord(
                plan=self._prepared.plan,
                status=CallStatus.HARNESS_FAULT if late else end.status,
                status_detail=f"{late}; {so_it_ended}" if late else end.detail,
                voided=end.status if late else None,
                end_reason=end.reason,
                not_answered=end.not_answered,
                started_at=self._started_at,
                began_monotonic_s=self._clock.zero_ns / 1e9,
                connected_after_s=self._connected_after_s,
                duration_s=end_s,
                utterances=spoken_utterances(
                    spoken, recording, self._uplink, script=self._prepared.plan.script
                )
                if recording
                else [],
                gaps=recording.gaps if recording else [],
                pacing=pacing,
                media=recording.media if recording else None,
                agent_name=KNOWN.scrub(one_line(session.agent_name, most=200)) if session else "",
                versions=self._prepared.versions,
            ),
            events=sorted(self._events, key=lambda event: event.t),
            recording=recording,
            clock=self._clock,
            late_ms=[late_s * 1000 for late_s in session.log.lateness_s] if session is not None else [],
        )


def _left_us(event: Event) -> bool:
    """Whether the agent handed the call on, and it did not go on there."""
    return event.kind == TRANSFERRED and event.source == "wire" and event.data.get("followed") is not True


def _on_the_wire(plan: CallPlan) -> OnTheWire:
    try:
        return on_the_wire(plan.agent, plan.headers, plan.request_data, plan.reach)
    except UserError as error:
        raise HarnessFault(f"{error}; the agent was not called") from error


def unplaced_call(prepared: PreparedCall, *, why: str, status: CallStatus = CallStatus.HARNESS_FAULT) -> Held:
    """A call that did not even begin: by a fault of our own side, or as ``status`` says."""
    why = KNOWN.scrub(why)
    return Held(
        record=CallRecord(
            plan=prepared.plan,
            status=status,
            status_detail=why,
            started_at=_now(),
            duration_s=0.0,
            versions=prepared.versions,
        ),
        events=[_ended(0.0, status, why)],
        clock=CallClock(),
    )


def _too_late(pacing: Pacing | None) -> str:
    """Why the call's figures would not be the agent's: our sender could not keep time. Empty where it did."""
    if pacing is None or pacing.late_p95_ms <= pacing.bound_p95_ms:
        return ""
    return (
        f"our sender was {pacing.late_p95_ms:.1f} ms late (p95; bound {pacing.bound_p95_ms:g} ms), "
        "so the figures would not be the agent's"
    )


def _ended(t: float, status: CallStatus, detail: str, **why: object) -> Event:
    about = {"status": status, "detail": detail, **why}
    return Event(t=t, side="caller", kind="ended", source="harness", data=about)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
